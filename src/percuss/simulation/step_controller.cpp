#include "percuss/simulation/step_controller.h"

#include <algorithm>
#include <cmath>

namespace percuss {
namespace {

constexpr double hit_share = 0.7;  ///< of the tolerance, for one impact
constexpr double safety = 0.8;     ///< of the step that would just be accurate enough
constexpr double most_growth = 2;  ///< more would be a restart for schemes with a memory (G-13)
constexpr double most_shrink = 0.2;
/// Errors of vibrations have both signs: between 1/2, if they were random, and 1, if all had the same.
constexpr double adding_up = 0.75;
constexpr double stretch = 1.1;  ///< of a step, rather than a short one after it

}  // namespace

StepController::StepController(const AdaptiveOptions& options, double duration, int order, double size)
    : options_(options),
      duration_(duration),
      size_(size),
      min_(options.min.value_or(1e-9 * duration)),
      max_(options.max.value_or(0.1 * duration)),
      order_(order) {}

double StepController::allowed(double h, bool is_impulsive) const {
  return options_.tolerance * (is_impulsive ? hit_share : h / duration_);
}

double StepController::allowed_of_velocities(double h, bool is_first_order, bool is_stuck) const {
  if (is_stuck) return options_.tolerance;
  return options_.tolerance * std::pow(h / duration_, is_first_order ? 1.0 : adding_up);
}

double StepController::allowed_penetration() const { return hit_share * options_.tolerance * size_; }

std::optional<double> StepController::allowed_loss(double h, bool is_impulsive) const {
  if (!options_.energy) return {};
  return *options_.energy * (is_impulsive ? 1.0 : h / duration_);
}

double StepController::impulsive_step(double jump) const {
  const double longest = hit_share * options_.tolerance * size_;
  return jump * max_ <= longest ? max_ : std::max(longest / jump, min_);
}

double StepController::before_impact(const Approach& approach, double h) const {
  const auto time = time_to_impact(approach);
  if (!time) return h;
  const double speed = approach.velocity + approach.acceleration * *time;
  const double with_impact = impulsive_step((1 + approach.rebound) * std::abs(speed));
  const double without = *time - 0.5 * with_impact;
  return std::min(h, std::max(without, with_impact));
}

double StepController::next_size(double h, double relative_error, bool is_first_order) const {
  const double smallest = std::pow(most_growth, -order_);
  const double factor =
      std::pow(safety / std::max(relative_error, smallest), is_first_order ? 1.0 : 1.0 / order_);
  return std::clamp(h * std::clamp(factor, most_shrink, most_growth), min_, max_);
}

double StepController::fit(double h, double distance, bool may_stretch) const {
  h = std::clamp(h, min_, max_);
  if (h >= distance) return distance;
  if (!may_stretch) return distance - h < min_ ? 0.5 * distance : h;
  if (stretch * h >= distance) return distance;
  return 2 * h > distance ? 0.5 * distance : h;
}

std::optional<double> time_to_impact(const Approach& approach) {
  const auto [gap, u, a, restitution] = approach;
  if (gap <= 0 && u < 0) return 0.0;
  const double discriminant = u * u - 2 * a * gap;
  if (discriminant < 0) return {};
  const double root = std::sqrt(discriminant);
  if (u <= 0) return root - u > 0 && gap > 0 ? std::optional(2 * gap / (root - u)) : std::nullopt;
  return a < 0 ? std::optional((u + root) / -a) : std::nullopt;  // it opens, and comes back
}

}  // namespace percuss
