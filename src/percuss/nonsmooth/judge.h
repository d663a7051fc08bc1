#pragma once

#include <vector>

#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// Free velocities below this are at rest as far as the relative residual is concerned [m/s].
inline constexpr double residual_floor = 1e-12;

/// The verdict on r that all reports and comparisons use; u = W r + u_free is recomputed here, whatever a
/// solver claims. Per row (r - max(0, r - rho_c u)) / rho_c with rho_c = 1/W_ii (N-5), then the Euclidean
/// norm over the rows, and the same relative to max(|u_free|, residual_floor) (N-6). If anything is not
/// finite, absolute is NaN or inf and relative is inf.
Residual judge(const LocalProblem& problem, const std::vector<double>& r);

/// The same for one nonnegative row [m/s].
double judge_row(const LocalProblem& problem, const std::vector<double>& r, int i);

}  // namespace percuss
