#include "percuss/dynamics/energies.h"

namespace percuss {

double kinetic_energy(const System& system, const VectorX& v) {
  return 0.5 * v.dot(system.mass.cwiseProduct(v));
}

double gravity_potential(const System& system, const VectorX& q) {
  double energy = 0;
  if (system.gravity.isZero(0)) return energy;
  for (const auto& body : system.bodies)
    energy -= body.mass * system.gravity.dot(body.point.position(q) - system.gravity_datum);
  return energy;
}

double strain_energy(const System& system, const VectorX& q) {
  double energy = 0;
  for (const auto& spring : system.axis_springs) {
    const double elongation = spring.elongation(q);
    energy += 0.5 * spring.stiffness * elongation * elongation;
  }
  for (const auto& spring : system.distance_springs) {
    const double elongation = spring_line(spring, q).length - spring.rest_length;
    energy += 0.5 * spring.stiffness * elongation * elongation;
  }
  return energy;
}

double damping_power(const System& system, const VectorX& q, const VectorX& v) {
  double power = 0;
  for (const auto& spring : system.axis_springs) {
    const double rate = spring.rate(v);
    power += spring.damping * rate * rate;
  }
  for (const auto& spring : system.distance_springs) {
    if (spring.damping == 0) continue;
    const double rate = spring_rate(spring, spring_line(spring, q), v);
    power += spring.damping * rate * rate;
  }
  return power;
}

double load_work(const System& system, double t, const VectorX& displacement) {
  double work = system.constant_load.dot(displacement);
  for (const auto& load : system.loads)
    for (int axis = 0; axis < 3; ++axis)
      if (load.point.dof[axis] >= 0) work += load.value[axis].value(t) * displacement[load.point.dof[axis]];
  return work;
}

}  // namespace percuss
