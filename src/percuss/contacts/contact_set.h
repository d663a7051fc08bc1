#pragma once

#include <array>
#include <string>
#include <vector>

#include "percuss/dynamics/system.h"
#include "percuss/geometry/half_space.h"

namespace percuss {

/// A body against a wall. The gap is linear in q: gap = sum normal_i q_{dof_i} + offset, so the column of H
/// is the normal restricted to the coordinates that can move.
struct Contact {
  int body = 0;
  int wall = 0;
  int count = 0;  ///< coordinates the contact acts on; 0 if the body cannot move along the normal
  std::array<int, 3> dof{};
  std::array<double, 3> normal{};
  double offset = 0;
  double restitution = 0;

  double gap(const VectorX& q) const {
    double g = offset;
    for (int i = 0; i < count; ++i) g += normal[i] * q[dof[i]];
    return g;
  }
  /// Relative normal velocity, positive if the bodies separate.
  double velocity(const VectorX& v) const {
    double u = 0;
    for (int i = 0; i < count; ++i) u += normal[i] * v[dof[i]];
    return u;
  }
};

/// All contacts of a run, constant.
struct ContactSet {
  std::vector<Contact> contacts;
  std::vector<Wall> walls;

  int count() const { return static_cast<int>(contacts.size()); }
};

ContactSet build_contacts(const Model& model, const System& system);

/// Index of the contact of a body with a wall, -1 if there is none.
int find_contact(const System& system, const ContactSet& contacts, const std::string& body,
                 const std::string& wall);

/// A contact as a person wants to see it.
struct ContactView {
  std::string body, wall;
  Vector3 point;     ///< of the body, in space [m]
  Vector3 normal;    ///< from the wall to the body
  double gap;        ///< [m], negative = penetration
  Vector3 velocity;  ///< (u_N, u_T1, u_T2) in the contact frame [m/s]
};
ContactView view_contact(const System& system, const ContactSet& contacts, int index, const VectorX& q,
                         const VectorX& v);

/// A mechanical system together with its contacts: what an integrator moves.
struct Assembly {
  System system;
  ContactSet contacts;
};
Assembly build_assembly(const Model& model);

}  // namespace percuss
