#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/chart.h"
#include "percuss/dynamics/energies.h"
#include "percuss/dynamics/forces.h"
#include "support/models.h"

/// Solids in floating frames: kinematics, forces and energies.  docs/theory/floating_frame.md
namespace percuss {
namespace {

Solid floating_block(RotationalForces forces, bool plane = false) {
  Solid body;
  body.name = "block";
  body.material = "soft";
  body.formulation = SolidFormulation::floating;
  body.rotational_forces = forces;
  MeshBox box;
  box.corner = {0.3, -0.2, plane ? 0.0 : 0.1};
  box.size = {0.6, 0.4, plane ? 0.0 : 0.3};
  box.divisions = {2, 1, 1};
  box.cells = plane ? MeshCell::quad4 : MeshCell::hex8;
  body.mesh.box = box;
  body.masses = {{"0", 3.0}};  // so that the principal axes are not those of the mesh
  return body;
}

System build(const Solid& body, const Vector3& gravity = {0.3, -9.81, 1}) {
  Model model;
  Material soft;
  soft.density = 900;
  soft.young = 2e5;
  soft.poisson = 0.3;
  model.materials = {{"soft", soft}};
  model.gravity = gravity;
  model.bodies = {body};
  return build_system(model);
}

/// Smooth numbers without a pattern.
VectorX waves(Eigen::Index size, double size_of_them, double phase) {
  VectorX x(size);
  for (Eigen::Index i = 0; i < size; ++i) x[i] = size_of_them * std::sin(phase + 1.7 * double(i * i + i));
  return x;
}

/// A turned and deformed configuration.
VectorX some_place(const System& system) {
  VectorX q = system.initial.q;
  retract(system, waves(system.dof_count(), 0.3, 0.4), q);
  return q;
}

/// Nodes of one frame after those of another, and bodies without a frame.
TEST(FloatingFrame, SomeBodiesArePlacedAsAllAre) {
  const System system = build(floating_block(RotationalForces::full));
  const VectorX q = some_place(system), v = waves(system.dof_count(), 1, 0.2);
  Kinematics all = make_kinematics(system), some = make_kinematics(system);
  update(system, q, v, 0.1, all);
  std::vector<int> bodies;
  for (int b = 0; b < static_cast<int>(system.bodies.size()); ++b)
    if (system.bodies[static_cast<size_t>(b)].kind == BodyKind::floating && b % 2 == 0) bodies.push_back(b);
  ASSERT_GT(bodies.size(), 3);
  update_some(system, bodies, q, v, 0.1, some);
  for (const int b : bodies) {
    EXPECT_LT((some.of(b).x - all.of(b).x).norm(), 1e-15);
    EXPECT_LT((some.of(b).v - all.of(b).v).norm(), 1e-15);
    EXPECT_EQ(some.of(b).R, all.of(b).R);
  }
}

struct At {
  At(const System& system, const VectorX& q, const VectorX& v) : kinematics(make_kinematics(system)) {
    update(system, q, v, 0, kinematics);
  }
  Kinematics kinematics;
};

class Floating : public ::testing::TestWithParam<RotationalForces> {};

TEST_P(Floating, ARigidIncrementOfAnySizeDeformsNothing) {
  for (const bool plane : {false, true}) {
    const System system = build(floating_block(GetParam(), plane));
    const FloatingFrame& frame = system.floating[0];
    VectorX q = system.initial.q;
    const Vector3 turn = plane ? Vector3(0, 0, 1.3) : Vector3(0.4, -0.9, 1.3);
    const Vector3 step = plane ? Vector3(0.2, 0.5, 0) : Vector3(0.2, 0.5, -1);
    const VectorX increment = frame.rigid.leftCols<3>() * step + frame.rigid.rightCols<3>() * turn;
    for (int k = 0; k < 5; ++k) retract(system, increment, q);
    EXPECT_LT(frame.of(q).lpNorm<Eigen::Infinity>(), 1e-14);
    EXPECT_GT((frame.place(q) - frame.origin).norm(), 0.1);
    EXPECT_NEAR(frame.attitude(q).norm(), 1, 1e-15);
  }
}

TEST_P(Floating, TheIncrementBetweenTwoPlacesLeadsFromOneToTheOther) {
  const System system = build(floating_block(GetParam()));
  const VectorX from = some_place(system), by = waves(system.dof_count(), 0.2, 2.1);
  VectorX to = from, found(system.dof_count());
  retract(system, by, to);
  difference(system, from, to, found);
  EXPECT_LT((found - by).lpNorm<Eigen::Infinity>(), 1e-14);
}

TEST_P(Floating, AChartMovesWithTheVelocities) {
  for (const bool plane : {false, true}) {
    const System system = build(floating_block(GetParam(), plane));
    const VectorX from = some_place(system), v = waves(system.dof_count(), 1, 0.9);
    VectorX x = waves(chart_size(system), 0.2, 2.1), rate(x.size()), q, ahead, behind, flow_ahead,
            flow_behind;
    if (plane) x.tail<6>() << 0.1, -0.2, 0, 0, 0, 0.3;
    move_by_chart(system, from, x, q);
    chart_rate(system, q, x, v, rate);
    constexpr double step = 1e-5;
    move_by_chart(system, from, x + step * rate, ahead);
    move_by_chart(system, from, x - step * rate, behind);
    flow_ahead = flow_behind = q;
    retract(system, step * v, flow_ahead);
    retract(system, -step * v, flow_behind);
    const VectorX by_chart = (ahead - behind) / (2 * step), by_flow = (flow_ahead - flow_behind) / (2 * step);
    EXPECT_LT((by_chart - by_flow).lpNorm<Eigen::Infinity>(), 1e-8);
    EXPECT_EQ(largest_rotation(system, x), x.tail<3>().norm());
  }
}

TEST_P(Floating, NodesMoveWithTheirVelocities) {
  // In the undeformed body, or with all terms; the reduced form leaves omega x psi out.
  const System system = build(floating_block(GetParam()));
  VectorX q = system.initial.q;
  if (GetParam() == RotationalForces::full)
    q = some_place(system);
  else
    retract(system, system.floating[0].rigid.rightCols<3>() * Vector3(0.4, -0.9, 1.3), q);
  const VectorX v = waves(system.dof_count(), 1, 0.9);
  constexpr double step = 1e-5;
  VectorX ahead = q, behind = q;
  retract(system, step * v, ahead);
  retract(system, -step * v, behind);
  const At here(system, q, v), there(system, ahead, v), before(system, behind, v);
  const FlexibleData& flexible = system.flexibles[0];
  for (int node = flexible.first_node; node < flexible.first_node + flexible.node_count(); ++node) {
    const Vector3 rate = (there.kinematics.of(node).x - before.kinematics.of(node).x) / (2 * step);
    EXPECT_LT((rate - here.kinematics.of(node).v).norm(), 1e-9) << node;
    const auto J = jacobian(system.bodies[node], here.kinematics.of(node), {node, Vector3::Zero()});
    Vector3 w;
    for (int axis = 0; axis < 3; ++axis) w[axis] = v[system.bodies[node].dof[axis]];
    EXPECT_LT((J * w - here.kinematics.of(node).v).norm(), 1e-14) << node;
  }
}

TEST_P(Floating, TheFrameHasTheMomentumOfTheBody) {
  const System system = build(floating_block(GetParam()));
  const FloatingFrame& frame = system.floating[0];
  const VectorX v = waves(system.dof_count(), 1, 0.9);
  VectorX p(system.dof_count());
  At at(system, system.initial.q, v);
  multiply_mass(system, system.initial.q, v, at.kinematics, p);
  Vector3 momentum = Vector3::Zero(), spin = Vector3::Zero();
  for (int a = 0; a < frame.rest.cols(); ++a) {
    momentum += p.segment<3>(frame.first + 3 * a);
    spin += frame.rest.col(a).cross(p.segment<3>(frame.first + 3 * a));
  }
  const FrameMotion motion = frame_motion(frame, v);
  EXPECT_LT((frame.mass * motion.v - momentum).norm(), 1e-12);
  EXPECT_LT((frame.inertia * motion.omega - spin).norm(), 1e-12);
  EXPECT_NEAR(frame.mass, 900 * 0.6 * 0.4 * 0.3 + 3, 1e-10);
}

TEST_P(Floating, WeightActsAtTheCentreOfMassOnly) {
  const System system = build(floating_block(GetParam()));
  const FloatingFrame& frame = system.floating[0];
  VectorX q = system.initial.q;
  retract(system, frame.rigid.rightCols<3>() * Vector3(0.4, -0.9, 1.3), q);
  const VectorX v = VectorX::Zero(system.dof_count());
  At at(system, q, v);
  VectorX f(system.dof_count());
  evaluate_force(system, q, v, 0, at.kinematics, f);
  const Vector3 force = frame.rigid.leftCols<3>().transpose() * f;
  const Vector3 moment = frame.rigid.rightCols<3>().transpose() * f;
  EXPECT_LT((frame.attitude(q) * force - frame.mass * system.gravity).norm(), 1e-10);
  EXPECT_LT(moment.norm(), 1e-10);
}

/// The rotational forces of the deformed body do no work; those of the undeformed one work on the
/// deformation.
TEST_P(Floating, ForcesTakeFromKineticEnergyWhatTheyGiveToTheOthers) {
  const System system = build(floating_block(GetParam()));
  const VectorX q = GetParam() == RotationalForces::full ? some_place(system) : system.initial.q;
  const VectorX v = waves(system.dof_count(), 1, 0.9);
  At at(system, q, v);
  VectorX f(system.dof_count());
  evaluate_force(system, q, v, 0, at.kinematics, f);
  const auto energy = [&](double step) {
    VectorX moved = q;
    retract(system, step * v, moved);
    At there(system, moved, v);
    return potential_energy(system, moved, there.kinematics) + strain_energy(system, moved, there.kinematics);
  };
  const double rate = (energy(1e-5) - energy(-1e-5)) / 2e-5;
  double work = 0;
  if (GetParam() == RotationalForces::reduced) {
    const FloatingFrame& frame = system.floating[0];
    const FrameMotion motion = frame_motion(frame, v);
    const VectorX local =
        frame.of(v) - frame.rigid.leftCols<3>() * motion.v - frame.rigid.rightCols<3>() * motion.omega;
    const Matrix3 square = skew(motion.omega) * skew(motion.omega);
    work = -local.dot(frame.linear_momenta * square.reshaped());
  }
  EXPECT_NEAR(f.dot(v), work - rate, 1e-6 * std::abs(rate));
}

INSTANTIATE_TEST_SUITE_P(Frames, Floating,
                         ::testing::Values(RotationalForces::full, RotationalForces::reduced),
                         [](const auto& given) { return std::string(enum_name(given.param)); });

}  // namespace
}  // namespace percuss
