#pragma once

#include <Eigen/Cholesky>

#include "percuss/math/vector.h"

namespace percuss {

// Decompositions of dense matrices. Eigen's take seconds to compile wherever they are used; these are
// compiled once. Of symmetric matrices only the lower triangle is read.

/// Eigenvalues of a symmetric matrix, the smallest first.
VectorX symmetric_eigenvalues(const MatrixX& A);

/// Eigenvalues and, as columns, the eigenvectors of unit length.
struct SymmetricModes {
  VectorX values;
  MatrixX vectors;
};
SymmetricModes symmetric_modes(const MatrixX& A);

/// Those of A x = lambda B x, scaled so that x^T B x = 1; none if B is not positive definite.
SymmetricModes generalized_modes(const MatrixX& A, const MatrixX& B);

/// A^-1 B for a symmetric A, by L D L^T with pivots.
MatrixX solve_symmetric(const MatrixX& A, const MatrixX& B);

/// x <- A^-1 x with full pivoting; false if A is singular.
bool solve_with_full_pivoting(const MatrixX& A, Eigen::Ref<VectorX> x);

/// A basis of all x with A x = 0, as columns; none if there is only zero.
MatrixX null_space(const MatrixX& A);

/// A = L L^T of a positive definite matrix.
class DenseCholesky {
 public:
  bool factorise(const MatrixX& A);                  ///< false if A is not positive definite
  void solve(Eigen::Ref<VectorX> x) const;           ///< x <- A^-1 x, allocating nothing
  MatrixX solve_columns(const MatrixX& B) const;     ///< A^-1 B
  MatrixX forward_columns(const MatrixX& B) const;   ///< L^-1 B
  MatrixX backward_columns(const MatrixX& B) const;  ///< L^-T B

 private:
  Eigen::LLT<MatrixX> factor_;
};

}  // namespace percuss
