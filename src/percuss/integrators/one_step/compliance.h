#pragma once

#include <vector>

#include "percuss/contacts/contact_set.h"
#include "percuss/math/block_columns.h"
#include "percuss/math/sparse_ldlt.h"

namespace percuss {

/// A^-1 between the coordinates that contacts act on, where A stays while the directions of contacts change:
/// bodies in floating frames, and linear bodies that turn or slide over each other. W = H^T A^-1 H then costs
/// nothing but products with the few entries of H.  docs/theory/moreau.md (M-7b)
class Compliance {
 public:
  /// Of all coordinates that contacts may act on, where the matrices of the system are constant, contacts are
  /// not, and the factor is large enough; of none otherwise. It does not depend on what happens in a run.
  Compliance(const Assembly& assembly, const SparseLdlt& factor);
  bool is_used() const { return !dofs_.empty(); }
  /// Computes A^-1 between the coordinates if the factor is another one than before.
  void update(const SparseLdlt& factor);

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
  void include(int dof);
  void list_trees(const SparseLdlt& factor);
  void compute_by_rows(const SparseLdlt& factor);
  void compute_by_blocks(const SparseLdlt& factor);
  double& entry(int tree, int a, int b) {
    return trees_[static_cast<size_t>(tree)].values(place_[static_cast<size_t>(a)],
                                                    place_[static_cast<size_t>(b)]);
  }

  long version_ = -1;  ///< of the factor
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
