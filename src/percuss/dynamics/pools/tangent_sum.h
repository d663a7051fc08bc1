#pragma once

#include "percuss/dynamics/pools/blocks.h"

namespace percuss {

/// Where pools add their tangents K = -df/dq (by increments) and C = -df/dv: to c C + k K in the sparse
/// matrix of an iteration, which takes the lower triangle of the symmetric part, docs/theory/forces.md (F-5);
/// or to both of them, dense and exact, for tests and small systems.
struct TangentSum {
  double c = 0, k = 0;
  double* values = nullptr;            ///< of the sparse matrix; null: dense
  MatrixX *K = nullptr, *C = nullptr;  ///< dense

  template <class Stiffness, class Damping>
  void add(const Blocks& blocks, int block, const Stiffness& block_K, const Damping& block_C) const {
    if (!values) return add_dense(blocks.dof(block), block_K, block_C);
    const int* entry = blocks.entries(block);
    double* const sum = values;
    const double factor_k = k, factor_c = c;
    for (int i = 0; i < block_K.rows(); ++i)
      for (int j = 0; j < block_K.cols(); ++j, ++entry)
        if (*entry >= 0)
          sum[*entry] +=
              0.5 * (factor_k * (block_K(i, j) + block_K(j, i)) + factor_c * (block_C(i, j) + block_C(j, i)));
  }
  template <class Stiffness>
  void add_stiffness(const Blocks& blocks, int block, const Stiffness& block_K) const {
    add(blocks, block, block_K, Stiffness::Zero(block_K.rows(), block_K.cols()));
  }
  template <class Damping>
  void add_damping(const Blocks& blocks, int block, const Damping& block_C) const {
    add(blocks, block, Damping::Zero(block_C.rows(), block_C.cols()), block_C);
  }
  /// The same of a matrix whose two triangles need not be averaged.
  template <class Stiffness>
  void add_symmetric_stiffness(const Blocks& blocks, int block, const Stiffness& block_K) const {
    if (!values) return add_stiffness(blocks, block, block_K);
    const int* entry = blocks.entries(block);
    const double* value = block_K.data();  // by columns, the entries by rows
    double* const sum = values;
    const double factor = k;
    for (Eigen::Index i = 0; i < block_K.size(); ++i)
      if (entry[i] >= 0) sum[entry[i]] += factor * value[i];
  }

 private:
  template <class Stiffness, class Damping>
  void add_dense(std::span<const int> dof, const Stiffness& block_K, const Damping& block_C) const {
    for (int i = 0; i < block_K.rows(); ++i)
      for (int j = 0; j < block_K.cols(); ++j) {
        const int row = dof[static_cast<size_t>(i)], column = dof[static_cast<size_t>(j)];
        if (row < 0 || column < 0) continue;
        (*K)(row, column) += block_K(i, j);
        (*C)(row, column) += block_C(i, j);
      }
  }
};

}  // namespace percuss
