#include "percuss/nonsmooth/interior_run.h"

#include <algorithm>
#include <cmath>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/interior_iteration.h"
#include "percuss/nonsmooth/interior_polish.h"
#include "percuss/nonsmooth/residual.h"

namespace percuss {
namespace {

/// Newton on the natural map is tried from guesses and iterates that are at least this good (NI-14).
constexpr double interior_warm_residual = 1e-2;
constexpr double interior_first_polish = 1e-4;
/// After a failure, only again when the residual has fallen by this much.
constexpr double interior_next_polish = 1e-2;
/// Newton's method first; if it gets stuck, once more with half of the shift's derivative.
constexpr double interior_shift_shares[] = {1.0, 0.5};
/// Iterations in which the residual has to halve; one that crawls would use up the limit and gain nothing.
constexpr int interior_stall_limit = 15;

}  // namespace

Residual InteriorData::residual_of(const std::vector<double>& r, const std::vector<double>& u) const {
  double sum = 0.0, u_free2 = 0.0;
  int i = 0;
  for (const Cone& cone : cones) {
    double trace = 0.0;
    for (int k = i; k < i + cone.rows(); ++k) {
      trace += diagonal[k];
      u_free2 += u_free[k] * u_free[k];
    }
    sum += cone_residual2(cone, trace, &r[i], &u[i]);
    i += cone.rows();
  }
  return {std::sqrt(sum), std::sqrt(sum) / std::max(std::sqrt(u_free2), residual_floor)};
}

InteriorRun::InteriorRun(const InteriorData& data, InteriorRows& rows, InteriorSystem& system,
                         const InteriorPointOptions& options, Solution& out)
    : data_(data),
      rows_(rows),
      system_(system),
      options_(options),
      out_(out),
      limit_(options.max_iterations > 0 ? options.max_iterations : InteriorPointSolver::default_iterations),
      q_(rows.size()),
      start_(rows.size()),
      u_(data.u_free) {
  for (int k = 0; k < rows.size(); ++k) q_[k] = rows.a[k] * data.u_free[rows.source[k]];
  if (q_.size() > 0 && q_.lpNorm<Eigen::Infinity>() > 0.0) unit_ = q_.lpNorm<Eigen::Infinity>();
  q_ /= unit_;
  for (InteriorCone& cone : rows.cones) cone.bound /= unit_;
  for (int k = 0; k < rows.size(); ++k) start_[k] = out.r[rows.source[k]] / (unit_ * rows.a[k]);
}

SolveStatus InteriorRun::run() {
  const InteriorPolish guess(rows_, q_, system_, start_);
  const double residual = look(guess.x(), guess.velocity());
  if (residual <= options_.tolerance) return SolveStatus::converged;
  if (rows_.size() == 0) return SolveStatus::stalled;  // no reaction has an effect
  if (residual <= interior_warm_residual && polish(start_, residual)) return SolveStatus::converged;
  for (const double shift_share : interior_shift_shares) {
    if (iterate(shift_share)) return SolveStatus::converged;
    if (out_.iterations >= limit_) return SolveStatus::iteration_limit;
    // Numbers at the end of their range may leave no iterate with a residual.
    if (std::isfinite(best_) && polish(best_x_, best_)) return SolveStatus::converged;
    if (options_.deadline.passed()) return SolveStatus::time_limit;
  }
  // One that crawls would have ended at its limit; it lacks no digits, which another form of the matrix has.
  return crawls_ ? SolveStatus::iteration_limit : SolveStatus::stalled;
}

bool InteriorRun::may_go_on() const { return out_.iterations < limit_ && !options_.deadline.passed(); }

/// The interior-point iteration from its start to its end. True if it solves the problem.
bool InteriorRun::iterate(double shift_share) {
  InteriorIteration iteration(rows_, q_, system_, shift_share);
  double polish_below = interior_first_polish, mark = std::numeric_limits<double>::infinity();
  int since_mark = 0;
  for (bool more = true; more && may_go_on() && since_mark <= interior_stall_limit;) {
    ++out_.iterations;
    more = iteration.advance(options_.step_share);
    const double residual = look(iteration.x(), iteration.velocity());
    if (residual <= options_.tolerance) return true;
    since_mark = residual < 0.5 * mark ? 0 : since_mark + 1;
    if (since_mark == 0) mark = residual;
    if (residual <= polish_below) {
      if (polish(iteration.x(), residual)) return true;
      polish_below = interior_next_polish * residual;
    }
  }
  crawls_ = crawls_ || since_mark > interior_stall_limit;
  return false;
}

/// The residual of an iterate; the best goes to out.
double InteriorRun::look(const VectorX& x, const VectorX& u) {
  r_ = out_.r;
  for (int k = 0; k < rows_.size(); ++k) {
    r_[rows_.source[k]] = unit_ * rows_.a[k] * x[k];
    u_[rows_.source[k]] = unit_ * u[k] / rows_.a[k];
  }
  const double residual = data_.residual_of(r_, u_).relative;
  out_.history.push_back(residual);
  if (!(residual < best_)) return residual;
  best_ = residual;
  best_x_ = x;
  out_.r = r_;
  return residual;
}

/// Newton on the natural map while it halves the residual. True if that solves the problem.
bool InteriorRun::polish(const VectorX& from, double residual) {
  InteriorPolish newton(rows_, q_, system_, from);
  for (bool gains = true; gains && may_go_on();) {
    ++out_.iterations;
    if (!newton.advance()) return false;
    const double next = look(newton.x(), newton.velocity());
    if (next <= options_.tolerance) return true;
    gains = next < 0.5 * residual;
    residual = next;
  }
  return false;
}

}  // namespace percuss
