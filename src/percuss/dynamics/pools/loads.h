#pragma once

#include <array>
#include <string>
#include <vector>

#include "percuss/dynamics/pools/pool.h"

namespace percuss {

/// A given force at a point of a body, or a given torque.
struct AttachedLoad {
  std::string name;
  Attached point;
  std::array<Expression, 3> value;  ///< [N] or [N m]
  bool is_torque = false;
  bool in_body_axes = false;
};

/// A given force or torque on the coordinate of a joint.
struct CoordinateLoad {
  std::string name;
  ScalarFunction function;
  Expression value;  ///< [N] or [N m]
};

/// A force at a centre of mass in fixed directions: it needs no pose.
struct PlainLoad {
  std::string name;
  std::array<int, 3> dof;
  std::array<Expression, 3> value;  ///< [N]
};

/// A load spread over many nodes: each gets its weight times the value.
struct SpreadLoad {
  struct Share {
    int body;       ///< a node
    double weight;  ///< length, area or volume [m, m^2, m^3]
  };
  std::string name;
  std::vector<Share> shares;
  std::array<Expression, 3> value;

  void add_to(const std::vector<BodyData>& bodies, const Kinematics& kinematics, const Vector3& at,
              VectorX& f) const;
};

struct Loads : Pool {
  std::vector<PlainLoad> plain;           ///< functions of time
  std::vector<PlainLoad> plain_constant;  ///< summed in `constant`; kept for messages
  VectorX constant;                       ///< [N]
  std::vector<AttachedLoad> attached;
  std::vector<CoordinateLoad> coordinate;
  std::vector<SpreadLoad> spread;

  bool empty() const {
    return plain.empty() && plain_constant.empty() && attached.empty() && coordinate.empty() &&
           spread.empty();
  }
  void list_blocks(const std::vector<BodyData>& bodies);
  void add_force(const ForceArguments& at, VectorX& f) const;
  void add_tangents(const ForceArguments& at, const TangentSum& sum) const;
  /// Spread ones look at nodes in floating frames, which are always placed.
  bool needs_poses() const { return !attached.empty() || !coordinate.empty(); }
  bool has_constant_tangents(const std::vector<BodyData>& bodies) const;
};

/// Adds all given loads at time t to f.
void add_loads(const Loads& loads, const std::vector<BodyData>& bodies, const Kinematics& kinematics,
               double t, VectorX& f);

}  // namespace percuss
