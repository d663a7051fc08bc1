#include <gtest/gtest.h>

#include "percuss/dynamics/consistent_start.h"
#include "percuss/math/least_norm_solve.h"
#include "support/dynamics_probe.h"
#include "support/models.h"

namespace percuss {
namespace {

using testing::DynamicsProbe;
using testing::slope;

Expression formula(const std::string& text) {
  Expression::Options options;
  options.allow_time = true;
  return Expression::parse(text, options);
}

RigidBody rigid(const std::string& name, const Vector3& position, const Vector3& axis, double angle,
                Coordinates coordinates = Coordinates::manifold) {
  RigidBody body;
  body.name = name;
  body.mass = 1.7;
  body.inertia = Vector3(0.3, 0.4, 0.55);
  body.products = Vector3(0.02, -0.03, 0.01);
  body.position = position;
  const Quaternion q = exp_rotation(angle * axis.normalized());
  body.orientation = {q.w(), q.x(), q.y(), q.z()};
  body.coordinates = coordinates;
  body.points = {{"tip", {0.3, -0.2, 0.5}}};
  return body;
}
PlanarBody planar(const std::string& name, const Vector3& position, double angle) {
  PlanarBody body;
  body.name = name;
  body.mass = 0.8;
  body.inertia = 0.2;
  body.position = position;
  body.angle = angle;
  body.points = {{"tip", {0.4, 0.1, 0}}};
  return body;
}

/// A spatial, a natural and a planar body, a particle and a moving frame.
Model every_body() {
  Model model = testing::steel_model(0);
  model.gravity = {0.2, -0.3, -9.81};
  model.bodies = {rigid("s", {0, 0, 0}, {1, 2, 3}, 0.7),
                  rigid("n", {1, 0.5, 0.2}, {-1, 1, 0.5}, 1.1, Coordinates::natural),
                  planar("p", {-1, 0.4, 0.1}, 0.6),
                  testing::particle("m", 0.5, Translations::xyz, {0.3, -1, 0.4})};
  MovingFrame frame;
  frame.name = "base";
  frame.position = {formula("0.3*sin(2*t)"), formula("t^2"), formula("1")};
  frame.axis = {0.3, 1, -0.2};
  frame.angle = formula("0.8*sin(3*t)");
  frame.points = {{"corner", {0.2, 0.1, -0.4}}};
  model.frames = {frame};
  return model;
}

template <class J>
J joint(const std::string& name, const std::string& body, const std::string& to) {
  J j;
  j.name = name;
  j.body = body;
  j.to = to;
  j.at = Vector3(0.4, 0.3, -0.2);
  j.axis = Vector3(0.5, -1, 0.7);
  j.second_axis = Vector3(0.5, -1, 0.7).cross(Vector3(1, 0, 0.4));
  return j;
}

/// Every kind of joint between several pairs of bodies, drives and gears included.
std::vector<Joint> every_joint(const std::string& body, const std::string& to) {
  std::vector<Joint> joints;
  const auto name = [&](const char* kind) { return std::string(kind) + "_" + body + "_" + to; };
  joints.emplace_back(joint<JointOf<JointKind::fixed>>(name("fixed"), body, to));
  auto hinge = joint<JointOf<JointKind::hinge>>(name("hinge"), body, to);
  hinge.drive = Drive{formula("0.3*t + t^3"), {}, {}};
  joints.emplace_back(hinge);
  auto slider = joint<JointOf<JointKind::slider>>(name("slider"), body, to);
  slider.drive = Drive{{}, formula("cos(t)"), {}};
  joints.emplace_back(slider);
  joints.emplace_back(joint<JointOf<JointKind::cylindrical>>(name("cylindrical"), body, to));
  joints.emplace_back(joint<JointOf<JointKind::ball>>(name("ball"), body, to));
  joints.emplace_back(joint<JointOf<JointKind::universal>>(name("universal"), body, to));
  joints.emplace_back(joint<JointOf<JointKind::planar_joint>>(name("plane"), body, to));
  auto rod = joint<JointOf<JointKind::distance>>(name("distance"), body, to);
  rod.at.reset();
  rod.body_point = Vector3(0.1, 0.2, 0.3);
  rod.to_point = Vector3(2, -0.3, 0.5);
  rod.length = formula("1 + 0.1*sin(t)");
  joints.emplace_back(rod);
  joints.emplace_back(joint<JointOf<JointKind::point_on_line>>(name("line"), body, to));
  joints.emplace_back(joint<JointOf<JointKind::point_on_plane>>(name("onplane"), body, to));
  auto screw = joint<JointOf<JointKind::screw>>(name("screw"), body, to);
  screw.pitch = 0.2;
  joints.emplace_back(screw);
  Gear gear;
  gear.name = name("gear");
  gear.joints = {name("hinge"), name("slider")};
  gear.ratio = 1.7;
  joints.emplace_back(gear);
  return joints;
}

Model jointed_model() {
  Model model = every_body();
  for (const auto& [body, to] : {std::pair("s", "ground"), {"s", "n"}, {"n", "base"}, {"s", "p"}})
    for (auto& j : every_joint(body, to)) model.joints.push_back(std::move(j));
  model.joints.emplace_back(joint<JointOf<JointKind::ball>>("hook", "m", "s"));
  // The planar counterparts.
  const auto in_plane = [&](auto j, const Vector3& axis) {
    j.axis = axis;
    model.joints.emplace_back(std::move(j));
  };
  const Vector3 along(0.6, 0.8, 0), z(0, 0, 1);
  in_plane(joint<JointOf<JointKind::fixed>>("fixed_p", "p", "ground"), z);
  in_plane(joint<JointOf<JointKind::hinge>>("hinge_p", "p", "ground"), z);
  in_plane(joint<JointOf<JointKind::slider>>("slider_p", "p", "ground"), along);
  in_plane(joint<JointOf<JointKind::ball>>("ball_p", "p", "ground"), z);
  in_plane(joint<JointOf<JointKind::point_on_line>>("line_p", "p", "ground"), along);
  in_plane(joint<JointOf<JointKind::point_on_plane>>("onplane_p", "p", "ground"), along);
  return model;
}

constexpr double t0 = 0.37;

TEST(Joints, JacobianIsTheDerivativeOfTheConstraint) {
  const System system = build_system(jointed_model());
  DynamicsProbe probe(system);
  for (int trial = 0; trial < 3; ++trial) {
    const VectorX q = probe.random_configuration(0.3), d = VectorX::Random(probe.dofs());
    const VectorX expected = slope(probe, q, d, [&](const VectorX& x) { return probe.constraints(x, t0); });
    const VectorX found = probe.constraint_matrix(q, t0) * d;
    for (int i = 0; i < found.size(); ++i) {
      if (system.joints.rows[i].speed_only) continue;
      EXPECT_NEAR(found[i], expected[i], 2e-11) << system.joints.rows[i].what;
    }
  }
}

TEST(Joints, SecondDerivativeIsTheDerivativeOfTheJacobian) {
  const System system = build_system(jointed_model());
  DynamicsProbe probe(system);
  const VectorX q = probe.random_configuration(0.3), d = VectorX::Random(probe.dofs());
  for (int row = 0; row < system.constraint_count(); ++row) {
    const VectorX expected = slope(probe, q, d, [&](const VectorX& x) -> VectorX {
      return probe.constraint_matrix(x, t0).row(row).transpose();
    });
    EXPECT_LT((probe.second_derivative(q, t0, row) * d - expected).norm(), 2e-11)
        << system.joints.rows[row].what;
  }
}

TEST(Joints, PrescribedRatesAndAccelerationsAreTimeDerivatives) {
  const System system = build_system(jointed_model());
  DynamicsProbe probe(system);
  const VectorX q = probe.random_configuration(0.2), v = VectorX::Random(probe.dofs());
  const VectorX rate = probe.constraint_matrix(q, t0) * v + probe.prescribed_rates(q, t0);
  const VectorX gamma = probe.accelerations(q, v, t0);
  // Along a path with constant generalised velocities.
  const auto value = [&](double s) { return probe.constraints(probe.moved(q, s * v), t0 + s); };
  const auto speed = [&](double s) -> VectorX {
    const VectorX x = probe.moved(q, s * v);
    return probe.constraint_matrix(x, t0 + s) * v + probe.prescribed_rates(x, t0 + s);
  };
  const VectorX expected_rate = slope(value), expected_gamma = slope(speed);
  for (int i = 0; i < rate.size(); ++i) {
    if (!system.joints.rows[i].speed_only) {
      EXPECT_NEAR(rate[i], expected_rate[i], 2e-11) << system.joints.rows[i].what;
    }
    EXPECT_NEAR(gamma[i], expected_gamma[i], 2e-10) << system.joints.rows[i].what;
  }
}

/// Springs, loads and torques on everything.
Model forced_model() {
  Model model = every_body();
  Spring arm = testing::spring("s.tip", "n.tip", 40, 3),
         lift = testing::spring("p.tip", "base.corner", 25, 1.5),
         along = testing::spring("s.tip", "p", 30, 2);
  arm.name = "arm";
  lift.name = "lift";
  along.name = "along";
  arm.rest_length = 0.4;
  along.axis = Vector3(1, 0.5, -0.3);
  Bushing bush;
  bush.name = "bush";
  bush.body = "n";
  bush.to = "base";
  bush.at = {0.5, 0.5, 0.5};
  bush.stiffness = {100, 120, 80};
  bush.rotational_stiffness = {5, 6, 7};
  bush.damping = {1, 2, 3};
  bush.rotational_damping = {0.1, 0.2, 0.3};
  bush.preload = {3, -2, 1};
  model.joints = {joint<JointOf<JointKind::hinge>>("h", "s", "n")};
  std::get<JointOf<JointKind::hinge>>(model.joints[0]).drive = Drive{{}, {}, formula("2 + sin(t)")};
  JointSpring coil;
  coil.name = "coil";
  coil.joint = "h";
  coil.stiffness = 12;
  coil.damping = 0.7;
  coil.rest = 0.1;
  coil.preload = 0.4;
  model.springs = {arm, lift, along, bush, coil};
  AppliedForce follower = testing::load("follower", "s.tip", {"1", "t", "2"}),
               dead = testing::load("dead", "n.tip", {"3", "-1", "t"});
  follower.axes = Axes::body;
  AppliedTorque twist, follow;
  twist.name = "twist";
  twist.body = "s";
  twist.value = {formula("1"), formula("t"), formula("-2")};
  follow = twist;
  follow.name = "follow";
  follow.body = "n";
  follow.axes = Axes::body;
  AppliedTorque in_plane = twist, on_directors = twist;
  in_plane.name = "in_plane";
  in_plane.body = "p";
  on_directors.name = "on_directors";
  on_directors.body = "n";
  model.forces = {follower, dead, twist, follow, in_plane, on_directors};
  return model;
}

TEST(Bodies, TangentsAgreeWithDifferences) {
  const System system = build_system(forced_model());
  DynamicsProbe probe(system);
  const int n = probe.dofs();
  for (int trial = 0; trial < 3; ++trial) {
    const VectorX q = probe.random_configuration(0.3), v = VectorX::Random(n);
    MatrixX K, C;
    probe.tangents(q, v, t0, K, C);
    MatrixX expected_K(n, n), expected_C(n, n);
    for (int j = 0; j < n; ++j) {
      const VectorX d = VectorX::Unit(n, j);
      expected_K.col(j) = -slope(probe, q, d, [&](const VectorX& x) { return probe.force(x, v, t0); });
      // Forces are at most quadratic in v, so this is exact.
      expected_C.col(j) = -(probe.force(q, v + d, t0) - probe.force(q, v - d, t0)) / 2;
    }
    EXPECT_LT((K - expected_K).cwiseAbs().maxCoeff(), 2e-10);
    EXPECT_LT((C - expected_C).cwiseAbs().maxCoeff(), 1e-13);
    const MatrixX A = probe.mass(q) + 0.03 * C + 0.002 * K;
    EXPECT_LT(
        (probe.iteration_matrix(q, v, t0, 0.03, 0.002) - 0.5 * (A + A.transpose())).cwiseAbs().maxCoeff(),
        1e-12);
  }
}

TEST(Bodies, ElasticForcesAreGradientsOfTheirEnergy) {
  Model model = forced_model();
  model.forces.clear();
  std::get<JointOf<JointKind::hinge>>(model.joints[0]).drive.reset();
  for (auto& spring : model.springs) {
    if (auto* s = std::get_if<Spring>(&spring)) s->damping = 0;
    if (auto* s = std::get_if<JointSpring>(&spring)) s->damping = 0;
    if (auto* s = std::get_if<Bushing>(&spring)) s->damping = s->rotational_damping = Vector3::Zero();
  }
  const System system = build_system(model);
  DynamicsProbe probe(system);
  const int n = probe.dofs();
  const VectorX q = probe.random_configuration(0.3), force = probe.force(q, VectorX::Zero(n), t0);
  for (int i = 0; i < n; ++i) {
    const VectorX rise = slope(probe, q, VectorX::Unit(n, i), [&](const VectorX& x) -> VectorX {
      return VectorX::Constant(1, probe.potential(x, t0));
    });
    EXPECT_NEAR(force[i], -rise[0], 3e-10) << i;
  }
}

TEST(Bodies, DampersTakeWhatTheirForcesLose) {
  Model model = forced_model();
  model.forces.clear();
  model.frames[0].position = {formula("0"), formula("0"), formula("1")};  // a base that stands still
  model.frames[0].angle = formula("0");
  const System system = build_system(model);
  Model undamped_model = model;
  for (auto& spring : undamped_model.springs) {
    if (auto* s = std::get_if<Spring>(&spring)) s->damping = 0;
    if (auto* s = std::get_if<JointSpring>(&spring)) s->damping = 0;
    if (auto* s = std::get_if<Bushing>(&spring)) s->damping = s->rotational_damping = Vector3::Zero();
  }
  const System undamped = build_system(undamped_model);
  DynamicsProbe with(system), without(undamped);
  for (int trial = 0; trial < 10; ++trial) {
    const VectorX q = with.random_configuration(0.3), v = VectorX::Random(with.dofs());
    const double power = (with.force(q, v, t0) - without.force(q, v, t0)).dot(v);
    EXPECT_LT(power, 0);
    EXPECT_NEAR(-power, with.damping(q, v, t0), 1e-12 * std::abs(power));
  }
}

TEST(Bodies, KineticEnergyOfBothCoordinateSetsIsTheSame) {
  Model model = testing::steel_model(0);
  RigidBody a = rigid("a", {0, 0, 0}, {1, 2, 3}, 0.7),
            b = rigid("b", {0, 0, 0}, {1, 2, 3}, 0.7, Coordinates::natural);
  a.velocity = b.velocity = {1, -2, 0.5};
  a.angular_velocity = b.angular_velocity = {3, -1, 2};
  const auto energy = [&](const RigidBody& body) {
    model.bodies = {body};
    const System system = build_system(model);
    DynamicsProbe probe(system);
    return 0.5 * system.initial.v.dot(probe.mass(system.initial.q) * system.initial.v);
  };
  EXPECT_NEAR(energy(a), energy(b), 1e-13);
}

TEST(Rotation, ExpAndLogAreInverse) {
  for (int trial = 0; trial < 100; ++trial) {
    const Vector3 phi = std::pow(10.0, -trial % 9) * Vector3::Random();
    EXPECT_LT((log_rotation(exp_rotation(phi)) - phi).norm(), 1e-15 + 1e-14 * phi.norm());
    EXPECT_NEAR(exp_rotation(phi).norm(), 1, 4e-16);
  }
}

TEST(ConsistentStart, ClosesJointsAndReportsTheChange) {
  Model model = testing::steel_model(0);
  model.gravity = {0, -9.81, 0};
  model.bodies = {planar("arm", {1.01, 0.02, 0}, 0)};
  std::get<PlanarBody>(model.bodies[0]).velocity = {0.1, 1, 0};
  JointOf<JointKind::hinge> pivot;
  pivot.name = "pivot";
  pivot.body = "arm";
  pivot.body_point = Vector3(-1, 0, 0);
  pivot.to_point = Vector3(0, 0, 0);
  model.joints = {pivot};
  System system = build_system(model);
  const StartReport report = make_consistent(system, 0);
  DynamicsProbe probe(system);
  EXPECT_LT(probe.constraints(system.initial.q, 0).norm(), 1e-13);
  EXPECT_LT((probe.constraint_matrix(system.initial.q, 0) * system.initial.v).norm(), 1e-15);
  EXPECT_GT(report.position_change, 0.001);
  EXPECT_GT(report.velocity_change, 0.01);
  EXPECT_TRUE(report.dependent_rows.empty());
  // Accelerations: those of a pendulum, plus the centripetal part.
  const VectorX gamma = probe.constraint_matrix(system.initial.q, 0) * report.acceleration +
                        probe.accelerations(system.initial.q, system.initial.v, 0);
  EXPECT_LT(gamma.norm(), 1e-12);
  const VectorX balance = probe.mass(system.initial.q) * report.acceleration -
                          probe.force(system.initial.q, system.initial.v, 0) -
                          probe.constraint_matrix(system.initial.q, 0).transpose() * report.multipliers;
  EXPECT_LT(balance.norm(), 1e-12);
}

TEST(ConsistentStart, RefusesWhatCannotBeClosed) {
  Model model = testing::steel_model(0);
  model.bodies = {planar("arm", {1, 0, 0}, 0)};
  JointOf<JointKind::hinge> a;
  a.name = "left";
  a.body = "arm";
  a.at = Vector3(0, 0, 0);
  JointOf<JointKind::hinge> b = a;
  b.name = "right";
  b.at.reset();
  b.body_point = Vector3(1, 0, 0);
  b.to_point = Vector3(7, 0, 0);  // the arm is 2 m long
  model.joints = {a, b};
  System system = build_system(model);
  try {
    make_consistent(system, 0);
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("cannot be closed"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("joints["), std::string::npos) << e.what();
  }
}

TEST(ConsistentStart, NamesRedundantRowsAndTakesTheSmallestMultipliers) {
  Model model = testing::steel_model(0);
  model.gravity = {0, 0, -9.81};
  model.bodies = {rigid("door", {0.5, 0, 0}, {0, 0, 1}, 0)};
  JointOf<JointKind::hinge> low;
  low.name = "low";
  low.body = "door";
  low.at = Vector3(0, 0, -1);
  low.axis = Vector3(0, 0, 1);
  auto high = low;
  high.name = "high";
  high.at = Vector3(0, 0, 1);
  model.joints = {low, high};
  System system = build_system(model);
  const StartReport report = make_consistent(system, 0);
  EXPECT_EQ(report.dependent_rows.size(), 5u);  // two hinges on one axis: 10 rows of rank 5
  // Least norm: the multipliers lie in the range of G.
  DynamicsProbe probe(system);
  const MatrixX G = probe.constraint_matrix(system.initial.q, 0);
  const VectorX load =
      probe.mass(system.initial.q) * report.acceleration - probe.force(system.initial.q, system.initial.v, 0);
  EXPECT_LT((solve_least_norm(G.transpose(), load, 1e-12) - report.multipliers).norm(),
            1e-8 * report.multipliers.norm());
}

}  // namespace
}  // namespace percuss
