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
  /// As long as what a processor reads at once, and where it begins.
  struct alignas(64) Line {
    double values[8];
  };
  const double* data() const { return values_.empty() ? nullptr : values_.front().values; }

  int size_ = 0;
  /// By panels of four columns, each from its diagonal on in blocks of four rows, those by columns. The block
  /// on the diagonal is whole. The first panel is filled up with zeros.
  std::vector<Line> values_;
};

}  // namespace percuss
