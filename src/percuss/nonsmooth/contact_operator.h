#pragma once

#include <memory>
#include <vector>

#include <Eigen/Dense>

#include "percuss/nonsmooth/global_problem.h"

namespace percuss {

/// Delassus operator and free velocities with every cone scaled so that its block of W has mean diagonal 1:
/// W' = E W E, q = E u_free, r = E r', u' = E u (NA-3). What ADMM has to know of a problem; the two forms
/// differ in what is factorised.
class ContactOperator {
 public:
  virtual ~ContactOperator() = default;

  int size() const { return static_cast<int>(scale.size()); }

  /// Prepares resolve() for this rho > 0. False if the matrix is not positive definite.
  virtual bool factorise(double rho) = 0;
  /// (W_s' + rho) r = p - q with the symmetric part of W'.  (NA-8)
  virtual void resolve(const Eigen::VectorXd& p, Eigen::VectorXd& r) = 0;
  /// u = W' r + q
  virtual void velocity(const Eigen::VectorXd& r, Eigen::VectorXd& u) = 0;
  /// p -= W_a' z with the skew part of W'; nothing where W is symmetric.  (NA-9)
  virtual void subtract_skew(const Eigen::VectorXd& /*z*/, Eigen::VectorXd& /*p*/) {}

  std::vector<Cone> cones;  ///< scaled: bounds of intervals are divided by E
  Eigen::VectorXd scale;    ///< E, per row [sqrt(kg)]
  Eigen::VectorXd q;        ///< E u_free

 protected:
  /// E from the traces of the diagonal blocks, given the diagonal of W.
  void set_scale(const std::vector<Cone>& given, const Eigen::VectorXd& diagonal);
};

/// Factorises W' + rho, densely or sparsely, whichever is less work.
std::unique_ptr<ContactOperator> make_local_operator(const LocalProblem& problem);

/// Factorises M + H E² H^T / rho: of the size of the coordinates, and sparse where bodies have many contacts.
/// Empty if M is not positive definite.
std::unique_ptr<ContactOperator> make_global_operator(const GlobalProblem& problem);

}  // namespace percuss
