#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/nonsmooth/lemke.h"

// The dictionary of LemkeSolver and the path through it.

namespace percuss {

namespace {

// The scaled dictionary starts with entries of size one, so these are plain numbers.
constexpr double tie_tolerance = 1e-13;          // rows whose ratios differ by less are tied
constexpr double general_tie_tolerance = 1e-10;  // general matrices gather more rounding
constexpr double asymmetry_tolerance = 1e-2;     // Delassus operators in files are unsymmetric by up to 1e-3

}  // namespace

/// s_i = a power of two near 1/sqrt(W_ii), so that scaling (N-9) is exact and units do not matter. In a
/// general matrix, and where there is no positive diagonal, the largest entry of the row takes its place.
/// False if a diagonal is not positive.
bool LemkeSolver::choose_scaling(const LocalProblem& problem) {
  const BlockMatrix& W = problem.W;
  scale_.resize(m_);
  double largest = 0.0;
  bool has_positive_diagonal = true;
  for (int a = 0; a < m_; ++a) {
    const int i = members_[begin_ + a];
    double size = W.diagonal(i);
    has_positive_diagonal = has_positive_diagonal && size > 0.0;
    if (is_unsymmetric_ || !(size > 0.0)) {
      for (int k = W.begin(i); k < W.end(i); ++k) size = std::max(size, std::abs(*W.block(k)));
      if (!(size > 0.0)) size = 1.0;
    }
    scale_[a] = std::ldexp(1.0, -(std::ilogb(size) >> 1));
    largest = std::max(largest, std::abs(scale_[a] * problem.u_free[i]));
  }
  unit_ = largest > 0.0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
  return has_positive_diagonal;
}

/// Finds out on the way whether the component has a general matrix, which is scaled in another way.
void LemkeSolver::fill_tableau(const LocalProblem& problem) {
  fill_scaled(problem);
  if (is_unsymmetric_ || !is_tableau_unsymmetric()) return;
  is_unsymmetric_ = true;
  choose_scaling(problem);
  fill_scaled(problem);
}

/// u = q + W r + 1 z: all u basic.  (N-10)
void LemkeSolver::fill_scaled(const LocalProblem& problem) {
  const BlockMatrix& W = problem.W;
  stride_ = m_ + 2;
  tableau_.assign(static_cast<std::size_t>(m_) * stride_, 0.0);
  basic_.resize(m_);
  nonbasic_.resize(m_ + 1);
  where_.resize(2 * m_ + 1);
  for (int a = 0; a < m_; ++a) {
    const int i = members_[begin_ + a];
    for (int k = W.begin(i); k < W.end(i); ++k) {
      if (!in_component(W.other(k))) continue;  // an explicit zero
      const int b = position_[W.other(k)] - begin_;
      entry_at(a, b) = *W.block(k) * scale_[a] * scale_[b];
    }
    entry_at(a, m_) = is_equality_[a] ? 0.0 : 1.0;
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

bool LemkeSolver::is_tableau_unsymmetric() const {
  for (int a = 0; a < m_; ++a)
    for (int b = 0; b < a; ++b)
      if (std::abs(entry_at(a, b) - entry_at(b, a)) > asymmetry_tolerance) return true;
  return false;
}

/// Makes the reactions of the equalities basic, the largest diagonal first; a row without a pivot left
/// depends on the others. False if such a row contradicts them.  (N-16a)
bool LemkeSolver::eliminate_equalities(int& pivots) {
  for (;;) {
    int best = -1;
    for (int a = 0; a < m_; ++a)
      if (is_equality_[a] && basic_[a] == a &&
          (best < 0 || std::abs(entry_at(a, a)) > std::abs(entry_at(best, best))))
        best = a;
    if (best < 0 || std::abs(entry_at(best, best)) <= pivot_tolerance_) break;
    exchange(best, best);
    ++pivots;
  }
  for (int a = 0; a < m_; ++a)
    if (is_equality_[a] && basic_[a] == a && std::abs(entry_at(a, m_ + 1)) > pivot_tolerance_) return false;
  return true;
}

/// The path of almost complementary dictionaries: what leaves is followed by its complement.  (N-11)
SolveStatus LemkeSolver::pivot_to_solution(int& pivots) {
  const int z = 2 * m_;
  const long limit = static_cast<long>(options_.max_pivots_per_row) * m_;
  int column = m_;
  int row = first_leaving_row();
  if (row < 0 || entry_at(row, m_ + 1) >= 0.0) return SolveStatus::converged;
  for (long count = 0; count < limit; ++count) {
    const int leaving = basic_[row];
    exchange(row, column);
    ++pivots;
    if (leaving == z) return SolveStatus::converged;
    column = where_[leaving < m_ ? leaving + m_ : leaving - m_];
    row = leaving_row(column);
    if (row < 0) return SolveStatus::infeasible;  // secondary ray (N-14)
    if (options_.deadline.passed()) return SolveStatus::time_limit;
  }
  return SolveStatus::iteration_limit;
}

/// Lexicographically smallest row of (q, I): among equal q the last; -1 if there are only equalities.
int LemkeSolver::first_leaving_row() const {
  int row = -1;
  for (int i = 0; i < m_; ++i)
    if (!is_equality_[i] && (row < 0 || entry_at(i, m_ + 1) <= entry_at(row, m_ + 1))) row = i;
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
  const double tolerance = is_unsymmetric_ ? general_tie_tolerance : tie_tolerance;
  const double threshold = smallest + tolerance * largest_entry / largest_rate;
  std::erase_if(candidates_, [&](int i) { return entry(i) / -entry_at(i, entering) > threshold; });
}

/// Lexicographic ratio test; -1 if nothing blocks the entering variable.  (N-12)
int LemkeSolver::leaving_row(int entering) {
  double largest = 1.0;
  for (int i = 0; i < m_; ++i)
    if (!is_equality_[i]) largest = std::max(largest, std::abs(entry_at(i, entering)));
  candidates_.clear();
  for (int i = 0; i < m_; ++i)  // reactions of equalities are free and never block
    if (!is_equality_[i] && -entry_at(i, entering) > pivot_tolerance_ * largest) candidates_.push_back(i);
  if (candidates_.empty()) return -1;

  keep_smallest_ratio(entering, [this](int i) { return std::max(entry_at(i, m_ + 1), 0.0); });
  for (const int i : candidates_)
    if (basic_[i] == 2 * m_) return i;  // z can leave: a solution
  for (int k = 0; k < m_ && candidates_.size() > 1; ++k)
    if (!is_equality_[k])
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

}  // namespace percuss
