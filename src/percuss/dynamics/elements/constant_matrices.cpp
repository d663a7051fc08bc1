#include "percuss/dynamics/elements/constant_matrices.h"

#include <algorithm>

namespace percuss {

ConstantMatrices::Part::Part(SparseMatrix entries) : matrix(std::move(entries)) {
  constexpr size_t most_bands = 4;
  const int n = static_cast<int>(matrix.rows());
  std::vector<int> offsets;
  for (int j = 0; j < n; ++j)
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it)
      if (const int offset = static_cast<int>(it.row()) - j; std::ranges::count(offsets, offset) == 0) {
        if (offsets.size() == most_bands) return;
        offsets.push_back(offset);
      }
  for (const int offset : offsets) {
    Band& band = bands.emplace_back();
    band.offset = offset;
    band.values.resize(n - offset);
    for (int j = 0; j < n - offset; ++j) band.values[j] = matrix.coeff(j + offset, j);
  }
}

template <class X>
void ConstantMatrices::Part::multiply_add(double factor, const X& x, VectorX& y) const {
  for (const Band& band : bands) {
    const Eigen::Index n = band.values.size();
    y.segment(band.offset, n) += factor * band.values.cwiseProduct(x.head(n));
    if (band.offset > 0) y.head(n) += factor * band.values.cwiseProduct(x.segment(band.offset, n));
  }
  if (!bands.empty()) return;
  const int* begin = matrix.outerIndexPtr();
  const int* row = matrix.innerIndexPtr();
  const double* value = matrix.valuePtr();
  for (int j = 0; j < matrix.outerSize(); ++j) {
    const double xj = factor * x[j];
    double sum = 0;
    for (int p = begin[j]; p < begin[j + 1]; ++p) {
      const int i = row[p];
      sum += value[p] * x[i];
      if (i != j) y[i] += value[p] * xj;
    }
    y[j] += factor * sum;
  }
}
template void ConstantMatrices::Part::multiply_add(double, const VectorX&, VectorX&) const;

template <class X>
double ConstantMatrices::Part::quadratic(const X& x) const {
  double sum = 0;
  for (const Band& band : bands) {
    const Eigen::Index n = band.values.size();
    sum += (band.offset == 0 ? 1 : 2) *
           band.values.cwiseProduct(x.head(n)).cwiseProduct(x.segment(band.offset, n)).sum();
  }
  if (!bands.empty()) return sum;
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it)
      sum += (it.row() == j ? 1 : 2) * it.value() * x[it.row()] * x[j];
  return sum;
}
template double ConstantMatrices::Part::quadratic(const VectorX&) const;

void ConstantMatrices::Part::add_to(double factor, double* values) const {
  const double* value = matrix.valuePtr();
  for (size_t k = 0; k < slot.size(); ++k) values[slot[k]] += factor * value[k];
}

void ConstantMatrices::Part::add_to(MatrixX& dense) const {
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it) {
      dense(it.row(), j) += it.value();
      if (it.row() != j) dense(j, it.row()) += it.value();
    }
}

void ConstantMatrices::add_linear_force(const VectorX& q, VectorX& f) const {
  stiffness.multiply_add(-1, q.head(reference.size()) - reference, f);
}

double ConstantMatrices::linear_energy(const VectorX& q) const {
  return 0.5 * stiffness.quadratic(q.head(reference.size()) - reference);
}

}  // namespace percuss
