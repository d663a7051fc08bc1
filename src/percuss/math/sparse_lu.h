#pragma once

#include <vector>

#include "percuss/math/sparse_ldlt.h"

namespace percuss {

/// P A P^T = L D U, unit triangular L and U, for a matrix of symmetric pattern that never changes and whose
/// values need not be symmetric. No pivoting: for matrices that are nearly symmetric positive definite.
class SparseLu {
 public:
  /// Minimum degree ordering; allocates everything. The diagonal must be in the pattern.
  void analyse(const SparseMatrix& A);
  /// Recomputes the values; A must have the pattern given to analyse. False if a pivot is zero or not finite.
  bool factorise(const SparseMatrix& A);
  void solve(const VectorX& b, VectorX& x);  ///< x may be b

  double operations() const { return operations_; }  ///< of one factorisation

 private:
  /// Two entries with swapped indices, the lower one L(row, column) and the upper one U(column, row).
  struct Pair {
    double lower = 0.0, upper = 0.0;
  };
  struct Entry {
    int row;                       ///< permuted; the column is the one it is listed under
    int upper_entry, lower_entry;  ///< of A(row, column) and A(column, row)
  };

  int size_ = 0;
  double operations_ = 0.0;
  std::vector<int> place_, parent_;  ///< original index -> place in the elimination; elimination tree
  std::vector<int> entry_begin_, diagonal_entry_;
  std::vector<Entry> entries_;           ///< strict upper triangle of P A P^T by columns
  std::vector<int> column_begin_, row_;  ///< L by columns, or U by rows: the pattern is the same
  std::vector<Pair> value_;
  std::vector<double> pivots_;
  std::vector<int> fill_count_, mark_, pattern_;  ///< scratch of factorise
  std::vector<Pair> dense_;
  VectorX work_;
};

}  // namespace percuss
