#pragma once

#include <optional>

#include "percuss/simulation/adaptive_options.h"
#include "percuss/simulation/step_controller.h"

namespace percuss {

/// A contact that moves towards its impact: g + u t + a t^2/2.
struct Approach {
  double gap = 0, velocity = 0, acceleration = 0, rebound = 0;
};

/// The rules of docs/theory/adaptive.md for numbers: no states, no schemes.
class StepController {
 public:
  /// `order` is that of the scheme in smooth motion, `size` a length of the model [m].
  StepController(const AdaptiveOptions& options, double duration, int order, double size);

  double min() const { return min_; }
  double max() const { return max_; }
  int order() const { return order_; }
  /// Error of positions that a step may have: in smooth motion its share of the time, in an impact a
  /// constant.
  double allowed(double h, bool is_impulsive) const;
  /// Error of velocities that a step may have in smooth motion; `is_stuck` if shorter steps have not
  /// made it smaller.
  double allowed_of_velocities(double h, bool is_first_order, bool is_stuck) const;
  /// Depth that counts as an impact which was overlooked [m].
  double allowed_penetration() const;
  /// The energy that a step may lose or gain, if that is limited [J].
  std::optional<double> allowed_loss(double h, bool is_impulsive) const;

  /// Length of a step in which velocities of contacts jump by `jump` (A-5) [s].
  double impulsive_step(double jump) const;
  /// The step h, or a shorter one that ends before the impact, or is short enough to contain it.
  double before_impact(const Approach& approach, double h) const;
  /// The size that the error of a step, divided by what is allowed, suggests for the next.
  double next_size(double h, double relative_error, bool is_first_order) const;
  /// h within its limits, and ending at `distance` or leaving enough for another step. A step that ends
  /// before an impact must not be stretched.
  double fit(double h, double distance, bool may_stretch) const;

 private:
  AdaptiveOptions options_;
  double duration_, size_, min_, max_;
  int order_;
};

/// Time until g + u t + a t^2/2 = 0 with the gap closing [s]; nothing if that does not happen.
std::optional<double> time_to_impact(const Approach& approach);

}  // namespace percuss
