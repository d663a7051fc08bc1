#pragma once

#include "percuss/contacts/contact_list.h"
#include "percuss/dynamics/system.h"

namespace percuss {

/// Writes d^T J of material points for some directions d in space, row after row.
struct RowWriter {
  const System& system;
  const Kinematics& kinematics;
  const Vector3* directions;
  int rows;
  int stride;  ///< from an entry of one row to that of the next

  /// Of a point of a body, given in space. Returns the number of entries of one row.
  int point(int body, const Vector3& point, double factor, double* out) const;
  /// The same; with a second node the point is one of the round beam between the two.
  int side(int body, int next, const Vector3& point, double factor, double* out) const;
  /// The same of the angular velocity of a body, with the directions as axes.
  int turn(int body, double factor, double* out) const;
  int turn_of_side(int body, int next, const Vector3& point, double factor, double* out) const;
};

/// A point on the surface of a round beam between two nodes. Its axis is straight and has the velocity
/// (1 - t) v_1 + t v_2; around the axis the section turns as its nodes do.
struct PointOnBeam {
  PointOnBeam(const Vector3& x1, const Vector3& x2, const Vector3& point);

  double t;
  Vector3 arm;  ///< from the axis
};

/// Velocity of a point in space as a part of a body whose motion is prescribed [m/s]; zero of others.
Vector3 prescribed_velocity(const System& system, const Kinematics& kinematics, int body,
                            const Vector3& point);
/// How fast the surface of the second body moves along itself against that of the first, in space [m/s];
/// rotation(body) is asked for where there is a conveyor.
template <class Rotation>
Vector3 belt_velocity(const Contact& contact, const Rotation& rotation) {
  if (contact.belt.isZero(0)) return Vector3::Zero();
  const Vector3 in_space = rotation(contact.belt_is_first ? contact.a.body : contact.b.body) * contact.belt;
  return contact.belt_is_first ? Vector3(-in_space) : in_space;
}
/// The angular velocity of a body whose motion is prescribed, in space [rad/s]; zero of others.
Vector3 prescribed_spin(const System& system, const Kinematics& kinematics, int body);

}  // namespace percuss
