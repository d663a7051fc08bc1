#pragma once

#include <string_view>

#include "percuss/laws/restitution.h"
#include "percuss/laws/sliding_friction.h"
#include "percuss/math/fields.h"
#include "percuss/nonsmooth/cone.h"

namespace percuss {

/// Exact Coulomb friction with Newton's law of impact, for the normal and for the tangents (M-14).
struct Coulomb {
  static constexpr std::string_view name = "coulomb";
  static constexpr std::string_view about =
      "the same with exact Coulomb friction, of the speed of sliding too";
  static constexpr std::string_view equations =
      "  0 <= u_N + e u_N(before) _|_ r_N >= 0        [m/s, N s]\n"
      "  |r_T| <= mu r_N;  where it slides r_T = -mu r_N u_T/|u_T|, u_T with e_T u_T(before)\n"
      "mu is a number or depends on the speed of sliding before the step: docs/theory/laws/friction.md.";
  static constexpr std::string_view page = "docs/theory/nonsmooth.md, (N-17)";
  static constexpr int normals = 1;
  Restitution restitution = 0;        ///< Newton's e of the normal
  SlidingFriction friction = 0;       ///< mu
  double tangential_restitution = 0;  ///< e of the tangents
  int tangents = 2;                   ///< directions in which it slides: 1 in the plane

  static void fields(auto& self, auto& visit) {
    visit(
        "restitution", self.restitution,
        Field{.help = "Newton's coefficient of normal restitution e: a number, 0 no bounce, 1 no loss, or a "
                      "function of the speed of the impact"});
    visit("friction", self.friction,
          Field{.help = "Coulomb's coefficient mu: a number, or a function of the speed of sliding"});
    visit(
        "tangential_restitution", self.tangential_restitution,
        Field{.help = "like `restitution` for the tangents while they stick: 0 stops, 1 reverses the sliding "
                      "(a superball); needs friction",
              .range = allow::unit_interval});
  }

  int rows() const { return 1 + tangents; }
  Cone cone(double /*h*/, double sliding_speed = 0) const {
    return {tangents == 1 ? ConeKind::planar_coulomb : ConeKind::coulomb, friction.at(sliding_speed)};
  }
  double shift(int row, double u_before) const {
    return (row == 0 ? restitution.at(u_before) : tangential_restitution) * u_before;
  }
  double largest_friction(double normal, double sliding_speed = 0) const {
    return friction.at(sliding_speed) * normal;
  }
  bool friction_is_constant() const { return friction.is_constant(); }
  bool restitution_is_constant() const { return restitution.is_constant(); }
};

}  // namespace percuss
