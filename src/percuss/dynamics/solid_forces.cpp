#include "percuss/dynamics/solid_forces.h"

#include <algorithm>

namespace percuss {
namespace {

/// compute(element, memory for `size` numbers of it), by all threads; then add(element, the numbers), by one
/// thread in the order of the elements.
template <class Compute, class Add>
void compute_elements(const SolidSet& set, int size, Workers* workers, std::vector<double>& scratch,
                      const Compute& compute, const Add& add) {
  const int count = set.group.element_count();
  const auto memory = [&](int place) {
    return scratch.data() + static_cast<size_t>(place) * static_cast<size_t>(size);
  };
  if (!workers) {
    for (int e = 0; e < count; ++e) {
      compute(e, memory(0));
      add(e, memory(0));
    }
    return;
  }
  for (int first = 0; first < count; first += SolidSet::batch) {
    const int batch = std::min(SolidSet::batch, count - first);
    workers->run([&](int thread) {
      const int end = batch * (thread + 1) / workers->count();
      for (int i = batch * thread / workers->count(); i < end; ++i) compute(first + i, memory(i));
    });
    for (int i = 0; i < batch; ++i) add(first + i, memory(i));
  }
}

}  // namespace

void add_solid_forces(const SolidSet& set, const VectorX& q, const VectorX& v, Workers* workers,
                      std::vector<double>& scratch, VectorX& f) {
  compute_elements(
      set, set.dofs(), workers, scratch,
      [&](int e, double* force) {
        double x[SolidSet::max_dofs], rates[SolidSet::max_dofs];
        set.gather(e, q, x);
        set.gather_velocity(e, v, rates);
        set.group.force(e, x, rates, force);
      },
      [&](int e, const double* force) {
        const int* dof = set.dofs_of(e);
        for (int i = 0; i < set.dofs(); ++i)
          if (dof[i] >= 0) f[dof[i]] += force[i];
      });
}

void add_solid_stiffness(const SolidSet& set, const VectorX& q, double k, Workers* workers,
                         std::vector<double>& scratch, double* values) {
  const int n = set.dofs();
  compute_elements(
      set, n * n, workers, scratch,
      [&](int e, double* stiffness) {
        double x[SolidSet::max_dofs];
        set.gather(e, q, x);
        set.group.stiffness(e, x, Eigen::Map<MatrixX>(stiffness, n, n));
      },
      [&](int e, const double* stiffness) {
        const int* slot = set.slots_of(e);  // by rows, the matrix by columns: it is symmetric
        for (int i = 0; i < n * n; ++i)
          if (slot[i] >= 0) values[slot[i]] += k * stiffness[i];
      });
}

}  // namespace percuss
