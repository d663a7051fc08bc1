#pragma once

#include "percuss/math/vector.h"

namespace percuss {

/// Eigenvalues of a symmetric matrix, the smallest first. Only its lower triangle is read. (Eigen's solver
/// takes ten seconds to compile; here it is compiled once.)
VectorX symmetric_eigenvalues(const MatrixX& A);

}  // namespace percuss
