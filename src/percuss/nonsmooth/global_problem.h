#pragma once

#include <optional>
#include <vector>

#include <Eigen/SparseCore>

#include "percuss/nonsmooth/contact_operator.h"

namespace percuss {

/// Find v and r with M v = H r + f, u = H^T v + w, and every cone's law between u and r.  (N-21)
struct GlobalProblem {
  Eigen::SparseMatrix<double> M;  ///< symmetric positive definite [kg]
  Eigen::SparseMatrix<double> H;  ///< one column per row of the cones
  std::vector<double> f;          ///< M v_free [N s]
  std::vector<double> w;          ///< [m/s]
  std::vector<Cone> cones;

  int dof_count() const { return static_cast<int>(M.rows()); }
  int size() const { return static_cast<int>(H.cols()); }

  /// Throws std::invalid_argument naming the field if sizes do not fit.
  void validate() const;
};

/// W = H^T M^-1 H, u_free = H^T M^-1 f + w. Throws std::invalid_argument if M is not positive definite.
LocalProblem condense(const GlobalProblem& problem);

/// The same without forming W.
class MatrixFreeProblem {
 public:
  /// Throws std::invalid_argument if M is not positive definite. Refers to the cones of `problem`.
  explicit MatrixFreeProblem(const GlobalProblem& problem);
  MatrixFreeProblem(const MatrixFreeProblem&) = delete;

  OperatorProblem view() { return {*W_, cones_, u_free_}; }
  LocalProblem condensed() const;  ///< with the same factors

 private:
  Eigen::SparseMatrix<double> H_;
  SparseLdlt mass_;
  const std::vector<Cone>& cones_;
  std::vector<double> u_free_;
  std::optional<MatrixFreeOperator> W_;
};

/// v of the reactions r: M v = H r + f.
std::vector<double> velocities(const GlobalProblem& problem, const std::vector<double>& r);

}  // namespace percuss
