#include "percuss/laws/sliding_friction.h"

#include <algorithm>
#include <cmath>

#include "percuss/math/table.h"

namespace percuss {

SlidingFriction::SlidingFriction(const FrictionDescription& given)
    : is_constant_(given.table.empty() && given.at_rest.value_or(given.kinetic) == given.kinetic),
      at_rest_(std::min(given.at_rest.value_or(given.kinetic), sticking_friction)),
      kinetic_(std::min(given.kinetic, sticking_friction)),
      velocity_(given.velocity.value_or(1)) {
  if (given.table.empty()) return;
  std::vector<double> speeds, values;
  for (const auto& [speed, mu] : given.table) {
    speeds.push_back(speed);
    values.push_back(std::min(mu, sticking_friction));
  }
  largest_ = std::ranges::max(values);
  table_ = std::make_shared<const Table>(std::move(speeds), std::move(values));
}

/// Stribeck's curve, or the table.
double SlidingFriction::at_speed(double speed) const {
  if (table_) return table_->linear(Jet::constant(speed)).value;
  const double part = speed / velocity_;
  return kinetic_ + (at_rest_ - kinetic_) * std::exp(-part * part);
}

}  // namespace percuss
