#include "percuss/dynamics/pools/solids.h"

#include <algorithm>

namespace percuss {
namespace {

bool has_forces(const SolidSet& set) { return !set.group.is_linear(); }
bool is_viscous(const SolidSet& set) { return has_forces(set) && set.group.options().viscosity > 0; }

/// compute(element, memory for `size` numbers of it), by all threads; then add(element, the numbers), by one
/// thread in the order of the elements.
template <class Compute, class Add>
void compute_elements(const SolidSet& set, int size, const ForceArguments& at, const Compute& compute,
                      const Add& add) {
  const int count = set.group.element_count();
  const auto memory = [&](int place) {
    return at.kinematics.scratch.data() + static_cast<size_t>(place) * static_cast<size_t>(size);
  };
  if (!at.workers) {
    for (int e = 0; e < count; ++e) {
      compute(e, memory(0));
      add(e, memory(0));
    }
    return;
  }
  for (int first = 0; first < count; first += SolidSet::batch) {
    const int batch = std::min(SolidSet::batch, count - first), threads = at.workers->count();
    at.workers->run([&](int thread) {
      const int end = batch * (thread + 1) / threads;
      for (int i = batch * thread / threads; i < end; ++i) compute(first + i, memory(i));
    });
    for (int i = 0; i < batch; ++i) add(first + i, memory(i));
  }
}

/// Without viscosity: C vanishes, and K is symmetric.
void add_elastic_tangents(const SolidSet& set, int first_block, const Blocks& blocks,
                          const ForceArguments& at, const TangentSum& sum) {
  const int n = set.dofs();
  compute_elements(
      set, n * n, at,
      [&](int e, double* stiffness) {
        double x[SolidSet::max_dofs];
        set.gather(e, at.q, x);
        set.group.stiffness(e, x, Eigen::Map<MatrixX>(stiffness, n, n));
      },
      [&](int e, const double* stiffness) {
        sum.add_symmetric_stiffness(blocks, first_block + e, Eigen::Map<const MatrixX>(stiffness, n, n));
      });
}

void add_viscous_tangents(const SolidSet& set, int first_block, const Blocks& blocks,
                          const ForceArguments& at, const TangentSum& sum) {
  const int n = set.dofs();
  double x[SolidSet::max_dofs], rates[SolidSet::max_dofs];
  double* memory = at.kinematics.scratch.data();
  Eigen::Map<MatrixX> K(memory, n, n), C(memory + n * n, n, n);
  for (int e = 0; e < set.group.element_count(); ++e) {
    set.gather(e, at.q, x);
    set.gather_velocity(e, at.v, rates);
    set.group.tangents(e, x, rates, K, C);
    sum.add(blocks, first_block + e, K, C);
  }
}

}  // namespace

void Solids::list_blocks(const std::vector<BodyData>& /*bodies*/) {
  for (const SolidSet& set : elements)
    for (int e = 0; has_forces(set) && e < set.group.element_count(); ++e)
      blocks.add({set.dofs_of(e), static_cast<size_t>(set.dofs())});
}

void Solids::add_force(const ForceArguments& at, VectorX& f) const {
  for (const SolidSet& set : elements) {
    if (!has_forces(set)) continue;
    compute_elements(
        set, set.dofs(), at,
        [&](int e, double* force) {
          double x[SolidSet::max_dofs], rates[SolidSet::max_dofs];
          set.gather(e, at.q, x);
          set.gather_velocity(e, at.v, rates);
          set.group.force(e, x, rates, force);
        },
        [&](int e, const double* force) {
          scatter(Eigen::Map<const VectorX>(force, set.dofs()), set.dofs_of(e), f);
        });
  }
}

void Solids::add_tangents(const ForceArguments& at, const TangentSum& sum) const {
  int block = 0;
  for (const SolidSet& set : elements) {
    if (!has_forces(set)) continue;
    if (is_viscous(set))
      add_viscous_tangents(set, block, blocks, at, sum);
    else
      add_elastic_tangents(set, block, blocks, at, sum);
    block += set.group.element_count();
  }
}

double Solids::strain_energy(const ForceArguments& at) const {
  double energy = 0, x[SolidSet::max_dofs];
  for (const SolidSet& set : elements)
    for (int e = 0; has_forces(set) && e < set.group.element_count(); ++e) {
      set.gather(e, at.q, x);
      energy += set.group.energy(e, x);
    }
  return energy;
}

double Solids::damping_power(const ForceArguments& at) const {
  double power = 0, x[SolidSet::max_dofs], rates[SolidSet::max_dofs];
  for (const SolidSet& set : elements)
    for (int e = 0; is_viscous(set) && e < set.group.element_count(); ++e) {
      set.gather(e, at.q, x);
      set.gather_velocity(e, at.v, rates);
      power += set.group.damping_power(e, x, rates);
    }
  return power;
}

bool Solids::has_constant_tangents(const std::vector<BodyData>& /*bodies*/) const {
  return std::ranges::none_of(elements, has_forces);
}

bool Solids::has_dampers() const { return std::ranges::any_of(elements, is_viscous); }

size_t Solids::scratch_size(bool with_workers) const {
  size_t size = 0;
  for (const SolidSet& set : elements) {
    const size_t matrices = with_workers ? static_cast<size_t>(SolidSet::batch) : 2;
    size = std::max(size, matrices * static_cast<size_t>(set.dofs() * set.dofs()));
  }
  return size;
}

}  // namespace percuss
