#pragma once

#include <span>
#include <vector>

#include "percuss/math/sparse_ldlt.h"
#include "percuss/math/vector.h"
#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// What a solver may ask of the Delassus operator W = H^T A^-1 H [1/kg], whether it is formed or not. It has
/// scratch memory: one object serves one thread.
class ContactOperator {
 public:
  virtual ~ContactOperator() = default;

  /// u = W r, for the rows of all cones.
  virtual void apply(const double* r, double* u) = 0;
  /// The block of a cone with itself, by rows.
  virtual const double* diagonal_block(int c) const = 0;
  /// All blocks, where they exist.
  virtual const BlockMatrix* blocks() const { return nullptr; }
  /// Adds numbers up over all parts of a problem; an operator that has all of it leaves them alone.
  virtual void sum(std::span<double> /*numbers*/) const {}
};

/// W in blocks.
class ExplicitOperator final : public ContactOperator {
 public:
  explicit ExplicitOperator(const BlockMatrix& W) : W_(W) {}

  void apply(const double* r, double* u) override;
  const double* diagonal_block(int c) const override { return W_.block(W_.own(c)); }
  const BlockMatrix* blocks() const override { return &W_; }

 private:
  const BlockMatrix& W_;
};

/// W = H^T A^-1 H by the factors of A: of the size of H and the factors, however many contacts act on one
/// body. H has a column for each row of the cones. Both must stay as they are.
class MatrixFreeOperator final : public ContactOperator {
 public:
  MatrixFreeOperator(const SparseMatrix& H, const SparseLdlt& factor, std::span<const Cone> cones);

  void apply(const double* r, double* u) override;
  const double* diagonal_block(int c) const override { return diagonal_.data() + place_[c]; }

 private:
  const SparseMatrix& H_;
  const SparseLdlt& factor_;
  std::vector<int> place_;  ///< of the block of a cone
  std::vector<double> diagonal_;
  VectorX impulse_, half_;  ///< scratch
};

/// A problem for those who need not know whether W is formed.
struct OperatorProblem {
  ContactOperator& W;
  const std::vector<Cone>& cones;
  const std::vector<double>& u_free;
  double scale = 0.0;  ///< LocalProblem::scale
};

}  // namespace percuss
