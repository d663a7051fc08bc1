#pragma once

#include <span>
#include <vector>

#include "percuss/contacts/assembly.h"
#include "percuss/geometry/half_space.h"

namespace percuss {

/// Gaps and directions of the contacts of a list at one moment. The relative velocity of row k of a contact
/// is u_k = H_k^T v + motion_k.
struct ContactKinematics {
  std::vector<double> gap;                ///< [m]
  std::vector<int> dof;                   ///< coordinates of the entries of H_k, by Contact::begin
  std::vector<double> jacobian;           ///< H_k of the rows k of the contacts, by Contact::entry
  std::vector<double> motion;             ///< part of u that prescribed motions cause [m/s], by Contact::row
  std::vector<Vector3> point, direction;  ///< of the contact and its normal in space; zero if it has none
  std::vector<Vector3> tangent;           ///< T1 in space; T2 = N x T1
  std::vector<int> facet;                 ///< under a contact with a surface, where a search begins; or -1
  bool is_complete = false;               ///< no contact was passed over; see evaluate_near_contacts()
  long version = -1;                      ///< of the list

  /// Where the surfaces of flexible bodies are.
  struct Surface {
    FacetTree tree;
    std::vector<Vector3> points;
    double travel = 0;        ///< sum of how far its points came at most from one moment to the next [m]
    bool is_touched = false;  ///< some contact of the list is with it; others are not placed
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

/// Memory for the facets of surfaces.
std::vector<ContactKinematics::Surface> make_surfaces(const Interactions& interactions);
/// Memory for the contacts of a list; nothing is evaluated yet.
ContactKinematics make_contact_kinematics(const Interactions& interactions, const ContactList& contacts);
/// Memory for another list of the same interactions; fit() only if it is another one than before.
void make_room(const ContactList& contacts, ContactKinematics& at);
inline void fit(const ContactList& contacts, ContactKinematics& at) {
  if (at.version != contacts.version) make_room(contacts, at);
}

/// The tangents that belong to a normal; in the plane T1 stays in it.
Frame contact_frame(const Contact& contact, const Vector3& normal);

/// Gaps and normals of all contacts. `kinematics` must be at q unless all contacts are constant. `out` takes
/// the shape of the list.
void evaluate_contacts(const Assembly& assembly, const ContactList& contacts, const VectorX& q,
                       Kinematics& kinematics, ContactKinematics& out);
/// The same where contacts that are farther open than `horizon` [m] do not matter, but for those that were
/// closed by their status. What does not matter may keep everything, also its rows, from an earlier moment at
/// which it was as open.
void evaluate_near_contacts(const Assembly& assembly, const ContactList& contacts, const VectorX& q,
                            double horizon, std::span<const ContactStatus> status, Kinematics& kinematics,
                            ContactKinematics& out);
/// The same for some contacts, ascending. Those with surfaces of flexible bodies stay as they are in `out`.
void evaluate_contacts_without_surfaces(const Assembly& assembly, const ContactList& contacts,
                                        std::span<const int> some, const VectorX& q, Kinematics& kinematics,
                                        ContactKinematics& out);

/// Relative velocity of a row of a contact; row 0 is the normal, positive if the bodies separate.
inline double relative_velocity(const ContactList& contacts, const ContactKinematics& at, int c, int row,
                                const VectorX& v) {
  const Contact& contact = contacts[c];
  const double* H = at.jacobian.data() + contact.entry + row * contact.count;
  const int* dof = at.dof.data() + contact.begin;
  double u = at.motion[contact.row + row];
  for (int i = 0; i < contact.count; ++i) u += H[i] * v[dof[i]];
  return u;
}

}  // namespace percuss
