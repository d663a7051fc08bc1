#pragma once

#include "percuss/dynamics/pools/pool.h"

namespace percuss {

/// Systems given by their equations; their memory is in Kinematics. docs/howto/user_system.md
struct UserSystems : ElementPool<UserSystemData> {
  void list_blocks(const std::vector<BodyData>& bodies);
  void add_force(const ForceArguments& at, VectorX& f) const;
  void add_tangents(const ForceArguments& at, const TangentSum& sum) const;
  double potential_energy(const ForceArguments& at) const;
  bool is_gyroscopic() const { return true; }  // forces may be anything
};

}  // namespace percuss
