#include "percuss/geometry/half_space.h"

#include <cmath>

namespace percuss {

HalfSpace box_face(const Vector3& lower, const Vector3& upper, int face) {
  const int axis = face / 2;
  const bool is_upper = face % 2 == 1;
  HalfSpace wall;
  wall.point = is_upper ? upper : lower;
  wall.normal = (is_upper ? -1.0 : 1.0) * Vector3::Unit(axis);
  return wall;
}

Frame frame_from_normal(const Vector3& normal) {
  // Duff et al. 2017: no branch on the direction, no loss of accuracy near the pole.
  const double sign = std::copysign(1.0, normal.z());
  const double a = -1.0 / (sign + normal.z());
  const double b = normal.x() * normal.y() * a;
  return {normal,
          {1.0 + sign * normal.x() * normal.x() * a, sign * b, -sign * normal.x()},
          {b, sign + normal.y() * normal.y() * a, -normal.y()}};
}

}  // namespace percuss
