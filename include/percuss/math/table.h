#pragma once

#include <cstddef>
#include <vector>

#include "percuss/math/jet.h"

namespace percuss {

/// Measured data y(x), with x strictly increasing, and two ways to interpolate it.
/// Outside the range of x the end value is held and the derivatives are zero.
class Table {
 public:
  /// Throws std::invalid_argument unless there are at least two finite points with x strictly increasing.
  Table(std::vector<double> x, std::vector<double> y);

  /// Straight lines between the points. At an inner point the derivatives are those from the right.
  Jet linear(const Jet& at) const;

  /// The natural cubic spline: twice continuously differentiable inside, y'' = 0 at both ends.
  Jet spline(const Jet& at) const;

  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }

 private:
  bool is_outside(double at) const { return at < x_.front() || at > x_.back(); }
  Jet held_end(double at) const { return Jet::constant(at < x_.front() ? y_.front() : y_.back()); }
  /// The i with x_i <= at < x_{i+1}; the last interval also owns its right end.
  std::size_t interval(double at) const;

  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> curvature_;  ///< y'' of the spline at the points
};

}  // namespace percuss
