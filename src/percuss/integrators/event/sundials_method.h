#pragma once

#include <vector>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include "percuss/integrators/event/smooth_method.h"

namespace percuss {

/// What the integrators of SUNDIALS have in common: they take one step after the other and call the equations
/// through functions with `this` as their data.
class SundialsMethod : public SmoothMethod {
 public:
  ~SundialsMethod() override;
  SmoothEnd integrate(SmoothEquations& equations, double end, double first_step, double* y, double& t) final;
  const int* found() const final { return found_.data(); }
  int steps() const final { return steps_; }
  double next_step() const final { return next_step_; }

 protected:
  enum class Outcome { step, end, event, no_rate, no_step };

  explicit SundialsMethod(const SmoothSize& size);
  virtual void start(double end, double first_step, double* y) = 0;
  /// One step, and after an event which functions fell.
  virtual Outcome step(double end, double& t, int* found, double& next_step) = 0;

  /// A vector over memory of others, which is another one at each start.
  N_Vector make_vector(double* memory, int size);
  /// Refusals of SUNDIALS are slips of this program, not outcomes.
  static void check(int flag, const char* what);

  static SundialsMethod& self(void* user) { return *static_cast<SundialsMethod*>(user); }
  static const double* values(N_Vector x) { return N_VGetArrayPointer(x); }
  static int call_events(double t, N_Vector y, double* out, void* user);
  static void keep_silent(int, const char*, const char*, char*, void*) {}

  const SmoothSize size_;
  SUNContext context_ = nullptr;
  SmoothEquations* equations_ = nullptr;  ///< of the present call of integrate
  std::vector<int> falling_;              ///< the direction in which zeros are looked for

 private:
  std::vector<int> found_;
  int steps_ = 0;
  double next_step_ = 0;
};

}  // namespace percuss
