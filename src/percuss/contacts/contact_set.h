#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "percuss/collision/facet_tree.h"
#include "percuss/dynamics/consistent_start.h"
#include "percuss/dynamics/system.h"
#include "percuss/geometry/half_space.h"
#include "percuss/laws/contact_law.h"

namespace percuss {

enum class ContactKind : std::uint8_t {
  fixed_plane,     ///< a particle or sphere against a fixed wall: the gap is linear in q
  plane,           ///< a point with a radius against a wall of a body, a frame or the ground
  spheres,         ///< two spheres
  pin_in_hole,     ///< a round pin in a round hole
  convex,          ///< a point with a radius against the faces of a convex body
  limit,           ///< a stop of a joint
  user,            ///< a gap of a user's system
  facets,          ///< a point with a radius against the surface of a flexible body
  joint_friction,  ///< dry friction in a hinge or slider: always closed, no gap; its one row is the joint's
                   ///< rate
};

/// A face of a convex body: outward unit normal and its distance from the centre of mass, in body axes.
struct ConvexFace {
  Vector3 normal;
  double offset;
};

/// A gap function with its law. `a` is the point of the first body, `b` belongs to the second.
struct Contact {
  ContactKind kind = ContactKind::fixed_plane;
  std::string first, second;  ///< as in `contact(first, second)`
  ContactLaw law;
  int rows = 1;              ///< those of the law
  int row = 0;               ///< its first one in State::reaction and ContactKinematics::motion
  int begin = 0, count = 0;  ///< its entries of ContactSet::dof, the same for all rows
  int entry = 0;             ///< its entries of ContactKinematics::jacobian: row after row
  Attached a, b;
  double radius_a = 0, radius_b = 0;
  Vector3 direction = Vector3::Zero();  ///< plane: normal; pin: axis of the hole; in axes of the second body
  double offset = 0;                    ///< fixed plane: constant part of the gap; limit: the bound
  double sign = 1;                      ///< limit: +1 for a lower one, -1 for an upper one
  int index = -1;                       ///< limit, dry joint: coordinate; convex: first face; user: system;
                                        ///< facets: surface
  int item = 0;                         ///< convex: number of faces; user: gap
  double gap_length = 1;  ///< what a unit of the gap is as a length [m]: the model's size for angles
  /// Of the thinner of the two bodies [m]: one that moves by more than half of it in a step may pass through.
  double thickness = std::numeric_limits<double>::infinity();

  /// Whether its first row is a normal; otherwise it is always closed.
  bool has_gap() const { return kind != ContactKind::joint_friction; }
  int first_tangent() const { return has_gap() ? 1 : 0; }
  int tangents() const { return rows - first_tangent(); }
  /// Against the surface of a flexible body.
  bool has_surface() const { return kind == ContactKind::facets; }
  bool is_in_hole() const { return kind == ContactKind::pin_in_hole; }
  /// A stop of a joint, or its dry friction.
  bool is_of_joint() const { return kind == ContactKind::limit || kind == ContactKind::joint_friction; }
};

/// The surface of a flexible body. Its facets have up to four nodes; those of quadratic cells count with
/// their corners.
struct ContactSurface {
  SurfaceFacets facets;                  ///< numbers index `nodes`
  std::vector<int> nodes;                ///< bodies of the system
  std::vector<std::array<int, 3>> dofs;  ///< of the nodes, -1 where they are held
  bool is_floating = false;              ///< of a body in a floating frame
  double margin = 0;                     ///< of the boxes around facets [m]
  double reach = 0;                      ///< within which contacts are looked for [m]
  double thickness = 0;                  ///< points further behind a facet do not touch it from outside [m]
};

/// All contacts of a run, constant. The columns of H of a contact have their entries at fixed coordinates.
struct ContactSet {
  std::vector<Contact> contacts;
  std::vector<int> dof;                   ///< at the start; contacts with a deformable surface change theirs
  std::vector<double> constant_jacobian;  ///< of fixed planes; zero elsewhere
  std::vector<ConvexFace> faces;
  std::vector<ContactSurface> surfaces;
  bool is_constant = true;  ///< only fixed planes
  int rows = 0;             ///< of all contacts

  int count() const { return static_cast<int>(contacts.size()); }
  void add(Contact contact);  ///< behind the others, with its rows
};

/// Gaps and frames at one moment. The relative velocity of row k of a contact is u_k = H_k^T v + motion_k.
struct ContactKinematics {
  std::vector<double> gap;                ///< [m]
  std::vector<int> dof;                   ///< coordinates of the entries of H_k, by Contact::begin
  std::vector<double> jacobian;           ///< H_k of the rows k of the contacts, by Contact::entry
  std::vector<double> motion;             ///< part of u that prescribed motions cause [m/s], by Contact::row
  std::vector<Vector3> point, direction;  ///< of the contact and its normal in space; zero if it has none
  std::vector<Vector3> tangent;           ///< T1 in space; T2 = N x T1
  std::vector<int> facet;                 ///< under a contact with a surface, where a search begins; or -1
  bool is_complete = false;               ///< no contact was passed over; see evaluate_near_contacts()

  /// Where the surfaces of flexible bodies are.
  struct Surface {
    FacetTree tree;
    std::vector<Vector3> points;
    double travel = 0;  ///< sum of how far its points came at most from one moment to the next [m]
  };
  std::vector<Surface> surfaces;
  /// What the last search for the closest point of a contact on a surface found.
  struct Look {
    Vector3 point = Vector3::Zero();  ///< of the contact, in space
    double distance = 0;              ///< of all facets from it, at least [m]
    double travel = 0;                ///< of the surface
  };
  std::vector<Look> looks;
};
/// The tangents that belong to a normal; in the plane T1 stays in it.
Frame contact_frame(const Contact& contact, const Vector3& normal);
ContactKinematics make_contact_kinematics(const ContactSet& contacts);
/// Gaps and normals of all contacts. `kinematics` must be at q unless all contacts are constant.
void evaluate_contacts(const System& system, const ContactSet& contacts, const VectorX& q,
                       Kinematics& kinematics, ContactKinematics& out);
/// The same where contacts that are farther open than `horizon` [m] do not matter, but for those that were
/// closed by their status. What does not matter may keep everything, also its rows, from an earlier moment at
/// which it was as open.
void evaluate_near_contacts(const System& system, const ContactSet& contacts, const VectorX& q,
                            double horizon, std::span<const ContactStatus> status, Kinematics& kinematics,
                            ContactKinematics& out);
/// The same for some contacts, ascending. Those with surfaces of flexible bodies stay as they are in `out`.
void evaluate_contacts_without_surfaces(const System& system, const ContactSet& contacts,
                                        std::span<const int> some, const VectorX& q, Kinematics& kinematics,
                                        ContactKinematics& out);
/// Relative velocity of a row of a contact; row 0 is the normal, positive if the bodies separate.
inline double relative_velocity(const ContactSet& contacts, const ContactKinematics& at, int c, int row,
                                const VectorX& v) {
  const Contact& contact = contacts.contacts[c];
  const double* H = at.jacobian.data() + contact.entry + row * contact.count;
  const int* dof = at.dof.data() + contact.begin;
  double u = at.motion[contact.row + row];
  for (int i = 0; i < contact.count; ++i) u += H[i] * v[dof[i]];
  return u;
}

/// Of values for the rows of all contacts those of one: N, T1, T2; 0 where it has no such row.
Vector3 in_contact_frame(const Contact& contact, const std::vector<double>& by_row);

/// Velocity of the point of a contact with facets against the place of the surface under it [m/s]; zero if
/// nothing is near. For reports: frictionless contacts have no rows for it. `at` must be at q of the state.
Vector3 velocity_over_facets(const System& system, const ContactSet& contacts, const ContactKinematics& at,
                             int c, const State& state);

/// Index of the contact with these two names, -1 if there is none.
int find_contact(const ContactSet& contacts, const std::string& first, const std::string& second);

/// A mechanical system together with its contacts: what an integrator moves.
struct Assembly {
  System system;
  ContactSet contacts;
  StartReport start;
  bool steps_vary = false;  ///< then nothing is computed that pays off only while factors last
};
/// Throws ModelError if something cannot touch or joints cannot be closed.
Assembly build_assembly(const CheckedModel& checked);
/// The same if the model is not valid.
Assembly build_assembly(const Model& model, double start_time = 0);

}  // namespace percuss
