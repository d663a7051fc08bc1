#include "percuss/dynamics/forces.h"

#include <algorithm>

#include "percuss/dynamics/solid_forces.h"

namespace percuss {
namespace {

constexpr int pair_slots = 2 * max_slots;  ///< what a force between two bodies can depend on
using PairBlock = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, pair_slots, pair_slots>;

void scatter(const BodyData& body, const Attached& point, const Placement& placement, const Vector3& force,
             VectorX& f) {
  if (body.kind == BodyKind::translating) {
    for (int axis = 0; axis < 3; ++axis)
      if (body.dof[axis] >= 0) f[body.dof[axis]] += force[axis];
    return;
  }
  const auto generalised = (jacobian(body, placement, point).transpose() * force).eval();
  for (int slot = 0; slot < generalised.size(); ++slot)
    if (body.dof[slot] >= 0) f[body.dof[slot]] += generalised[slot];
}

void add_distance_springs(const System& system, const Kinematics& kinematics, VectorX& f) {
  for (const auto& spring : system.distance_springs) {
    const Vector3 force = spring_force(spring, spring_line(spring, kinematics));
    if (spring.to.body >= 0)
      scatter(system.bodies[spring.to.body], spring.to, kinematics.of(spring.to.body), force, f);
    if (spring.from.body >= 0)
      scatter(system.bodies[spring.from.body], spring.from, kinematics.of(spring.from.body), -force, f);
  }
}

constexpr int max_functions = 6;

void add_coordinate_springs(const System& system, const Kinematics& kinematics, VectorX& f) {
  double value[max_functions], rates[max_functions], tension[max_functions], columns[pair_slots];
  for (const auto& spring : system.coordinate_springs) {
    coordinate_spring_state(spring, kinematics, value, rates, tension);
    for (size_t i = 0; i < spring.functions.size(); ++i) {
      const ScalarFunction& function = spring.functions[i];
      gradient(function, system.bodies, kinematics, columns);
      for (int c = 0; c < function.columns(); ++c)
        if (function.dof[c] >= 0) f[function.dof[c]] -= tension[i] * columns[c];
    }
  }
}

template <class Force>
void scatter_element(const Force& force, const int* dof, VectorX& f) {
  for (int i = 0; i < force.size(); ++i)
    if (dof[i] >= 0) f[dof[i]] += force[i];
}

void add_slender_elements(const System& system, const VectorX& q, const VectorX& v, VectorX& f) {
  for (const auto& beam : system.planar_beams)
    scatter_element(beam.force(beam.gather(q), beam.velocity(v)), beam.dof.data(), f);
  for (const auto& beam : system.spatial_beams)
    scatter_element(beam.force(beam.gather(system.bodies, q, v)), beam.dof.data(), f);
  for (const auto& coupling : system.spin_couplings) coupling.add_force(v, f);
}

template <class Visit>
void for_each_solid_tangent(const SolidSet& set, const VectorX& q, const VectorX& v, double* work,
                            Visit&& visit) {
  const int n = set.dofs();
  double x[SolidSet::max_dofs], rates[SolidSet::max_dofs];
  Eigen::Map<MatrixX> K(work, n, n), C(work + n * n, n, n);
  for (int e = 0; e < set.group.element_count(); ++e) {
    set.gather(e, q, x);
    set.gather_velocity(e, v, rates);
    set.group.tangents(e, x, rates, K, C);
    visit(set.slots_of(e), set.dofs_of(e), n, K, C);
  }
}

/// Visits every block of the tangents: visit(slots or dofs, block of K, block of C). A block is dense over
/// the listed coordinates, of which some may be -1. Linear elements are not among them. One place for what
/// assembly and tests both need.
template <class Visit>
void for_each_tangent(const System& system, const VectorX& q, const VectorX& v, double t,
                      Kinematics& kinematics, bool with_elastic_solids, Visit&& visit) {
  for (const auto& set : system.solids)
    if (!set.group.is_linear() && (with_elastic_solids || set.group.options().viscosity > 0))
      for_each_solid_tangent(set, q, v, kinematics.scratch.data(), visit);
  for (size_t s = 0; s < system.axis_springs.size(); ++s) {
    const auto& spring = system.axis_springs[s];
    using Vector6 = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
    const Vector6 direction = Eigen::Map<const VectorX>(spring.coefficient.data(), spring.count);
    const auto square = (direction * direction.transpose()).eval();
    visit(system.axis_slots[s].slot.data(), spring.dof.data(), spring.count, spring.stiffness * square,
          spring.damping * square);
  }
  for (size_t s = 0; s < system.distance_springs.size(); ++s) {
    const auto& spring = system.distance_springs[s];
    const SpringLine line = spring_line(spring, kinematics);
    const SpringTangents tangents = spring_tangents(spring, line);
    const Vector3 force = spring_force(spring, line);
    // d(force on `to`) = -K (J_to dq - J_from dq) - C (...) and the turning of the Jacobians.
    std::array<int, pair_slots> dof{};
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, pair_slots> J(3, pair_slots), Jdot;
    PairBlock K, C, turning = PairBlock::Zero(pair_slots, pair_slots);
    Jdot.setZero(3, pair_slots);
    int n = 0;
    for (const bool is_to : {true, false}) {
      const Attached& end = is_to ? spring.to : spring.from;
      if (end.body < 0 || system.bodies[end.body].kind == BodyKind::frame) continue;
      const BodyData& body = system.bodies[end.body];
      const Placement& placement = kinematics.of(end.body);
      const double sign = is_to ? 1.0 : -1.0;
      const int count = body.slot_count();
      J.middleCols(n, count) = sign * jacobian(body, placement, end);
      Jdot.middleCols(n, count) = sign * jacobian_rate(body, placement, end);
      turning.block(n, n, count, count) = jacobian_tangent(body, placement, end, sign * force);
      for (int i = 0; i < count; ++i) dof[n + i] = body.dof[i];
      n += count;
    }
    const auto Jn = J.leftCols(n);
    K = Jn.transpose() * (tangents.K * Jn + tangents.C * Jdot.leftCols(n)) - turning.topLeftCorner(n, n);
    C = Jn.transpose() * tangents.C * Jn;
    visit(system.distance_slots[s].slot.data(), dof.data(), n, K, C);
  }
  for (size_t s = 0; s < system.coordinate_springs.size(); ++s) {
    const auto& spring = system.coordinate_springs[s];
    const int n = spring.columns(), m = static_cast<int>(spring.functions.size());
    double value[max_functions], rates[max_functions], tension[max_functions];
    coordinate_spring_state(spring, kinematics, value, rates, tension);
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_functions, pair_slots>;
    Rows G(m, n), rate_tangent(m, n);
    PairBlock K = PairBlock::Zero(n, n), C;
    Eigen::Matrix<double, Eigen::Dynamic, 1, 0, pair_slots, 1> columns(n);
    for (int i = 0; i < m; ++i) {
      gradient(spring.functions[i], system.bodies, kinematics, columns.data());
      G.row(i) = columns.transpose();
      Eigen::Map<MatrixX> second(kinematics.scratch.data(), n, n);
      second.setZero();
      add_second_derivative(spring.functions[i], system.bodies, kinematics, 1.0, second);
      K += tension[i] * second;
      rate_gradient(spring.functions[i], system.bodies, kinematics, columns.data());
      rate_tangent.row(i) = columns.transpose();
    }
    K += G.transpose() * (spring.stiffness * G + spring.damping * rate_tangent);
    C = G.transpose() * spring.damping * G;
    visit(system.coordinate_slots[s].slot.data(), spring.functions[0].dof.data(), n, K, C);
  }
  for (size_t k = 0; k < system.gyroscopic_slots.size(); ++k) {
    // f = -omega x J omega.
    const BodyData& body = system.bodies[system.rotating_bodies[k]];
    const Vector3 omega = v.segment<3>(body.dof[3]);
    const Matrix3 C = skew(omega) * body.inertia - skew(body.inertia * omega);
    visit(system.gyroscopic_slots[k].slot.data(), &body.dof[3], 3, Matrix3::Zero().eval(), C);
  }
  for (size_t e = 0; e < system.planar_beams.size(); ++e) {
    const PlanarBeam& beam = system.planar_beams[e];
    PlanarBeam::Matrix6 K, C;
    beam.tangents(beam.gather(q), beam.velocity(v), K, C);
    visit(system.planar_beam_slots[e].slot.data(), beam.dof.data(), 6, K, C);
  }
  for (size_t e = 0; e < system.spatial_beams.size(); ++e) {
    const SpatialBeam& beam = system.spatial_beams[e];
    SpatialBeam::Matrix12 K, C;
    beam.tangents(beam.gather(system.bodies, q, v), K, C);
    visit(system.spatial_beam_slots[e].slot.data(), beam.dof.data(), 12, K, C);
  }
  for (size_t k = 0; k < system.spin_couplings.size(); ++k) {
    const SpinCoupling& coupling = system.spin_couplings[k];
    const SpinCoupling::Tangent C = coupling.damping(v);
    visit(system.spin_slots[k].slot.data(), coupling.dof.data(), coupling.dofs(),
          SpinCoupling::Tangent::Zero(C.rows(), C.cols()).eval(), C);
  }
  size_t load_block = 0;
  for (const auto& load : system.loads.attached) {
    const BodyData& body = system.bodies[load.point.body];
    const SlotMatrix K = load_tangent(load, body, kinematics.of(load.point.body), t);
    visit(system.load_slots[load_block++].slot.data(), body.dof.data(), static_cast<int>(K.rows()), K,
          SlotMatrix::Zero(K.rows(), K.cols()).eval());
  }
  for (const auto& load : system.loads.coordinate) {
    const int n = load.function.columns();
    Eigen::Map<MatrixX> second(kinematics.scratch.data(), n, n);
    second.setZero();
    add_second_derivative(load.function, system.bodies, kinematics, -load.value.value(t), second);
    visit(system.load_slots[load_block++].slot.data(), load.function.dof.data(), n, second,
          PairBlock::Zero(n, n).eval());
  }
  for (size_t s = 0; s < system.user_systems.size(); ++s) {
    UserSystemCalls& calls = kinematics.user_systems[s];
    calls.tangents(q, v, t);
    visit(system.user_slots[s].slot.data(), system.user_dofs[s].data(), system.user_systems[s].size,
          calls.stiffness(), calls.damping());
  }
}

template <class Block>
void add_symmetric(const BlockSlots& slots, const Block& block, double* values) {
  const int* slot = slots.slot.data();
  for (int i = 0; i < block.rows(); ++i)
    for (int j = 0; j < block.cols(); ++j, ++slot)
      if (*slot >= 0) values[*slot] += 0.5 * (block(i, j) + block(j, i));
}

/// All forces but those of the constant matrices, and of floating frames.
void evaluate_without_constant(const System& system, const VectorX& q, const VectorX& v, double t,
                               Kinematics& kinematics, VectorX& f) {
  f = system.gravity_force;
  if (!system.loads.empty()) add_loads(system.loads, system.bodies, kinematics, t, f);
  for (const auto& spring : system.axis_springs) {
    const double pull = spring.stiffness * spring.elongation(q) + spring.damping * spring.rate(v);
    for (int i = 0; i < spring.count; ++i) f[spring.dof[i]] -= spring.coefficient[i] * pull;
  }
  add_distance_springs(system, kinematics, f);
  add_coordinate_springs(system, kinematics, f);
  for (const int b : system.rotating_bodies) {
    const BodyData& body = system.bodies[b];
    const Vector3 omega = v.segment<3>(body.dof[3]);
    f.segment<3>(body.dof[3]) -= omega.cross(body.inertia * omega);
  }
  add_slender_elements(system, q, v, f);
  for (const auto& set : system.solids)  // linear ones are in the constant matrices
    if (!set.group.is_linear()) add_solid_forces(set, q, v, system.workers.get(), kinematics.scratch, f);
  for (size_t s = 0; s < system.user_systems.size(); ++s)
    f.segment(system.user_systems[s].first, system.user_systems[s].size) +=
        kinematics.user_systems[s].force(q, v, t);
}

}  // namespace

void evaluate_force(const System& system, const VectorX& q, const VectorX& v, double t,
                    Kinematics& kinematics, VectorX& f) {
  evaluate_without_constant(system, q, v, t, kinematics, f);
  if (system.floating.empty()) return system.constant.add_linear_force(q, v, kinematics.displacement, f);
  VectorX& internal = kinematics.internal_force;
  internal.setZero();
  system.constant.add_elastic_force(q, kinematics.displacement, internal);
  f += internal;
  if (!system.constant.damping.empty()) system.constant.damping.product.add(-1, v, f);
  add_frame_forces(system, q, v, internal, kinematics, f);
}

void evaluate_force_without_frames(const System& system, const VectorX& q, const VectorX& v, double t,
                                   Kinematics& kinematics, VectorX& f) {
  evaluate_without_constant(system, q, v, t, kinematics, f);
  system.constant.add_linear_force(q, v, kinematics.displacement, f);
}

void evaluate_force_in_frames(const System& system, const VectorX& q, const VectorX& v, double t,
                              Kinematics& kinematics, const std::vector<bool>& with_moments, VectorX& f) {
  evaluate_force_without_frames(system, q, v, t, kinematics, f);
  if (system.floating.empty()) return;
  if (std::ranges::find(with_moments, true) != with_moments.end()) {
    kinematics.internal_force.setZero();
    system.constant.add_elastic_force(q, kinematics.displacement, kinematics.internal_force);
  }
  for (size_t k = 0; k < system.floating.size(); ++k) {
    const FloatingFrame& frame = system.floating[k];
    add_frame_weight(system, frame, frame.attitude(q).toRotationMatrix(), f);
    if (with_moments[k]) add_frame_moment(system, frame, q, kinematics.internal_force, f);
  }
}

void assemble_iteration_matrix(const System& system, const VectorX& q, const VectorX& v, double t, double c,
                               double k, Kinematics& kinematics, SparseMatrix& A) {
  double* values = A.valuePtr();
  std::fill(values, values + A.nonZeros(), 0.0);
  for (int i = 0; i < system.dof_count(); ++i) values[system.mass_slot[i]] = system.mass[i];
  for (size_t b = 0; b < system.mass_blocks.size(); ++b)
    add_symmetric(system.mass_block_slots[b], system.mass_blocks[b].values, values);
  for (size_t s = 0; s < system.user_systems.size(); ++s)
    add_symmetric(system.user_slots[s], kinematics.user_systems[s].mass(q), values);
  system.constant.mass.add_to(1, values);
  if (c == 0 && k == 0) return;
  system.constant.stiffness.add_to(k, values);
  system.constant.damping.add_to(c, values);
  for (const auto& set : system.solids)
    if (!set.group.is_linear() && set.group.options().viscosity == 0)
      add_solid_stiffness(set, q, k, system.workers.get(), kinematics.scratch, values);
  for_each_tangent(system, q, v, t, kinematics, false,
                   [&](const int* slot, const int*, int, const auto& K, const auto& C) {
                     for (int i = 0; i < K.rows(); ++i)
                       for (int j = 0; j < K.cols(); ++j, ++slot)
                         if (*slot >= 0)
                           values[*slot] += 0.5 * (k * (K(i, j) + K(j, i)) + c * (C(i, j) + C(j, i)));
                   });
}

void dense_tangents(const System& system, const VectorX& q, const VectorX& v, double t,
                    Kinematics& kinematics, MatrixX& K, MatrixX& C) {
  K.setZero(system.dof_count(), system.dof_count());
  C.setZero(system.dof_count(), system.dof_count());
  system.constant.stiffness.add_to(K);
  system.constant.damping.add_to(C);
  for_each_tangent(system, q, v, t, kinematics, true,
                   [&](const int*, const int* dof, int n, const auto& block_K, const auto& block_C) {
                     for (int i = 0; i < n; ++i)
                       for (int j = 0; j < n; ++j) {
                         if (dof[i] < 0 || dof[j] < 0) continue;
                         K(dof[i], dof[j]) += block_K(i, j);
                         C(dof[i], dof[j]) += block_C(i, j);
                       }
                   });
}

void multiply_mass(const System& system, const VectorX& q, const VectorX& x, Kinematics& kinematics,
                   VectorX& y) {
  y = system.mass.cwiseProduct(x);
  if (!system.constant.mass.empty()) system.constant.mass.product.add(1, x, y);
  for (const auto& block : system.mass_blocks)
    for (size_t i = 0; i < block.dof.size(); ++i)
      for (size_t j = 0; j < block.dof.size(); ++j)
        y[block.dof[i]] +=
            block.values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * x[block.dof[j]];
  for (size_t s = 0; s < system.user_systems.size(); ++s) {
    const auto& user = system.user_systems[s];
    y.segment(user.first, user.size).noalias() +=
        kinematics.user_systems[s].mass(q) * x.segment(user.first, user.size);
  }
}

}  // namespace percuss
