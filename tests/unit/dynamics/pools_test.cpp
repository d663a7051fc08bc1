#include "percuss/dynamics/pools/pools.h"

#include <typeinfo>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "support/dynamics_probe.h"
#include "support/flexible_models.h"
#include "support/models.h"

/// Laws that hold for every pool of the table alone, on models that fill it.
namespace percuss {
namespace {

using testing::DynamicsProbe;
using testing::slope;

/// Two coordinates in a potential, with a force across the velocity; no tangents.
class CoupledOscillator : public LagrangianSystem {
 public:
  std::vector<std::string> coordinate_names() const override { return {"x", "y"}; }
  void initial_state(VectorX& q, VectorX& v) const override {
    q << 0.4, -0.3;
    v.setZero();
  }
  void mass_matrix(const VectorX& /*q*/, MatrixX& M) const override { M.setIdentity(); }
  void force(const VectorX& q, const VectorX& v, double /*t*/, VectorX& f) const override {
    f << -2 * q[0] - q[0] * q[1] * q[1] + 3 * v[1], -q[0] * q[0] * q[1] - 3 * v[0];
  }
  double potential_energy(const VectorX& q) const override {
    return q[0] * q[0] + 0.5 * q[0] * q[0] * q[1] * q[1];
  }
};

Expression formula_in_time(const std::string& text) {
  Expression::Options options;
  options.allow_time = true;
  return Expression::parse(text, options);
}

Model springs_between_particles() {
  Model model = testing::steel_model(0);
  model.bodies = {testing::particle("a", 1.5, Translations::xyz, {0, 0, 0}),
                  testing::particle("b", 0.7, Translations::xz, {1, 2, 0.5})};
  Spring along = testing::spring("a", "b", 80, 1.3);
  along.name = "along";
  along.axis = Vector3(1, 2, 2);
  model.springs = {along, testing::spring("a", "b", 40, 2.5)};
  model.forces = {testing::load("push", "b", {"3*sin(2*t)", "7", "t^2"})};
  return model;
}

/// K and C do not depend on the state.
Model linear_springs() {
  Model model = springs_between_particles();
  std::get<Spring>(model.springs[1]).rest_length = 0;
  std::get<Spring>(model.springs[1]).damping = 0;
  return model;
}

/// Two bodies with a hinge, springs on it and between them, loads that turn with them; `base` may move.
Model turning_bodies(bool base_moves) {
  Model model = testing::steel_model(0);
  const auto body = [](const char* name, const Vector3& place, const Vector3& rotation) {
    RigidBody rigid;
    rigid.name = name;
    rigid.mass = 1.7;
    rigid.inertia = Vector3(0.3, 0.4, 0.55);
    rigid.products = Vector3(0.02, -0.03, 0.01);
    rigid.position = place;
    const Quaternion q = exp_rotation(rotation);
    rigid.orientation = {q.w(), q.x(), q.y(), q.z()};
    rigid.points = {{"tip", {0.3, -0.2, 0.5}}};
    return rigid;
  };
  model.bodies = {body("s", {0, 0, 0}, {0.2, 0.4, 0.5}), body("n", {1, 0.5, 0.2}, {-0.6, 0.7, 0.3})};
  MovingFrame base;
  base.name = "base";
  base.position = {formula_in_time(base_moves ? "0.3*sin(2*t)" : "0.2"), formula_in_time("1"),
                   formula_in_time("1")};
  base.axis = {0.3, 1, -0.2};
  base.angle = formula_in_time(base_moves ? "0.8*sin(3*t)" : "0.1");
  base.points = {{"corner", {0.2, 0.1, -0.4}}};
  model.frames = {base};
  JointOf<JointKind::hinge> hinge;
  hinge.name = "h";
  hinge.body = "s";
  hinge.to = "n";
  hinge.at = Vector3(0.4, 0.3, -0.2);
  hinge.axis = Vector3(0.5, -1, 0.7);
  hinge.drive = Drive{{}, {}, formula_in_time("2 + sin(t)")};
  model.joints = {hinge};
  JointSpring coil;
  coil.name = "coil";
  coil.joint = "h";
  coil.stiffness = 12;
  coil.damping = 0.7;
  coil.rest = 0.1;
  coil.preload = 0.4;
  Bushing bush;
  bush.name = "bush";
  bush.body = "n";
  bush.to = "base";
  bush.at = {0.5, 0.5, 0.5};
  bush.stiffness = {100, 120, 80};
  bush.rotational_stiffness = {5, 6, 7};
  bush.damping = {1, 2, 3};
  bush.rotational_damping = {0.1, 0.2, 0.3};
  Spring between = testing::spring("s.tip", "n.tip", 30, 0.4),
         lift = testing::spring("base.corner", "s.tip", 50, 0.8);
  between.name = "between";
  lift.name = "lift";
  model.springs = {between, lift, coil, bush};
  AppliedForce follower = testing::load("follower", "s.tip", {"1", "t", "2"});
  follower.axes = Axes::body;
  AppliedTorque torque;
  torque.name = "torque";
  torque.body = "n";
  torque.value = {formula_in_time("1"), formula_in_time("t"), formula_in_time("-2")};
  model.forces = {follower, torque};
  return model;
}

template <class Body>
Model damped(Body body) {
  body.damping.mass = 0.2;
  body.damping.stiffness = 3e-3;
  return testing::soft_model(std::move(body));
}

Model shaft_with_disc() {
  Shaft shaft = testing::slender<Shaft>("shaft", {0.1, 0, 0}, {0.9, 0, 0}, 2);
  shaft.section.circle = 0.03;
  shaft.torsional_damping = 0.4;
  shaft.discs = {{"1", {1.5, 0.02, 0.015}}};
  return testing::soft_model(shaft);
}

Model user_system() {
  Model model;
  UserSystem user;
  user.name = "oscillator";
  user.equations = std::make_shared<CoupledOscillator>();
  model.systems = {user};
  return model;
}

struct PoolCase {
  const char* name;
  Model model;
};
std::vector<PoolCase> pool_cases() {
  Solid held = testing::solid(SolidFormulation::neo_hooke);
  held.held = {{"x_min", Translations::xz}};
  return {{"springs", springs_between_particles()},
          {"linear_springs", linear_springs()},
          {"turning_bodies", turning_bodies(false)},
          {"moving_base", turning_bodies(true)},
          {"linear_bar", damped(testing::bar(BarLaw::linear))},
          {"truss", damped(testing::bar(BarLaw::truss))},
          {"planar_beam", damped(testing::beam(true))},
          {"beam", damped(testing::beam(false))},
          {"shaft", shaft_with_disc()},
          {"small_strain", testing::soft_model(testing::solid(SolidFormulation::small_strain))},
          {"large_strain", testing::soft_model(testing::solid(SolidFormulation::st_venant_kirchhoff))},
          {"viscous", damped(held)},
          {"user_system", user_system()}};
}

constexpr double now = 0.37;

/// One pool of a system as functions of (q, v, t).
template <class P>
class PoolProbe {
 public:
  PoolProbe(const System& system, const P& pool)
      : system_(system), pool_(pool), probe_(system), kinematics_(make_kinematics(system)) {}

  VectorX force(const VectorX& q, const VectorX& v, double t) {
    VectorX f = VectorX::Zero(probe_.dofs());
    pool_.add_force(at(q, v, t), f);
    return f;
  }
  double energy(const VectorX& q, double t) {
    const VectorX still = VectorX::Zero(probe_.dofs());
    const ForceArguments arguments = at(q, still, t);
    return pool_.strain_energy(arguments) + pool_.potential_energy(arguments);
  }
  double damping(const VectorX& q, const VectorX& v, double t) { return pool_.damping_power(at(q, v, t)); }
  double prescribed(const VectorX& q, const VectorX& v, double t) {
    return pool_.prescribed_power(system_.bodies, at(q, v, t).kinematics);
  }
  void tangents(const VectorX& q, const VectorX& v, double t, MatrixX& K, MatrixX& C) {
    K = C = MatrixX::Zero(probe_.dofs(), probe_.dofs());
    pool_.add_tangents(at(q, v, t), {.K = &K, .C = &C});
  }
  MatrixX assembled(const VectorX& q, const VectorX& v, double t, double c, double k) {
    SparseMatrix A = system_.pattern;
    std::fill_n(A.valuePtr(), A.nonZeros(), 0.0);
    pool_.add_tangents(at(q, v, t), {.c = c, .k = k, .values = A.valuePtr()});
    return MatrixX(A).selfadjointView<Eigen::Lower>();
  }
  /// With bodies that have not been placed.
  VectorX force_without_poses(const VectorX& q, const VectorX& v, double t) {
    Kinematics unplaced = make_kinematics(system_);
    for (PoseAndVelocity& pose : unplaced.poses)
      pose.x = pose.v = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
    VectorX f = VectorX::Zero(probe_.dofs());
    pool_.add_force({system_.bodies, q, v, t, unplaced, nullptr}, f);
    return f;
  }
  const DynamicsProbe& whole() const { return probe_; }
  VectorX random_configuration() const { return probe_.random_configuration(0.02); }
  VectorX random_velocity() const { return VectorX::Random(probe_.dofs()); }

 private:
  ForceArguments at(const VectorX& q, const VectorX& v, double t) {
    update(system_, q, v, t, kinematics_);
    return {system_.bodies, q, v, t, kinematics_, nullptr};
  }

  const System& system_;
  const P& pool_;
  DynamicsProbe probe_;
  Kinematics kinematics_;
};

/// The largest one of a frame.
double prescribed_speed(const System& system) {
  double speed = 0;
  for (const BodyData& body : system.bodies) {
    if (body.kind != BodyKind::frame) continue;
    const PoseAndVelocity frame = place(body, system.initial.q, system.initial.v, now);
    speed = std::max({speed, frame.v.norm(), frame.R_dot.norm()});
  }
  return speed;
}

/// Calls check(system, pool, probe of the pool) for all pools of all models.
template <class Check>
void for_each_case(const Check& check) {
  for (const auto& entry : pool_cases()) {
    const System system = build_system(entry.model);
    for_each_filled_pool(system, [&](const auto& pool) {
      SCOPED_TRACE(fmt::format("{} of {}", typeid(pool).name(), entry.name));
      PoolProbe probe(system, pool);
      check(system, pool, probe);
    });
  }
}

TEST(Pools, OfTheTableAllHaveAModelHere) {
  std::vector<std::string> missing;
  const Pools none;
  for_each_pool(none, [&](const auto& pool) { missing.emplace_back(typeid(pool).name()); });
  for_each_case([&](const auto&, const auto& pool, auto& probe) {
    if (!probe.force(probe.random_configuration(), probe.random_velocity(), now).isZero(0))
      std::erase(missing, typeid(pool).name());
  });
  EXPECT_TRUE(missing.empty()) << "pool_cases() needs a model with " << missing.front();
}

/// dE/dt = -f.v - power of dampers + power of prescribed motions, for all v: without dampers and motions
/// f = -dE/dq. Given loads have no energy.
TEST(Pools, PowerOfTheForceIsWhatTheEnergyLoses) {
  for_each_case([](const System& system, const auto& pool, auto& probe) {
    if (static_cast<const void*>(&pool) == &system.loads) return;
    for (int trial = 0; trial < 5; ++trial) {
      const VectorX q = probe.random_configuration(), v = probe.random_velocity();
      const double rise = slope([&](double s) -> VectorX {
        return VectorX::Constant(1, probe.energy(probe.whole().moved(q, s * v), now + s));
      })[0];
      const VectorX f = probe.force(q, v, now);
      const double expected = -f.dot(v) - probe.damping(q, v, now) + probe.prescribed(q, v, now);
      EXPECT_NEAR(rise, expected, 1e-8 * (1 + f.norm() * v.norm()));
    }
  });
}

TEST(Pools, DampersTakeThePowerOfTheirForces) {
  for_each_case([](const System& system, const auto&, auto& probe) {
    if (prescribed_speed(system) > 0) return;  // the motion does work as well
    const VectorX q = probe.random_configuration(), v = probe.random_velocity();
    const VectorX still = probe.force(q, VectorX::Zero(v.size()), now), f = probe.force(q, v, now);
    const double power = probe.damping(q, v, now);
    EXPECT_GE(power, 0);
    EXPECT_NEAR(-(f - still).dot(v), power, 1e-11 * (1 + f.norm() * v.norm()));
  });
}

TEST(Pools, TangentsAreDerivativesOfTheForce) {
  for_each_case([](const System&, const auto&, auto& probe) {
    const VectorX q = probe.random_configuration(), v = probe.random_velocity();
    MatrixX K, C;
    probe.tangents(q, v, now, K, C);
    for (int trial = 0; trial < 5; ++trial) {
      const VectorX d = probe.random_velocity();
      const VectorX by_q =
          slope(probe.whole(), q, d, [&](const VectorX& x) { return probe.force(x, v, now); });
      const VectorX by_v = slope([&](double s) { return probe.force(q, v + s * d, now); });
      EXPECT_LT((K * d + by_q).norm(), 1e-7 * (1 + K.norm()));
      EXPECT_LT((C * d + by_v).norm(), 1e-9 * (1 + C.norm() + probe.force(q, v, now).norm()));
    }
    const MatrixX sum = 0.03 * C + 0.002 * K;
    EXPECT_LT((probe.assembled(q, v, now, 0.03, 0.002) - 0.5 * (sum + sum.transpose())).norm(),
              1e-13 * (1 + sum.norm()));
  });
}

TEST(Pools, WhatAPoolSaysOfItselfIsTrue) {
  for_each_case([](const System& system, const auto& pool, auto& probe) {
    const VectorX q = probe.random_configuration(), v = probe.random_velocity();
    MatrixX K, C, K_elsewhere, C_elsewhere;
    probe.tangents(q, v, now, K, C);
    probe.tangents(probe.random_configuration(), probe.random_velocity(), now + 1, K_elsewhere, C_elsewhere);
    EXPECT_EQ(pool.has_constant_tangents(system.bodies), K == K_elsewhere && C == C_elsewhere);
    EXPECT_EQ(pool.has_dampers() || pool.is_gyroscopic(), !C.isZero(0));
    EXPECT_EQ(pool.has_dampers(), probe.damping(q, v, now) > 0);
    if (!pool.needs_poses()) {
      EXPECT_EQ(probe.force_without_poses(q, v, now), probe.force(q, v, now));
    }
  });
}

}  // namespace
}  // namespace percuss
