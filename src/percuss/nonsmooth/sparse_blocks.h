#pragma once

#include <Eigen/SparseCore>

#include "percuss/nonsmooth/block_matrix.h"

namespace percuss {

/// Entry by entry, those that are zero too.
Eigen::SparseMatrix<double> to_sparse(const BlockMatrix& blocks);

/// Blocks wherever the matrix has an entry, its transpose has one, and on the diagonal.
BlockMatrix to_blocks(const Eigen::SparseMatrix<double>& matrix, std::span<const Cone> cones);

}  // namespace percuss
