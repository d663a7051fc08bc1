#include "percuss/dynamics/elements/constant_matrices.h"

namespace percuss {

void ConstantMatrices::Part::multiply_add(double factor, const VectorX& x, VectorX& y) const {
  const int* begin = matrix.outerIndexPtr();
  const int* row = matrix.innerIndexPtr();
  const double* value = matrix.valuePtr();
  for (int j = 0; j < matrix.outerSize(); ++j) {
    const double xj = factor * x[j];
    double sum = 0;
    for (int p = begin[j]; p < begin[j + 1]; ++p) {
      const int i = row[p];
      if (i == j) {
        sum += value[p] * xj;
      } else {
        y[i] += value[p] * xj;
        sum += factor * value[p] * x[i];
      }
    }
    y[j] += sum;
  }
}

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
  const int* begin = stiffness.matrix.outerIndexPtr();
  const int* row = stiffness.matrix.innerIndexPtr();
  const double* value = stiffness.matrix.valuePtr();
  for (int j = 0; j < stiffness.matrix.outerSize(); ++j) {
    const double uj = q[j] - reference[j];
    double sum = 0;
    for (int p = begin[j]; p < begin[j + 1]; ++p) {
      const int i = row[p];
      sum += value[p] * (q[i] - reference[i]);
      if (i != j) f[i] -= value[p] * uj;
    }
    f[j] -= sum;
  }
}

}  // namespace percuss
