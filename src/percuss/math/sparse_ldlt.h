#pragma once

#include <vector>

#include <Eigen/SparseCore>

#include "percuss/math/supernodal_cholesky.h"
#include "percuss/math/vector.h"

namespace percuss {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// Place of an entry among the values of a compressed matrix; the entry must be in the pattern.
int entry_of(const SparseMatrix& A, int row, int column);

/// A sparse vector as two flat arrays that keep their capacity.
struct SparseVector {
  std::vector<int> index;
  std::vector<double> value;
};

/// P A P^T = L D L^T for a symmetric A whose pattern never changes: positive definite, or quasi-definite
/// [A G^T; G -eps], which has such a factorisation in every order. Its last rows are then called dual, and an
/// ordering is taken in which a dual row comes after the rows it is coupled to: eps alone would be a poor
/// pivot.
///
/// Large factors of positive definite matrices are computed by CHOLMOD, with an ordering of its own and in
/// dense blocks; D is then 1.
///
/// The two halves of a solve are public, because a time step needs only one solve when contacts are treated
/// between them (docs/theory/moreau.md, M-7): with y_c = L^-1 P H_c the Delassus operator is
/// W_cd = y_c^T D^-1 y_d, and the reactions enter before the backward half.
class SparseLdlt {
 public:
  /// Chooses the ordering (the given one, unless minimum degree fills less) and allocates everything.
  /// Entries that are not `present`, if that is given, are always zero.
  void analyse(const SparseMatrix& A, int dual_rows = 0, const std::vector<char>* present = nullptr);
  /// Recomputes the values; A must have the pattern given to analyse. False if a pivot has the wrong sign, or
  /// if that of a dual row is smaller than its entry of `smallest_dual`: the row depends on others.
  bool factorise(const SparseMatrix& A, const std::vector<double>* smallest_dual = nullptr) {
    return factorise(A, smallest_dual, false);
  }
  /// The same for any A: false only if a pivot vanishes. Without a choice of pivots the factors of an A that
  /// is not quasi-definite can be inaccurate; good enough for an iteration that looks at its residual.
  bool factorise_indefinite(const SparseMatrix& A) { return factorise(A, nullptr, true); }

  void forward(const VectorX& b, VectorX& z) const;  ///< z = L^-1 P b
  void backward(VectorX& z, VectorX& x) const;       ///< x = P^T L^-T D^-1 z; z is used up
  /// y = L^-1 P b for a right-hand side with few entries; costs only the length of y. The result is appended
  /// to y with permuted indices in the order of elimination; `work` is zero before and after.
  struct ForwardWork {
    std::vector<double> dense;
    std::vector<long> mark;
    std::vector<int> stack;
    long stamp = 0;
  };
  ForwardWork make_forward_work() const;
  void forward_sparse(const int* rows, const double* values, int count, SparseVector& y,
                      ForwardWork& work) const;

  int size() const { return size_; }
  /// The dense blocks of the present factors; null if they are not in blocks.
  const SupernodalCholesky* blocks() const { return uses_blocks_ ? &supernodal_ : nullptr; }
  /// Number of factorisations so far: as long as it stays, so do the factors.
  long version() const { return version_; }
  double pivot(int permuted) const { return pivots_[permuted]; }
  int place(int original) const { return place_[original]; }
  long fill() const { return uses_blocks_ ? supernodal_.fill() : column_begin_.back(); }
  /// Rows of the same component are coupled through A^-1, rows of different components never are.
  int component(int original) const { return component_[original]; }
  /// Number of entries of y = L^-1 P e_i.
  int path_length(int original) const { return path_length_[original]; }

 private:
  bool factorise(const SparseMatrix& A, const std::vector<double>* smallest_dual, bool any_sign);

  /// The factors by rows, one after the other.
  bool factorise_by_rows(const SparseMatrix& A, const std::vector<double>* smallest_dual, bool any_sign);

  struct Symbolic;
  /// What belongs to an ordering.
  struct Structure {
    std::vector<int> place;                   ///< original index -> place in the elimination
    std::vector<int> component, path_length;  ///< by original index
  };
  Structure structure_by_rows() const;
  Structure structure_by_blocks() const;
  void use(const Structure& structure);
  void use_blocks(bool blocks);
  void forward_sparse_in_blocks(const int* rows, const double* values, int count, SparseVector& y,
                                ForwardWork& work) const;

  static void put_dual_rows_later(const SparseMatrix& A, int dual_rows, bool after_all,
                                  std::vector<int>& place);
  static Symbolic symbolic(const SparseMatrix& A, const std::vector<char>* present,
                           const std::vector<int>& place, long most);

  int size_ = 0;
  long version_ = 0;
  std::vector<int> dual_index_;                              ///< by place: number of a dual row, or -1
  std::vector<int> place_;                                   ///< original index -> place in the elimination
  std::vector<int> component_, path_length_;                 ///< by original index
  std::vector<int> parent_;                                  ///< elimination tree, where not in blocks
  std::vector<int> entry_begin_, entry_row_, entry_source_;  ///< upper triangle of P A P^T by columns
  std::vector<int> column_begin_, row_;                      ///< L by columns, diagonal left out
  std::vector<double> value_, pivots_;
  std::vector<int> fill_count_, mark_, pattern_;  ///< scratch of factorise
  std::vector<double> dense_;

  // Two orderings where CHOLMOD takes part: its own, and the one for matrices that it refuses. The memory for
  // the factors of the latter is made when such a matrix comes.
  SupernodalCholesky supernodal_;
  Structure by_rows_, by_blocks_;
  bool uses_blocks_ = false;
};

}  // namespace percuss
