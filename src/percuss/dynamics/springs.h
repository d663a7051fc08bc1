#pragma once

#include <array>

#include "percuss/math/vector.h"

namespace percuss {

/// A point of the system: a body, or a place fixed in space. `dof[axis]` is -1 where it cannot move, and
/// `fixed[axis]` is then its coordinate.
struct Point {
  std::array<int, 3> dof = {-1, -1, -1};
  Vector3 fixed = Vector3::Zero();

  Vector3 position(const VectorX& q) const {
    Vector3 x = fixed;
    for (int axis = 0; axis < 3; ++axis)
      if (dof[axis] >= 0) x[axis] = q[dof[axis]];
    return x;
  }
  Vector3 velocity(const VectorX& v) const {
    Vector3 x = Vector3::Zero();
    for (int axis = 0; axis < 3; ++axis)
      if (dof[axis] >= 0) x[axis] = v[dof[axis]];
    return x;
  }
};

/// Spring and damper along a fixed axis: elongation = sum coefficient_i q_i + offset, linear in q.
struct AxisSpring {
  int count = 0;  ///< coordinates it acts on
  std::array<int, 6> dof{};
  std::array<double, 6> coefficient{};
  double offset = 0;  ///< part of the elongation that does not change, rest length included [m]
  double stiffness = 0, damping = 0;

  double elongation(const VectorX& q) const {
    double sum = offset;
    for (int i = 0; i < count; ++i) sum += coefficient[i] * q[dof[i]];
    return sum;
  }
  double rate(const VectorX& v) const {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += coefficient[i] * v[dof[i]];
    return sum;
  }
};

/// Spring and damper along the line between two points: |x_to - x_from| - rest_length.
struct DistanceSpring {
  Point from, to;
  double rest_length = 0, stiffness = 0, damping = 0;

  /// Without rest length and damper the force is stiffness times the distance vector: linear in q.
  bool is_linear() const { return rest_length == 0 && damping == 0; }
};

/// The line of a distance spring at a configuration.
struct SpringLine {
  Vector3 relative;   ///< x_to - x_from
  Vector3 direction;  ///< unit vector from `from` to `to`; zero if the points coincide
  double length;
};
SpringLine spring_line(const DistanceSpring& spring, const VectorX& q);
/// Rate of change of the length.
double spring_rate(const DistanceSpring& spring, const SpringLine& line, const VectorX& v);

/// Force on `to` (its opposite acts on `from`), docs/theory/forces.md (F-3).
Vector3 spring_force(const DistanceSpring& spring, const VectorX& q, const VectorX& v);

/// Tangents of the force on `to` with respect to its own position and velocity, with the sign of K and C:
/// dforce = -K dx - C dv.  docs/theory/forces.md (F-4). K is symmetric only without damper.
struct SpringTangents {
  Eigen::Matrix3d K, C;
};
SpringTangents spring_tangents(const DistanceSpring& spring, const VectorX& q, const VectorX& v);

}  // namespace percuss
