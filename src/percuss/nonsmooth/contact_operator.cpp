#include "percuss/nonsmooth/contact_operator.h"

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

class LocalOperator final : public ContactOperator {
 public:
  explicit LocalOperator(const LocalProblem& problem) {
    ScaledProblem scaled(problem);
    static_cast<ScaledContacts&>(*this) = scaled;
    W_ = std::move(scaled.W);
    const int n = size();
    split();
    is_dense_ = n <= dense_size || W_.value_count() > dense_density * n * n;
    if (is_dense_) return;
    work_.resize(n);
    ldlt_.analyse(shifted_);
  }

  bool factorise(double rho) override {
    for (int i = 0; i < size(); ++i) shifted_.valuePtr()[diagonal_slot_[i]] = W_.diagonal(i) + rho;
    if (!is_dense_) return ldlt_.factorise(shifted_);
    return cholesky_.factorise(Eigen::MatrixXd(shifted_));
  }

  void resolve(const VectorXd& p, VectorXd& r) override {
    r = p - q;
    if (is_dense_) {
      cholesky_.solve(r);
    } else {
      ldlt_.forward(r, work_);
      ldlt_.backward(work_, r);
    }
  }

  void velocity(const VectorXd& r, VectorXd& u) override {
    u = q;
    W_.multiply_add(r.data(), u.data());
  }

  void subtract_skew(const VectorXd& z, VectorXd& p) override {
    if (skew_.rows() > 0) p.noalias() -= skew_ * z;
  }

 private:
  /// Symmetric and skew part of W'.
  void split() {
    const SparseMatrix W = to_sparse(W_), transposed = W.transpose();
    shifted_ = 0.5 * (W + transposed);
    for (int i = 0; i < size(); ++i) diagonal_slot_.push_back(slot_of(shifted_, i, i));
    SparseMatrix skew = 0.5 * (W - transposed);
    const auto largest = [](const SparseMatrix& A) {
      return A.nonZeros() > 0 ? A.coeffs().abs().maxCoeff() : 0.0;
    };
    if (largest(skew) > symmetry_tolerance * largest(W)) skew_ = std::move(skew);
  }

  BlockMatrix W_;                   ///< W'
  SparseMatrix skew_;               ///< no rows where W is symmetric
  SparseMatrix shifted_;            ///< symmetric part of W', + rho
  std::vector<int> diagonal_slot_;  ///< of a row, among the values
  SparseLdlt ldlt_;
  DenseCholesky cholesky_;
  VectorXd work_;
  bool is_dense_ = false;
};

/// Diagonal of H^T M^-1 H from half-solved columns.
VectorXd delassus_diagonal(const SparseMatrix& H, const SparseLdlt& mass) {
  VectorXd diagonal(H.cols());
  SparseLdlt::ForwardWork work = mass.make_forward_work();
  SparseVector y;
  for (int j = 0; j < H.cols(); ++j) {
    const int begin = H.outerIndexPtr()[j], count = H.outerIndexPtr()[j + 1] - begin;
    y.index.clear();
    y.value.clear();
    mass.forward_sparse(H.innerIndexPtr() + begin, H.valuePtr() + begin, count, y, work);
    diagonal[j] = 0.0;
    for (size_t k = 0; k < y.index.size(); ++k)
      diagonal[j] += y.value[k] * y.value[k] / mass.pivot(y.index[k]);
  }
  return diagonal;
}

class GlobalOperator final : public ContactOperator {
 public:
  explicit GlobalOperator(const GlobalProblem& problem)
      : M_(problem.M), H_(problem.H), f_(view(problem.f)), w_(view(problem.w)) {
    work_.resize(M_.rows());
    M_.makeCompressed();
    H_.makeCompressed();
    mass_.analyse(M_);
    is_definite_ = mass_.factorise(M_);
    if (!is_definite_) return;
    set_scale(problem.cones, delassus_diagonal(H_, mass_));
    H_ = H_ * scale.asDiagonal();
    w_ = scale.asDiagonal() * w_;
    stiffness_ = H_ * SparseMatrix(H_.transpose());
    shifted_ = M_ + stiffness_;
    ldlt_.analyse(shifted_);
    VectorXd none = VectorXd::Zero(size());
    velocity(none, q);
  }

  bool is_definite() const { return is_definite_; }

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

  void velocity(const VectorXd& r, VectorXd& u) override {
    rhs_ = f_;
    rhs_.noalias() += H_ * r;
    mass_.forward(rhs_, work_);
    mass_.backward(work_, rhs_);
    u = w_;
    u.noalias() += H_.transpose() * rhs_;
  }

 private:
  SparseMatrix M_, H_;  ///< H E
  VectorXd f_, w_;
  SparseMatrix stiffness_, shifted_;  ///< H E² H^T; M + H E² H^T / rho
  SparseLdlt mass_, ldlt_;
  VectorXd rhs_, work_;
  double rho_ = 1.0;
  bool is_definite_ = false;
};

}  // namespace

std::unique_ptr<ContactOperator> make_local_operator(const LocalProblem& problem) {
  return std::make_unique<LocalOperator>(problem);
}

std::unique_ptr<ContactOperator> make_global_operator(const GlobalProblem& problem) {
  auto made = std::make_unique<GlobalOperator>(problem);
  if (!made->is_definite()) return nullptr;
  return made;
}

}  // namespace percuss
