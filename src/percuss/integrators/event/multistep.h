#pragma once

#include <memory>

#include "percuss/integrators/event/smooth_method.h"

namespace percuss {

/// Backward differentiation formulas of order 1 to `max_order` (at most 5) for stiff equations, by CVODES of
/// SUNDIALS. Newton's linear systems are solved by GMRES with the matrix of the equations as its
/// preconditioner. docs/theory/event_driven.md (EV-13), (EV-15)
std::unique_ptr<SmoothMethod> make_multistep(const SmoothSize& size, int max_order);

}  // namespace percuss
