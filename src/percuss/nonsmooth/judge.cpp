#include "percuss/nonsmooth/judge.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "percuss/nonsmooth/cones.h"

namespace percuss {

double judge_row(const LocalProblem& problem, const std::vector<double>& r, int i) {
  const SparseRows& W = problem.W;
  double u = problem.u_free[i];
  double W_ii = 0.0;
  for (int k = W.row_begin[i]; k < W.row_begin[i + 1]; ++k) {
    const int j = W.column[k];
    u += W.value[k] * r[j];
    if (j == i) W_ii = W.value[k];
  }
  const double r_over_rho = W_ii > 0.0 ? r[i] * W_ii : r[i];
  if (!std::isfinite(u) || !std::isfinite(r_over_rho)) return std::numeric_limits<double>::quiet_NaN();
  return std::min(r_over_rho, u);  // (N-5) without its cancellation
}

namespace {

/// Roundings that meet in one velocity of a contact, and the largest part of the free velocities that may be
/// called rounding (N-6a).
constexpr double rounding_count = 2.0, largest_rounding = 1e-8;

double trace_of(const SparseRows& W, int first, int rows) {
  double trace = 0.0;
  for (int i = first; i < first + rows; ++i) trace += W.diagonal(i);
  return trace;
}

/// The rounding of the residuals of all cones [m/s] (N-6a). r^T W r, and not the entries of W r, says how
/// much cancels: reactions that press against each other and move nothing raise it hardly, so that nobody
/// buys tolerance with them.
double rounding_of(const LocalProblem& problem, double work) {
  constexpr double unit = rounding_count * std::numeric_limits<double>::epsilon();
  const double impulse = std::sqrt(std::max(0.0, work));
  double sum = 0.0;
  int i = 0;
  for (const Cone& cone : problem.cones) {
    double error[3] = {}, tangential2 = 0.0;
    for (int k = 0; k < cone.rows(); ++k) {
      error[k] = unit * (std::abs(problem.u_free[i + k]) + std::sqrt(problem.W.diagonal(i + k)) * impulse);
      if (k > 0) tangential2 += error[k] * error[k];
    }
    const double normal = error[0] + (cone.has_friction() ? cone.bound * std::sqrt(tangential2) : 0.0);
    sum += normal * normal + tangential2;
    i += cone.rows();
  }
  return std::sqrt(sum);
}

/// `work`: r^T W r.
Residual verdict(const LocalProblem& problem, double residual2, double work) {
  double u_free2 = 0.0;
  for (const double u : problem.u_free) u_free2 += u * u;
  const double absolute = std::sqrt(residual2);
  const double scale = std::max(std::sqrt(u_free2), residual_floor);
  const bool finite = std::isfinite(absolute) && std::isfinite(u_free2);
  Residual residual{absolute, finite ? absolute / scale : std::numeric_limits<double>::infinity()};
  if (residual.relative <= largest_rounding)
    residual.rounding = std::min(rounding_of(problem, work) / scale, largest_rounding);
  return residual;
}

/// Velocities of the rows of one cone, recomputed from r.
void cone_velocity(const LocalProblem& problem, const std::vector<double>& r, int first, int rows,
                   double* u) {
  for (int i = 0; i < rows; ++i) u[i] = problem.u_free[first + i] + problem.W.row_dot(first + i, r.data());
}

/// The part of one cone in r^T W r.
double work_on(const LocalProblem& problem, const std::vector<double>& r, int first, int rows,
               const double* u) {
  double work = 0.0;
  for (int i = 0; i < rows; ++i) work += r[first + i] * (u[i] - problem.u_free[first + i]);
  return work;
}

}  // namespace

Residual judge(const LocalProblem& problem, const std::vector<double>& r) {
  assert(static_cast<int>(r.size()) == problem.size());
  double residual2 = 0.0, work = 0.0, u[3];
  int i = 0;
  for (const Cone& cone : problem.cones) {
    cone_velocity(problem, r, i, cone.rows(), u);
    residual2 += cone_residual2(cone, trace_of(problem.W, i, cone.rows()), &r[i], u);
    work += work_on(problem, r, i, cone.rows(), u);
    i += cone.rows();
  }
  return verdict(problem, residual2, work);
}

Residual judge_with(const LocalProblem& problem, const std::vector<double>& r, const std::vector<double>& u) {
  double residual2 = 0.0, work = 0.0;
  int i = 0;
  for (const Cone& cone : problem.cones) {
    residual2 += cone_residual2(cone, trace_of(problem.W, i, cone.rows()), &r[i], &u[i]);
    work += work_on(problem, r, i, cone.rows(), &u[i]);
    i += cone.rows();
  }
  return verdict(problem, residual2, work);
}

double unscaled_residual(const LocalProblem& problem, const std::vector<double>& r) {
  double residual2 = 0.0, u[3];
  int i = 0;
  for (const Cone& cone : problem.cones) {
    cone_velocity(problem, r, i, cone.rows(), u);
    residual2 += cone_residual2(cone, cone.rows(), &r[i], u);  // rho = 1
    i += cone.rows();
  }
  return verdict(problem, residual2, 0.0).relative;
}

}  // namespace percuss
