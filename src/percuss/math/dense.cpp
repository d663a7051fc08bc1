#include "percuss/math/dense.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace percuss {

VectorX symmetric_eigenvalues(const MatrixX& A) {
  return Eigen::SelfAdjointEigenSolver<MatrixX>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricModes symmetric_modes(const MatrixX& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixX> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

MatrixX solve_symmetric(const MatrixX& A, const MatrixX& B) { return A.ldlt().solve(B); }

bool solve_with_full_pivoting(const MatrixX& A, Eigen::Ref<VectorX> x) {
  const Eigen::FullPivLU<MatrixX> lu(A);
  if (!lu.isInvertible()) return false;
  x = lu.solve(VectorX(x));
  return true;
}

bool DenseCholesky::factorise(const MatrixX& A) {
  factor_.compute(A);
  return factor_.info() == Eigen::Success;
}
void DenseCholesky::solve(Eigen::Ref<VectorX> x) const { factor_.solveInPlace(x); }
MatrixX DenseCholesky::solve_columns(const MatrixX& B) const { return factor_.solve(B); }
MatrixX DenseCholesky::forward_columns(const MatrixX& B) const { return factor_.matrixL().solve(B); }

}  // namespace percuss
