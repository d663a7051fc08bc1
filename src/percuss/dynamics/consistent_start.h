#pragma once

#include "percuss/dynamics/system.h"

namespace percuss {

/// What was done to the initial state so that the joints hold [Cosimo 2020, Algorithm 1 line 2].
struct StartReport {
  double position_change = 0;                ///< largest change of a coordinate [m or rad]
  double velocity_change = 0;                ///< [m/s or rad/s]
  std::string most_moved, most_accelerated;  ///< coordinates that changed most
  std::vector<std::string> dependent_rows;   ///< of redundant joints, by name

  VectorX acceleration;  ///< consistent with the joints
  VectorX multipliers;   ///< joint forces at the start, of least norm [N, N m]
};

/// Projects positions on the joints and velocities on their derivative, and computes accelerations and
/// multipliers. Throws ModelError if a joint cannot be reached or the bodies would be moved by more than a
/// tenth of the model's size.
StartReport make_consistent(System& system, double t);

}  // namespace percuss
