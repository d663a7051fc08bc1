#pragma once

#include <string_view>

#include "percuss/math/fields.h"
#include "percuss/nonsmooth/cone.h"

namespace percuss {

/// Coulomb's mu from which on nothing slides: the friction cone is a half space to a ten-thousandth of a
/// radian. Larger ones would multiply the rounding of velocities (docs/theory/nonsmooth.md, N-6a).
inline constexpr double sticking_friction = 1e4;

/// Exact Coulomb friction with Newton's law of impact, for the normal and for the tangents (M-14).
struct Coulomb {
  static constexpr std::string_view name = "coulomb";
  static constexpr int normals = 1;
  double restitution = 0;             ///< Newton's e of the normal
  double friction = 0;                ///< mu, at most sticking_friction
  double tangential_restitution = 0;  ///< e of the tangents
  int tangents = 2;                   ///< directions in which it slides: 1 in the plane

  static void fields(auto& self, auto& visit) {
    visit("restitution", self.restitution,
          Field{.help = "Newton's coefficient of normal restitution e: 0 no bounce, 1 no loss",
                .range = allow::unit_interval});
    visit("friction", self.friction,
          Field{.help = "Coulomb's coefficient mu; above 1e4, where nothing slides any more, it acts as 1e4",
                .range = allow::nonnegative});
    visit(
        "tangential_restitution", self.tangential_restitution,
        Field{.help = "like `restitution` for the tangents while they stick: 0 stops, 1 reverses the sliding "
                      "(a superball); needs friction",
              .range = allow::unit_interval});
  }

  int rows() const { return 1 + tangents; }
  Cone cone(double /*h*/) const {
    return {tangents == 1 ? ConeKind::planar_coulomb : ConeKind::coulomb, friction};
  }
  double shift(int row, double u_before) const {
    return (row == 0 ? restitution : tangential_restitution) * u_before;
  }
  double largest_friction(double normal) const { return friction * normal; }
};

}  // namespace percuss
