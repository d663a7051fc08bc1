#include "percuss/nonsmooth/lemke.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "percuss/nonsmooth/residual.h"

namespace percuss {

namespace {

// The scaled dictionary starts with entries of size one, so these are plain numbers.
// Smaller rates of descent are rounding: the row does not block. Very different masses need the small value,
// nearly dependent contacts the large one, which is tried if the first fails.
constexpr double pivot_tolerances[] = {1e-12, 1e-10};
// A residual below this part of the velocities W_ii r_i that cancel in it is rounding, and proves nothing.
constexpr double rounding_tolerance = 1e-13;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double square(double x) { return x * x; }

/// Of two outcomes the one to report for the whole problem.
SolveStatus worse(SolveStatus a, SolveStatus b) {
  const auto rank = [](SolveStatus s) {
    switch (s) {
      case SolveStatus::converged: return 0;
      case SolveStatus::stalled: return 1;
      case SolveStatus::iteration_limit: return 2;
      case SolveStatus::time_limit: return 3;
      case SolveStatus::infeasible: return 4;
      case SolveStatus::singular: return 5;
      case SolveStatus::unsupported:
      case SolveStatus::not_finite: return 6;
    }
    return 6;
  };
  return rank(b) > rank(a) ? b : a;
}

/// (N-1) or an equality, for one row without neighbours.
SolveStatus solve_row(ConeKind kind, double W, double u_free, double& r) {
  if (W < 0.0) return SolveStatus::singular;
  if (u_free == 0.0 || (kind == ConeKind::nonnegative && u_free > 0.0)) return SolveStatus::converged;
  if (W == 0.0) return SolveStatus::infeasible;
  r = -u_free / W;
  return SolveStatus::converged;
}

bool is_supported(const Cone& cone) {
  return cone.kind == ConeKind::nonnegative || cone.kind == ConeKind::equality;
}

/// True if neither W_ij nor W_ji couples the rows; block k is W_ij.
bool is_uncoupled(const BlockMatrix& W, int i, int k) {
  return *W.block(k) == 0.0 && W.entry(W.other(k), i) == 0.0;
}

}  // namespace

void LemkeOptions::validate() const {
  if (!(tolerance > 0.0)) throw std::invalid_argument("LemkeOptions.tolerance: must be positive");
  if (max_pivots_per_row < 1) throw std::invalid_argument("LemkeOptions.max_pivots_per_row: must be >= 1");
}

LemkeSolver::LemkeSolver(const LemkeOptions& options) : options_(options) { options_.validate(); }

void LemkeSolver::reserve(int rows) {
  if (rows <= capacity_) return;
  capacity_ = rows;
  const auto n = static_cast<std::size_t>(rows);
  const std::size_t dense = std::min<std::size_t>(n, max_reserved_component);
  tableau_.reserve(dense * (dense + 2));
  for (auto* flat : {&scale_, &x_, &dx_, &polished_, &best_, &permuted_}) flat->reserve(n);
  for (auto* flat : {&members_, &position_, &basic_, &candidates_, &active_, &lu_order_}) flat->reserve(n);
  is_equality_.reserve(n);
  nonbasic_.reserve(n + 1);
  where_.reserve(2 * n + 1);
}

void LemkeSolver::solve(const LocalProblem& problem, const std::vector<double>& /*guess*/, Solution& out) {
  const int n = problem.size();
  out.iterations = 0;
  out.history.clear();
  out.method = "lemke";
  out.selection = Selection::any;
  out.uniqueness.reset();
  out.r.assign(n, 0.0);
  if (!std::ranges::all_of(problem.cones, is_supported)) return end_unsupported(problem, out);
  SolveStatus status = SolveStatus::not_finite;
  if (all_finite(problem.u_free) && all_finite(problem.W.values()))
    status = n == 1 ? solve_row(problem.cones[0].kind, problem.W.diagonal(0), problem.u_free[0], out.r[0])
                    : solve_components(problem, out);

  out.residual = residual_of(problem, out.r);
  if (status == SolveStatus::not_finite || !std::isfinite(out.residual.relative)) {
    out.status = SolveStatus::not_finite;
    out.r.assign(n, nan);
    out.u.assign(n, nan);
    out.residual = {nan, std::numeric_limits<double>::infinity()};
    return;
  }
  out.u.assign(problem.u_free.begin(), problem.u_free.end());
  problem.W.multiply_add(out.r.data(), out.u.data());
  // The residual has the last word: a ray reached because of rounding alone is no infeasibility.
  if (out.residual.is_within(options_.tolerance) && status != SolveStatus::singular)
    out.status = SolveStatus::converged;
  else
    out.status = worse(status, SolveStatus::stalled);
}

SolveStatus LemkeSolver::solve_components(const LocalProblem& problem, Solution& out) {
  const int n = problem.size();
  reserve(n);
  members_.clear();
  position_.assign(n, -1);
  polished_.assign(n, 0.0);
  SolveStatus status = SolveStatus::converged;
  for (int seed = 0; seed < n; ++seed) {
    if (position_[seed] >= 0) continue;
    collect_component(problem.W, seed);
    status = worse(status, solve_component(problem, out));
  }
  return status;
}

/// Breadth first; members_ is its own queue.
void LemkeSolver::collect_component(const BlockMatrix& W, int seed) {
  begin_ = static_cast<int>(members_.size());
  position_[seed] = begin_;
  members_.push_back(seed);
  for (std::size_t head = begin_; head < members_.size(); ++head) {
    const int i = members_[head];
    for (int k = W.begin(i); k < W.end(i); ++k) {
      const int j = W.other(k);
      if (position_[j] >= 0 || is_uncoupled(W, i, k)) continue;
      position_[j] = static_cast<int>(members_.size());
      members_.push_back(j);
    }
  }
  m_ = static_cast<int>(members_.size()) - begin_;
}

SolveStatus LemkeSolver::solve_component(const LocalProblem& problem, Solution& out) {
  const int* rows = members_.data() + begin_;
  if (m_ == 1)
    return solve_row(problem.cones[rows[0]].kind, problem.W.diagonal(rows[0]), problem.u_free[rows[0]],
                     out.r[rows[0]]);
  is_equality_.resize(m_);
  for (int a = 0; a < m_; ++a) is_equality_[a] = problem.cones[rows[a]].kind == ConeKind::equality;
  is_unsymmetric_ = false;
  if (!choose_scaling(problem)) {
    // A coupled row of a semidefinite W has a positive diagonal; a general matrix need not have one.
    fill_tableau(problem);
    if (!is_unsymmetric_) return SolveStatus::singular;
  }
  const bool is_trivial = std::all_of(rows, rows + m_, [&](int i) {
    return problem.u_free[i] == 0.0 ||
           (problem.cones[i].kind == ConeKind::nonnegative && problem.u_free[i] > 0.0);
  });
  return is_trivial ? SolveStatus::converged : attempt_pivoting(problem, out);
}

SolveStatus LemkeSolver::attempt_pivoting(const LocalProblem& problem, Solution& out) {
  double u_free2 = residual_floor * residual_floor;
  for (int a = 0; a < m_; ++a) u_free2 += square(problem.u_free[members_[begin_ + a]]);
  const double target2 = square(options_.tolerance) * u_free2;

  best_.assign(m_, 0.0);  // reactions worse than none at all are not returned
  double best2 = u_free2;
  SolveStatus best_status = SolveStatus::stalled;
  bool found = false;
  for (const double tolerance : pivot_tolerances) {
    pivot_tolerance_ = tolerance;
    fill_tableau(problem);
    const bool is_consistent = eliminate_equalities(out.iterations);
    SolveStatus status = pivot_to_solution(out.iterations);
    if (!is_consistent) status = SolveStatus::infeasible;
    // For a general matrix a ray proves nothing.
    if (is_unsymmetric_ && status == SolveStatus::infeasible) status = SolveStatus::stalled;
    read_reactions(out.r);
    const double residual2 = polish(problem, out.r);
    if (residual2 <= target2) return SolveStatus::converged;
    const bool better = residual2 < best2;
    if (better || !found) best_status = status;
    if (!better) continue;
    found = true;
    best2 = residual2;
    for (int a = 0; a < m_; ++a) best_[a] = out.r[members_[begin_ + a]];
  }
  for (int a = 0; a < m_; ++a) out.r[members_[begin_ + a]] = best_[a];
  const bool hidden = best2 <= square(rounding_tolerance) * cancelled_velocity2(problem.W);
  return best_status == SolveStatus::infeasible && hidden ? SolveStatus::stalled : best_status;
}

/// |diag(W) r|² of the best reactions: the size of the velocities that cancel in W r.  (N-16)
double LemkeSolver::cancelled_velocity2(const BlockMatrix& W) const {
  double sum = 0.0;
  for (int a = 0; a < m_; ++a) sum += square(W.diagonal(members_[begin_ + a]) * best_[a]);
  return sum;
}

}  // namespace percuss
