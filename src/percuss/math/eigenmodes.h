#pragma once

#include <optional>

#include "percuss/math/sparse_ldlt.h"

/// The lowest solutions of K x = lambda M x.  docs/theory/reduction.md, section 1
namespace percuss {

/// Symmetric matrices by their lower triangles: K positive semi-definite, M positive definite.
struct StiffnessAndMass {
  SparseMatrix K, M;

  int size() const { return static_cast<int>(M.rows()); }
  /// Largest K_ii / M_ii: the highest eigenvalue is of this order.
  double largest_ratio() const;
};

struct Eigenmodes {
  bool converged = false;
  VectorX values;  ///< ascending; [1/s^2] where K and M are stiffness and mass
  MatrixX shapes;  ///< columns X: X^T M X = I, and their largest entries are positive

  int count() const { return static_cast<int>(values.size()); }
};

/// At most so many modes can be asked of matrices of this size.
int most_eigenmodes(int size);

/// `count` of them; the same from run to run.
Eigenmodes lowest_eigenmodes(const StiffnessAndMass& matrices, int count);
/// All up to a value; not converged if there are more than `most`.
Eigenmodes eigenmodes_up_to(const StiffnessAndMass& matrices, double value, int most);

/// Factors of K + s M with a small s > 0, which exist for free bodies too.
class ShiftedStiffness {
 public:
  explicit ShiftedStiffness(const StiffnessAndMass& matrices);

  bool is_regular() const { return regular_; }
  double shift() const { return shift_; }
  void solve(const VectorX& b, VectorX& x) const;  ///< x = (K + s M)^-1 b

 private:
  double shift_ = 0;
  bool regular_ = false;
  SparseLdlt factors_;
};

}  // namespace percuss
