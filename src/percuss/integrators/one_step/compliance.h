#pragma once

#include <span>
#include <vector>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/math/block_columns.h"
#include "percuss/math/dense_symmetric.h"
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

  /// The directions of a contact: up to three rows of entries at the same coordinates.
  struct Directions {
    const int* dofs;
    const double* entries;  ///< by rows
    int count, rows;
  };
  /// The contacts between which products are computed next: A^-1 is read at their coordinates alone.
  void forget_contacts();
  void add_contact(const Directions& contact);
  void finish_contacts();
  /// blocks[12 i + 4 b + a] = h_a^T A^-1 h_b with the rows h_a of contact `own` and h_b of the i-th other;
  /// none of the others was added before `own`.
  void multiply(int own, std::span<const int> others, double* blocks);

  /// x = A^-1 b: by the factors, or, where these are as dense as A^-1 itself, by A^-1.
  void solve(const SparseLdlt& factor, const VectorX& b, VectorX& x);

  /// Whether the answers of all coordinates to forces on the contacts' are kept, also where A^-1 is: not of
  /// large bodies.
  bool has_responses() const { return has_responses_; }
  /// x += A^-1 force, where `force` acts on the coordinates of contacts alone.
  void add_response(const VectorX& force, VectorX& x);

 private:
  void include(int dof);
  void list_components(const SparseLdlt& factor);
  void compute_by_rows(const SparseLdlt& factor);
  void compute_by_blocks(const SparseLdlt& factor);
  void solve_by_factors(const SparseLdlt& factor, VectorX& unit, int i, VectorX& x);
  void compute_responses(const SparseLdlt& factor);
  void list_dense_components(const SparseLdlt& factor);
  void compute_inverse(const SparseLdlt& factor);
  void add_inverse_product(const VectorX& b, VectorX& x) const;
  double& entry(Eigen::Index a, Eigen::Index b) {
    Component& component = components_[static_cast<size_t>(component_[static_cast<size_t>(a)])];
    return component.values(a - component.first, b - component.first);
  }

  long version_ = -1;        ///< of the factor
  std::vector<int> dofs_;    ///< component after component
  std::vector<int> number_;  ///< by coordinate: place in dofs_, or -1
  /// Coordinates are coupled within a component only.
  struct Component {
    Eigen::Index first = 0;  ///< place in dofs_
    MatrixX values;
    struct Range {
      int begin, end;
    };
    std::vector<Range> expected;  ///< places in dofs_ that the contacts act on
    int first_needed = 0;         ///< of them; scratch of finish_contacts()
    std::vector<int> members;     ///< all its coordinates
    bool is_contiguous = false;   ///< these stand one after the other
    MatrixX responses;            ///< rows of A^-1 of the members, columns of those in dofs_
  };
  /// Entries of a contact that stand one after the other and belong to one component.
  struct Segment {
    int component, begin, end;
    int first_needed;      ///< no later contact has places in the component before this one
    bool is_first = true;  ///< of the contact in this component
  };
  struct Segments {
    int begin, end;
  };
  void clear_all_but(const Segments& own);
  void add_products(const Segment& segment);

  std::vector<Component> components_;
  std::vector<int> component_;      ///< by place in dofs_
  std::vector<char> is_expected_;   ///< the same
  std::vector<Segments> contacts_;  ///< those that were added
  std::vector<Segment> segments_;   ///< of all of them
  std::vector<int> place_;          ///< of each entry, in dofs_
  std::vector<double> entry_;       ///< four for each: those of the three rows, and zero
  std::vector<int> filled_;         ///< components in which t_ is not zero
  std::vector<double> t_;           ///< A^-1 h of the rows of one contact: four for each place in dofs_
  bool has_responses_ = false;
  std::vector<int> acting_;    ///< columns of responses with forces that are not zero; scratch
  std::vector<double> force_;  ///< those forces
  VectorX response_;
  /// A^-1 of the coordinates of a component, which stand one after the other; of all components, or of none.
  struct InverseBlock {
    int first = 0, size = 0;
    DenseSymmetric values;
  };
  std::vector<InverseBlock> inverse_;
  VectorX halfway_;
  BlockColumns blocks_;
};

}  // namespace percuss
