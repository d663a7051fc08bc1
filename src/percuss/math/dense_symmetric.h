#pragma once

#include <vector>

#include "percuss/math/vector.h"

namespace percuss {

/// A constant dense symmetric matrix of which half is stored, for products with one vector: the matrices of
/// reduced bodies. Each entry is read once and used twice, four at a time. The order of the sums is the same
/// on every processor, and so are the results.
class DenseSymmetric {
 public:
  DenseSymmetric() = default;
  /// The lower triangle counts.
  explicit DenseSymmetric(const MatrixX& A);

  int size() const { return size_; }
  /// y += factor * A x.
  void add(double factor, const double* x, double* y) const;
  /// x^T A x.
  double quadratic(const double* x) const;

 private:
  int size_ = 0;
  /// First one to three columns by themselves, each from its diagonal on, so that four divides the number of
  /// the others. Then four columns at a time: block after block of four rows, each by columns; the first
  /// block, on the diagonal, is whole.
  std::vector<double> values_;
};

}  // namespace percuss
