#pragma once

#include "percuss/dynamics/pools/pool.h"

namespace percuss {

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

struct DistanceSprings : ElementPool<DistanceSpring> {
  void list_blocks(const std::vector<BodyData>& bodies);
  void add_force(const ForceArguments& at, VectorX& f) const;
  void add_tangents(const ForceArguments& at, const TangentSum& sum) const;
  double strain_energy(const ForceArguments& at) const;
  double damping_power(const ForceArguments& at) const;
  double prescribed_power(const std::vector<BodyData>& bodies, const Kinematics& kinematics) const;
  bool needs_poses() const { return true; }
  bool has_constant_tangents(const std::vector<BodyData>& bodies) const;
  bool has_dampers() const;
};

}  // namespace percuss
