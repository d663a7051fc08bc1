#pragma once

#include "percuss/dynamics/elements/solid_group.h"
#include "percuss/dynamics/pools/pool.h"

namespace percuss {

/// Solid elements and their places among the coordinates of a system.
struct SolidSet {
  static constexpr int max_dofs = 60;  ///< of an element: 20 nodes in space

  /// Elements that several threads compute before one adds them up: the sums have the same order, and so the
  /// same bits, for any number of threads.
  static constexpr int batch = 256;

  SolidGroup group;
  int flexible = -1;         ///< index of the body in System::flexibles
  bool is_floating = false;  ///< q has displacements in a floating frame
  std::vector<int> dof;      ///< dofs_per_element() for each element; -1 where a node is held
  std::vector<double> rest;  ///< coordinates without stress, in the same order

  int dofs() const { return group.dofs_per_element(); }
  const int* dofs_of(int e) const {
    return dof.data() + static_cast<size_t>(e) * static_cast<size_t>(dofs());
  }
  void gather(int e, const VectorX& q, double* x) const {
    const int n = dofs();
    const int* index = dofs_of(e);
    const double* held = rest.data() + static_cast<size_t>(e) * static_cast<size_t>(n);
    for (int i = 0; i < n; ++i) x[i] = index[i] < 0 ? held[i] : q[index[i]] + (is_floating ? held[i] : 0.0);
  }
  void gather_velocity(int e, const VectorX& v, double* rates) const {
    const int n = dofs();
    const int* index = dofs_of(e);
    for (int i = 0; i < n; ++i) rates[i] = index[i] < 0 ? 0.0 : v[index[i]];
  }
};

/// Elements of large strain; those of small strain are here for their masses and stresses, their forces are
/// in the constant matrices. Several threads compute the elements, one adds them up in their order, so that
/// results have the same bits for any number of threads.  docs/theory/solids.md
struct Solids : ElementPool<SolidSet> {
  void list_blocks(const std::vector<BodyData>& bodies);
  void add_force(const ForceArguments& at, VectorX& f) const;
  void add_tangents(const ForceArguments& at, const TangentSum& sum) const;
  double strain_energy(const ForceArguments& at) const;
  double damping_power(const ForceArguments& at) const;
  bool has_constant_tangents(const std::vector<BodyData>& bodies) const;
  bool has_dampers() const;
  size_t scratch_size(bool with_workers) const;
};

}  // namespace percuss
