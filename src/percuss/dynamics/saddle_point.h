#pragma once

#include "percuss/dynamics/system.h"

namespace percuss {

/// The matrix [A G^T; G -eps] of a system with joints, A = M + c C + k K, and its factorisation.
/// docs/theory/joints.md (J-6)
///
/// eps is zero as long as the joints are independent. Where they are not it is small, and it is made good by
/// solving for increments until the residual vanishes, which is the proximal method of multipliers: starting
/// from zero it ends at the multipliers of least norm. Coordinates without mass get a small one in the same
/// way. Without joints the solve is exact.
class SaddlePoint {
 public:
  /// What A may be: where it is always M, the factors of a body with lumped masses are as small as M is.
  enum class Matrix { motion, mass };
  explicit SaddlePoint(const System& system, Matrix kind = Matrix::motion);

  /// Where assemble_iteration_matrix writes A; its pattern is system.pattern.
  SparseMatrix& matrix() { return A_; }
  /// The entries of G, in the order of Joints::dof.
  std::vector<double>& constraint_jacobian() { return G_; }
  const std::vector<double>& constraint_jacobian() const { return G_; }

  /// False if A is not positive definite on the motions that the joints allow.
  bool factorise();
  /// Accepts an A that is not: a slender body under pressure has such a stiffness. For Newton iterations.
  bool factorise_any();
  const SparseLdlt& factor() const { return ldlt_; }
  int size() const { return static_cast<int>(combined_.rows()); }

  double regularisation() const { return regularisation_; }  ///< eps
  /// Takes out of multipliers what dependent joints do not feel: rounding of G v, over eps. `b`, `z` and `x`
  /// are scratch of size().
  void drop_null_space(VectorX& multipliers, VectorX& b, VectorX& z, VectorX& x) const;
  /// Rows of the joints that depend on the others, by the pivots of the last factorisation.
  std::vector<int> dependent_rows() const;

 private:
  const Joints* joints_;
  int dofs_;
  SparseMatrix A_, combined_;
  std::vector<double> G_;
  std::vector<int> A_entry_, G_entry_, diagonal_entry_;
  std::vector<char> is_massless_;
  std::vector<double> weak_pivot_;  ///< below this a row counts as dependent
  double regularisation_ = 0;
  SparseLdlt ldlt_;
};

}  // namespace percuss
