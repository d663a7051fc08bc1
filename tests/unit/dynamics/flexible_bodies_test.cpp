#include <numbers>

#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/consistent_start.h"
#include "percuss/dynamics/mass_iteration.h"
#include "percuss/dynamics/saddle_point.h"
#include "percuss/math/dense.h"
#include "support/dynamics_probe.h"
#include "support/flexible_models.h"
#include "support/models.h"

/// Bars, beams and solids as parts of a system: tangents, energies, masses, rigid motions, known solutions.
namespace percuss {
namespace {

using std::numbers::pi;
using testing::bar;
using testing::beam;
using testing::DynamicsProbe;
using testing::slender;
using testing::soft_model;
using testing::solid;

struct Flexible {
  const char* name;
  Model model;
  bool turns = true;  ///< strains do not change under rotations

  friend void PrintTo(const Flexible& given, std::ostream* out) { *out << given.name; }
};
std::vector<Flexible> flexibles() {
  Solid viscous = solid(SolidFormulation::neo_hooke);
  viscous.damping = {0.3, 2e-3};
  viscous.held = {{"x_min", Translations::xz}};
  Beam damped = beam(false);
  damped.damping = {0.2, 3e-3};
  Beam damped_planar = beam(true);
  damped_planar.damping = {0.2, 3e-3};
  Bar damped_bar = bar(BarLaw::linear);
  damped_bar.damping = {0.2, 3e-3};
  damped_bar.masses = {{"last", 2.5}};
  Shaft shaft = slender<Shaft>("shaft", {0.1, 0, 0}, {0.9, 0, 0}, 3);
  shaft.section.circle = 0.03;
  shaft.damping.mass = 0.2;
  shaft.torsional_damping = 0.4;
  shaft.discs = {{"2", {1.5, 0.02, 0.015}}};
  return {{"bar", soft_model(damped_bar), false},
          {"shaft", soft_model(shaft), false},
          {"truss", soft_model(bar(BarLaw::truss))},
          {"planar_beam", soft_model(damped_planar)},
          {"beam", soft_model(damped)},
          {"small_strain", soft_model(solid(SolidFormulation::small_strain)), false},
          {"st_venant_kirchhoff", soft_model(solid(SolidFormulation::st_venant_kirchhoff))},
          {"viscous_neo_hooke", soft_model(viscous), false},
          {"plane_strain", soft_model(solid(SolidFormulation::st_venant_kirchhoff, true))}};
}

class FlexibleBodies : public ::testing::TestWithParam<Flexible> {
 protected:
  System system_ = build_system(GetParam().model);
  DynamicsProbe probe_{system_};
  VectorX q_ = probe_.random_configuration(0.02), v_ = VectorX::Random(probe_.dofs());
};

TEST_P(FlexibleBodies, TangentsAreDerivativesOfTheForce) {
  const int n = probe_.dofs();
  MatrixX K, C, K_differences(n, n), C_differences(n, n);
  probe_.tangents(q_, v_, 0, K, C);
  const double step = 1e-6;
  for (int j = 0; j < n; ++j) {
    const VectorX d = step * VectorX::Unit(n, j);
    K_differences.col(j) =
        -(probe_.force(probe_.moved(q_, d), v_, 0) - probe_.force(probe_.moved(q_, -d), v_, 0)) / (2 * step);
    C_differences.col(j) = -(probe_.force(q_, v_ + d, 0) - probe_.force(q_, v_ - d, 0)) / (2 * step);
  }
  EXPECT_LT((K - K_differences).cwiseAbs().maxCoeff(), 2e-8 * K.cwiseAbs().maxCoeff());
  EXPECT_LT((C - C_differences).cwiseAbs().maxCoeff(), 2e-8 * (1 + C.cwiseAbs().maxCoeff()));
  const MatrixX A = probe_.iteration_matrix(q_, v_, 0, 0.03, 0.002);
  const MatrixX exact = probe_.mass(q_) + 0.03 * C + 0.002 * K;
  EXPECT_LT((A - 0.5 * (exact + exact.transpose())).cwiseAbs().maxCoeff(), 1e-12 * A.cwiseAbs().maxCoeff());
}

TEST_P(FlexibleBodies, ForceIsTheGradientOfTheEnergyAndDampersTakeTheirPower) {
  const int n = probe_.dofs();
  const VectorX still = VectorX::Zero(n), f = probe_.force(q_, still, 0);
  const double step = 1e-5;
  VectorX gradient(n);
  for (int i = 0; i < n; ++i) {
    const VectorX d = step * VectorX::Unit(n, i);
    gradient[i] =
        (probe_.potential(probe_.moved(q_, d), 0) - probe_.potential(probe_.moved(q_, -d), 0)) / (2 * step);
  }
  EXPECT_LT((f + gradient).cwiseAbs().maxCoeff(), 1e-6 * f.cwiseAbs().maxCoeff());
  // Gyroscopic torques of the nodes do no work.
  const double power = (probe_.force(q_, v_, 0) - f).dot(v_), damping = probe_.damping(q_, v_, 0);
  EXPECT_NEAR(-power, damping, 1e-10 * (1 + damping));
  EXPECT_GE(damping, 0);
}

TEST_P(FlexibleBodies, MassIsPositiveDefiniteAndItsSumIsThatOfTheBody) {
  const MatrixX M = probe_.mass(q_);
  EXPECT_LT((M - M.transpose()).cwiseAbs().maxCoeff(), 1e-14 * M.maxCoeff());
  EXPECT_GT(symmetric_eigenvalues(M)[0], 0);
  const BodyData& whole = system_.bodies[static_cast<size_t>(system_.flexibles[0].body)];
  for (int axis = 0; axis < 3; ++axis) {
    VectorX unit = VectorX::Zero(probe_.dofs());
    bool all_free = true;
    for (size_t b = 1; b < system_.bodies.size(); ++b) {
      const int dof = system_.bodies[b].dof[static_cast<size_t>(axis)];
      if (dof >= 0) unit[dof] = 1;
      all_free = all_free && dof >= 0;
    }
    if (!all_free) continue;
    EXPECT_NEAR(unit.dot(M * unit), whole.mass, 1e-12 * whole.mass) << axis;
    EXPECT_NEAR(unit.dot(system_.gravity_force), whole.mass * system_.gravity[axis], 1e-10 * whole.mass);
  }
}

TEST_P(FlexibleBodies, RigidMotionCausesNoForce) {
  if (!GetParam().turns) GTEST_SKIP() << "small strains or held nodes";
  Model model = GetParam().model;
  model.gravity.setZero();
  std::visit(
      [](auto& body) {
        if constexpr (requires { body.damping.mass; }) body.damping.mass = 0;
      },
      model.bodies[0]);
  const System system = build_system(model);
  DynamicsProbe probe(system);
  const bool plane = system.bodies[1].dof[2] < 0;
  const Quaternion R = exp_rotation(plane ? Vector3(0, 0, 2.1) : Vector3(1.3, -0.7, 0.9));
  const Vector3 shift(0.3, -0.2, plane ? 0.0 : 0.8), omega = R * Vector3(0, 0, 3);
  VectorX q = system.initial.q, v = VectorX::Zero(probe.dofs());
  for (const auto& body : system.bodies) {
    if (body.kind == BodyKind::flexible) continue;
    const Vector3 x = R * body.start + shift, speed = omega.cross(x);
    for (int axis = 0; axis < 3; ++axis)
      if (const int dof = body.dof[static_cast<size_t>(axis)]; dof >= 0) {
        q[dof] = x[axis];
        v[dof] = speed[axis];
      }
    if (body.kind == BodyKind::planar) {
      q[body.dof[5]] = 2.1;
      v[body.dof[5]] = 3;
    }
    if (body.kind == BodyKind::spatial) {
      const Quaternion attitude = R * read_quaternion(body, system.initial.q);
      write_quaternion(body, attitude, q);
      v.segment<3>(body.dof[3]) = attitude.conjugate() * omega;
    }
  }
  VectorX f = probe.force(q, v, 0);
  for (const int b : system.rotating_bodies) {  // what is left is the gyroscopic torque
    const BodyData& body = system.bodies[static_cast<size_t>(b)];
    const Vector3 w = v.segment<3>(body.dof[3]);
    f.segment<3>(body.dof[3]) += w.cross(body.inertia * w);
  }
  MatrixX K, C;
  probe.tangents(q, v, 0, K, C);
  EXPECT_LT(f.cwiseAbs().maxCoeff(), 1e-13 * K.cwiseAbs().maxCoeff());
  EXPECT_LT(probe.potential(q, 0), 1e-20 * K.cwiseAbs().maxCoeff());
}

INSTANTIATE_TEST_SUITE_P(All, FlexibleBodies, ::testing::ValuesIn(flexibles()),
                         [](const auto& given) { return std::string(given.param.name); });

/// Newton's method for a clamped beam under an end moment about z, applied in steps.
VectorX bent(const System& system, double moment, int steps) {
  DynamicsProbe probe(system);
  std::vector<int> free;
  const BodyData& root = system.bodies[1];
  for (int i = 0; i < probe.dofs(); ++i)
    if (std::find(root.dof.begin(), root.dof.end(), i) == root.dof.end()) free.push_back(i);
  const auto n = static_cast<Eigen::Index>(free.size());
  VectorX q = system.initial.q, still = VectorX::Zero(probe.dofs()), increment(probe.dofs());
  for (int step = 1; step <= steps; ++step)
    for (int iteration = 0; iteration < 30; ++iteration) {
      VectorX f = probe.force(q, still, 0), residual(n);
      f[system.bodies.back().dof[5]] += moment * step / steps;  // about z in body axes: it turns about z only
      MatrixX K, C, reduced(n, n);
      probe.tangents(q, still, 0, K, C);
      for (Eigen::Index i = 0; i < n; ++i) {
        residual[i] = f[free[static_cast<size_t>(i)]];
        for (Eigen::Index j = 0; j < n; ++j)
          reduced(i, j) = K(free[static_cast<size_t>(i)], free[static_cast<size_t>(j)]);
      }
      if (residual.norm() < 1e-10) break;
      VectorX dx = residual;
      EXPECT_TRUE(solve_with_full_pivoting(reduced, dx));
      increment.setZero();
      for (Eigen::Index i = 0; i < n; ++i) increment[free[static_cast<size_t>(i)]] = dx[i];
      q = probe.moved(q, increment);
    }
  return q;
}

TEST(Beams, AnEndMomentRollsACantileverIntoACircle) {
  for (const bool planar : {true, false}) {
    Beam body = slender<Beam>("beam", {0, 0, 0}, {1, 0, 0}, 10);
    body.section.rectangle = {0.02, 0.02};
    body.planar = planar;
    body.up = planar ? std::nullopt : std::optional<Vector3>(Vector3::UnitY());
    Model model = soft_model(body);
    model.gravity.setZero();
    const System system = build_system(model);
    const double EI = 2e5 * std::pow(0.02, 4) / 12;
    const VectorX q = bent(system, 2 * pi * EI, 10);
    const auto& tip = system.bodies.back().dof;
    EXPECT_NEAR(q[tip[0]], 0, 1e-9) << planar;
    EXPECT_NEAR(q[tip[1]], 0, 1e-9) << planar;
    // Half of the moment: half a circle of regular chords.
    const VectorX half = bent(system, pi * EI, 10);
    EXPECT_NEAR(half[tip[0]], 0, 1e-9) << planar;
    EXPECT_NEAR(half[tip[1]], 0.1 / std::sin(pi / 20) * 1, 1e-9) << planar;
  }
}

TEST(Beams, DeflectionOfAThinCantileverDoesNotLock) {
  // A small end force: w = F L^3 / (3 E I) + F L / (G A_s).
  Beam body = slender<Beam>("beam", {0, 0, 0}, {1, 0, 0}, 40);
  body.section.rectangle = {0.01, 0.01};
  body.planar = true;
  Model model = soft_model(body);
  model.gravity.setZero();
  const System system = build_system(model);
  DynamicsProbe probe(system);
  MatrixX K, C;
  probe.tangents(system.initial.q, VectorX::Zero(probe.dofs()), 0, K, C);
  const int n = probe.dofs() - 3;
  VectorX load = VectorX::Zero(n);
  const int tip = system.bodies.back().dof[1] - 3;
  load[tip] = 1;
  const double E = 2e5, I = std::pow(0.01, 4) / 12, G = E / 2.6, shear_area = 5.0 / 6 * 1e-4;
  const double exact = 1 / (3 * E * I) + 1 / (G * shear_area);
  VectorX w = load;
  ASSERT_TRUE(solve_with_full_pivoting(K.bottomRightCorner(n, n), w));
  EXPECT_NEAR(w[tip] / exact, 1, 1e-3);
}

TEST(FlexibleModel, DistributedLoadsSumToTheirResultants) {
  const auto total = [](Model model, const std::string& on) {
    DistributedLoad load;
    load.name = "wind";
    load.on = on;
    for (int axis = 0; axis < 3; ++axis)
      load.value[static_cast<size_t>(axis)] = Expression::parse(std::to_string(axis + 1), {});
    model.gravity.setZero();
    model.forces = {load};
    const System system = build_system(model);
    DynamicsProbe probe(system);
    const VectorX f = probe.force(system.initial.q, VectorX::Zero(probe.dofs()), 0);
    Vector3 sum = Vector3::Zero();
    for (const auto& body : system.bodies)
      for (int axis = 0; axis < 3; ++axis)
        if (const int dof = body.dof[static_cast<size_t>(axis)]; dof >= 0) sum[axis] += f[dof];
    return sum;
  };
  EXPECT_LT((total(soft_model(beam(false)), "beam") - std::sqrt(1.36) * Vector3(1, 2, 3)).norm(), 1e-12);
  const Model block = soft_model(solid(SolidFormulation::small_strain));
  EXPECT_LT((total(block, "block") - 0.072 * Vector3(1, 2, 3)).norm(), 1e-12);
  EXPECT_LT((total(block, "block.z_max") - 0.24 * Vector3(1, 2, 3)).norm(), 1e-12);
}

TEST(FlexibleModel, TiedNodesFollowAFrame) {
  Model model = soft_model(solid(SolidFormulation::st_venant_kirchhoff));
  MovingFrame base;
  base.name = "base";
  Expression::Options options;
  options.allow_time = true;
  base.position[0] = Expression::parse("0.1*sin(5*t)", options);
  model.frames = {base};
  JointOf<JointKind::tie> foot;
  foot.name = "foot";
  foot.body = "block.z_min";
  foot.to = "base";
  model.joints = {foot};
  const System system = build_system(model);
  EXPECT_EQ(system.constraint_count(), 18) << "six nodes with three rows each";
  DynamicsProbe probe(system);
  const VectorX g = probe.constraints(system.initial.q, 0.2);
  EXPECT_NEAR(g.cwiseAbs().maxCoeff(), 0.1 * std::sin(1.0), 1e-14);
}

TEST(LumpedMasses, AreFactorisedWithoutFill) {
  Solid block = solid(SolidFormulation::small_strain);
  block.mass_matrix = MassMatrix::lumped;
  const System lumped = build_system(soft_model(block));
  EXPECT_EQ(SaddlePoint(lumped, SaddlePoint::Matrix::mass).factor().fill(), 0);
  EXPECT_GT(SaddlePoint(lumped).factor().fill(), 0);
  block.mass_matrix = MassMatrix::consistent;
  const System consistent = build_system(soft_model(block));
  EXPECT_GT(SaddlePoint(consistent, SaddlePoint::Matrix::mass).factor().fill(), 0);
}

/// The start of large meshes finds the accelerations without factors; those of small ones are the same.
TEST(Start, MassesAreSolvedByIterationToo) {
  for (const MeshCell cells : {MeshCell::hex8, MeshCell::hex20, MeshCell::tet4, MeshCell::tet10}) {
    Solid block = solid(SolidFormulation::neo_hooke);
    block.mesh.box->divisions = {4, 3, 2};
    block.mesh.box->cells = cells;
    block.held = {{"x_min", Translations::xz}};
    Model model = soft_model(block);
    RigidBody box;
    box.name = "box";
    box.shape.emplace().box = Vector3(0.1, 0.2, 0.3);
    box.material = "soft";
    box.position = {3, 0, 0};
    model.bodies.emplace_back(box);
    System system = build_system(model);
    const VectorX exact = make_consistent(system, 0).acceleration;
    DynamicsProbe probe(system);
    const VectorX f = probe.force(system.initial.q, system.initial.v, 0);
    Kinematics kinematics = make_kinematics(system);
    update(system, system.initial.q, system.initial.v, 0, kinematics);
    const auto found = solve_mass_by_iteration(system, system.initial.q, f, kinematics);
    ASSERT_TRUE(found);
    EXPECT_LT((*found - exact).norm(), 1e-12 * exact.norm()) << static_cast<int>(cells);
    system.mass[0] = -system.mass[0];
    EXPECT_FALSE(solve_mass_by_iteration(system, system.initial.q, f, kinematics));
  }
}

TEST(Start, OfALargeMesh) {
  Solid sheet = solid(SolidFormulation::small_strain, true);
  sheet.mesh.box->divisions = {100, 100, 1};
  System system = build_system(soft_model(sheet));
  const VectorX a = make_consistent(system, 0).acceleration;
  ASSERT_EQ(a.size(), 2 * 101 * 101);
  for (Eigen::Index node = 0; node < a.size(); node += 2)
    ASSERT_LT((a.segment<2>(node) - system.gravity.head<2>()).norm(), 1e-11) << node;
}

}  // namespace
}  // namespace percuss
