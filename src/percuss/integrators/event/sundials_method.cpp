#include "percuss/integrators/event/sundials_method.h"

#include <new>
#include <stdexcept>
#include <string>

namespace percuss {
namespace {

constexpr int max_steps = 1'000'000;

}  // namespace

SundialsMethod::SundialsMethod(const SmoothSize& size)
    : size_(size),
      falling_(static_cast<size_t>(size.events), -1),
      found_(static_cast<size_t>(size.events), 0) {
  check(SUNContext_Create(nullptr, &context_), "a context");
}

SundialsMethod::~SundialsMethod() { SUNContext_Free(&context_); }

N_Vector SundialsMethod::make_vector(double* memory, int size) {
  N_Vector x = N_VMake_Serial(size, memory, context_);
  if (!x) throw std::bad_alloc();
  return x;
}

void SundialsMethod::check(int flag, const char* what) {
  if (flag < 0) throw std::logic_error(std::string("SUNDIALS refuses ") + what);
}

int SundialsMethod::call_events(double t, N_Vector y, double* out, void* user) {
  return self(user).equations_->events(t, values(y), out) ? 0 : 1;
}

SmoothEnd SundialsMethod::integrate(SmoothEquations& equations, double end, double first_step, double* y,
                                    double& t) {
  equations_ = &equations;
  t = 0;
  start(end, first_step, y);
  for (steps_ = 0; steps_ < max_steps;) {
    const Outcome outcome = step(end, t, found_.data(), next_step_);
    ++steps_;
    if (outcome == Outcome::no_rate) return SmoothEnd::no_rate;
    if (outcome == Outcome::no_step) return SmoothEnd::no_step;
    if (outcome == Outcome::event) return SmoothEnd::event;
    if (outcome == Outcome::end || t >= end) {
      t = end;
      return SmoothEnd::reached;
    }
    if (!equations.goes_on(t, y)) return SmoothEnd::left;
  }
  return SmoothEnd::work;
}

}  // namespace percuss
