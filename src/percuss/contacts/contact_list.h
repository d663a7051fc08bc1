#pragma once

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "percuss/collision/facet_tree.h"
#include "percuss/collision/feature_gap.h"
#include "percuss/contacts/contact_view.h"
#include "percuss/contacts/things.h"
#include "percuss/dynamics/contact_state.h"
#include "percuss/dynamics/scalar_function.h"
#include "percuss/laws/contact_law.h"

namespace percuss {

struct System;

enum class ContactKind : std::uint8_t {
  fixed_plane,     ///< a particle or sphere against a fixed wall: the gap is linear in q
  plane,           ///< a point with a radius against a wall of a body, a frame or the ground
  spheres,         ///< two spheres
  pin_in_hole,     ///< a round pin in a round hole
  convex,          ///< a point with a radius against the faces of a convex body
  point_on_line,   ///< a point with a radius against a line with one: the edge of a body, the axis of a
                   ///< capsule
  lines,           ///< two lines that are not parallel
  curved,          ///< with a rim, the side of a cone or an ellipsoid: features by their numbers
  limit,           ///< a stop of a joint
  user,            ///< a gap of a user's system
  facets,          ///< a point with a radius against the surface of a flexible body
  joint_friction,  ///< dry friction in a hinge or slider: always closed, no gap; its one row is the joint's
                   ///< rate
};

/// A gap function with its law, and where its numbers stand. `a` is the point of the first body, `b` belongs
/// to the second.
struct Contact {
  ContactId id;
  ContactKind kind = ContactKind::fixed_plane;
  bool is_always_listed = true;  ///< otherwise only while it is near: see Detection
  ContactLaw law;
  int rows = 1;              ///< those of the law
  int moments = 0;           ///< of them the last ones: of rolling, about its tangents, and of spinning
  bool is_planar = false;    ///< it slides in one direction, and rolls about the one across the plane
  double moment_length = 1;  ///< angular velocities are multiplied by it, moments divided [m]
  int row = 0;               ///< its first one in ContactState::reaction and ContactKinematics::motion
  int begin = 0, count = 0;  ///< its entries of ContactList::dof, the same for all rows
  int entry = 0;             ///< its entries of ContactKinematics::jacobian: row after row
  Attached a, b;
  /// The side is a straight line from node a or b to this one: an element of a beam, whose direction follows
  /// from its nodes; -1: it belongs to one body.
  int next_a = -1, next_b = -1;
  double radius_a = 0, radius_b = 0;
  Vector3 direction = Vector3::Zero();    ///< plane: normal; pin: axis of the hole; line: its direction; in
                                          ///< axes of the second body
  Vector3 direction_a = Vector3::Zero();  ///< lines, curved: of the first, in axes of the first body
  /// Conveyors: how fast the surface of the second body moves along itself, less that of the first, in axes
  /// of the body that has it [m/s].
  Vector3 belt = Vector3::Zero();
  bool belt_is_first = false;  ///< the first body has it
  double offset = 0;           ///< fixed plane: constant part of the gap; limit: the bound
  double sign = 1;             ///< limit: +1 for a lower one, -1 for an upper one; lines: of the
                               ///< normal along first x second
  int index = -1;              ///< limit, dry joint: coordinate; convex: first face; user: system;
                               ///< facets: surface; curved: piece of the first, -1 a half-space
  int item = 0;                ///< convex: number of faces; user: gap; curved: piece of the second
  double gap_length = 1;       ///< what a unit of the gap is as a length [m]: the model's size for angles
  /// Of the thinner of the two bodies [m]: one that moves by more than half of it in a step may pass through.
  double thickness = std::numeric_limits<double>::infinity();

  /// Whether its first row is a normal; otherwise it is always closed.
  bool has_gap() const { return kind != ContactKind::joint_friction; }
  int first_tangent() const { return has_gap() ? 1 : 0; }
  int first_moment() const { return rows - moments; }
  int tangents() const { return first_moment() - first_tangent(); }
  /// About which axis of N, T1, T2 the k-th of its moments acts: 0 is spinning.
  int moment_axis(int k) const {
    if (k >= law.rolling_rows()) return 0;
    return is_planar ? 2 : 1 + k;
  }
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
  std::vector<int> nodes;                ///< bodies of the system, ascending
  std::vector<std::array<int, 3>> dofs;  ///< of the nodes, -1 where they are held
  bool is_floating = false;              ///< of a body in a floating frame
  double margin = 0;                     ///< of the boxes around facets [m]
  double reach = 0;                      ///< within which contacts are looked for [m]
  double thickness = 0;                  ///< points further behind a facet do not touch it from outside [m]

  /// Where a body of the system stands in `nodes`, -1 if it is none of them.
  int place_of(int body) const;
};

/// The contacts that a step looks at. They are chosen before it and stay while it is computed; gaps and
/// directions at a moment are ContactKinematics.
struct ContactList {
  std::vector<Contact> contacts;          ///< with ascending ids
  std::vector<int> dof;                   ///< coordinates at which the columns of H have their entries
  std::vector<double> constant_jacobian;  ///< H of fixed planes; zero elsewhere
  int rows = 0;                           ///< of all contacts
  long version = 0;                       ///< another one for each list of a Detection

  int count() const { return static_cast<int>(contacts.size()); }
  const Contact& operator[](int c) const { return contacts[static_cast<std::size_t>(c)]; }
  void clear();
  /// Behind the others, with its rows; `dof` and `constant_jacobian` have its entries already.
  void add(const Contact& contact);
  /// The same; its entries are the coordinates of its two bodies.
  void add_with_coordinates(const System& system, const Contact& contact);
  /// The same with those of its point and of a facet, which are others from moment to moment.
  void add_on_surface(const System& system, const ContactSurface& surface, const Contact& contact);
  /// A contact of another list, with its entries.
  void add_from(const ContactList& other, int c);
  /// Place of a contact, -1 if it is not listed.
  int find(const ContactId& id) const;

 private:
  void append_coordinates(const System& system, int body);
  void add_with_last(int first_coordinate, const Contact& contact);
};

/// Everything of a model that can touch; constant.
struct Interactions {
  ContactList declared;                  ///< every contact that is given one by one; its version is 0
  std::vector<ContactName> names;        ///< of these, by ContactId::interaction
  std::shared_ptr<const Things> things;  ///< what others find, or nullptr; constant, so copies share it
  std::vector<ConvexFace> faces;
  std::vector<ContactSurface> surfaces;
  bool is_constant = true;           ///< only fixed planes
  bool friction_is_constant = true;  ///< of no law it depends on the speed of sliding

  std::int64_t declared_count() const { return static_cast<std::int64_t>(names.size()); }
  bool empty() const { return names.empty() && !things; }
  bool is_declared(const ContactId& id) const {
    return id.interaction >= 0 && id.interaction < declared_count();
  }
  /// Whether it is a contact that two rigid bodies, or one and an obstacle, find.
  bool is_of_rigid_things(const ContactId& id) const;
  bool knows(const ContactId& id) const;
  ContactName name(const ContactId& id) const;
  ContactName name(const Contact& contact) const { return name(contact.id); }
  /// All laws that contacts can have, some of them more than once.
  template <class Visit>
  void for_each_law(const Visit& visit) const {
    for (const Contact& contact : declared.contacts) visit(contact.law);
    if (things)
      for (const ContactLaw& law : things->laws) visit(law);
  }
  /// Whether a contact has a normal: all but dry friction in joints.
  bool has_gap(const ContactId& id) const {
    const int c = declared.find(id);
    return c < 0 || declared[c].has_gap();
  }
};

/// The rows of its law, in the plane with one tangent; without moments if their length is 0.
void set_rows(Contact& contact, bool is_planar, double moment_length);
/// The same of two bodies, or a body and the ground.
void set_rows(const System& system, Contact& contact);

/// Place of the declared contact with these two names, -1 if there is none.
int find_contact(const Interactions& interactions, const std::string& first, const std::string& second);

/// Of values for the rows of all contacts those of one: N, T1, T2; 0 where it has no such row.
Vector3 in_contact_frame(const Contact& contact, const std::vector<double>& by_row);
/// Of reactions the moments about N (spinning), T1 and T2 (rolling).
Vector3 moments_in_contact_frame(const Contact& contact, const std::vector<double>& by_row);

}  // namespace percuss
