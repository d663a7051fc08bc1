#include "percuss/dynamics/pools/constant_matrices.h"

#include <cmath>

namespace percuss {

ConstantMatrices::Part::Part(SparseMatrix entries) : matrix(std::move(entries)), product(matrix) {}

void ConstantMatrices::Part::add_positions(Blocks::Positions& positions) const {
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it) positions.emplace_back(it.row(), j, 0.0);
}

void ConstantMatrices::Part::find_entries(const SparseMatrix& pattern) {
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it)
      entry.push_back(entry_of(pattern, static_cast<int>(it.row()), j));
}

void ConstantMatrices::Part::add_to(double factor, double* values) const {
  const double* value = matrix.valuePtr();
  for (size_t k = 0; k < entry.size(); ++k) values[entry[k]] += factor * value[k];
}

void ConstantMatrices::Part::add_to(MatrixX& dense) const {
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it) {
      dense(it.row(), j) += it.value();
      if (it.row() != j) dense(j, it.row()) += it.value();
    }
}

void ConstantMatrices::find_viscosity() {
  viscosity.resize(0);
  if (damping.empty() || damping.matrix.nonZeros() != stiffness.matrix.nonZeros()) return;
  constexpr double rounding = 1e-14;
  const SparseMatrix &K = stiffness.matrix, &C = damping.matrix;
  const VectorX diagonal = K.diagonal();
  VectorX ratio = VectorX::Zero(K.cols());
  for (int j = 0; j < K.cols(); ++j)
    if (diagonal[j] > 0) ratio[j] = C.coeff(j, j) / diagonal[j];
  for (int j = 0; j < K.cols(); ++j) {
    SparseMatrix::InnerIterator k(K, j), c(C, j);
    for (; k && c; ++k, ++c) {
      // Entries are sums over elements, which may cancel; those of the diagonal do not.
      const double allowed = rounding * ratio[j] * std::sqrt(diagonal[j] * diagonal[k.row()]);
      if (k.row() != c.row() || std::abs(c.value() - ratio[j] * k.value()) > allowed ||
          std::abs(ratio[k.row()] - ratio[j]) > rounding * ratio[j])
        return;
    }
    if (k || c) return;
  }
  viscosity = std::move(ratio);
}

void ConstantMatrices::add_elastic_force(const VectorX& q, VectorX& scratch, VectorX& f) const {
  if (stiffness.empty()) return;
  scratch = q.head(reference.size()) - reference;
  stiffness.product.add(-1, scratch, f);
}

void ConstantMatrices::find_lead(const VectorX& q, const VectorX& v, VectorX& x) const {
  x = q.head(reference.size()) - reference;
  if (viscosity.size() > 0) x += viscosity.cwiseProduct(v);
}

void ConstantMatrices::add_linear_force(const VectorX& q, const VectorX& v, VectorX& scratch,
                                        VectorX& f) const {
  if (viscosity.size() == 0) {
    add_elastic_force(q, scratch, f);
    if (!damping.empty()) damping.product.add(-1, v, f);
    return;
  }
  find_lead(q, v, scratch);
  stiffness.product.add(-1, scratch, f);
}

void ConstantMatrices::add_positions(Blocks::Positions& positions) const {
  for (const Part* part : {&mass, &stiffness, &damping}) part->add_positions(positions);
}

void ConstantMatrices::find_entries(const SparseMatrix& pattern) {
  for (Part* part : {&mass, &stiffness, &damping}) part->find_entries(pattern);
}

void ConstantMatrices::add_force(const ForceArguments& at, VectorX& f) const {
  VectorX& scratch = at.kinematics.displacement;
  if (!at.elastic_force) return add_linear_force(at.q, at.v, scratch, f);
  add_elastic_force(at.q, scratch, *at.elastic_force);
  f += *at.elastic_force;
  if (!damping.empty()) damping.product.add(-1, at.v, f);
}

void ConstantMatrices::add_tangents(const ForceArguments& /*at*/, const TangentSum& sum) const {
  if (sum.values) {
    stiffness.add_to(sum.k, sum.values);
    damping.add_to(sum.c, sum.values);
  } else {
    stiffness.add_to(*sum.K);
    damping.add_to(*sum.C);
  }
}

double ConstantMatrices::strain_energy(const ForceArguments& at) const {
  if (stiffness.empty()) return 0;
  VectorX& displacement = at.kinematics.displacement;
  displacement = at.q.head(reference.size()) - reference;
  return 0.5 * stiffness.product.quadratic(displacement);
}

/// Where C = K diag(b) by K, which the strain energy needs as well.
double ConstantMatrices::damping_power(const ForceArguments& at) const {
  if (damping.empty()) return 0;
  if (viscosity.size() == 0) return damping.product.quadratic(at.v);
  VectorX& scratch = at.kinematics.displacement;
  scratch = viscosity.cwiseSqrt().cwiseProduct(at.v);
  return stiffness.product.quadratic(scratch);
}

}  // namespace percuss
