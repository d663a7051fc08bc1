#include "percuss/math/symmetric_eigenvalues.h"

#include <Eigen/Eigenvalues>

namespace percuss {

VectorX symmetric_eigenvalues(const MatrixX& A) {
  return Eigen::SelfAdjointEigenSolver<MatrixX>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace percuss
