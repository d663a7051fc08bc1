#pragma once

#include <vector>

#include "percuss/math/sparse_ldlt.h"

namespace percuss {

/// What flexible bodies contribute that never changes: consistent masses, and stiffness and damping of linear
/// elements. Symmetric matrices by their lower triangles, with the place of each entry in System::pattern.
/// docs/theory/flexible_bodies.md (L-2)
struct ConstantMatrices {
  struct Part {
    SparseMatrix matrix;
    std::vector<int> slot;

    bool empty() const { return matrix.nonZeros() == 0; }
    /// y += factor * A x.
    void multiply_add(double factor, const VectorX& x, VectorX& y) const;
    /// x^T A x, for a vector or an expression of vectors.
    template <class X>
    double quadratic(const X& x) const {
      double sum = 0;
      for (int j = 0; j < matrix.outerSize(); ++j)
        for (SparseMatrix::InnerIterator it(matrix, j); it; ++it)
          sum += (it.row() == j ? 1 : 2) * it.value() * x[it.row()] * x[j];
      return sum;
    }
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
  double linear_energy(const VectorX& q) const {  ///< [J]
    return 0.5 * stiffness.quadratic(q.head(reference.size()) - reference);
  }
};

}  // namespace percuss
