#include "percuss/dynamics/energies.h"

#include "percuss/dynamics/forces.h"

namespace percuss {
namespace {

/// The sum of term(pool, arguments). Energies do not look at v, nor at t but through poses.
template <class Term>
double sum_over_pools(const System& system, const VectorX& q, const VectorX& v, Kinematics& kinematics,
                      const Term& term) {
  const ForceArguments at{system.bodies, q, v, kinematics.t, kinematics, system.workers.get()};
  double sum = 0;
  for_each_filled_pool(system, [&](const auto& pool) { sum += term(pool, at); });
  return sum;
}

}  // namespace

double kinetic_energy(const System& system, const VectorX& q, const VectorX& v, Kinematics& kinematics,
                      VectorX& scratch) {
  if (system.mass_blocks.empty() && system.user_systems.empty()) {
    const double diagonal = v.cwiseAbs2().dot(system.mass);
    const bool is_diagonal = system.constant.mass.empty();
    return 0.5 * (diagonal + (is_diagonal ? 0.0 : system.constant.mass.product.quadratic(v)));
  }
  multiply_mass(system, q, v, kinematics, scratch);
  return 0.5 * v.dot(scratch);
}

double potential_energy(const System& system, const VectorX& q, Kinematics& kinematics) {
  double energy =
      sum_over_pools(system, q, kinematics.v, kinematics,
                     [](const auto& pool, const ForceArguments& at) { return pool.potential_energy(at); });
  if (system.gravity.isZero(0)) return energy;
  const auto evaluate_energies = [&](const BodyData& body, const Vector3& x) {
    energy -= body.mass * system.gravity.dot(x - system.gravity_datum);
  };
  for (const FloatingFrame& frame : system.floating)
    evaluate_energies(system.bodies[static_cast<size_t>(frame.body)], frame.place(q));
  for (const int b : system.outside_frames) {
    const BodyData& body = system.bodies[static_cast<size_t>(b)];
    if (body.kind == BodyKind::frame || body.kind == BodyKind::flexible) continue;
    if (body.kind == BodyKind::shaft) {  // weight turns the slopes of its ends too
      evaluate_energies(body, body.start);
      for (const int dof : body.dof)
        if (dof >= 0) energy -= system.gravity_force[dof] * q[dof];
      continue;
    }
    Vector3 x = body.start;
    for (int axis = 0; axis < 3; ++axis)
      if (body.dof[axis] >= 0) x[axis] = q[body.dof[axis]];
    evaluate_energies(body, x);
  }
  return energy;
}

double strain_energy(const System& system, const VectorX& q, Kinematics& kinematics) {
  return sum_over_pools(system, q, kinematics.v, kinematics,
                        [](const auto& pool, const ForceArguments& at) { return pool.strain_energy(at); });
}

double damping_power(const System& system, const VectorX& q, const VectorX& v, Kinematics& kinematics) {
  return sum_over_pools(system, q, v, kinematics,
                        [](const auto& pool, const ForceArguments& at) { return pool.damping_power(at); });
}

double prescribed_power(const System& system, const Kinematics& kinematics) {
  double power = 0;
  for_each_filled_pool(system,
                       [&](const auto& pool) { power += pool.prescribed_power(system.bodies, kinematics); });
  return power;
}

}  // namespace percuss
