#pragma once

#include <vector>

#include "percuss/math/dense_symmetric.h"
#include "percuss/math/sparse_ldlt.h"

namespace percuss {

/// A constant symmetric matrix, prepared for products. In the matrices of bodies neighbouring columns belong
/// together; walked through one entry at a time, every product would wait for the sum before it. What columns
/// have in common is found once:
///   bands         few diagonals: bars
///   dense blocks  bodies that are reduced
///   shared rows   up to four columns side by side with entries in the same rows: stiffness of solids
///   copies        three columns with the same values, each a row further down: masses of solids
class SymmetricProduct {
 public:
  SymmetricProduct() = default;
  /// Of the lower triangle.
  explicit SymmetricProduct(const SparseMatrix& lower);

  /// y += factor * A x.
  void add(double factor, const VectorX& x, VectorX& y) const;
  /// x^T A x.
  double quadratic(const VectorX& x) const;

 private:
  /// Entries A(i + offset, i).
  struct Band {
    int offset = 0;
    VectorX values;
  };
  struct Block {
    int first = 0;
    DenseSymmetric values;
  };
  enum class Kind { shared_rows, copies };
  struct Panel {
    Kind kind = Kind::shared_rows;
    int first = 0, width = 1;        ///< columns
    int row_begin = 0, row_end = 0;  ///< in rows_: rows below the columns' own
    int values = 0;                  ///< place of the first one
  };
  bool find_bands(const SparseMatrix& lower);
  void find_blocks_and_panels(const SparseMatrix& lower);
  void add_dense(const SparseMatrix& lower, int first, int size);
  int shared_width(const SparseMatrix& lower, int first) const;
  void add_shared(const SparseMatrix& lower, int first, int width);
  void add_copies(const SparseMatrix& lower, int first);
  /// Calls visit(first column, number of columns, their own part of A x, the part of the rows below) and, if
  /// y is given, adds what the columns do to the rows below.
  template <class Visit>
  void walk(double factor, const double* x, double* y, Visit&& visit) const;

  std::vector<Band> bands_;  ///< none if there would be too many; then panels
  std::vector<Block> blocks_;
  std::vector<Panel> panels_;
  std::vector<int> rows_;
  /// Of a panel of shared rows: the lower triangle of its own block by columns, then row by row. Of copies:
  /// the diagonal and then the rows of the first column.
  std::vector<double> values_;
};

}  // namespace percuss
