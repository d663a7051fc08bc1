#pragma once

#include <string_view>

#include "percuss/laws/coulomb.h"

namespace percuss {

/// Coulomb friction with resistance to rolling and spinning: besides |r_T| <= mu r_N the contact bears a
/// moment about its tangents up to mu_R r_N and one about its normal up to mu_S r_N. Each is set-valued: it
/// holds at rest, and opposes the motion at its bound.  docs/theory/laws/rolling.md
struct Rolling : Coulomb {
  static constexpr std::string_view name = "rolling";
  static constexpr std::string_view about = "Coulomb friction with resistance to rolling and spinning";
  static constexpr std::string_view equations =
      "  Coulomb's law, and with moments m [N m s] and angular velocities w [rad/s] about the tangents and "
      "the normal\n"
      "  |m_T| <= mu_R r_N;  where it rolls m_T = -mu_R r_N w_T/|w_T|\n"
      "  |m_N| <= mu_S r_N;  where it spins m_N = -mu_S r_N sign(w_N)\n"
      "Not with event-driven, schatzman-paoli, and the solvers lemke and interior-point.";
  static constexpr std::string_view page = "docs/theory/laws/rolling.md";
  double rolling = 0;   ///< mu_R [m]
  double spinning = 0;  ///< mu_S [m]
  double length = 1;    ///< by which moments are divided and angular velocities multiplied [m]

  static void fields(auto& self, auto& visit) {
    Coulomb::fields(self, visit);
    visit("rolling", self.rolling,
          Field{.unit = "m",
                .help = "resistance to rolling: the largest moment about the tangents over the normal force",
                .range = allow::nonnegative});
    visit("spinning", self.spinning,
          Field{.unit = "m",
                .help = "resistance to spinning: the largest moment about the normal over the normal force",
                .range = allow::nonnegative});
  }

  int sliding_rows() const { return friction.acts() ? tangents : 0; }
  int rolling_rows() const { return rolling > 0 ? tangents : 0; }
  int spinning_rows() const { return spinning > 0 && tangents == 2 ? 1 : 0; }
  int rows() const { return 1 + sliding_rows() + rolling_rows() + spinning_rows(); }
  Cone cone(double /*h*/, double sliding_speed = 0) const {
    return rolling_cone(sliding_rows(), friction.at(sliding_speed), rolling_rows(), rolling / length,
                        spinning_rows(), spinning / length);
  }
  double shift(int row, double u_before) const {
    return row <= sliding_rows() ? Coulomb::shift(row, u_before) : 0.0;
  }
  /// Nobody turns: what is left is friction.
  void drop_moments() { rolling = spinning = 0; }
};

}  // namespace percuss
