#pragma once

#include <span>
#include <vector>

#include "percuss/math/sparse_ldlt.h"

namespace percuss {

/// Dense blocks of a sparse symmetric matrix: the coordinates of each, and where its values stand in the
/// lower triangle.
class Blocks {
 public:
  using Positions = std::vector<Eigen::Triplet<double>>;

  void add(std::span<const int> dof);  ///< -1 for a coordinate that is held
  int count() const { return static_cast<int>(blocks_.size()); }
  std::span<const int> dof(int block) const {
    const Range& range = blocks_[static_cast<size_t>(block)];
    return {dof_.data() + range.first_dof, static_cast<size_t>(range.size)};
  }
  /// size x size by rows: indices of values of the matrix, -1 above its diagonal and where a coordinate is
  /// held.
  const int* entries(int block) const {
    return entry_.data() + blocks_[static_cast<size_t>(block)].first_entry;
  }
  const std::vector<int>& entries() const { return entry_; }  ///< of all blocks

  /// Rows and columns in the lower triangle, for the pattern of the matrix.
  void add_positions(Positions& positions) const;
  /// Once the pattern is known.
  void find_entries(const SparseMatrix& pattern);

  /// values += (m + m^T)/2.
  template <class Block>
  void add_symmetric_part(int block, const Block& m, double* values) const {
    const int* entry = entries(block);
    for (int i = 0; i < m.rows(); ++i)
      for (int j = 0; j < m.cols(); ++j, ++entry)
        if (*entry >= 0) values[*entry] += 0.5 * (m(i, j) + m(j, i));
  }

 private:
  struct Range {
    size_t first_dof, first_entry;
    int size;
  };
  std::vector<Range> blocks_;
  std::vector<int> dof_, entry_;
};

}  // namespace percuss
