#include "percuss/dynamics/forces.h"

namespace percuss {
namespace {

void add_at(const Point& point, const Vector3& force, VectorX& f) {
  for (int axis = 0; axis < 3; ++axis)
    if (point.dof[axis] >= 0) f[point.dof[axis]] += force[axis];
}

}  // namespace

void add_loads(const System& system, double t, VectorX& f) {
  f += system.constant_load;
  for (const auto& load : system.loads)
    for (int axis = 0; axis < 3; ++axis)
      if (load.point.dof[axis] >= 0) f[load.point.dof[axis]] += load.value[axis].value(t);
}

void evaluate_force(const System& system, const VectorX& q, const VectorX& v, double t, VectorX& f) {
  f = system.gravity_force;
  if (!system.loads.empty() || !system.constant_loads.empty()) add_loads(system, t, f);
  for (const auto& spring : system.axis_springs) {
    const double pull = spring.stiffness * spring.elongation(q) + spring.damping * spring.rate(v);
    for (int i = 0; i < spring.count; ++i) f[spring.dof[i]] -= spring.coefficient[i] * pull;
  }
  for (const auto& spring : system.distance_springs) {
    const Vector3 force = spring_force(spring, q, v);
    add_at(spring.to, force, f);
    add_at(spring.from, -force, f);
  }
}

void assemble_iteration_matrix(const System& system, const VectorX& q, const VectorX& v, double c, double k,
                               SparseMatrix& A) {
  double* values = A.valuePtr();
  std::fill(values, values + A.nonZeros(), 0.0);
  for (int i = 0; i < system.dof_count(); ++i) values[system.mass_slot[i]] = system.mass[i];
  for (size_t s = 0; s < system.axis_springs.size(); ++s) {
    const auto& spring = system.axis_springs[s];
    const double factor = c * spring.damping + k * spring.stiffness;
    const int* slot = system.axis_slots[s].slot.data();
    for (int i = 0; i < spring.count; ++i)
      for (int j = 0; j < spring.count; ++j, ++slot)
        if (*slot >= 0) values[*slot] += factor * spring.coefficient[i] * spring.coefficient[j];
  }
  for (size_t s = 0; s < system.distance_springs.size(); ++s) {
    const SpringTangents tangents = spring_tangents(system.distance_springs[s], q, v);
    const Eigen::Matrix3d block = c * tangents.C + 0.5 * k * (tangents.K + tangents.K.transpose());
    const int* slot = system.distance_slots[s].slot.data();
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j, ++slot)
        if (*slot >= 0) values[*slot] += ((i < 3) == (j < 3) ? 1.0 : -1.0) * block(i % 3, j % 3);
  }
}

}  // namespace percuss
