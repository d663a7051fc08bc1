#pragma once

#include <vector>

#include "percuss/math/sparse_ldlt.h"

namespace percuss {

/// What flexible bodies contribute that never changes: consistent masses, and stiffness and damping of linear
/// elements. Symmetric matrices by their lower triangles, with the place of each entry in System::pattern.
/// docs/theory/flexible_bodies.md (L-2)
struct ConstantMatrices {
  /// Entries A(i + offset, i). Matrices of bars consist of few such bands: products with these are a third of
  /// the work of a step that walks through columns of two entries.
  struct Band {
    int offset = 0;
    VectorX values;
  };
  struct Part {
    SparseMatrix matrix;
    std::vector<int> slot;
    std::vector<Band> bands;  ///< of the matrix; none if there would be too many

    Part() = default;
    explicit Part(SparseMatrix entries);
    bool empty() const { return matrix.nonZeros() == 0; }
    /// y += factor * A x, for a vector or an expression of vectors.
    template <class X>
    void multiply_add(double factor, const X& x, VectorX& y) const;
    /// x^T A x, for the same.
    template <class X>
    double quadratic(const X& x) const;
    /// values[slot] += factor * entries.
    void add_to(double factor, double* values) const;
    /// Both triangles of a dense matrix.
    void add_to(MatrixX& dense) const;
  };
  Part mass;       ///< without the diagonal, which stands in System::mass
  Part stiffness;  ///< K of f = -K (q - reference)
  Part damping;
  VectorX reference;  ///< q without stress

  /// f -= K (q - reference).
  void add_linear_force(const VectorX& q, VectorX& f) const;
  double linear_energy(const VectorX& q) const;  ///< [J]
};

}  // namespace percuss
