#pragma once

#include <vector>

#include <Eigen/Core>

#include "percuss/nonsmooth/contact_operator.h"

namespace percuss {

/// A problem with every cone scaled so that its block of W has mean diagonal 1 (NA-3): W' = E W E,
/// r = E r', u' = E u. Reactions and velocities then have the same unit, sqrt(J), and the rho_c is 1.
class ScaledContacts {
 public:
  explicit ScaledContacts(const OperatorProblem& problem);

  int size() const { return static_cast<int>(scale_.size()); }
  const std::vector<Cone>& cones() const { return cones_; }    ///< bounds of intervals are divided by E
  const Eigen::VectorXd& scale() const { return scale_; }      ///< E, per row [sqrt(kg)]
  const Eigen::VectorXd& free_velocity() const { return q_; }  ///< q = E u_free
  /// u' = W' r' + q.
  void velocity(const Eigen::VectorXd& r, Eigen::VectorXd& u);
  /// The residual of scaled reactions and velocities, squared [m²/s²].
  double residual2(const Eigen::VectorXd& r, const Eigen::VectorXd& u) const;
  /// The denominator of the relative residual (N-6).
  double residual_scale() const;
  /// W', where W has blocks.
  BlockMatrix scaled_blocks() const;

 private:
  ContactOperator& W_;
  std::vector<Cone> cones_;
  Eigen::VectorXd scale_, q_;
  Eigen::VectorXd reactions_;  ///< E r', scratch
};

}  // namespace percuss
