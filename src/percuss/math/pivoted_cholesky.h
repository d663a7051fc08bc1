#pragma once

#include <vector>

#include "percuss/math/vector.h"

namespace percuss {

/// Equations W x = b with a symmetric positive semidefinite W, dense and small. Where W is singular the
/// solution of least norm is found, and where there is none, that of the nearest b.
///
/// With diagonal pivoting P^T W P = L L^T, where L has as many columns as W has rank; then
/// x = L (L^T L)^-1 (L^T L)^-1 L^T b. Solving within the reserved size allocates nothing.
class PivotedCholesky {
 public:
  void reserve(int size);
  /// Row i of W goes to entry(i, 0) ... entry(i, size - 1).
  void resize(int size);
  double& entry(int i, int j) { return matrix_[static_cast<size_t>(i) * size_ + j]; }

  /// False if W is not semidefinite. Pivots below `tolerance` times the largest count as zero.
  bool factorise(double tolerance);
  int rank() const { return rank_; }
  void solve(const double* b, double* x);

 private:
  double& L(int i, int k) { return entry(i, k); }
  void factorise_gram();
  void solve_gram(std::vector<double>& y) const;

  int size_ = 0, rank_ = 0;
  std::vector<double> matrix_;    ///< W, then L in its lower part, rows permuted
  std::vector<int> permutation_;  ///< row i of L belongs to row permutation_[i] of W
  std::vector<double> gram_;      ///< Cholesky factor of L^T L
  std::vector<double> work_, permuted_;
};

}  // namespace percuss
