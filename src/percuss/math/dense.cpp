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

SymmetricModes generalized_modes(const MatrixX& A, const MatrixX& B) {
  DenseCholesky factor;
  if (!factor.factorise(B)) return {};
  const MatrixX half = factor.forward_columns(A.selfadjointView<Eigen::Lower>());
  SymmetricModes modes = symmetric_modes(factor.forward_columns(half.transpose()));
  modes.vectors = factor.backward_columns(modes.vectors);
  return modes;
}

MatrixX solve_symmetric(const MatrixX& A, const MatrixX& B) { return A.ldlt().solve(B); }

bool solve_with_full_pivoting(const MatrixX& A, Eigen::Ref<VectorX> x) {
  const Eigen::FullPivLU<MatrixX> lu(A);
  if (!lu.isInvertible()) return false;
  x = lu.solve(VectorX(x));
  return true;
}

MatrixX null_space(const MatrixX& A) {
  if (A.rows() == 0 || A.cols() == 0) return MatrixX::Identity(A.cols(), A.cols());
  const Eigen::FullPivLU<MatrixX> lu(A);
  if (lu.dimensionOfKernel() == 0) return MatrixX(A.cols(), 0);  // Eigen's has a column of zeros then
  return lu.kernel();
}

bool DenseCholesky::factorise(const MatrixX& A) {
  factor_.compute(A);
  return factor_.info() == Eigen::Success;
}
void DenseCholesky::solve(Eigen::Ref<VectorX> x) const { factor_.solveInPlace(x); }
MatrixX DenseCholesky::solve_columns(const MatrixX& B) const { return factor_.solve(B); }
MatrixX DenseCholesky::forward_columns(const MatrixX& B) const { return factor_.matrixL().solve(B); }
MatrixX DenseCholesky::backward_columns(const MatrixX& B) const { return factor_.matrixU().solve(B); }

}  // namespace percuss
