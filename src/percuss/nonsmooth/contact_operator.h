#pragma once

#include <memory>

#include <Eigen/Core>

#include "percuss/nonsmooth/global_problem.h"
#include "percuss/nonsmooth/scaled_contacts.h"

namespace percuss {

/// The scaled Delassus operator as ADMM sees it. The two forms of a problem differ in what is factorised.
class ContactOperator : public ScaledContacts {
 public:
  virtual ~ContactOperator() = default;

  /// Prepares resolve() for this rho > 0. False if the matrix is not positive definite.
  virtual bool factorise(double rho) = 0;
  /// (W_s' + rho) r = p - q with the symmetric part of W'.  (NA-8)
  virtual void resolve(const Eigen::VectorXd& p, Eigen::VectorXd& r) = 0;
  /// u = W' r + q
  virtual void velocity(const Eigen::VectorXd& r, Eigen::VectorXd& u) = 0;
  /// p -= W_a' z with the skew part of W'; nothing where W is symmetric.  (NA-9)
  virtual void subtract_skew(const Eigen::VectorXd& /*z*/, Eigen::VectorXd& /*p*/) {}
};

/// Factorises W' + rho, densely or sparsely, whichever is less work.
std::unique_ptr<ContactOperator> make_local_operator(const LocalProblem& problem);

/// Factorises M + H E² H^T / rho: of the size of the coordinates, and sparse where bodies have many contacts.
/// Empty if M is not positive definite.
std::unique_ptr<ContactOperator> make_global_operator(const GlobalProblem& problem);

}  // namespace percuss
