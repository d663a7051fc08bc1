#pragma once

#include <vector>

/// What of an axis is shown.
struct AxisRange {
  double low = 0, high = 1;
};

/// Numbers from `low` to `high`. Those that differ in their last bits alone are drawn as one: ticks between
/// them would not be different numbers.
AxisRange axis_range(double low, double high);
/// The range of all finite values.
AxisRange axis_range(const std::vector<const std::vector<double>*>& columns);

/// Significant digits by which the labels of ticks differ; 6 unless more are needed.
int label_digits(const AxisRange& range);
