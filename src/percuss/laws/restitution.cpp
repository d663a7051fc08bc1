#include "percuss/laws/restitution.h"

#include "percuss/math/table.h"

namespace percuss {

Restitution::Restitution(const RestitutionDescription& given)
    : value_(given.value), threshold_(given.threshold) {
  if (given.table.empty()) return;
  std::vector<double> speeds, values;
  for (const auto& [speed, e] : given.table) {
    speeds.push_back(speed);
    values.push_back(e);
  }
  table_ = std::make_shared<const Table>(std::move(speeds), std::move(values));
}

double Restitution::at_speed(double speed) const {
  if (speed < threshold_) return 0;
  return table_ ? table_->linear(Jet::constant(speed)).value : value_;
}

}  // namespace percuss
