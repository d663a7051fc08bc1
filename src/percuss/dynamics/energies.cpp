#include "percuss/dynamics/energies.h"

#include "percuss/dynamics/forces.h"

namespace percuss {

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
  double energy = 0;
  for (size_t s = 0; s < system.user_systems.size(); ++s)
    energy += kinematics.user_systems[s].potential_energy(q);
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

bool needs_placements_for_energies(const System& system) {
  return !system.distance_springs.empty() || !system.coordinate_springs.empty();
}

double strain_energy(const System& system, const VectorX& q, Kinematics& kinematics) {
  double energy = 0;
  for (const auto& spring : system.axis_springs) {
    const double elongation = spring.elongation(q);
    energy += 0.5 * spring.stiffness * elongation * elongation;
  }
  for (const auto& spring : system.distance_springs) {
    const double elongation = spring_line(spring, kinematics).length - spring.rest_length;
    energy += 0.5 * spring.stiffness * elongation * elongation;
  }
  for (const auto& spring : system.coordinate_springs) {
    double c[6];
    const auto n = static_cast<Eigen::Index>(spring.functions.size());
    for (Eigen::Index i = 0; i < n; ++i)
      c[i] = evaluate(spring.functions[static_cast<size_t>(i)], kinematics);
    for (Eigen::Index i = 0; i < n; ++i) {
      energy += spring.preload[i] * c[i];
      for (Eigen::Index j = 0; j < n; ++j) energy += 0.5 * c[i] * spring.stiffness(i, j) * c[j];
    }
  }
  energy += system.constant.linear_energy(q, kinematics.displacement);
  for (const auto& beam : system.planar_beams) energy += beam.energy(beam.gather(q));
  for (const auto& beam : system.spatial_beams) energy += beam.energy(beam.gather(system.bodies, q, q));
  for (const auto& set : system.solids)
    for (int e = 0; e < set.group.element_count() && !set.group.is_linear(); ++e) {
      double x[SolidSet::max_dofs];
      set.gather(e, q, x);
      energy += set.group.energy(e, x);
    }
  return energy;
}

double damping_power(const System& system, const VectorX& q, const VectorX& v, Kinematics& kinematics) {
  double power = 0;
  power += system.constant.damping_power(v, kinematics.displacement);
  for (const auto& beam : system.planar_beams)
    if (beam.viscosity > 0) power += beam.damping_power(beam.gather(q), beam.velocity(v));
  for (const auto& beam : system.spatial_beams)
    if (beam.viscosity > 0) power += beam.damping_power(beam.gather(system.bodies, q, v));
  for (const auto& set : system.solids) {
    if (set.group.is_linear() || set.group.options().viscosity == 0) continue;
    for (int e = 0; e < set.group.element_count(); ++e) {
      double x[SolidSet::max_dofs], rates[SolidSet::max_dofs];
      set.gather(e, q, x);
      set.gather_velocity(e, v, rates);
      power += set.group.damping_power(e, x, rates);
    }
  }
  for (const auto& spring : system.axis_springs) {
    const double rate = spring.rate(v);
    power += spring.damping * rate * rate;
  }
  for (const auto& spring : system.distance_springs) {
    if (spring.damping == 0) continue;
    const double rate = spring_line(spring, kinematics).rate();
    power += spring.damping * rate * rate;
  }
  for (const auto& spring : system.coordinate_springs) {
    double c[6];
    const auto n = static_cast<Eigen::Index>(spring.functions.size());
    for (Eigen::Index i = 0; i < n; ++i) c[i] = rate(spring.functions[static_cast<size_t>(i)], kinematics);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) power += c[i] * spring.damping(i, j) * c[j];
  }
  return power;
}

double prescribed_power(const System& system, const Kinematics& kinematics) {
  const auto velocity = [&](const Attached& end) -> Vector3 {
    const bool is_frame = end.body >= 0 && system.bodies[end.body].kind == BodyKind::frame;
    return is_frame ? end.rate(kinematics.of(end.body)) : Vector3::Zero();
  };
  double power = 0;
  for (const auto& spring : system.distance_springs) {
    const Vector3 moved = velocity(spring.to) - velocity(spring.from);
    if (!moved.isZero(0)) power -= spring_force(spring, spring_line(spring, kinematics)).dot(moved);
  }
  for (const auto& spring : system.coordinate_springs) {
    double value[6], rates[6], tension[6];
    coordinate_spring_state(spring, kinematics, value, rates, tension);
    for (size_t i = 0; i < spring.functions.size(); ++i)
      power += tension[i] * prescribed_rate(spring.functions[i], system.bodies, kinematics);
  }
  return power;
}

}  // namespace percuss
