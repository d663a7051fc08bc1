#pragma once

#include <memory>

namespace percuss {

/// An initial value problem y' = f(t, y) with functions whose falling through zero ends the integration.
class SmoothEquations {
 public:
  virtual ~SmoothEquations() = default;
  /// False: f cannot be evaluated there; a shorter step is tried.
  virtual bool rate(double t, const double* y, double* f) = 0;
  virtual bool events(double t, const double* y, double* values) = 0;
  /// The error of a step is the root mean square of weight_i error_i, at most 1.
  virtual void weights(const double* y, double* weight) = 0;
  /// Called after each step. False ends the integration there.
  virtual bool goes_on(double t, const double* y) = 0;
};

enum class SmoothEnd {
  reached,  ///< the time asked for
  event,    ///< a function fell through zero
  left,     ///< goes_on said no
  work,     ///< too many steps
  no_rate,  ///< f could not be evaluated, however short the step
  no_step,  ///< the error test failed, however short the step
};

/// Verner's explicit Runge-Kutta method of order 6(5) with error control, dense output and root finding, by
/// ARKODE of SUNDIALS: a one-step method, because every event and every step of the run is a new start.
/// docs/theory/event_driven.md (EV-7)
class RungeKutta {
 public:
  RungeKutta(int size, int event_count);
  ~RungeKutta();

  /// Integrates from y at t = 0 to `end` or an event, which `found` then marks with 1. `first_step` of 0:
  /// chosen by the method.
  SmoothEnd integrate(SmoothEquations& equations, double end, double first_step, double* y, double& t);
  const int* found() const;
  int steps() const { return steps_; }
  double next_step() const { return next_step_; }

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
  int steps_ = 0;
  double next_step_ = 0;
};

}  // namespace percuss
