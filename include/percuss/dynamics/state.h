#pragma once

#include <cstdint>
#include <vector>

#include "percuss/dynamics/contact_state.h"
#include "percuss/math/vector.h"

namespace percuss {

/// Everything the next step depends on, and the reactions of the last one. This is what a checkpoint holds.
struct State {
  std::int64_t step = 0;              ///< number of steps taken
  double time = 0;                    ///< [s]
  double last_step = 0;               ///< size of the last step [s]; 0 if it was an impact alone
  VectorX q;                          ///< configuration [m, rad, quaternions]
  VectorX v;                          ///< velocity [m/s, rad/s]
  VectorX memory;                     ///< what a scheme carries besides, such as accelerations
  std::vector<double> angles;         ///< of hinges, with their turns [rad]
  std::vector<double> joint_impulse;  ///< of each row of the joints in the last step [N s, N m s]
  ContactState contacts;
};

}  // namespace percuss
