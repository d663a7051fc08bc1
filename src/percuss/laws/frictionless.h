#pragma once

#include <string_view>

#include "percuss/math/fields.h"
#include "percuss/nonsmooth/cone.h"

namespace percuss {

/// 0 <= u + e u_n ⟂ r >= 0: Newton's law of impact (M-5).
struct Frictionless {
  static constexpr std::string_view name = "frictionless";
  static constexpr int normals = 1;
  double restitution = 0;  ///< Newton's e

  static void fields(auto& self, auto& visit) {
    visit("restitution", self.restitution,
          Field{.help = "Newton's coefficient of normal restitution e: 0 no bounce, 1 no loss",
                .range = allow::unit_interval});
  }

  int rows() const { return 1; }
  Cone cone(double /*h*/) const { return {ConeKind::nonnegative}; }
  double shift(int /*row*/, double u_before) const { return restitution * u_before; }
  double largest_friction(double /*normal*/) const { return 0; }
};

}  // namespace percuss
