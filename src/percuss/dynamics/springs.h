#pragma once

#include <array>
#include <string>
#include <vector>

#include "percuss/dynamics/scalar_function.h"

namespace percuss {

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
  Attached from, to;
  double rest_length = 0, stiffness = 0, damping = 0;

  /// Without rest length and damper the force is stiffness times the distance vector: linear in places.
  bool is_linear() const { return rest_length == 0 && damping == 0; }
};

/// The line of a distance spring at a moment.
struct SpringLine {
  Vector3 relative;           ///< x_to - x_from
  Vector3 relative_velocity;  ///< its rate
  Vector3 direction;          ///< unit vector from `from` to `to`; zero if the points coincide
  double length;

  double rate() const { return direction.dot(relative_velocity); }
};
SpringLine spring_line(const DistanceSpring& spring, const Kinematics& kinematics);

/// Force on `to` (its opposite acts on `from`), docs/theory/forces.md (F-3).
Vector3 spring_force(const DistanceSpring& spring, const SpringLine& line);

/// Tangents of the force on `to` with respect to its own position and velocity, with the sign of K and C:
/// dforce = -K dx - C dv.  docs/theory/forces.md (F-4). K is symmetric only without damper.
struct SpringTangents {
  Matrix3 K, C;
};
SpringTangents spring_tangents(const DistanceSpring& spring, const SpringLine& line);

/// Springs and dampers on scalar functions c: s = K c + C c_dot + preload, force -G^T s. One function for a
/// torsional spring, six for a bushing; all functions have the same columns.
struct CoordinateSpring {
  std::vector<ScalarFunction> functions;
  MatrixX stiffness, damping;
  VectorX preload;

  int columns() const { return functions[0].columns(); }
};
/// Values and rates of the functions, and s of above; vectors of the size of `functions`.
void coordinate_spring_state(const CoordinateSpring& spring, const Kinematics& kinematics, double* value,
                             double* rate, double* tension);

/// For messages and probes.
struct SpringData {
  enum class Kind : std::uint8_t { axis, distance, coordinate };
  std::string name;
  Kind kind = Kind::distance;
  int index = 0;           ///< into the list of its kind
  double rest_length = 0;  ///< [m] or [rad]
};

}  // namespace percuss
