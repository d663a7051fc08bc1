#include "percuss/simulation/trajectory.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace percuss {
namespace {

constexpr int first_intervals = 1024;
constexpr double graph_tolerance = 1e-8;  ///< of the size of the function
constexpr size_t most_points = 10'000'000;
constexpr double jump_width = 1e-12;  ///< of the interval

/// Lagrange's polynomial through the points first ... first + count - 1.
double polynomial(const std::vector<double>& time, const std::vector<double>& values, size_t first,
                  size_t count, double t) {
  double sum = 0;
  for (size_t i = first; i < first + count; ++i) {
    double weight = 1;
    for (size_t j = first; j < first + count; ++j)
      if (j != i) weight *= (t - time[j]) / (time[i] - time[j]);
    sum += weight * values[i];
  }
  return sum;
}

}  // namespace

double interpolate(const std::vector<double>& time, const std::vector<double>& values, double t,
                   Interpolation interpolation) {
  if (t <= time.front()) return values.front();
  if (t >= time.back()) return values.back();
  const auto right = static_cast<size_t>(std::upper_bound(time.begin(), time.end(), t) - time.begin());
  if (interpolation == Interpolation::linear || time.size() < 4)
    return polynomial(time, values, right - 1, 2, t);
  const size_t first = std::clamp<size_t>(right, 2, time.size() - 2) - 2;
  return polynomial(time, values, first, 4, t);
}

Graph sample_graph(const std::function<double(double)>& f, double start, double end) {
  struct Point {
    double t, y;
  };
  std::vector<Point> pending;  // still to be reached, the nearest last
  double size = 0;
  for (int i = first_intervals; i >= 0; --i) {
    const double t = i == first_intervals ? end : start + (end - start) * i / first_intervals;
    pending.push_back({t, f(t)});
    size = std::max(size, std::abs(pending.back().y));
  }
  Point last = pending.back();
  Graph graph{{last.t}, {last.y}};
  pending.pop_back();
  while (!pending.empty()) {
    const Point next = pending.back();
    const double middle = 0.5 * (last.t + next.t), y = f(middle);
    const bool is_straight = std::abs(y - 0.5 * (last.y + next.y)) <= graph_tolerance * size;
    const bool is_full = graph.time.size() > most_points;
    if (is_straight || is_full || next.t - last.t <= jump_width * (end - start)) {
      graph.time.push_back(next.t);
      graph.values.push_back(next.y);
      last = next;
      pending.pop_back();
    } else {
      pending.push_back({middle, y});
    }
  }
  return graph;
}

ReferenceSolution make_reference(Trajectory trajectory, Interpolation interpolation, bool with_graphs) {
  ReferenceSolution reference;
  const auto shared = std::make_shared<const Trajectory>(std::move(trajectory));
  for (size_t k = 0; k < shared->values.size(); ++k) {
    reference.functions.emplace_back([shared, k, interpolation](double t) {
      return interpolate(shared->time, shared->values[k], t, interpolation);
    });
    if (with_graphs) reference.graphs.push_back({shared->time, shared->values[k]});
  }
  return reference;
}

ReferenceSolution make_reference(std::vector<std::function<double(double)>> functions, double start,
                                 double end, bool with_graphs) {
  ReferenceSolution reference;
  if (with_graphs)
    for (const auto& f : functions) reference.graphs.push_back(sample_graph(f, start, end));
  reference.functions = std::move(functions);
  return reference;
}

}  // namespace percuss
