#pragma once

#include <string_view>

#include "percuss/laws/restitution.h"
#include "percuss/math/fields.h"
#include "percuss/nonsmooth/cone.h"

namespace percuss {

/// 0 <= u + e u_n ⟂ r >= 0: Newton's law of impact (M-5).
struct Frictionless {
  static constexpr std::string_view name = "frictionless";
  static constexpr std::string_view about = "unilateral contact with Newton's restitution, without friction";
  static constexpr std::string_view equations =
      "  0 <= u_N + e u_N(before) _|_ r_N >= 0        [m/s, N s]\n"
      "e is a number or depends on the speed of the impact.";
  static constexpr std::string_view page = "docs/theory/laws/restitution.md";
  static constexpr int normals = 1;
  Restitution restitution = 0;  ///< Newton's e

  static void fields(auto& self, auto& visit) {
    visit(
        "restitution", self.restitution,
        Field{.help = "Newton's coefficient of normal restitution e: a number, or a function of the speed"});
  }

  int rows() const { return 1; }
  Cone cone(double /*h*/) const { return {ConeKind::nonnegative}; }
  double shift(int /*row*/, double u_before) const { return restitution.at(u_before) * u_before; }
  bool restitution_is_constant() const { return restitution.is_constant(); }
  double largest_friction(double /*normal*/) const { return 0; }
};

}  // namespace percuss
