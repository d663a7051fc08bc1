#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "percuss/math/fields.h"

namespace percuss {

class Table;

/// Coulomb's mu from which on nothing slides: the friction cone is a half space to a ten-thousandth of a
/// radian. Larger ones would multiply the rounding of velocities (docs/theory/nonsmooth.md, N-6a).
inline constexpr double sticking_friction = 1e4;

/// Friction as scenes give it: a number, one value at rest and another in motion, or a table over the speed
/// of sliding.
struct FrictionDescription {
  static constexpr std::string_view scalar_field = "kinetic";  ///< `friction: 0.3`
  double kinetic = 0;
  std::optional<double> at_rest, velocity;
  std::vector<std::array<double, 2>> table;

  FrictionDescription(double mu = 0) : kinetic(mu) {}  // NOLINT: a number is a friction
  /// Whether anything slides with friction.
  bool acts() const { return kinetic > 0 || at_rest.value_or(0) > 0 || !table.empty(); }

  static void fields(auto& self, auto& visit) {
    visit(
        "kinetic", self.kinetic,
        Field{.help = "Coulomb's coefficient mu while sliding; above 1e4, where nothing slides any more, it "
                      "acts as 1e4",
              .range = allow::nonnegative});
    visit("static", self.at_rest,
          Field{.help = "coefficient at rest, from which it falls to `kinetic` with the speed of sliding; "
                        "default: `kinetic`",
                .range = allow::nonnegative});
    visit("velocity", self.velocity,
          Field{.unit = "m/s",
                .help = "v_S of Stribeck's curve mu(v) = kinetic + (static - kinetic) exp(-(v/v_S)^2); "
                        "needed with `static`",
                .range = allow::positive});
    visit("table", self.table,
          Field{.help = "in the place of the others: pairs [speed of sliding in m/s, mu], from speed 0 on; "
                        "straight lines between them, the last value beyond"});
  }
};

/// mu as a function of the speed of sliding at the beginning of the step.  docs/theory/laws/friction.md
class SlidingFriction {
 public:
  SlidingFriction(double mu = 0) : at_rest_(mu), kinetic_(mu) {}  // NOLINT: a number is a friction
  explicit SlidingFriction(const FrictionDescription& given);

  /// mu at a speed [m/s], at most sticking_friction.
  double at(double speed) const { return is_constant_ ? kinetic_ : at_speed(speed); }
  bool is_constant() const { return is_constant_; }
  /// Whether it is above 0 at some speed.
  bool acts() const { return largest_ > 0; }

 private:
  double at_speed(double speed) const;

  bool is_constant_ = true;
  double at_rest_, kinetic_, velocity_ = 1, largest_ = std::max(at_rest_, kinetic_);
  std::shared_ptr<const Table> table_;
};

}  // namespace percuss
