#pragma once

#include <vector>

#include "percuss/dynamics/pools/pool.h"
#include "percuss/math/symmetric_product.h"

namespace percuss {

/// What flexible bodies contribute that never changes: consistent masses, and stiffness and damping of linear
/// elements. Symmetric matrices by their lower triangles, with the place of each entry in System::pattern.
/// docs/theory/flexible_bodies.md (L-2)
struct ConstantMatrices : Pool {
  struct Part {
    SparseMatrix matrix;
    std::vector<int> entry;  ///< in System::pattern, of each value
    SymmetricProduct product;

    Part() = default;
    explicit Part(SparseMatrix entries);
    bool empty() const { return matrix.nonZeros() == 0; }
    void add_positions(Blocks::Positions& positions) const;
    void find_entries(const SparseMatrix& pattern);
    /// values[entry] += factor * values of the matrix.
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

  bool empty() const { return mass.empty() && stiffness.empty() && damping.empty(); }
  void add_positions(Blocks::Positions& positions) const;
  void find_entries(const SparseMatrix& pattern);
  void add_force(const ForceArguments& at, VectorX& f) const;
  void add_tangents(const ForceArguments& at, const TangentSum& sum) const;
  double strain_energy(const ForceArguments& at) const;
  double damping_power(const ForceArguments& at) const;
  bool has_constant_tangents(const std::vector<BodyData>& /*bodies*/) const { return true; }
  bool has_dampers() const { return !damping.empty(); }
};

}  // namespace percuss
