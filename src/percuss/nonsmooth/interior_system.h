#pragma once

#include <memory>
#include <vector>

#include "percuss/math/sparse_ldlt.h"
#include "percuss/math/vector.h"
#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// One cone of the scaled problem (NI-3): rows first .. first + rows - 1.
struct InteriorCone {
  enum class Kind { free, lorentz, box };
  Kind kind = Kind::free;
  int first = 0, rows = 1;
  double bound = 0.0;  ///< box: the largest |x|
};

/// Rows of the scaled problem: r = unit a x, unit z = a û, for the rows `source` of the given one. Rows whose
/// reaction is known beforehand are left out.
struct InteriorRows {
  std::vector<InteriorCone> cones;
  std::vector<int> source;
  VectorX a;
  int size() const { return static_cast<int>(source.size()); }
};

/// What the iteration asks of the operator W' = A W A: products, and solutions of (W' + D) y = b for block
/// diagonal D (NI-9). The two forms of a problem differ only in this.
class InteriorSystem {
 public:
  explicit InteriorSystem(const InteriorRows& rows) : cones_(rows.cones) {}
  virtual ~InteriorSystem() = default;

  virtual void multiply(const VectorX& x, VectorX& y) = 0;         ///< y = W' x
  virtual bool factorise(const std::vector<Matrix3>& blocks) = 0;  ///< one per cone, its leading rows count

  /// (W' + D) y = b with the last factorisation, whose blocks are given again, and one step of refinement.
  void solve_refined(const std::vector<Matrix3>& blocks, const VectorX& b, VectorX& y);

 protected:
  virtual void solve(const VectorX& b, VectorX& y) = 0;
  const std::vector<InteriorCone>& cones_;

 private:
  VectorX rest_, correction_;
};

/// W given: dense LU, or sparse LU if W has few entries.
std::unique_ptr<InteriorSystem> make_local_system(const LocalProblem& problem, const InteriorRows& rows);

/// W = H^T M^-1 H not formed: M + H' D^-1 H'^T is factorised instead (NI-11). Null if a dense W would be
/// cheaper. `mass` is the factorised M.
std::unique_ptr<InteriorSystem> make_global_system(const SparseMatrix& M, const SparseMatrix& H,
                                                   const InteriorRows& rows, SparseLdlt& mass);

}  // namespace percuss
