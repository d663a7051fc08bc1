#include "axis_range.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr double flat_ratio = 1e-12;                              ///< relative to the numbers
constexpr double smallest_span = 1e-300, largest_number = 8e307;  ///< beyond, differences under- or overflow
constexpr int fewest_digits = 6, most_digits = 15;
constexpr double gnuplot_ticks = 20;

double size_of_range(const AxisRange& range) { return std::max(std::abs(range.low), std::abs(range.high)); }

}  // namespace

AxisRange axis_range(double low, double high) {
  if (!(low <= high)) return {};
  AxisRange range{std::clamp(low, -largest_number, largest_number),
                  std::clamp(high, -largest_number, largest_number)};
  const double size = size_of_range(range);
  if (range.high - range.low > std::max(flat_ratio * size, smallest_span)) return range;
  const double room = std::max(0.1 * size, flat_ratio);
  return {range.low - room, range.high + room};
}

AxisRange axis_range(const std::vector<const std::vector<double>*>& columns) {
  double low = INFINITY, high = -INFINITY;
  for (const auto* column : columns)
    for (const double value : *column)
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  return axis_range(low, high);
}

int label_digits(const AxisRange& range) {
  const double ratio = gnuplot_ticks * (size_of_range(range) / (range.high - range.low));
  return std::clamp(static_cast<int>(std::ceil(std::log10(ratio))) + 1, fewest_digits, most_digits);
}
