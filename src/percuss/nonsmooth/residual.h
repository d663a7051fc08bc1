#pragma once

#include <vector>

#include "percuss/nonsmooth/contact_operator.h"

namespace percuss {

/// Free velocities below this are at rest as far as the relative residual is concerned [m/s].
inline constexpr double residual_floor = 1e-12;

/// The residual of r that all reports and comparisons use; u = W r + u_free is recomputed here, whatever a
/// solver claims. Euclidean norm of the residuals of the cones (N-5), (N-20), and the same relative to
/// max(|u_free|, LocalProblem::scale, residual_floor) (N-6), (N-6c). If anything is not finite, absolute is
/// NaN or inf and relative is inf.
Residual residual_of(const LocalProblem& problem, const std::vector<double>& r);

/// The same for a u that is known to be W r + u_free: without a product with W.
Residual residual_of(const LocalProblem& problem, const std::vector<double>& r, const std::vector<double>& u);
Residual residual_of(const OperatorProblem& problem, const std::vector<double>& r,
                     const std::vector<double>& u);

/// The cone whose law r and u = W r + u_free miss most; -1 if there is none.
int worst_cone(const LocalProblem& problem, const std::vector<double>& r, const std::vector<double>& u);

/// The same for one nonnegative row [m/s].
double residual_of_row(const LocalProblem& problem, const std::vector<double>& r, int i);

/// |r - P(r - û)| / max(|u_free|, residual_floor): the residual of the literature. It adds impulses to
/// velocities; for comparison only.
double unscaled_residual(const LocalProblem& problem, const std::vector<double>& r);

}  // namespace percuss
