#include "percuss/math/sparse_lu.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include <Eigen/OrderingMethods>

namespace percuss {

void SparseLu::analyse(const SparseMatrix& A) {
  assert(A.rows() == A.cols() && A.isCompressed());
  const int n = static_cast<int>(A.rows());
  size_ = n;
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(A, order);
  place_.resize(n);
  for (int k = 0; k < n; ++k) place_[order.indices()[k]] = k;

  entry_begin_.assign(n + 1, 0);
  diagonal_entry_.resize(n);
  const auto for_each_upper = [&](auto&& visit) {
    for (int j = 0; j < n; ++j)
      for (int entry = A.outerIndexPtr()[j]; entry < A.outerIndexPtr()[j + 1]; ++entry)
        if (const int i = A.innerIndexPtr()[entry]; place_[i] < place_[j]) visit(i, j, entry);
  };
  for_each_upper([&](int, int j, int) { ++entry_begin_[place_[j] + 1]; });
  std::partial_sum(entry_begin_.begin(), entry_begin_.end(), entry_begin_.begin());
  entries_.resize(entry_begin_.back());
  std::vector<int> next(entry_begin_.begin(), entry_begin_.end() - 1);
  for_each_upper([&](int i, int j, int entry) {
    entries_[next[place_[j]]++] = {place_[i], entry, entry_of(A, j, i)};
  });
  for (int j = 0; j < n; ++j) diagonal_entry_[place_[j]] = entry_of(A, j, j);

  parent_.assign(n, -1);
  mark_.assign(n, -1);
  std::vector<int> count(n, 0);
  for (int k = 0; k < n; ++k) {
    mark_[k] = k;
    for (int p = entry_begin_[k]; p < entry_begin_[k + 1]; ++p)
      for (int i = entries_[p].row; mark_[i] != k; i = parent_[i]) {
        if (parent_[i] < 0) parent_[i] = k;
        ++count[i];
        mark_[i] = k;
      }
  }
  operations_ = 0.0;
  for (const int c : count) operations_ += 2.0 * c * (c + 1.0);
  column_begin_.assign(n + 1, 0);
  std::partial_sum(count.begin(), count.end(), column_begin_.begin() + 1);
  row_.resize(column_begin_.back());
  value_.resize(row_.size());
  pivots_.assign(n, 0.0);
  fill_count_.assign(n, 0);
  pattern_.assign(n, 0);
  dense_.assign(n, Pair{});
  work_.resize(n);
}

/// Row k of L and column k of U together; both are sparse triangular solves over the same part of the tree.
bool SparseLu::factorise(const SparseMatrix& A) {
  const double* a = A.valuePtr();
  std::fill(fill_count_.begin(), fill_count_.end(), 0);
  std::fill(mark_.begin(), mark_.end(), -1);
  for (int k = 0; k < size_; ++k) {
    int top = size_;
    mark_[k] = k;
    for (int p = entry_begin_[k]; p < entry_begin_[k + 1]; ++p) {
      const Entry& entry = entries_[p];
      dense_[entry.row] = {a[entry.lower_entry], a[entry.upper_entry]};
      int length = 0;
      for (int i = entry.row; mark_[i] != k; i = parent_[i]) {
        pattern_[length++] = i;
        mark_[i] = k;
      }
      while (length > 0) pattern_[--top] = pattern_[--length];
    }
    double pivot = a[diagonal_entry_[k]];
    for (; top < size_; ++top) {
      const int i = pattern_[top], begin = column_begin_[i], end = begin + fill_count_[i];
      const Pair y = dense_[i];
      dense_[i] = {};
      for (int p = begin; p < end; ++p) {
        Pair& target = dense_[row_[p]];
        target.upper -= value_[p].lower * y.upper;
        target.lower -= value_[p].upper * y.lower;
      }
      const Pair scaled = {y.lower / pivots_[i], y.upper / pivots_[i]};
      pivot -= scaled.lower * y.upper;
      row_[end] = k;
      value_[end] = scaled;
      ++fill_count_[i];
    }
    if (!std::isfinite(pivot) || pivot == 0.0) {
      std::fill(dense_.begin(), dense_.end(), Pair{});
      return false;
    }
    pivots_[k] = pivot;
  }
  return true;
}

void SparseLu::solve(const VectorX& b, VectorX& x) {
  for (int i = 0; i < size_; ++i) work_[place_[i]] = b[i];
  for (int k = 0; k < size_; ++k)
    for (int p = column_begin_[k]; p < column_begin_[k + 1]; ++p)
      work_[row_[p]] -= value_[p].lower * work_[k];
  for (int k = size_; k-- > 0;) {
    double sum = work_[k] / pivots_[k];
    for (int p = column_begin_[k]; p < column_begin_[k + 1]; ++p) sum -= value_[p].upper * work_[row_[p]];
    work_[k] = sum;
  }
  for (int i = 0; i < size_; ++i) x[i] = work_[place_[i]];
}

}  // namespace percuss
