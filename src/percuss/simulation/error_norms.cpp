#include "percuss/simulation/error_norms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/math/dense.h"

namespace percuss {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// Distance of the origin from the segment between a and b.
double distance_to_segment(double ax, double ay, double bx, double by) {
  const double dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
  const double s = length > 0 ? std::clamp(-(ax * dx + ay * dy) / length, 0.0, 1.0) : 0.0;
  return std::hypot(ax + s * dx, ay + s * dy);
}

/// Distances of points from one graph in scaled coordinates.
class GraphDistance {
 public:
  GraphDistance(const Graph& graph, double duration, double size)
      : graph_(graph), duration_(duration), size_(size) {}

  /// The distance of (t, y), known to be at most `best`. The search runs from t to both sides until time
  /// alone is farther than what was found, or until the distance is no larger than `enough`.
  double operator()(double t, double y, double best, double enough) const {
    const auto& time = graph_.time;
    const auto right = static_cast<size_t>(std::upper_bound(time.begin(), time.end(), t) - time.begin());
    for (size_t i = std::max<size_t>(right, 1); i < time.size() && best > enough; ++i) {
      if ((time[i - 1] - t) / duration_ > best) break;
      best = std::min(best, to_segment(i, t, y));
    }
    for (size_t i = std::min(right, time.size()); i-- > 1 && best > enough;) {
      if ((t - time[i]) / duration_ > best) break;
      best = std::min(best, to_segment(i, t, y));
    }
    return best;
  }

 private:
  /// To the segment that ends in point i.
  double to_segment(size_t i, double t, double y) const {
    return distance_to_segment((graph_.time[i - 1] - t) / duration_, (graph_.values[i - 1] - y) / size_,
                               (graph_.time[i] - t) / duration_, (graph_.values[i] - y) / size_);
  }

  const Graph& graph_;
  double duration_, size_;
};

}  // namespace

double l1_error(const std::vector<double>& time, const std::vector<double>& values,
                const std::function<double(double)>& reference) {
  double difference = 0, size = 0;
  for (size_t n = 0; n < time.size(); ++n) {
    const double exact = reference(time[n]);
    difference += std::abs(values[n] - exact);
    size += std::abs(exact);
  }
  return size > 0 ? difference / size : undefined;
}

double graph_error(const std::vector<double>& time, const std::vector<double>& values,
                   const std::function<double(double)>& reference, const Graph& graph) {
  double size = 0;
  for (const double t : time) size = std::max(size, std::abs(reference(t)));
  const double duration = time.back() - time.front();
  if (!(size > 0) || !(duration > 0)) return undefined;
  const GraphDistance distance(graph, duration, size);
  double worst = 0;
  for (size_t n = 0; n < time.size(); ++n) {
    const double straight_up = std::abs(values[n] - reference(time[n])) / size;
    if (straight_up > worst) worst = std::max(worst, distance(time[n], values[n], straight_up, worst));
  }
  return worst;
}

double spectral_error(const Trajectory& run, const ReferenceSolution& reference) {
  const auto count = static_cast<Eigen::Index>(run.values.size());
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(count, count);
  Eigen::VectorXd difference(count);
  for (size_t n = 0; n < run.time.size(); ++n) {
    for (Eigen::Index k = 0; k < count; ++k) {
      const auto quantity = static_cast<size_t>(k);
      difference[k] = run.values[quantity][n] - reference.functions[quantity](run.time[n]);
    }
    gram.noalias() += difference * difference.transpose();
  }
  return std::sqrt(std::max(0.0, symmetric_eigenvalues(gram).maxCoeff()));
}

std::vector<double> errors_of(const Trajectory& run, const ReferenceSolution& reference, Norm norm) {
  if (norm == Norm::spectral) return {spectral_error(run, reference)};
  std::vector<double> errors;
  for (size_t k = 0; k < run.values.size(); ++k)
    errors.push_back(norm == Norm::l1
                         ? l1_error(run.time, run.values[k], reference.functions[k])
                         : graph_error(run.time, run.values[k], reference.functions[k], reference.graphs[k]));
  return errors;
}

double order_between(double step, double error, double other_step, double other_error) {
  if (!(error > 0) || !(other_error > 0) || step == other_step) return undefined;
  return std::log(error / other_error) / std::log(step / other_step);
}

FittedOrder fit_order(const std::vector<double>& steps, const std::vector<double>& errors) {
  std::vector<double> x, y;
  for (size_t i = 0; i < steps.size(); ++i)
    if (errors[i] > 0 && std::isfinite(errors[i])) {
      x.push_back(std::log(steps[i]));
      y.push_back(std::log(errors[i]));
    }
  const double count = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (size_t i = 0; i < x.size(); ++i) mean_x += x[i] / count, mean_y += y[i] / count;
  for (size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return {xx > 0 ? xy / xx : undefined, static_cast<int>(x.size())};
}

}  // namespace percuss
