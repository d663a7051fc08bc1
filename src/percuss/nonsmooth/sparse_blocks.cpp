#include "percuss/nonsmooth/sparse_blocks.h"

#include <algorithm>
#include <vector>

namespace percuss {

Eigen::SparseMatrix<double> to_sparse(const BlockMatrix& blocks) {
  Eigen::SparseMatrix<double, Eigen::RowMajor> rows(blocks.rows(), blocks.rows());
  rows.reserve(blocks.value_count());
  for (int i = 0; i < blocks.rows(); ++i) {
    rows.startVec(i);
    blocks.for_each_in_row(i, [&](int j, double value) { rows.insertBack(i, j) = value; });
  }
  rows.finalize();
  return rows;
}

BlockMatrix to_blocks(const Eigen::SparseMatrix<double>& matrix, std::span<const Cone> cones) {
  BlockMatrix blocks;
  blocks.add_cones(cones);
  std::vector<std::vector<int>> others(blocks.cones());
  for (int c = 0; c < blocks.cones(); ++c) others[c].push_back(c);
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it) {
      const int c = blocks.cone_of_row(static_cast<int>(it.row())), other = blocks.cone_of_row(j);
      others[c].push_back(other);
      others[other].push_back(c);
    }
  for (std::vector<int>& of_cone : others) {
    std::sort(of_cone.begin(), of_cone.end());
    of_cone.erase(std::unique(of_cone.begin(), of_cone.end()), of_cone.end());
    for (const int other : of_cone) blocks.append(other);
    blocks.end_cone();
  }
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it) {
      const int row = static_cast<int>(it.row()), c = blocks.cone_of_row(row), other = blocks.cone_of_row(j);
      double* block = blocks.block(blocks.find(c, other));
      block[(row - blocks.first_row(c)) * blocks.rows_of(other) + j - blocks.first_row(other)] += it.value();
    }
  return blocks;
}

}  // namespace percuss
