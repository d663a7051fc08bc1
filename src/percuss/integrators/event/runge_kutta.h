#pragma once

#include <memory>

#include "percuss/integrators/event/smooth_method.h"

namespace percuss {

/// Verner's explicit Runge-Kutta method of order 6(5), by ARKODE of SUNDIALS: a one-step method, for which a
/// new start at every event and every step of the run costs nothing.  docs/theory/event_driven.md (EV-7)
std::unique_ptr<SmoothMethod> make_runge_kutta(const SmoothSize& size);

}  // namespace percuss
