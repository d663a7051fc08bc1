#pragma once

#include <string_view>

#include "percuss/math/fields.h"
#include "percuss/nonsmooth/cone.h"

namespace percuss {

/// Dry friction in a hinge or slider: |r| <= h F, and r = -h F sign(u) where it moves (M-15). It is always
/// closed: there is no gap.
struct JointFriction {
  static constexpr std::string_view name = "joint_friction";
  static constexpr std::string_view about = "dry friction of a known size in a hinge or slider";
  static constexpr std::string_view equations =
      "  |r| <= h F;  where the joint moves r = -h F sign(u)        [N s or N m s, m/s or rad/s]";
  static constexpr std::string_view page = "docs/theory/moreau.md, (M-15)";
  static constexpr int normals = 0;
  double friction = 0;  ///< F [N or N m]

  static void fields(auto& self, auto& visit) {
    visit("friction", self.friction,
          Field{.unit = "N m or N",
                .help = "dry friction: the torque or force that a motion has to overcome",
                .range = allow::nonnegative});
  }

  int rows() const { return 1; }
  Cone cone(double h) const { return {ConeKind::interval, h * friction}; }
  double shift(int /*row*/, double /*u_before*/) const { return 0; }
  double largest_friction(double /*normal*/) const { return friction; }
};

}  // namespace percuss
