#pragma once

#include <memory>
#include <vector>

#include <Eigen/SparseCore>

#include "percuss/math/vector.h"

namespace percuss {

/// CHOLMOD's Cholesky factorisation by dense blocks, for matrices whose factors are large: there it is ten
/// times as fast as one entry after the other. The factors are handed out as L D L^T by columns.
///
/// A build without CHOLMOD (PERCUSS_CHOLMOD=OFF) has is_available() == false.
class SupernodalCholesky {
 public:
  SupernodalCholesky();
  ~SupernodalCholesky();
  SupernodalCholesky(SupernodalCholesky&&) noexcept;
  SupernodalCholesky& operator=(SupernodalCholesky&&) noexcept;

  static bool is_available();

  /// Lower triangle of a symmetric matrix. The pattern of L has a few zeros, because columns are joined.
  struct Pattern {
    std::vector<int> place;              ///< original index -> place in the elimination
    std::vector<int> column_begin, row;  ///< L by columns, diagonal left out
  };
  Pattern analyse(const Eigen::SparseMatrix<double>& A);
  /// Values of L and the pivots D; false if A is not positive definite.
  bool factorise(const Eigen::SparseMatrix<double>& A, std::vector<double>& value,
                 std::vector<double>& pivots);

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace percuss
