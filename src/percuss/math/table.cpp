#include "percuss/math/table.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace percuss {
namespace {

void check(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size()) {
    throw std::invalid_argument(
        fmt::format("a table needs as many x as y values, got {} and {}", x.size(), y.size()));
  }
  if (x.size() < 2) {
    throw std::invalid_argument(fmt::format("a table needs at least 2 points, got {}", x.size()));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
      throw std::invalid_argument(
          fmt::format("point {} of the table is not finite: ({}, {})", i + 1, x[i], y[i]));
    }
    if (i > 0 && !(x[i - 1] < x[i])) {
      throw std::invalid_argument(
          fmt::format("the x values of a table must increase strictly, but point {} has x = {} after {}",
                      i + 1, x[i], x[i - 1]));
    }
  }
}

/// Second derivatives m of the natural spline: for every inner point
///   h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1} = 6 (s_i - s_{i-1}),   m_0 = m_{n-1} = 0,
/// with the intervals h and the slopes s. Thomas' elimination is stable: the matrix is diagonally dominant.
std::vector<double> natural_curvature(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  const auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  const auto slope = [&](std::size_t i) { return (y[i + 1] - y[i]) / h(i); };

  std::vector<double> m(n, 0.0);
  std::vector<double> upper(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double pivot = 2 * (h(i - 1) + h(i)) - h(i - 1) * upper[i - 1];
    upper[i] = h(i) / pivot;
    m[i] = (6 * (slope(i) - slope(i - 1)) - h(i - 1) * m[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) m[i] -= upper[i] * m[i + 1];
  return m;
}

}  // namespace

Table::Table(std::vector<double> x, std::vector<double> y) : x_(std::move(x)), y_(std::move(y)) {
  check(x_, y_);
  curvature_ = natural_curvature(x_, y_);
}

std::size_t Table::interval(double at) const {
  const auto next = std::upper_bound(x_.begin() + 1, x_.end() - 1, at);
  return static_cast<std::size_t>(next - x_.begin()) - 1;
}

Jet Table::linear(const Jet& at) const {
  if (is_outside(at.value)) return held_end(at.value);
  const std::size_t i = interval(at.value);
  const double h = x_[i + 1] - x_[i];
  const double b = (at.value - x_[i]) / h;  // weights a, b rather than a slope: exact at both points
  const double a = (x_[i + 1] - at.value) / h;
  return chain(at, a * y_[i] + b * y_[i + 1], (y_[i + 1] - y_[i]) / h, 0);
}

Jet Table::spline(const Jet& at) const {
  if (is_outside(at.value)) return held_end(at.value);
  const std::size_t i = interval(at.value);
  const double h = x_[i + 1] - x_[i];
  const double b = (at.value - x_[i]) / h;
  const double a = (x_[i + 1] - at.value) / h;
  const double m0 = curvature_[i];
  const double m1 = curvature_[i + 1];
  const double y = a * y_[i] + b * y_[i + 1] + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6;
  const double dy = (y_[i + 1] - y_[i]) / h + ((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0) * h / 6;
  return chain(at, y, dy, a * m0 + b * m1);
}

}  // namespace percuss
