#pragma once

#include <vector>

#include "percuss/math/block_columns.h"
#include "percuss/math/sparse_ldlt.h"

namespace percuss {

/// A^-1 between the coordinates that contacts act on, where A stays while the directions of contacts change:
/// bodies in floating frames, and linear bodies that turn or slide over each other. W = H^T A^-1 H then costs
/// nothing but products with the few entries of H.  docs/theory/moreau.md (M-7b)
class Compliance {
 public:
  /// Whether a set of coordinates is small enough to be kept.
  static bool pays(size_t coordinates) { return coordinates > 0 && coordinates <= 2000; }

  void clear();
  /// Makes sure that these coordinates are among the known ones; true if some are new.
  bool include(const int* dofs, int count);
  size_t size() const { return dofs_.size(); }
  /// Computes A^-1 between the known coordinates.
  void compute(const SparseLdlt& factor);

  /// t = A^-1 h between known coordinates, where h has entries `values` at `dofs`.
  void multiply(const int* dofs, const double* values, int count);
  /// h^T t for the last t. A coordinate of another body than those of t gives nothing.
  double dot(const int* dofs, const double* values, int count) const {
    double sum = 0;
    for (int i = 0; i < count; ++i)
      sum += values[i] * t_[static_cast<size_t>(number_[static_cast<size_t>(dofs[i])])];
    return sum;
  }

 private:
  void compute_by_rows(const SparseLdlt& factor);
  void compute_by_blocks(const SparseLdlt& factor);
  double& entry(int tree, int a, int b) {
    return trees_[static_cast<size_t>(tree)].values(place_[static_cast<size_t>(a)],
                                                    place_[static_cast<size_t>(b)]);
  }

  std::vector<int> dofs_;
  std::vector<int> number_;  ///< by coordinate: place in dofs_, or -1
  /// Coordinates are coupled within a tree of the elimination only.
  struct Tree {
    std::vector<int> members;  ///< places in dofs_
    MatrixX values;
  };
  std::vector<Tree> trees_;
  std::vector<int> tree_, place_;  ///< by place in dofs_: its tree, and its place there
  std::vector<double> t_;          ///< by place in dofs_
  std::vector<int> filled_;        ///< trees in which t_ is not zero
  BlockColumns blocks_;
};

}  // namespace percuss
