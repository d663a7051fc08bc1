#include "percuss/math/sparse_ldlt.h"

#include <algorithm>
#include <cmath>

namespace percuss {

int entry_of(const SparseMatrix& A, int row, int column) {
  const int* begin = A.innerIndexPtr() + A.outerIndexPtr()[column];
  const int* end = A.innerIndexPtr() + A.outerIndexPtr()[column + 1];
  return static_cast<int>(std::lower_bound(begin, end, row) - A.innerIndexPtr());
}

void SparseLdlt::use(const Structure& structure) {
  place_ = structure.place;
  component_ = structure.component;
  path_length_ = structure.path_length;
}

void SparseLdlt::use_blocks(bool blocks) {
  uses_blocks_ = blocks;
  use(blocks ? by_blocks_ : by_rows_);
  if (blocks) {
    std::fill(pivots_.begin(), pivots_.end(), 1.0);
  } else if (row_.empty()) {
    row_.resize(column_begin_.back());
    value_.resize(row_.size());
  }
}

bool SparseLdlt::factorise(const SparseMatrix& A, const std::vector<double>* smallest_dual, bool any_sign) {
  ++version_;
  if (by_blocks_.place.empty()) return factorise_by_rows(A, smallest_dual, any_sign);
  if (uses_blocks_ == any_sign) use_blocks(!any_sign);  // CHOLMOD refuses what is not positive definite
  return any_sign ? factorise_by_rows(A, nullptr, true) : supernodal_.factorise(A);
}

bool SparseLdlt::factorise_by_rows(const SparseMatrix& A, const std::vector<double>* smallest_dual,
                                   bool any_sign) {
  // Up-looking: row k of L is the sparse triangular solve L_{0:k} D y = A_{0:k, k}; the elimination tree
  // tells its pattern.
  const double* values = A.valuePtr();
  std::fill(mark_.begin(), mark_.end(), -1);
  for (int k = 0; k < size_; ++k) {
    int top = size_;
    mark_[k] = k;
    fill_count_[k] = 0;
    for (int p = entry_begin_[k]; p < entry_begin_[k + 1]; ++p) {
      int i = entry_row_[p];
      dense_[i] += values[entry_source_[p]];
      int length = 0;
      for (; mark_[i] != k; i = parent_[i]) {
        pattern_[length++] = i;
        mark_[i] = k;
      }
      while (length > 0) pattern_[--top] = pattern_[--length];
    }
    double pivot = dense_[k];
    dense_[k] = 0;
    for (; top < size_; ++top) {
      const int i = pattern_[top];
      const double y = dense_[i];
      dense_[i] = 0;
      const int end = column_begin_[i] + fill_count_[i];
      for (int p = column_begin_[i]; p < end; ++p) dense_[row_[p]] -= value_[p] * y;
      const double l = y / pivots_[i];
      pivot -= l * y;
      row_[end] = k;
      value_[end] = l;
      ++fill_count_[i];
    }
    pivots_[k] = pivot;
    const int dual = dual_index_[k];
    const double least = dual >= 0 && smallest_dual ? (*smallest_dual)[dual] : 0.0;
    const double size = any_sign ? std::abs(pivot) : dual < 0 ? pivot : -pivot;
    if (!(size > least) || !std::isfinite(pivot)) {
      std::fill(dense_.begin(), dense_.end(), 0.0);
      return false;
    }
  }
  return true;
}

// In both halves the neighbour of a column stays in a register. A bar is one long chain of columns, and each
// would wait for the last one's value to come back from memory.

void SparseLdlt::forward(const VectorX& b, VectorX& z) const {
  for (int i = 0; i < size_; ++i) z[place_[i]] = b[i];
  if (uses_blocks_) return supernodal_.forward(z);
  double next = size_ > 0 ? z[0] : 0.0;
  for (int j = 0; j < size_; ++j) {
    const double z_j = next;
    z[j] = z_j;
    if (j + 1 < size_) next = z[j + 1];
    int p = column_begin_[j];
    const int end = column_begin_[j + 1];
    if (p < end && row_[p] == j + 1) next -= value_[p++] * z_j;
    for (; p < end; ++p) z[row_[p]] -= value_[p] * z_j;
  }
}

void SparseLdlt::backward(VectorX& z, VectorX& x) const {
  if (uses_blocks_) {
    supernodal_.backward(z);
  } else {
    double y_next = 0;
    for (int j = size_; j-- > 0;) {
      double y_j = z[j] / pivots_[j];
      int p = column_begin_[j];
      const int end = column_begin_[j + 1];
      if (p < end && row_[p] == j + 1) y_j -= value_[p++] * y_next;
      for (; p < end; ++p) y_j -= value_[p] * z[row_[p]];
      z[j] = y_next = y_j;
    }
  }
  for (int i = 0; i < size_; ++i) x[i] = z[place_[i]];
}

SparseLdlt::ForwardWork SparseLdlt::make_forward_work() const {
  const int n = size_;
  return {std::vector<double>(n, 0.0), std::vector<long>(n, 0), std::vector<int>(n, 0), 0};
}

void SparseLdlt::forward_sparse(const int* rows, const double* values, int count, SparseVector& y,
                                ForwardWork& work) const {
  if (uses_blocks_) return forward_sparse_in_blocks(rows, values, count, y, work);
  ++work.stamp;
  int top = size_;
  for (int c = 0; c < count; ++c) {
    int k = place_[rows[c]];
    work.dense[k] += values[c];
    int length = 0;
    for (; k >= 0 && work.mark[k] != work.stamp; k = parent_[k]) {
      work.stack[length++] = k;
      work.mark[k] = work.stamp;
    }
    while (length > 0) work.stack[--top] = work.stack[--length];
  }
  for (; top < size_; ++top) {
    const int j = work.stack[top];
    const double y_j = work.dense[j];
    work.dense[j] = 0;
    for (int p = column_begin_[j]; p < column_begin_[j + 1]; ++p) work.dense[row_[p]] -= value_[p] * y_j;
    y.index.push_back(j);
    y.value.push_back(y_j);
  }
}

void SparseLdlt::forward_sparse_in_blocks(const int* rows, const double* values, int count, SparseVector& y,
                                          ForwardWork& work) const {
  ++work.stamp;
  int top = size_;
  for (int c = 0; c < count; ++c) {
    const int place = place_[rows[c]];
    work.dense[place] += values[c];
    int length = 0;
    for (int s = supernodal_.block_of(place); s >= 0 && work.mark[s] != work.stamp;
         s = supernodal_.parent(s)) {
      work.stack[length++] = s;
      work.mark[s] = work.stamp;
    }
    while (length > 0) work.stack[--top] = work.stack[--length];
  }
  for (; top < size_; ++top) {
    supernodal_.forward(work.stack[top], work.dense.data());
    const SupernodalCholesky::Block block = supernodal_.block(work.stack[top]);
    for (int j = block.first; j < block.first + block.width; ++j) {
      y.index.push_back(j);
      y.value.push_back(work.dense[j]);
      work.dense[j] = 0;
    }
  }
}

}  // namespace percuss
