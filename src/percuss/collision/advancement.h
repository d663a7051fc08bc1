#pragma once

#include <limits>

namespace percuss {

/// Two bodies at a moment of a motion with constant velocities.
struct ClosingGap {
  double gap = std::numeric_limits<double>::infinity();  ///< [m]
  double speed = 0;    ///< how fast the points that touch, or are next to touching, come nearer [m/s]
  double fastest = 0;  ///< the gap never closes faster than this [m/s]
};

/// The moment from 0 to h at which two bodies touch, or nearly so, by conservative advancement: each time
/// goes on by what the gap needs at the least. Infinite if they do not. `look_at(t)` tells; `last`
/// is the last look. Bodies are touching from this gap on [m].
template <class Look>
double time_of_impact(const Look& look_at, double h, double touching, ClosingGap& last) {
  constexpr int most_looks = 64;
  constexpr double never = std::numeric_limits<double>::infinity();
  double t = 0;
  for (int look = 0; look < most_looks; ++look) {
    last = look_at(t);
    if (last.gap <= touching) return t;
    if (last.fastest <= 0) return never;
    t += last.gap / last.fastest;
    if (t >= h) return never;
  }
  return t;
}

}  // namespace percuss
