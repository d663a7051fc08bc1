#include "percuss/nonsmooth/judge.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

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

Residual judge(const LocalProblem& problem, const std::vector<double>& r) {
  assert(static_cast<int>(r.size()) == problem.size());
  double residual2 = 0.0;
  double u_free2 = 0.0;
  int i = 0;
  for (const Cone& cone : problem.cones) {
    switch (cone.kind) {
      case ConeKind::nonnegative: {
        const double row = judge_row(problem, r, i);
        residual2 += row * row;
        u_free2 += problem.u_free[i] * problem.u_free[i];
        break;
      }
    }
    i += row_count(cone.kind);
  }
  const double absolute = std::sqrt(residual2);
  const double scale = std::max(std::sqrt(u_free2), residual_floor);
  const bool finite = std::isfinite(absolute) && std::isfinite(u_free2);
  return {absolute, finite ? absolute / scale : std::numeric_limits<double>::infinity()};
}

}  // namespace percuss
