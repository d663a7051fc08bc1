#pragma once

#include <algorithm>

#include "percuss/dynamics/system.h"

namespace percuss {

/// What every scheme does after it has set q and v: time, turns of hinges, impulses of joints. `h` is what
/// the step really took, `end` must be at the new state.
inline void finish_step(const System& system, const Kinematics& end, const VectorX& multipliers, double h,
                        State& state) {
  state.time += h;
  state.last_step = h;
  ++state.step;
  if (system.joints.angle_count > 0) read_angles(system.joints, end, state.angles);
  std::copy(multipliers.begin(), multipliers.end(), state.joint_impulse.begin());
}

}  // namespace percuss
