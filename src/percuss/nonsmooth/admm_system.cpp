#include "percuss/nonsmooth/admm_system.h"

#include <algorithm>
#include <cmath>

#include "percuss/math/dense.h"
#include "percuss/math/sparse_ldlt.h"
#include "percuss/nonsmooth/sparse_blocks.h"

namespace percuss {
namespace {

using Eigen::VectorXd;

constexpr double symmetry_tolerance = 1e-12;  ///< of entries, relative to the largest
constexpr double dense_density = 0.5;         ///< of W, from which on the factorisation is dense,
constexpr int dense_size = 30;                ///< as it is up to this many rows

Eigen::Map<const VectorXd> view(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

class LocalAdmm final : public AdmmSystem {
 public:
  explicit LocalAdmm(const OperatorProblem& problem) : AdmmSystem(problem) {
    const int n = size();
    split(to_sparse(scaled_blocks()));
    is_dense_ = n <= dense_size || shifted_.nonZeros() > dense_density * n * n;
    if (is_dense_) return;
    work_.resize(n);
    ldlt_.analyse(shifted_);
  }

  bool factorise(double rho) override {
    for (int i = 0; i < size(); ++i) shifted_.valuePtr()[diagonal_entry_[i]] = diagonal_[i] + rho;
    if (!is_dense_) return ldlt_.factorise(shifted_);
    return cholesky_.factorise(Eigen::MatrixXd(shifted_));
  }

  void resolve(const VectorXd& p, VectorXd& r) override {
    r = p - free_velocity();
    if (is_dense_) {
      cholesky_.solve(r);
    } else {
      ldlt_.forward(r, work_);
      ldlt_.backward(work_, r);
    }
  }

  void subtract_skew(const VectorXd& z, VectorXd& p) override {
    if (skew_.rows() > 0) p.noalias() -= skew_ * z;
  }

 private:
  /// Symmetric and skew part of W'.
  void split(const SparseMatrix& W) {
    const SparseMatrix transposed = W.transpose();
    shifted_ = 0.5 * (W + transposed);
    diagonal_ = W.diagonal();
    for (int i = 0; i < size(); ++i) diagonal_entry_.push_back(entry_of(shifted_, i, i));
    SparseMatrix skew = 0.5 * (W - transposed);
    const auto largest = [](const SparseMatrix& A) {
      return A.nonZeros() > 0 ? A.coeffs().abs().maxCoeff() : 0.0;
    };
    if (largest(skew) > symmetry_tolerance * largest(W)) skew_ = std::move(skew);
  }

  SparseMatrix skew_;                ///< no rows where W is symmetric
  SparseMatrix shifted_;             ///< symmetric part of W', + rho
  VectorXd diagonal_;                ///< of W'
  std::vector<int> diagonal_entry_;  ///< of a row, among the values
  SparseLdlt ldlt_;
  DenseCholesky cholesky_;
  VectorXd work_;
  bool is_dense_ = false;
};

class GlobalAdmm final : public AdmmSystem {
 public:
  GlobalAdmm(const GlobalProblem& global, const OperatorProblem& problem)
      : AdmmSystem(problem), M_(global.M), f_(view(global.f)), w_(view(global.w)) {
    M_.makeCompressed();
    work_.resize(M_.rows());
    H_ = global.H * scale().asDiagonal();
    w_ = scale().asDiagonal() * w_;
    stiffness_ = H_ * SparseMatrix(H_.transpose());
    shifted_ = M_ + stiffness_;
    ldlt_.analyse(shifted_);
  }

  bool factorise(double rho) override {
    rho_ = rho;
    shifted_ = M_ + (1.0 / rho) * stiffness_;
    return ldlt_.factorise(shifted_);
  }

  /// The velocity first, v of (NA-10), then r: nothing of the size of W is needed.
  void resolve(const VectorXd& p, VectorXd& r) override {
    rhs_ = f_;
    rhs_.noalias() += H_ * ((p - w_) / rho_);
    ldlt_.forward(rhs_, work_);
    ldlt_.backward(work_, rhs_);
    r = p - w_;
    r.noalias() -= H_.transpose() * rhs_;
    r /= rho_;
  }

 private:
  SparseMatrix M_, H_;  ///< H E
  VectorXd f_, w_;
  SparseMatrix stiffness_, shifted_;  ///< H E² H^T; M + H E² H^T / rho
  SparseLdlt ldlt_;
  VectorXd rhs_, work_;
  double rho_ = 1.0;
};

}  // namespace

std::unique_ptr<AdmmSystem> make_local_admm(const OperatorProblem& problem) {
  return std::make_unique<LocalAdmm>(problem);
}

std::unique_ptr<AdmmSystem> make_global_admm(const GlobalProblem& global, const OperatorProblem& problem) {
  return std::make_unique<GlobalAdmm>(global, problem);
}

}  // namespace percuss
