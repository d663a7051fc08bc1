#pragma once

#include <memory>

#include <Eigen/Core>

#include "percuss/nonsmooth/global_problem.h"
#include "percuss/nonsmooth/scaled_contacts.h"

namespace percuss {

/// The scaled problem with the linear systems that ADMM solves. The two forms of a problem differ in what is
/// factorised.
class AdmmSystem : public ScaledContacts {
 public:
  using ScaledContacts::ScaledContacts;
  virtual ~AdmmSystem() = default;

  /// Prepares resolve() for this rho > 0. False if the matrix is not positive definite.
  virtual bool factorise(double rho) = 0;
  /// (W_s' + rho) r = p - q with the symmetric part of W'.  (NA-8)
  virtual void resolve(const Eigen::VectorXd& p, Eigen::VectorXd& r) = 0;
  /// p -= W_a' z with the skew part of W'; nothing where W is symmetric.  (NA-9)
  virtual void subtract_skew(const Eigen::VectorXd& /*z*/, Eigen::VectorXd& /*p*/) {}
};

/// Factorises W' + rho, densely or sparsely, whichever is less work. W must have blocks.
std::unique_ptr<AdmmSystem> make_local_admm(const OperatorProblem& problem);

/// Factorises M + H E² H^T / rho: of the size of the coordinates, and sparse where bodies have many contacts.
/// `problem` is that of M and H with u_free = H^T M^-1 f + w.
std::unique_ptr<AdmmSystem> make_global_admm(const GlobalProblem& global, const OperatorProblem& problem);

}  // namespace percuss
