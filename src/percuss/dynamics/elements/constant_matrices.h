#pragma once

#include <vector>

#include "percuss/math/symmetric_product.h"

namespace percuss {

/// What flexible bodies contribute that never changes: consistent masses, and stiffness and damping of linear
/// elements. Symmetric matrices by their lower triangles, with the place of each entry in System::pattern.
/// docs/theory/flexible_bodies.md (L-2)
struct ConstantMatrices {
  struct Part {
    SparseMatrix matrix;
    std::vector<int> slot;
    SymmetricProduct product;

    Part() = default;
    explicit Part(SparseMatrix entries);
    bool empty() const { return matrix.nonZeros() == 0; }
    /// values[slot] += factor * entries.
    void add_to(double factor, double* values) const;
    /// Both triangles of a dense matrix.
    void add_to(MatrixX& dense) const;
  };
  Part mass;          ///< without the diagonal, which stands in System::mass
  Part stiffness;     ///< K of f = -K (q - reference)
  Part damping;       ///< C
  VectorX reference;  ///< q without stress
  /// The time b of each coordinate if C = K diag(b), as it is where bodies are damped per stiffness alone
  /// [s]; empty otherwise.
  VectorX viscosity;

  void find_viscosity();
  /// f -= K (q - reference).
  void add_elastic_force(const VectorX& q, VectorX& scratch, VectorX& f) const;
  /// x = q - reference + diag(b) v: linear forces are -K x where C = K diag(b), or without damping.
  void find_lead(const VectorX& q, const VectorX& v, VectorX& x) const;
  /// f -= K (q - reference) + C v: one product where C = K diag(b).
  void add_linear_force(const VectorX& q, const VectorX& v, VectorX& scratch, VectorX& f) const;
  double linear_energy(const VectorX& q, VectorX& scratch) const;  ///< [J]
  double damping_power(const VectorX& v, VectorX& scratch) const;  ///< [W]
};

}  // namespace percuss
