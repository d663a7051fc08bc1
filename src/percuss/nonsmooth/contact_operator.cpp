#include "percuss/nonsmooth/contact_operator.h"

#include "percuss/math/sparse_ldlt.h"

namespace percuss {
namespace {

using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Eigen::VectorXd;

constexpr double symmetry_tolerance = 1e-12;  ///< of entries, relative to the largest
constexpr double dense_density = 0.3;         ///< of W: from here on the sparse ordering is not even tried
constexpr int dense_size = 60;
constexpr int dense_limit = 6000;  ///< rows; memory
/// A dense factorisation does this many times more operations in the same time.
constexpr double dense_speed = 4.0;

Eigen::Map<const VectorXd> view(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

class LocalOperator final : public ContactOperator {
 public:
  explicit LocalOperator(const LocalProblem& problem) {
    const int n = problem.size();
    W_ = Eigen::Map<const RowMatrix>(n, n, problem.W.nonzeros(), problem.W.row_begin.data(),
                                     problem.W.column.data(), problem.W.value.data());
    set_scale(problem.cones, W_.diagonal());
    q = scale.asDiagonal() * view(problem.u_free);
    W_ = RowMatrix(scale.asDiagonal() * W_) * scale.asDiagonal();
    const RowMatrix transposed = W_.transpose();
    skew_ = 0.5 * (W_ - transposed);
    const double largest = W_.nonZeros() > 0 ? W_.coeffs().abs().maxCoeff() : 0.0;
    is_symmetric_ = skew_.nonZeros() == 0 || skew_.coeffs().abs().maxCoeff() <= symmetry_tolerance * largest;
    shifted_ = 0.5 * (W_ + transposed);
    diagonal_ = VectorXd(shifted_.diagonal());
    is_dense_ = n <= dense_size || W_.nonZeros() > dense_density * n * n;
    if (is_dense_) return;
    work_.resize(n);
    ldlt_.analyse(shifted_);
    is_dense_ = n <= dense_limit && dense_speed * static_cast<double>(ldlt_.fill()) > 0.5 * n * n;
  }

  bool factorise(double rho) override {
    for (int i = 0; i < size(); ++i) shifted_.coeffRef(i, i) = diagonal_[i] + rho;
    if (!is_dense_) return ldlt_.factorise(shifted_);
    llt_.compute(Eigen::MatrixXd(shifted_));
    return llt_.info() == Eigen::Success;
  }

  void resolve(const VectorXd& p, VectorXd& r) override {
    r = p - q;
    if (is_dense_) {
      llt_.solveInPlace(r);
    } else {
      ldlt_.forward(r, work_);
      ldlt_.backward(work_, r);
    }
  }

  void velocity(const VectorXd& r, VectorXd& u) override { u.noalias() = q + W_ * r; }

  void subtract_skew(const VectorXd& z, VectorXd& p) override {
    if (!is_symmetric_) p.noalias() -= skew_ * z;
  }

 private:
  RowMatrix W_, skew_;
  SparseMatrix shifted_;  ///< symmetric part of W' + rho
  VectorXd diagonal_, work_;
  SparseLdlt ldlt_;
  Eigen::LLT<Eigen::MatrixXd> llt_;
  bool is_dense_ = false, is_symmetric_ = true;
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

void ContactOperator::set_scale(const std::vector<Cone>& given, const VectorXd& diagonal) {
  cones = given;
  scale.resize(diagonal.size());
  int i = 0;
  for (Cone& cone : cones) {
    const double trace = diagonal.segment(i, cone.rows()).sum();
    const double E = trace > 0.0 ? std::sqrt(cone.rows() / trace) : 1.0;
    scale.segment(i, cone.rows()).setConstant(E);
    if (cone.kind == ConeKind::interval) cone.bound /= E;
    i += cone.rows();
  }
}

std::unique_ptr<ContactOperator> make_local_operator(const LocalProblem& problem) {
  return std::make_unique<LocalOperator>(problem);
}

std::unique_ptr<ContactOperator> make_global_operator(const GlobalProblem& problem) {
  auto made = std::make_unique<GlobalOperator>(problem);
  if (!made->is_definite()) return nullptr;
  return made;
}

}  // namespace percuss
