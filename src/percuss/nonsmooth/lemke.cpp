#include "percuss/nonsmooth/lemke.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "percuss/nonsmooth/judge.h"

namespace percuss {

namespace {

// The scaled dictionary starts with entries of size one, so these are plain numbers.
// Smaller rates of descent are rounding: the row does not block. Very different masses need the small value,
// nearly dependent contacts the large one, which is tried if the first fails.
constexpr double pivot_tolerances[] = {1e-12, 1e-10};
constexpr double tie_tolerance = 1e-13;   // rows whose ratios differ by less are tied
constexpr double rank_tolerance = 1e-14;  // smaller pivots make the active block singular

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
      case SolveStatus::infeasible: return 3;
      case SolveStatus::singular: return 4;
      case SolveStatus::unsupported:
      case SolveStatus::not_finite: return 5;
    }
    return 5;
  };
  return rank(b) > rank(a) ? b : a;
}

/// (N-1) for one row without neighbours.
SolveStatus solve_row(double W, double u_free, double& r) {
  if (W < 0.0) return SolveStatus::singular;
  if (u_free >= 0.0) return SolveStatus::converged;
  if (W == 0.0) return SolveStatus::infeasible;
  r = -u_free / W;
  return SolveStatus::converged;
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
  for (auto* flat : {&scale_, &x_, &dx_, &polished_, &best_}) flat->reserve(n);
  for (auto* flat : {&members_, &position_, &basic_, &candidates_, &active_}) flat->reserve(n);
  nonbasic_.reserve(n + 1);
  where_.reserve(2 * n + 1);
}

void LemkeSolver::solve(const LocalProblem& problem, const std::vector<double>& /*guess*/, Solution& out) {
  const int n = problem.size();
  out.iterations = 0;
  out.history.clear();
  out.method = "lemke";
  out.r.assign(n, 0.0);
  if (!problem.has_only(ConeKind::nonnegative)) return end_solve(problem, 0.0, SolveStatus::unsupported, out);
  SolveStatus status = SolveStatus::not_finite;
  if (all_finite(problem.u_free) && all_finite(problem.W.value))
    status = n == 1 ? solve_row(problem.W.diagonal(0), problem.u_free[0], out.r[0])
                    : solve_components(problem, out);

  out.residual = judge(problem, out.r);
  if (status == SolveStatus::not_finite || !std::isfinite(out.residual.relative)) {
    out.status = SolveStatus::not_finite;
    out.r.assign(n, nan);
    out.u.assign(n, nan);
    out.residual = {nan, std::numeric_limits<double>::infinity()};
    return;
  }
  out.u.assign(problem.u_free.begin(), problem.u_free.end());
  problem.W.multiply_add(out.r.data(), out.u.data());
  // The judge has the last word: a ray reached because of rounding alone is no infeasibility.
  if (out.residual.relative <= options_.tolerance && status != SolveStatus::singular)
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
void LemkeSolver::collect_component(const SparseRows& W, int seed) {
  begin_ = static_cast<int>(members_.size());
  position_[seed] = begin_;
  members_.push_back(seed);
  for (std::size_t head = begin_; head < members_.size(); ++head) {
    const int i = members_[head];
    for (int k = W.row_begin[i]; k < W.row_begin[i + 1]; ++k) {
      const int j = W.column[k];
      if (position_[j] >= 0 || W.value[k] == 0.0) continue;
      position_[j] = static_cast<int>(members_.size());
      members_.push_back(j);
    }
  }
  m_ = static_cast<int>(members_.size()) - begin_;
}

SolveStatus LemkeSolver::solve_component(const LocalProblem& problem, Solution& out) {
  const int* rows = members_.data() + begin_;
  if (m_ == 1) return solve_row(problem.W.diagonal(rows[0]), problem.u_free[rows[0]], out.r[rows[0]]);
  if (!choose_scaling(problem)) return SolveStatus::singular;
  if (std::all_of(rows, rows + m_, [&](int i) { return problem.u_free[i] >= 0.0; }))
    return SolveStatus::converged;
  return attempt_pivoting(problem, out);
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
    const SolveStatus status = pivot_to_solution(out.iterations);
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
double LemkeSolver::cancelled_velocity2(const SparseRows& W) const {
  double sum = 0.0;
  for (int a = 0; a < m_; ++a) sum += square(W.diagonal(members_[begin_ + a]) * best_[a]);
  return sum;
}

/// s_i = a power of two near 1/sqrt(W_ii), so that scaling (N-9) is exact and units do not matter.
/// False if W is not semidefinite: a coupled row needs a positive diagonal.
bool LemkeSolver::choose_scaling(const LocalProblem& problem) {
  scale_.resize(m_);
  double largest = 0.0;
  for (int a = 0; a < m_; ++a) {
    const int i = members_[begin_ + a];
    const double W_ii = problem.W.diagonal(i);
    if (!(W_ii > 0.0)) return false;
    scale_[a] = std::ldexp(1.0, -(std::ilogb(W_ii) >> 1));
    largest = std::max(largest, std::abs(scale_[a] * problem.u_free[i]));
  }
  unit_ = largest > 0.0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
  return true;
}

/// u = q + W r + 1 z: all u basic.  (N-10)
void LemkeSolver::fill_tableau(const LocalProblem& problem) {
  const SparseRows& W = problem.W;
  stride_ = m_ + 2;
  tableau_.assign(static_cast<std::size_t>(m_) * stride_, 0.0);
  basic_.resize(m_);
  nonbasic_.resize(m_ + 1);
  where_.resize(2 * m_ + 1);
  for (int a = 0; a < m_; ++a) {
    const int i = members_[begin_ + a];
    for (int k = W.row_begin[i]; k < W.row_begin[i + 1]; ++k) {
      if (!in_component(W.column[k])) continue;  // an explicit zero
      const int b = position_[W.column[k]] - begin_;
      entry_at(a, b) = W.value[k] * scale_[a] * scale_[b];
    }
    entry_at(a, m_) = 1.0;
    entry_at(a, m_ + 1) = problem.u_free[i] * scale_[a] / unit_;
    basic_[a] = a;
    where_[a] = -1 - a;
    nonbasic_[a] = m_ + a;
    where_[m_ + a] = a;
  }
  const int z = 2 * m_;
  nonbasic_[m_] = z;
  where_[z] = m_;
}

/// The path of almost complementary dictionaries: what leaves is followed by its complement.  (N-11)
SolveStatus LemkeSolver::pivot_to_solution(int& pivots) {
  const int z = 2 * m_;
  const long limit = static_cast<long>(options_.max_pivots_per_row) * m_;
  int column = m_;
  int row = first_leaving_row();
  for (long count = 0; count < limit; ++count) {
    const int leaving = basic_[row];
    exchange(row, column);
    ++pivots;
    if (leaving == z) return SolveStatus::converged;
    column = where_[leaving < m_ ? leaving + m_ : leaving - m_];
    row = leaving_row(column);
    if (row < 0) return SolveStatus::infeasible;  // secondary ray (N-14)
  }
  return SolveStatus::iteration_limit;
}

/// Lexicographically smallest row of (q, I): among equal q the last.
int LemkeSolver::first_leaving_row() const {
  int row = 0;
  for (int i = 1; i < m_; ++i)
    if (entry_at(i, m_ + 1) <= entry_at(row, m_ + 1)) row = i;
  return row;
}

/// Column k of the inverse basis matrix, read off the dictionary.  (N-12)
double LemkeSolver::lexicographic_entry(int row, int k) const {
  const int where = where_[k];
  if (where >= 0) return -entry_at(row, where);
  return row == -1 - where ? 1.0 : 0.0;
}

/// Keeps those candidates whose entry / rate is smallest, up to rounding.
template <class Entry>
void LemkeSolver::keep_smallest_ratio(int entering, const Entry& entry) {
  double smallest = std::numeric_limits<double>::infinity();
  double largest_rate = 0.0;
  double largest_entry = 1.0;
  for (const int i : candidates_) {
    const double rate = -entry_at(i, entering);
    const double value = entry(i);
    smallest = std::min(smallest, value / rate);
    largest_rate = std::max(largest_rate, rate);
    largest_entry = std::max(largest_entry, std::abs(value));
  }
  // Measured at the largest rate, a wrong decision makes no basic variable more negative than rounding.
  const double threshold = smallest + tie_tolerance * largest_entry / largest_rate;
  std::erase_if(candidates_, [&](int i) { return entry(i) / -entry_at(i, entering) > threshold; });
}

/// Lexicographic ratio test; -1 if nothing blocks the entering variable.  (N-12)
int LemkeSolver::leaving_row(int entering) {
  double largest = 1.0;
  for (int i = 0; i < m_; ++i) largest = std::max(largest, std::abs(entry_at(i, entering)));
  candidates_.clear();
  for (int i = 0; i < m_; ++i)
    if (-entry_at(i, entering) > pivot_tolerance_ * largest) candidates_.push_back(i);
  if (candidates_.empty()) return -1;

  keep_smallest_ratio(entering, [this](int i) { return std::max(entry_at(i, m_ + 1), 0.0); });
  for (const int i : candidates_)
    if (basic_[i] == 2 * m_) return i;  // z can leave: a solution
  for (int k = 0; k < m_ && candidates_.size() > 1; ++k)
    keep_smallest_ratio(entering, [this, k](int i) { return lexicographic_entry(i, k); });
  return *std::min_element(candidates_.begin(), candidates_.end(),
                           [&](int a, int b) { return entry_at(a, entering) < entry_at(b, entering); });
}

/// Solves the row for the entering variable and substitutes it in the others.
void LemkeSolver::exchange(int row, int column) {
  double* pivot_row = &entry_at(row, 0);
  const double inverse = 1.0 / pivot_row[column];
  for (int j = 0; j < stride_; ++j) pivot_row[j] *= -inverse;
  pivot_row[column] = inverse;
  for (int i = 0; i < m_; ++i) {
    double* other = &entry_at(i, 0);
    const double factor = other[column];
    if (i == row || factor == 0.0) continue;
    other[column] = 0.0;
    for (int j = 0; j < stride_; ++j) other[j] += factor * pivot_row[j];
  }
  std::swap(basic_[row], nonbasic_[column]);
  where_[basic_[row]] = -1 - row;
  where_[nonbasic_[column]] = column;
}

void LemkeSolver::read_reactions(std::vector<double>& r) {
  active_.clear();
  for (int a = 0; a < m_; ++a) {
    const int where = where_[m_ + a];
    double& r_a = r[members_[begin_ + a]];
    r_a = 0.0;
    if (where >= 0) continue;
    active_.push_back(a);
    r_a = std::max(0.0, entry_at(-1 - where, m_ + 1)) * scale_[a] * unit_;
  }
}

/// Solves W_AA r_A = -u_free_A afresh, since a tableau gathers rounding. Returns the squared residual. (N-13)
double LemkeSolver::polish(const LocalProblem& problem, std::vector<double>& r) {
  const double before2 = component_residual2(problem, r);
  if (!factorise_active(problem.W)) return before2;
  const int count = static_cast<int>(active_.size());
  x_.assign(count, 0.0);
  dx_.resize(count);
  for (int a = 0; a < m_; ++a) polished_[members_[begin_ + a]] = 0.0;
  for (int pass = 0; pass < 2; ++pass) {  // the second is one step of iterative refinement
    for (int a = 0; a < count; ++a) polished_[members_[begin_ + active_[a]]] = x_[a] * scale_[active_[a]];
    for (int a = 0; a < count; ++a) {
      const int i = members_[begin_ + active_[a]];
      dx_[a] = -(problem.W.row_dot(i, polished_.data()) + problem.u_free[i]) * scale_[active_[a]];
    }
    solve_factorised(dx_);
    for (int a = 0; a < count; ++a) x_[a] += dx_[a];
  }
  for (int a = 0; a < count; ++a)
    polished_[members_[begin_ + active_[a]]] = std::max(0.0, x_[a] * scale_[active_[a]]);

  const double after2 = component_residual2(problem, polished_);
  if (!(after2 <= before2)) return before2;
  for (const int a : active_) r[members_[begin_ + a]] = polished_[members_[begin_ + a]];
  return after2;
}

double LemkeSolver::component_residual2(const LocalProblem& problem, const std::vector<double>& r) const {
  double sum = 0.0;
  for (int a = 0; a < m_; ++a) sum += square(judge_row(problem, r, members_[begin_ + a]));
  return sum;
}

/// Cholesky factor of the scaled W_AA in the tableau's memory; false if the block is singular.
bool LemkeSolver::factorise_active(const SparseRows& W) {
  const int count = static_cast<int>(active_.size());
  auto& local = candidates_;  // position in the component -> position in active_, or -1
  local.assign(m_, -1);
  for (int a = 0; a < count; ++a) local[active_[a]] = a;
  for (int a = 0; a < count; ++a) {
    std::fill_n(&entry_at(a, 0), count, 0.0);
    const int i = members_[begin_ + active_[a]];
    for (int k = W.row_begin[i]; k < W.row_begin[i + 1]; ++k) {
      if (!in_component(W.column[k])) continue;
      const int position = position_[W.column[k]] - begin_;
      if (local[position] >= 0)
        entry_at(a, local[position]) = W.value[k] * scale_[active_[a]] * scale_[position];
    }
  }
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = entry_at(i, j);
      for (int k = 0; k < j; ++k) sum -= entry_at(i, k) * entry_at(j, k);
      if (j < i)
        entry_at(i, j) = sum / entry_at(j, j);
      else if (sum > rank_tolerance)
        entry_at(i, i) = std::sqrt(sum);
      else
        return false;
    }
  }
  return true;
}

void LemkeSolver::solve_factorised(std::vector<double>& x) const {
  const int count = static_cast<int>(x.size());
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= entry_at(i, k) * x[k];
    x[i] /= entry_at(i, i);
  }
  for (int i = count - 1; i >= 0; --i) {
    x[i] /= entry_at(i, i);
    for (int k = 0; k < i; ++k) x[k] -= entry_at(i, k) * x[i];
  }
}

}  // namespace percuss
