#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

#include "percuss/math/fields.h"

namespace percuss {

class Table;

/// Newton's e as scenes give it: a number, or a table over the speed of the impact.
struct RestitutionDescription {
  static constexpr std::string_view scalar_field = "value";  ///< `restitution: 0.8`
  double value = 0;
  double threshold = 0;
  std::vector<std::array<double, 2>> table;

  RestitutionDescription(double e = 0) : value(e) {}  // NOLINT: a number is a restitution

  static void fields(auto& self, auto& visit) {
    visit("value", self.value,
          Field{.help = "e of every impact: 0 no bounce, 1 no loss", .range = allow::unit_interval});
    visit("threshold", self.threshold,
          Field{.unit = "m/s", .help = "impacts that are slower do not bounce", .range = allow::nonnegative});
    visit(
        "table", self.table,
        Field{.help =
                  "in the place of `value`: pairs [speed of the impact in m/s, e], from speed 0 on; straight "
                  "lines between them, the last value beyond"});
  }
};

/// e as a function of the normal velocity before the impact.
class Restitution {
 public:
  Restitution(double e = 0) : value_(e) {}  // NOLINT: a number is a restitution
  explicit Restitution(const RestitutionDescription& given);

  double at(double velocity) const { return is_constant() ? value_ : at_speed(std::abs(velocity)); }
  bool is_constant() const { return !table_ && threshold_ == 0; }

 private:
  double at_speed(double speed) const;

  double value_, threshold_ = 0;
  std::shared_ptr<const Table> table_;
};

}  // namespace percuss
