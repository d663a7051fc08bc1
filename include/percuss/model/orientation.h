#pragma once

#include <cmath>

#include "percuss/math/fields.h"

namespace percuss {

/// A unit quaternion by named components: the rotation from the axes of a thing to those in which it stands.
struct Orientation {
  double w = 1, x = 0, y = 0, z = 0;
  double norm() const { return std::sqrt(w * w + x * x + y * y + z * z); }

  static void fields(auto& self, auto& visit) {
    visit("w", self.w, Field{.help = "real part"});
    visit("x", self.x, Field{});
    visit("y", self.y, Field{});
    visit("z", self.z, Field{});
  }
};
/// Beyond this distance of its norm from one a quaternion is refused.
inline constexpr double quaternion_tolerance = 1e-6;

}  // namespace percuss
