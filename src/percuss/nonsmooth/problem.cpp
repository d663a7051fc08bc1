#include "percuss/nonsmooth/problem.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace percuss {

namespace {

constexpr int reserved_history = 1024;

[[noreturn]] void fail(const std::string& field, const std::string& what) {
  throw std::invalid_argument("LocalProblem." + field + ": " + what);
}

std::string row_name(int i) { return "row " + std::to_string(i); }

void validate_layout(const SparseRows& W) {
  if (W.row_begin.empty() || W.row_begin.front() != 0 || W.row_begin.back() != W.nonzeros())
    fail("W.row_begin", "must start at 0 and end at the number of entries");
  if (W.value.size() != W.column.size()) fail("W.value", "must be as long as W.column");
  for (int i = 0; i < W.rows(); ++i)
    if (W.row_begin[i] > W.row_begin[i + 1]) fail("W.row_begin", "must not decrease, " + row_name(i));
}

void validate_columns(const SparseRows& W) {
  for (int i = 0; i < W.rows(); ++i) {
    bool has_diagonal = false;
    for (int k = W.row_begin[i]; k < W.row_begin[i + 1]; ++k) {
      const int j = W.column[k];
      if (j < 0 || j >= W.rows()) fail("W.column", "outside the matrix, " + row_name(i));
      if (k > W.row_begin[i] && j <= W.column[k - 1]) fail("W.column", "must ascend, " + row_name(i));
      has_diagonal = has_diagonal || j == i;
    }
    if (!has_diagonal) fail("W.column", "diagonal missing, " + row_name(i));
  }
}

/// Position of entry (i, j), or -1.
int find_entry(const SparseRows& W, int i, int j) {
  const auto begin = W.column.begin() + W.row_begin[i];
  const auto end = W.column.begin() + W.row_begin[i + 1];
  const auto found = std::lower_bound(begin, end, j);
  return found != end && *found == j ? static_cast<int>(found - W.column.begin()) : -1;
}

/// Values may be slightly unsymmetric (problems from files are); the pattern may not.
void validate_pattern(const SparseRows& W) {
  for (int i = 0; i < W.rows(); ++i)
    for (int k = W.row_begin[i]; k < W.row_begin[i + 1]; ++k)
      if (find_entry(W, W.column[k], i) < 0)
        fail("W", "transposed entry missing, " + row_name(i) + " column " + std::to_string(W.column[k]));
}

void validate_cones(const LocalProblem& problem) {
  int rows = 0;
  for (const Cone& cone : problem.cones) {
    rows += cone.rows();
    if (!(cone.bound >= 0.0)) fail("cones", "the bound must be >= 0, before " + row_name(rows));
  }
  if (rows != problem.size()) fail("cones", "must cover the rows of W exactly");
}

}  // namespace

void SparseRows::clear() {
  row_begin.assign(1, 0);
  column.clear();
  value.clear();
}

void SparseRows::reserve(int row_capacity, int nonzero_capacity) {
  row_begin.reserve(static_cast<std::size_t>(row_capacity) + 1);
  column.reserve(nonzero_capacity);
  value.reserve(nonzero_capacity);
}

double SparseRows::diagonal(int i) const {
  const int begin = row_begin[i], end = row_begin[i + 1];
  if (begin == end) return 0.0;
  // Columns mostly come one after the other, from the first one of the row on or up to its last one.
  const int from_first = begin + i - column[begin], from_last = end - 1 - (column[end - 1] - i);
  for (const int k : {from_first, from_last})
    if (k >= begin && k < end && column[k] == i) return value[k];
  const int k = find_entry(*this, i, i);
  return k < 0 ? 0.0 : value[k];
}

double SparseRows::row_dot(int i, const double* x) const {
  // Four sums, so that a product need not wait for the one before.
  double sum[4] = {};
  int k = row_begin[i];
  const int end = row_begin[i + 1];
  for (; k + 4 <= end; k += 4)
    for (int j = 0; j < 4; ++j) sum[j] += value[k + j] * x[column[k + j]];
  for (; k < end; ++k) sum[0] += value[k] * x[column[k]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void SparseRows::multiply_add(const double* x, double* y) const {
  const int n = rows();
  for (int i = 0; i < n; ++i) y[i] += row_dot(i, x);
}

bool LocalProblem::has_only(ConeKind kind) const {
  return std::all_of(cones.begin(), cones.end(), [&](const Cone& cone) { return cone.kind == kind; });
}

void LocalProblem::clear() {
  W.clear();
  u_free.clear();
  cones.clear();
}

void LocalProblem::reserve(int row_capacity, int nonzero_capacity) {
  W.reserve(row_capacity, nonzero_capacity);
  u_free.reserve(row_capacity);
  cones.reserve(row_capacity);
}

void LocalProblem::validate() const {
  validate_layout(W);
  validate_columns(W);
  validate_pattern(W);
  if (u_free.size() != static_cast<std::size_t>(size())) fail("u_free", "must have one value per row of W");
  validate_cones(*this);
}

const char* to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged: return "converged";
    case SolveStatus::iteration_limit: return "iteration limit";
    case SolveStatus::time_limit: return "time limit";
    case SolveStatus::stalled: return "stalled";
    case SolveStatus::singular: return "singular";
    case SolveStatus::infeasible: return "infeasible";
    case SolveStatus::unsupported: return "unsupported";
    case SolveStatus::not_finite: return "not finite";
  }
  return "unknown";
}

void Solution::reserve(int rows) {
  r.reserve(rows);
  u.reserve(rows);
  history.reserve(reserved_history);
}

}  // namespace percuss
