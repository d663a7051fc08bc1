#include "percuss/nonsmooth/interior_system.h"

#include <algorithm>

#include <Eigen/LU>

#include "percuss/math/sparse_lu.h"

namespace percuss {
namespace {

/// Systems up to this size are treated as dense.
constexpr int interior_dense_rows = 60;
/// An operation of the dense factorisation, which works on blocks, in units of one of the sparse.
constexpr double interior_dense_advantage = 0.06;

double dense_operations(int n) { return interior_dense_advantage * 2.0 / 3.0 * n * n * n; }

/// Place of each row of the given problem in the scaled one, -1 if it was left out.
std::vector<int> interior_places(const InteriorRows& rows, int given) {
  std::vector<int> place(given, -1);
  for (int k = 0; k < rows.size(); ++k) place[rows.source[k]] = k;
  return place;
}

class DenseInteriorSystem final : public InteriorSystem {
 public:
  DenseInteriorSystem(const LocalProblem& problem, const InteriorRows& rows)
      : InteriorSystem(rows), W_(MatrixX::Zero(rows.size(), rows.size())) {
    const std::vector<int> place = interior_places(rows, problem.size());
    for (int k = 0; k < rows.size(); ++k)
      problem.W.for_each_in_row(rows.source[k], [&](int column, double value) {
        if (const int j = place[column]; j >= 0) W_(k, j) = rows.a[k] * value * rows.a[j];
      });
    sum_.resizeLike(W_);
  }
  void multiply(const VectorX& x, VectorX& y) override { y.noalias() = W_ * x; }
  bool factorise(const std::vector<Matrix3>& blocks) override {
    sum_ = W_;
    for (size_t c = 0; c < cones_.size(); ++c)
      sum_.block(cones_[c].first, cones_[c].first, cones_[c].rows, cones_[c].rows) +=
          blocks[c].topLeftCorner(cones_[c].rows, cones_[c].rows);
    if (!sum_.allFinite()) return false;  // pivoting would find no pivot
    factor_.compute(sum_);
    return factor_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0.0;
  }
  void solve(const VectorX& b, VectorX& y) override { y = factor_.solve(b); }

 private:
  MatrixX W_, sum_;
  Eigen::PartialPivLU<MatrixX> factor_;
};

class SparseInteriorSystem final : public InteriorSystem {
 public:
  SparseInteriorSystem(const LocalProblem& problem, const InteriorRows& rows) : InteriorSystem(rows) {
    const std::vector<int> place = interior_places(rows, problem.size());
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(problem.W.value_count() + 9 * rows.cones.size());
    for (int k = 0; k < rows.size(); ++k)
      problem.W.for_each_in_row(rows.source[k], [&](int column, double value) {
        if (const int j = place[column]; j >= 0) entries.emplace_back(k, j, rows.a[k] * value * rows.a[j]);
      });
    for (const InteriorCone& cone : cones_)  // the blocks of D need their places
      for (int i = 0; i < cone.rows; ++i)
        for (int j = 0; j < cone.rows; ++j) entries.emplace_back(cone.first + i, cone.first + j, 0.0);
    W_.resize(rows.size(), rows.size());
    W_.setFromTriplets(entries.begin(), entries.end());
    sum_ = W_;
    for (const InteriorCone& cone : cones_)
      for (int i = 0; i < cone.rows; ++i)
        for (int j = 0; j < cone.rows; ++j) entries_.push_back(entry_of(W_, cone.first + i, cone.first + j));
    factor_.analyse(W_);
  }
  void multiply(const VectorX& x, VectorX& y) override { y.noalias() = W_ * x; }
  double operations() const { return factor_.operations(); }
  bool factorise(const std::vector<Matrix3>& blocks) override {
    std::copy(W_.valuePtr(), W_.valuePtr() + W_.nonZeros(), sum_.valuePtr());
    const int* entry = entries_.data();
    for (size_t c = 0; c < cones_.size(); ++c)
      for (int i = 0; i < cones_[c].rows; ++i)
        for (int j = 0; j < cones_[c].rows; ++j) sum_.valuePtr()[*entry++] += blocks[c](i, j);
    return factor_.factorise(sum_);
  }
  void solve(const VectorX& b, VectorX& y) override { factor_.solve(b, y); }

 private:
  SparseMatrix W_, sum_;
  std::vector<int> entries_;  ///< of the entries of the blocks, cone after cone
  SparseLu factor_;
};

class PrimalInteriorSystem final : public InteriorSystem {
 public:
  PrimalInteriorSystem(const SparseMatrix& M, const SparseMatrix& H, const InteriorRows& rows,
                       SparseLdlt& mass)
      : InteriorSystem(rows), mass_(mass) {
    const int dofs = static_cast<int>(M.rows());
    H_.resize(dofs, rows.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (int k = 0; k < rows.size(); ++k)
      for (SparseMatrix::InnerIterator it(H, rows.source[k]); it; ++it)
        entries.emplace_back(static_cast<int>(it.row()), k, rows.a[k] * it.value());
    H_.setFromTriplets(entries.begin(), entries.end());
    collect_parts();
    entries.clear();
    for (int j = 0; j < dofs; ++j) {
      entries.emplace_back(j, j, 0.0);
      for (SparseMatrix::InnerIterator it(M, j); it; ++it) {
        entries.emplace_back(static_cast<int>(it.row()), j, it.value());
        entries.emplace_back(j, static_cast<int>(it.row()), 0.0);
      }
    }
    for (const Part& part : parts_)
      for (const int i : part.dofs)
        for (const int j : part.dofs) entries.emplace_back(i, j, 0.0);
    M_.resize(dofs, dofs);
    M_.setFromTriplets(entries.begin(), entries.end());
    sum_ = M_;
    for (Part& part : parts_)
      for (const int j : part.dofs)
        for (const int i : part.dofs) part.entries.push_back(entry_of(M_, i, j));
    factor_.analyse(M_);
    half_.resize(dofs);
    velocity_.resize(dofs);
  }
  void multiply(const VectorX& x, VectorX& y) override {
    impulse_.noalias() = H_ * x;
    mass_.forward(impulse_, half_);
    mass_.backward(half_, velocity_);
    y.noalias() = H_.transpose() * velocity_;
  }
  double operations() const { return factor_.operations(); }
  bool factorise(const std::vector<Matrix3>& blocks) override {
    std::copy(M_.valuePtr(), M_.valuePtr() + M_.nonZeros(), sum_.valuePtr());
    inverse_.resize(blocks.size());
    MatrixX product;
    for (size_t c = 0; c < cones_.size(); ++c) {
      const int n = cones_[c].rows;
      inverse_[c].topLeftCorner(n, n) = blocks[c].topLeftCorner(n, n).inverse();
      const Part& part = parts_[c];
      product.noalias() = part.H * inverse_[c].topLeftCorner(n, n) * part.H.transpose();
      for (size_t k = 0; k < part.entries.size(); ++k) sum_.valuePtr()[part.entries[k]] += product.data()[k];
    }
    return factor_.factorise(sum_);
  }
  void solve(const VectorX& b, VectorX& y) override {
    apply_inverse(b, y);
    impulse_.noalias() = H_ * y;
    factor_.solve(impulse_, velocity_);
    rest_ = b;
    rest_.noalias() -= H_.transpose() * velocity_;
    apply_inverse(rest_, y);
  }

 private:
  /// The coordinates a cone touches, and H' in them.
  struct Part {
    std::vector<int> dofs, entries;
    MatrixX H;
  };
  void collect_parts() {
    parts_.resize(cones_.size());
    for (size_t c = 0; c < cones_.size(); ++c) {
      Part& part = parts_[c];
      for (int k = cones_[c].first; k < cones_[c].first + cones_[c].rows; ++k)
        for (SparseMatrix::InnerIterator it(H_, k); it; ++it) part.dofs.push_back(static_cast<int>(it.row()));
      std::sort(part.dofs.begin(), part.dofs.end());
      part.dofs.erase(std::unique(part.dofs.begin(), part.dofs.end()), part.dofs.end());
      part.H = MatrixX::Zero(static_cast<int>(part.dofs.size()), cones_[c].rows);
      for (int k = 0; k < cones_[c].rows; ++k)
        for (SparseMatrix::InnerIterator it(H_, cones_[c].first + k); it; ++it)
          part.H(std::lower_bound(part.dofs.begin(), part.dofs.end(), it.row()) - part.dofs.begin(), k) =
              it.value();
    }
  }
  void apply_inverse(const VectorX& b, VectorX& y) const {
    y.resize(b.size());
    for (size_t c = 0; c < cones_.size(); ++c) {
      const int n = cones_[c].rows, first = cones_[c].first;
      y.segment(first, n).noalias() = inverse_[c].topLeftCorner(n, n) * b.segment(first, n);
    }
  }

  SparseLdlt& mass_;
  SparseMatrix H_, M_, sum_;
  std::vector<Part> parts_;
  std::vector<Matrix3> inverse_;
  SparseLu factor_;
  VectorX impulse_, half_, velocity_, rest_;
};

}  // namespace

void InteriorSystem::solve_refined(const std::vector<Matrix3>& blocks, const VectorX& b, VectorX& y) {
  y.resize(b.size());
  correction_.resize(b.size());
  solve(b, y);
  multiply(y, rest_);
  rest_ = b - rest_;
  for (size_t c = 0; c < cones_.size(); ++c) {
    const int i = cones_[c].first, n = cones_[c].rows;
    rest_.segment(i, n).noalias() -= blocks[c].topLeftCorner(n, n) * y.segment(i, n);
  }
  solve(rest_, correction_);
  y += correction_;
}

std::unique_ptr<InteriorSystem> make_local_system(const LocalProblem& problem, const InteriorRows& rows) {
  if (rows.size() > interior_dense_rows) {
    auto sparse = std::make_unique<SparseInteriorSystem>(problem, rows);
    if (sparse->operations() < dense_operations(rows.size())) return sparse;
  }
  return std::make_unique<DenseInteriorSystem>(problem, rows);
}

std::unique_ptr<InteriorSystem> make_global_system(const SparseMatrix& M, const SparseMatrix& H,
                                                   const InteriorRows& rows, SparseLdlt& mass) {
  auto primal = std::make_unique<PrimalInteriorSystem>(M, H, rows, mass);
  if (primal->operations() < dense_operations(std::max(rows.size(), interior_dense_rows))) return primal;
  return nullptr;
}

}  // namespace percuss
