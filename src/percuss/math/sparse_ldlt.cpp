#include "percuss/math/sparse_ldlt.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include <Eigen/OrderingMethods>

namespace percuss {
namespace {

/// From this many entries of L on, blocks are faster.
constexpr long supernodal_fill = 20'000;

}  // namespace

int slot_of(const SparseMatrix& A, int row, int column) {
  const int* begin = A.innerIndexPtr() + A.outerIndexPtr()[column];
  const int* end = A.innerIndexPtr() + A.outerIndexPtr()[column + 1];
  return static_cast<int>(std::lower_bound(begin, end, row) - A.innerIndexPtr());
}

/// The elimination tree and the number of entries in each column of L for one ordering.
struct SparseLdlt::Symbolic {
  std::vector<int> entry_begin, entry_row, entry_slot, parent, column_count;
  long fill = 0;
};

SparseLdlt::Symbolic SparseLdlt::symbolic(const SparseMatrix& A, const std::vector<int>& place) {
  const int n = static_cast<int>(A.rows());
  Symbolic s;
  s.entry_begin.assign(n + 1, 0);
  const auto for_each_lower = [&](auto&& visit) {
    for (int j = 0; j < n; ++j)
      for (int slot = A.outerIndexPtr()[j]; slot < A.outerIndexPtr()[j + 1]; ++slot)
        if (const int i = A.innerIndexPtr()[slot]; i >= j) {
          const int a = place[i], b = place[j];
          visit(std::min(a, b), std::max(a, b), slot);
        }
  };
  for_each_lower([&](int, int column, int) { ++s.entry_begin[column + 1]; });
  std::partial_sum(s.entry_begin.begin(), s.entry_begin.end(), s.entry_begin.begin());
  s.entry_row.resize(s.entry_begin.back());
  s.entry_slot.resize(s.entry_row.size());
  std::vector<int> next(s.entry_begin.begin(), s.entry_begin.end() - 1);
  for_each_lower([&](int row, int column, int slot) {
    const int at = next[column]++;
    s.entry_row[at] = row;
    s.entry_slot[at] = slot;
  });

  s.parent.assign(n, -1);
  s.column_count.assign(n, 0);
  std::vector<int> mark(n, -1);
  for (int k = 0; k < n; ++k) {
    mark[k] = k;
    for (int p = s.entry_begin[k]; p < s.entry_begin[k + 1]; ++p)
      for (auto i = (s.entry_row[p]); mark[i] != k; i = s.parent[i]) {
        if (s.parent[i] < 0) s.parent[i] = k;
        ++s.column_count[i];
        ++s.fill;
        mark[i] = k;
      }
  }
  return s;
}

/// Moves each dual row behind the first (or the last) of the rows it is coupled to, and leaves the order of
/// the others as it is.
void SparseLdlt::put_dual_rows_later(const SparseMatrix& A, int dual_rows, bool after_all,
                                     std::vector<int>& place) {
  const int n = static_cast<int>(A.rows()), primal = n - dual_rows;
  // A row sorts by (the place it waits for, dual after primal, its own place).
  std::vector<std::array<int, 3>> key(n);
  for (int i = 0; i < n; ++i) key[i] = {place[i], i >= primal, place[i]};
  std::vector<int> waits_for(dual_rows, -1);
  for (int j = 0; j < primal; ++j)
    for (int slot = A.outerIndexPtr()[j]; slot < A.outerIndexPtr()[j + 1]; ++slot)
      if (const int i = A.innerIndexPtr()[slot] - primal; i >= 0) {
        int& wait = waits_for[i];
        wait = wait < 0 ? place[j] : after_all ? std::max(wait, place[j]) : std::min(wait, place[j]);
      }
  for (int i = 0; i < dual_rows; ++i) key[primal + i][0] = std::max(place[primal + i], waits_for[i]);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key[a] < key[b]; });
  for (int k = 0; k < n; ++k) place[order[k]] = k;
}

void SparseLdlt::analyse(const SparseMatrix& A, int dual_rows) {
  assert(A.rows() == A.cols() && A.isCompressed());
  size_ = static_cast<int>(A.rows());
  const int n = size_;
  place_.resize(n);
  std::iota(place_.begin(), place_.end(), 0);
  Symbolic best = symbolic(A, place_);
  if (best.fill > 0) {
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    const SparseMatrix full = A.selfadjointView<Eigen::Lower>();
    Eigen::AMDOrdering<int>()(full, order);
    std::vector<int> minimum_degree(n);
    for (int k = 0; k < size_; ++k) minimum_degree[(order.indices()[k])] = k;
    const auto consider = [&](const std::vector<int>& place, double advantage) {
      Symbolic candidate = symbolic(A, place);
      if (static_cast<double>(candidate.fill) * advantage >= static_cast<double>(best.fill)) return;
      best = std::move(candidate);
      place_ = place;
    };
    if (dual_rows == 0) {
      consider(minimum_degree, 1);
    } else {
      std::vector<int> after_one = minimum_degree, after_all = minimum_degree;
      put_dual_rows_later(A, dual_rows, true, after_all);
      put_dual_rows_later(A, dual_rows, false, after_one);
      consider(after_all, 1);
      consider(after_one, 3);  // less accurate: only if it fills much less
    }
  }
  dual_index_.assign(n, -1);
  for (int i = 0; i < dual_rows; ++i) dual_index_[place_[n - dual_rows + i]] = i;
  parent_ = std::move(best.parent);
  entry_begin_ = std::move(best.entry_begin);
  entry_row_ = std::move(best.entry_row);
  entry_slot_ = std::move(best.entry_slot);
  column_begin_.assign(n + 1, 0);
  for (int k = 0; k < n; ++k) column_begin_[k + 1] = column_begin_[k] + best.column_count[k];
  const long best_fill = best.fill;
  row_.resize(best.fill);
  value_.resize(row_.size());
  pivots_.assign(n, 0);
  fill_count_.assign(n, 0);
  mark_.assign(n, -1);
  pattern_.assign(n, 0);
  dense_.assign(n, 0);

  Structure structure{place_, parent_, {}, {}, column_begin_, row_};
  find_trees(structure);
  uses_blocks_ = false;
  by_blocks_ = {};
  if (dual_rows == 0 && best_fill > supernodal_fill && SupernodalCholesky::is_available()) {
    by_rows_ = structure;
    auto pattern = supernodal_.analyse(A);
    by_blocks_ = {std::move(pattern.place), {}, {}, {}, std::move(pattern.column_begin),
                  std::move(pattern.row)};
    by_blocks_.parent.assign(n, -1);
    for (int k = 0; k < n; ++k)
      if (by_blocks_.column_begin[k] < by_blocks_.column_begin[k + 1])
        by_blocks_.parent[k] = by_blocks_.row[by_blocks_.column_begin[k]];
    find_trees(by_blocks_);
    uses_blocks_ = true;
  }
  use(uses_blocks_ ? by_blocks_ : structure);
}

void SparseLdlt::find_trees(Structure& structure) const {
  const int n = size_;
  std::vector<int> root(n), length(n);
  for (int k = n; k-- > 0;) {
    const int above = structure.parent[k];
    root[k] = above < 0 ? k : root[above];
    length[k] = above < 0 ? 1 : length[above] + 1;
  }
  structure.tree.resize(n);
  structure.path_length.resize(n);
  for (int i = 0; i < n; ++i) {
    structure.tree[i] = root[structure.place[i]];
    structure.path_length[i] = length[structure.place[i]];
  }
}

void SparseLdlt::use(const Structure& structure) {
  place_ = structure.place;
  parent_ = structure.parent;
  tree_ = structure.tree;
  path_length_ = structure.path_length;
  column_begin_ = structure.column_begin;
  row_ = structure.row;
  value_.resize(row_.size());
}

bool SparseLdlt::factorise(const SparseMatrix& A, const std::vector<double>* smallest_dual, bool any_sign) {
  if (by_blocks_.place.empty()) return factorise_by_rows(A, smallest_dual, any_sign);
  if (uses_blocks_ == any_sign) {  // CHOLMOD refuses what is not positive definite
    uses_blocks_ = !any_sign;
    use(any_sign ? by_rows_ : by_blocks_);
  }
  if (any_sign) return factorise_by_rows(A, nullptr, true);
  return supernodal_.factorise(A, value_, pivots_);
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
      dense_[i] += values[entry_slot_[p]];
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

void SparseLdlt::forward(const VectorX& b, VectorX& z) const {
  for (int i = 0; i < size_; ++i) z[place_[i]] = b[i];
  for (int j = 0; j < size_; ++j) {
    const double z_j = z[j];
    for (int p = column_begin_[j]; p < column_begin_[j + 1]; ++p) z[row_[p]] -= value_[p] * z_j;
  }
}

void SparseLdlt::backward(VectorX& z, VectorX& x) const {
  for (int j = size_; j-- > 0;) {
    double y_j = z[j] / pivots_[j];
    for (int p = column_begin_[j]; p < column_begin_[j + 1]; ++p) y_j -= value_[p] * z[row_[p]];
    z[j] = y_j;
  }
  for (int i = 0; i < size_; ++i) x[i] = z[place_[i]];
}

SparseLdlt::ForwardWork SparseLdlt::make_forward_work() const {
  const int n = size_;
  return {std::vector<double>(n, 0.0), std::vector<long>(n, 0), std::vector<int>(n, 0), 0};
}

void SparseLdlt::forward_sparse(const int* rows, const double* values, int count, SparseVector& y,
                                ForwardWork& work) const {
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

}  // namespace percuss
