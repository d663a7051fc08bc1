#pragma once

#include <memory>
#include <vector>

#include <Eigen/SparseCore>

#include "percuss/math/vector.h"

namespace percuss {

/// CHOLMOD's Cholesky factorisation P A P^T = L L^T by dense blocks, for matrices whose factors are large:
/// there it is ten times as fast as one entry after the other.
///
/// A block is a number of neighbouring columns of L with the same rows below: a dense triangle, and a dense
/// rectangle under it. The block that holds the first of those rows is its parent, and all of them belong to
/// blocks on the way to the root.
///
/// A build without CHOLMOD (PERCUSS_CHOLMOD=OFF) has is_available() == false.
class SupernodalCholesky {
 public:
  SupernodalCholesky();
  ~SupernodalCholesky();
  SupernodalCholesky(SupernodalCholesky&&) noexcept;
  SupernodalCholesky& operator=(SupernodalCholesky&&) noexcept;

  static bool is_available();

  /// Lower triangle of a symmetric matrix.
  void analyse(const Eigen::SparseMatrix<double>& A);
  /// False if A is not positive definite.
  bool factorise(const Eigen::SparseMatrix<double>& A);

  /// A block of L, by columns of `height` entries; the triangle comes first.
  struct Block {
    int first;          ///< column, and row of its first entry
    int width, height;  ///< columns, and rows with those of the triangle
    const int* rows;    ///< below the triangle, height - width of them, ascending
    const double* L;    ///< what stands above the diagonal of the triangle means nothing
    int below() const { return height - width; }
  };
  Block block(int number) const;
  int block_count() const { return static_cast<int>(parent_.size()); }
  int parent(int block) const { return parent_[static_cast<size_t>(block)]; }  ///< -1 for a root
  int block_of(int place) const { return block_of_[static_cast<size_t>(place)]; }
  const std::vector<int>& places() const { return place_; }  ///< original index -> place in the elimination
  long fill() const { return fill_; }                        ///< entries of L below its diagonal

  void forward(VectorX& z) const;  ///< z <- L^-1 z
  /// The same for one block: solves its rows, and subtracts them from those of its ancestors.
  void forward(int number, double* z) const;
  void backward(VectorX& z) const;  ///< z <- L^-T z

 private:
  struct Library;
  std::unique_ptr<Library> library_;
  std::vector<int> place_, parent_, block_of_;
  long fill_ = 0;
};

}  // namespace percuss
