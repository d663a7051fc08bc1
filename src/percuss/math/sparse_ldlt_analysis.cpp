#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <numeric>

#include <Eigen/OrderingMethods>

#include "percuss/math/sparse_ldlt.h"

// Everything that is known from the pattern of a matrix: ordering, elimination tree, size of the factors.

namespace percuss {
namespace {

/// From this many entries of L on, blocks are faster, if its columns are long on average (weighted with
/// themselves, as the operations are). Each block costs CHOLMOD some calls of BLAS and a few system calls of
/// OpenMP, even with one thread, which is more than the work in a short one: many bodies that nothing
/// connects, chains.
constexpr long supernodal_fill = 20'000, supernodal_column = 16;

}  // namespace

/// The elimination tree and the number of entries in each column of L for one ordering.
struct SparseLdlt::Symbolic {
  std::vector<int> entry_begin, entry_row, entry_source, parent, column_count;
  long fill = 0;
};

/// Ends as soon as there are more than `most` entries, with the largest number for them.
SparseLdlt::Symbolic SparseLdlt::symbolic(const SparseMatrix& A, const std::vector<char>* present,
                                          const std::vector<int>& place, long most) {
  const int n = static_cast<int>(A.rows());
  Symbolic s;
  s.entry_begin.assign(n + 1, 0);
  const auto for_each_lower = [&](auto&& visit) {
    for (int j = 0; j < n; ++j)
      for (int entry = A.outerIndexPtr()[j]; entry < A.outerIndexPtr()[j + 1]; ++entry)
        if (const int i = A.innerIndexPtr()[entry]; i >= j && (!present || (*present)[entry])) {
          const int a = place[i], b = place[j];
          visit(std::min(a, b), std::max(a, b), entry);
        }
  };
  for_each_lower([&](int, int column, int) { ++s.entry_begin[column + 1]; });
  std::partial_sum(s.entry_begin.begin(), s.entry_begin.end(), s.entry_begin.begin());
  s.entry_row.resize(s.entry_begin.back());
  s.entry_source.resize(s.entry_row.size());
  std::vector<int> next(s.entry_begin.begin(), s.entry_begin.end() - 1);
  for_each_lower([&](int row, int column, int entry) {
    const int at = next[column]++;
    s.entry_row[at] = row;
    s.entry_source[at] = entry;
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
    if (s.fill > most) {
      s.fill = std::numeric_limits<long>::max();
      break;
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
    for (int entry = A.outerIndexPtr()[j]; entry < A.outerIndexPtr()[j + 1]; ++entry)
      if (const int i = A.innerIndexPtr()[entry] - primal; i >= 0) {
        int& wait = waits_for[i];
        wait = wait < 0 ? place[j] : after_all ? std::max(wait, place[j]) : std::min(wait, place[j]);
      }
  for (int i = 0; i < dual_rows; ++i) key[primal + i][0] = std::max(place[primal + i], waits_for[i]);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key[a] < key[b]; });
  for (int k = 0; k < n; ++k) place[order[k]] = k;
}

void SparseLdlt::analyse(const SparseMatrix& A, int dual_rows, const std::vector<char>* present) {
  assert(A.rows() == A.cols() && A.isCompressed());
  size_ = static_cast<int>(A.rows());
  const int n = size_;
  place_.resize(n);
  std::iota(place_.begin(), place_.end(), 0);
  // The given order is often the best one of chains. That of a large solid fills hundreds of times as much as
  // another one, and even to count this would take minutes.
  Symbolic best = symbolic(A, present, place_, 1'000'000 + 50 * static_cast<long>(A.nonZeros()));
  if (best.fill > 0) {
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    const SparseMatrix full = A.selfadjointView<Eigen::Lower>();
    Eigen::AMDOrdering<int>()(full, order);
    std::vector<int> minimum_degree(n);
    for (int k = 0; k < size_; ++k) minimum_degree[(order.indices()[k])] = k;
    const auto consider = [&](const std::vector<int>& place, double advantage) {
      Symbolic candidate = symbolic(A, present, place, std::numeric_limits<long>::max());
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
  entry_source_ = std::move(best.entry_source);
  column_begin_.assign(n + 1, 0);
  long operations = 0;
  for (int k = 0; k < n; ++k) {
    column_begin_[k + 1] = column_begin_[k] + best.column_count[k];
    operations += static_cast<long>(best.column_count[k]) * best.column_count[k];
  }
  row_.clear();
  value_.clear();
  pivots_.assign(n, 1.0);
  fill_count_.assign(n, 0);
  mark_.assign(n, -1);
  pattern_.assign(n, 0);
  dense_.assign(n, 0);

  by_rows_ = structure_by_rows();
  by_blocks_ = {};
  uses_blocks_ = dual_rows == 0 && best.fill > supernodal_fill &&
                 operations > supernodal_column * best.fill && SupernodalCholesky::is_available();
  if (uses_blocks_) {
    supernodal_.analyse(A);
    by_blocks_ = structure_by_blocks();
  }
  use_blocks(uses_blocks_);
}

SparseLdlt::Structure SparseLdlt::structure_by_rows() const {
  const int n = size_;
  std::vector<int> root(n), length(n);
  for (int k = n; k-- > 0;) {
    const int above = parent_[k];
    root[k] = above < 0 ? k : root[above];
    length[k] = above < 0 ? 1 : length[above] + 1;
  }
  Structure structure{place_, std::vector<int>(n), std::vector<int>(n)};
  for (int i = 0; i < n; ++i) {
    structure.component[i] = root[place_[i]];
    structure.path_length[i] = length[place_[i]];
  }
  return structure;
}

/// A tree is called after the last place in it, as where there are no blocks.
SparseLdlt::Structure SparseLdlt::structure_by_blocks() const {
  const int blocks = supernodal_.block_count();
  std::vector<int> root(blocks), length(blocks);
  for (int s = blocks; s-- > 0;) {
    const int above = supernodal_.parent(s);
    const SupernodalCholesky::Block block = supernodal_.block(s);
    root[s] = above < 0 ? block.first + block.width - 1 : root[above];
    length[s] = block.width + (above < 0 ? 0 : length[above]);
  }
  Structure structure{supernodal_.places(), std::vector<int>(size_), std::vector<int>(size_)};
  for (int i = 0; i < size_; ++i) {
    const int block = supernodal_.block_of(structure.place[i]);
    structure.component[i] = root[block];
    structure.path_length[i] = length[block];
  }
  return structure;
}

}  // namespace percuss
