#pragma once

namespace percuss {

/// An initial value problem y' = f(t, y) with functions whose falling through zero ends the integration. The
/// first entries of y are the states, on which everything depends; the others are sums, integrals along the
/// motion on which nothing depends.
class SmoothEquations {
 public:
  virtual ~SmoothEquations() = default;
  /// False: f cannot be evaluated there; a shorter step is tried. That of the sums only if asked for.
  virtual bool rate(double t, const double* y, bool with_sums, double* f) = 0;
  virtual bool events(double t, const double* y, double* values) = 0;
  /// Of the states, times `scale`: the error of a step is the root mean square of weight_i error_i, at most
  /// 1.
  virtual void weights(const double* y, double scale, double* weight) = 0;
  /// Called after each step. False ends the integration there.
  virtual bool goes_on(double t, const double* y) = 0;

  // For implicit methods, of the states alone. The matrix may be an approximation.
  /// Factorises I - gamma df/dy at (t, y). False if it is singular.
  virtual bool factorise(double t, const double* y, double gamma) = 0;
  virtual void solve(const double* r, double* x) = 0;
  /// How much of x may be added to y for a difference quotient of f.
  virtual double difference(const double* x) const = 0;
};

struct SmoothSize {
  int states = 0, sums = 0, events = 0;
};

enum class SmoothEnd {
  reached,  ///< the time asked for
  event,    ///< a function fell through zero
  left,     ///< goes_on said no
  stopped,  ///< somebody asked for it
  work,     ///< too many steps
  no_rate,  ///< f could not be evaluated, however short the step
  no_step,  ///< the error test failed, however short the step
};

/// A method for such problems, with error control, dense output and root finding.
class SmoothMethod {
 public:
  virtual ~SmoothMethod() = default;
  /// Integrates from y at t = 0 to `end` or an event, which `found` then marks with 1. `first_step` of 0:
  /// chosen by the method. Nothing is left over from earlier calls.
  virtual SmoothEnd integrate(SmoothEquations& equations, double end, double first_step, double* y,
                              double& t) = 0;
  virtual const int* found() const = 0;
  virtual int steps() const = 0;
  /// A good first step for what follows; 0: none.
  virtual double next_step() const = 0;
};

}  // namespace percuss
