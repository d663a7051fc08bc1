#pragma once

#include <vector>

#include <Eigen/Core>

#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// A problem with every cone scaled so that its block of W has mean diagonal 1 (NA-3): W' = E W E,
/// r = E r', u' = E u. Reactions and velocities then have the same unit, sqrt(J), and the judge's rho_c is 1.
struct ScaledContacts {
  std::vector<Cone> cones;  ///< bounds of intervals are divided by E
  Eigen::VectorXd scale;    ///< E, per row [sqrt(kg)]
  Eigen::VectorXd q;        ///< E u_free

  int size() const { return static_cast<int>(scale.size()); }
  /// E from the traces of the diagonal blocks, given the diagonal of W.
  void set_scale(const std::vector<Cone>& given, const Eigen::VectorXd& diagonal);
  /// The judge's residual of scaled reactions and velocities, squared [m²/s²].
  double residual2(const Eigen::VectorXd& r, const Eigen::VectorXd& u) const;
};

/// The local form with its W'.
struct ScaledProblem : ScaledContacts {
  BlockMatrix W;

  explicit ScaledProblem(const LocalProblem& problem);
  void velocity(const Eigen::VectorXd& r, Eigen::VectorXd& u) const;  ///< u = W' r + q
};

/// The denominator of the judge's relative residual (N-6).
double judge_scale(const ScaledContacts& contacts);

}  // namespace percuss
