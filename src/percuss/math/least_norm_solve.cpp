#include "percuss/math/least_norm_solve.h"

#include <Eigen/QR>

namespace percuss {

VectorX solve_least_norm(const MatrixX& A, const VectorX& b, double tolerance) {
  if (A.size() == 1) return A(0, 0) != 0 ? VectorX(b / A(0, 0)) : VectorX::Zero(1);
  Eigen::CompleteOrthogonalDecomposition<MatrixX> decomposition;
  decomposition.setThreshold(tolerance);
  decomposition.compute(A);
  return decomposition.solve(b);
}

}  // namespace percuss
