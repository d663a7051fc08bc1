#pragma once

#include "percuss/nonsmooth/cone.h"

namespace percuss {

/// One friction cone with any discs: given a symmetric positive semidefinite block W, by rows, improves r
/// until r and u = W r + q obey the law, to rounding where that can be reached (N-22a). Semismooth Newton
/// iterations (NN-3) with a line search, and projections where they do not help. r is in the cone at the end.
void solve_one_cone(const Cone& cone, const double* block, const double* q, double* r);

/// At most `steps` projections r <- P(r - rho û) with rho = 1 / trace.
void project_repeatedly(const Cone& cone, const double* block, double trace, const double* q, int steps,
                        double* r);

}  // namespace percuss
