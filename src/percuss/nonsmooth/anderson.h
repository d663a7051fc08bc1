#pragma once

#include "percuss/math/dense.h"

namespace percuss {

/// Anderson's acceleration of a fixed-point iteration x <- x + g(x): the step that would be best if g were
/// affine between the last iterates.  docs/theory/nonsmooth_admm.md (NA-12)
class Anderson {
 public:
  /// Forgets everything; `memory` differences of vectors with n entries are kept from now on. Afterwards
  /// nothing is allocated.
  void restart(int n, int memory);
  void forget() { count_ = 0, has_previous_ = false; }

  /// The accelerated successor of x, whose g is given; x + g while there is no memory.
  void step(const Eigen::VectorXd& x, const Eigen::VectorXd& g, Eigen::VectorXd& next);

 private:
  void remember(const Eigen::VectorXd& x, const Eigen::VectorXd& g);

  Eigen::MatrixXd dg_, moved_;  ///< differences of successive g and of successive x + g, by columns
  Eigen::MatrixXd gram_;        ///< dg^T dg
  Eigen::VectorXd x_, g_;       ///< last iterate
  Eigen::MatrixXd normal_;      ///< equations of the weights
  Eigen::VectorXd weight_, scale_;
  DenseCholesky factor_;
  int memory_ = 0, count_ = 0, place_ = 0;
  bool has_previous_ = false;
};

}  // namespace percuss
