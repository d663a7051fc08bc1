#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "percuss/math/fields.h"

namespace percuss {

/// Quantities at the times of a run.
struct Trajectory {
  std::vector<double> time;                 ///< increasing [s]
  std::vector<std::vector<double>> values;  ///< by quantity, then by time
};

/// How a solution that is known at points is read between them.
enum class Interpolation { linear, cubic };
template <>
struct EnumNames<Interpolation> {
  static constexpr std::array<std::pair<Interpolation, std::string_view>, 2> values = {
      {{Interpolation::linear, "linear"}, {Interpolation::cubic, "cubic"}}};
};

/// The value at t: on the straight line between the two points around it, or on the cubic polynomial through
/// the four nearest ones. Outside the end value is held.
double interpolate(const std::vector<double>& time, const std::vector<double>& values, double t,
                   Interpolation interpolation);

/// Points of a function, joined by straight lines: its completed graph, in which a jump is an upright line.
struct Graph {
  std::vector<double> time, values;
};

/// Enough points of f on [start, end] that the lines between them follow it to 1e-8 of its size, ten million
/// at most; a jump is located to 1e-12 of the interval. What is narrower than a thousandth of the interval
/// may be missed.
Graph sample_graph(const std::function<double(double)>& f, double start, double end);

/// What runs are compared with, by quantity. Only one norm needs the graphs, and they may be large.
struct ReferenceSolution {
  std::vector<std::function<double(double)>> functions;
  std::vector<Graph> graphs;
};
ReferenceSolution make_reference(Trajectory trajectory, Interpolation interpolation, bool with_graphs);
ReferenceSolution make_reference(std::vector<std::function<double(double)>> functions, double start,
                                 double end, bool with_graphs);

}  // namespace percuss
