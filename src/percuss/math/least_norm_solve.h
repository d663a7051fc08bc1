#pragma once

#include "percuss/math/vector.h"

namespace percuss {

/// The x of least norm among those with A x nearest to b, for a small dense A of any shape and rank. Parts of
/// A below `tolerance` times its largest count as zero.
VectorX solve_least_norm(const MatrixX& A, const VectorX& b, double tolerance);

}  // namespace percuss
