#include <complex>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/shaft_node.h"
#include "percuss/math/dense.h"
#include "support/dynamics_probe.h"

/// Shafts: the kinematics of a node, tangents, and the closed formulas of bending, torsion and whirling.
namespace percuss {
namespace {

using std::numbers::pi;
using testing::DynamicsProbe;

constexpr double steel_young = 2.1e11, steel_poisson = 0.3, steel_density = 7850, shaft_radius = 0.02,
                 shaft_length = 0.8;
constexpr double section_area = pi * shaft_radius * shaft_radius,
                 section_inertia = pi * shaft_radius * shaft_radius * shaft_radius * shaft_radius / 4;
constexpr double bending = steel_young * section_inertia, line_mass = steel_density * section_area;

Shaft steel_shaft(const Vector3& direction, int elements) {
  Shaft shaft;
  shaft.name = "axle";
  shaft.material = "steel";
  shaft.from = {0.1, -0.2, 0.3};
  shaft.to = shaft.from + shaft_length * direction.normalized();
  shaft.elements = elements;
  shaft.section.circle = shaft_radius;
  return shaft;
}
Model steel_model(const Shaft& shaft) {
  Material steel;
  steel.density = steel_density;
  steel.young = steel_young;
  steel.poisson = steel_poisson;
  Model model;
  model.materials = {{"steel", steel}};
  model.bodies = {shaft};
  return model;
}
Shaft supported(int elements) {
  Shaft shaft = steel_shaft(Vector3::UnitX(), elements);
  shaft.held = {{"first", Translations::xyz}, {"last", Translations::xyz}};
  return shaft;
}

/// A node that is tilted far more than a shaft is meant for, so that nothing is hidden by smallness.
struct TiltedNode {
  BodyData body;
  VectorX q = VectorX(5), v = VectorX(5);
  Attached point{0, {0.3, -0.2, 0.5}}, direction{0, {0.1, 0.7, -0.4}, Attached::Kind::direction};

  TiltedNode() {
    body.kind = BodyKind::shaft;
    body.start = {1, 2, 3};
    body.axes = exp_rotation(Vector3(0.4, -0.9, 0.3)).toRotationMatrix();
    body.dof = {-1, 0, 1, 2, 3, 4, -1, -1, -1, -1, -1, -1};
    q << 0.02, -0.03, 2.4, 0.31, -0.27;
    v << 0.5, 0.8, 31, -2.1, 1.7;
  }
  PoseAndVelocity at(const VectorX& place, const VectorX& speed) const {
    return percuss::place(body, place, speed, 0);
  }
};

/// Central differences of a vector function along one coordinate.
template <class Function>
VectorX slope(const Function& f, const VectorX& x, int i, double step = 1e-6) {
  const VectorX d = step * VectorX::Unit(x.size(), i);
  return (f(VectorX(x + d)) - f(VectorX(x - d))) / (2 * step);
}

TEST(ShaftNode, JacobiansAreDerivativesOfWhatIsAttached) {
  const TiltedNode node;
  for (const Attached& attached : {node.point, node.direction}) {
    const PoseAndVelocity here = node.at(node.q, node.v);
    const BodyJacobian J = jacobian(node.body, here, attached),
                       J_rate = jacobian_rate(node.body, here, attached);
    const Vector3 p(0.7, -1.1, 0.4);
    const BodyMatrix tangent = jacobian_tangent(node.body, here, attached, p);
    for (int i = 0; i < 5; ++i) {
      const int coordinate = i + 1;
      const VectorX value =
          slope([&](const VectorX& q) -> VectorX { return attached.value(node.at(q, node.v)); }, node.q, i);
      const VectorX rate =
          slope([&](const VectorX& q) -> VectorX { return attached.rate(node.at(q, node.v)); }, node.q, i);
      const VectorX pulled = slope(
          [&](const VectorX& q) -> VectorX {
            return jacobian(node.body, node.at(q, node.v), attached).transpose() * p;
          },
          node.q, i);
      EXPECT_LT((J.col(coordinate) - value).norm(), 1e-9) << coordinate;
      EXPECT_LT((J_rate.col(coordinate) - rate).norm(), 1e-7) << coordinate;
      EXPECT_LT((tangent.col(coordinate) - pulled).norm(), 1e-9) << coordinate;
    }
    EXPECT_LT((J.rightCols<5>() * node.v - attached.rate(here)).norm(), 1e-13);
  }
}

TEST(ShaftNode, BiasIsTheAccelerationAtConstantRates) {
  const TiltedNode node;
  const auto rate = [&](double t) -> VectorX {
    return node.point.rate(node.at(node.q + t * node.v, node.v));
  };
  const double step = 1e-6;
  const VectorX differences = (rate(step) - rate(-step)) / (2 * step);
  const BiasAcceleration d = bias_acceleration(node.body, node.at(node.q, node.v), 0);
  EXPECT_LT((node.point.bias_of(d) - differences).norm(), 1e-6 * differences.norm());
}

TEST(ShaftNode, TurnsAsARigidBodyAndKnowsItsRates) {
  const TiltedNode node;
  const PoseAndVelocity here = node.at(node.q, node.v);
  EXPECT_LT((here.R.transpose() * here.R - Matrix3::Identity()).norm(), 1e-14);
  EXPECT_LT((spin_rates(node.body, here) - node.v.tail<3>()).norm(), 1e-12);
}

/// A shaft in a general direction, with everything on it that depends on how its nodes turn.
Model loaded_model() {
  Shaft shaft = steel_shaft({2, -1, 0.7}, 3);
  const Vector3 along = (shaft.to - shaft.from).normalized();
  shaft.damping.mass = 40;
  shaft.torsional_damping = 3;
  shaft.stations = {0.3};
  shaft.points = {{"wheel", shaft.from + 0.3 * along},
                  {"pin", shaft.from + 0.31 * along + Vector3(0, 0.1, 0.2)}};
  shaft.discs = {{"wheel", {5, 0.04, 0.03}}};
  Model model = steel_model(shaft);
  model.gravity = {1, -2, 9.81};
  Spring spring;
  spring.name = "spring";
  spring.from.point = Vector3(0.5, 0.5, 0.5);
  spring.to.body = "axle.pin";
  spring.stiffness = 3e4;
  spring.damping = 20;
  model.springs = {spring};
  const auto numbers = [](double x, double y, double z) {
    return std::array{Expression::constant(x), Expression::constant(y), Expression::constant(z)};
  };
  model.forces = {AppliedForce{"push", "axle.pin", numbers(300, -200, 100)},
                  AppliedForce{"follow", "axle.pin", numbers(100, 200, -300), Axes::body},
                  AppliedTorque{"turn", "axle.wheel", numbers(30, 20, -10)},
                  AppliedTorque{"drive", "axle.last", numbers(25, -15, 35), Axes::body}};
  return model;
}

TEST(Shafts, TangentsAreDerivativesOfTheForce) {
  const System system = build_system(loaded_model());
  DynamicsProbe probe(system);
  const int n = probe.dofs();
  const VectorX q = probe.random_configuration(0.05), v = 10 * VectorX::Random(n);
  MatrixX K, C, K_differences(n, n), C_differences(n, n);
  probe.tangents(q, v, 0, K, C);
  const double step = 1e-5;
  for (int j = 0; j < n; ++j) {
    const VectorX unit = VectorX::Unit(n, j), d = step * unit;
    K_differences.col(j) = -(probe.force(q + d, v, 0) - probe.force(q - d, v, 0)) / (2 * step);
    // Quadratic in v: differences are exact for any step, and a long one keeps the rounding of K q small.
    C_differences.col(j) = -(probe.force(q, v + unit, 0) - probe.force(q, v - unit, 0)) / 2;
  }
  // The elastic part is constant and 10^8 N/m; without it nothing that turns is hidden.
  MatrixX elastic = MatrixX::Zero(n, n);
  system.constant.stiffness.add_to(elastic);
  EXPECT_LT((K - K_differences).cwiseAbs().maxCoeff(), 1e-9 * elastic.cwiseAbs().maxCoeff());
  EXPECT_GT((K - elastic).cwiseAbs().maxCoeff(), 1e3);
  EXPECT_LT((C - C_differences).cwiseAbs().maxCoeff(), 1e-7 * C.cwiseAbs().maxCoeff());
}

TEST(Shafts, ForcesThatTurnHaveExactTangents) {
  Model model = loaded_model();
  std::get<Shaft>(model.bodies[0]).section = {};  // a soft shaft: the loads are all there is
  std::get<Shaft>(model.bodies[0]).section.area = 1e-4;
  std::get<Shaft>(model.bodies[0]).section.inertia = 1e-16;
  const System system = build_system(model);
  DynamicsProbe probe(system);
  const int n = probe.dofs();
  const VectorX q = probe.random_configuration(0.3), v = 10 * VectorX::Random(n);
  MatrixX K, C;
  probe.tangents(q, v, 0, K, C);
  for (int j = 0; j < n; ++j) {
    const VectorX by_q = -slope([&](const VectorX& x) { return probe.force(x, v, 0); }, q, j);
    EXPECT_LT((K.col(j) - by_q).norm(), 1e-8 * K.norm()) << j;
  }
}

TEST(Shafts, OnlyDampersTakeEnergy) {
  const System system = build_system(loaded_model());
  DynamicsProbe probe(system);
  const VectorX q = probe.random_configuration(0.05), v = 100 * VectorX::Random(probe.dofs());
  const double power = (probe.force(q, v, 0) - probe.force(q, VectorX::Zero(probe.dofs()), 0)).dot(v);
  const double damping = probe.damping(q, v, 0);
  EXPECT_GT(damping, 1);
  EXPECT_NEAR(-power, damping, 1e-10 * damping);
}

TEST(Shafts, WeightIsTheGradientOfItsPotential) {
  Model model = loaded_model();
  model.forces.clear();
  const System system = build_system(model);
  DynamicsProbe probe(system);
  const int n = probe.dofs();
  const VectorX q = probe.random_configuration(1e-3), f = probe.force(q, VectorX::Zero(n), 0);
  VectorX gradient(n);
  const double step = 1e-6;
  for (int i = 0; i < n; ++i) {
    const VectorX d = step * VectorX::Unit(n, i);
    gradient[i] = (probe.potential(q + d, 0) - probe.potential(q - d, 0)) / (2 * step);
  }
  EXPECT_LT((f + gradient).cwiseAbs().maxCoeff(), 1e-7 * f.cwiseAbs().maxCoeff());
}

TEST(Shafts, SagOfASupportedShaftIsExactAtItsNodes) {
  for (const int elements : {2, 4, 6}) {
    Model model = steel_model(supported(elements));
    model.gravity = {0, 0, -9.81};
    const System system = build_system(model);
    DynamicsProbe probe(system);
    const VectorX still = VectorX::Zero(probe.dofs());
    MatrixX K, C;
    probe.tangents(system.initial.q, still, 0, K, C);
    // The spin is free: a stiffness of any size holds it.
    K(system.bodies[1].dof[3], system.bodies[1].dof[3]) += 1;
    VectorX q = probe.force(system.initial.q, still, 0);
    ASSERT_TRUE(solve_with_full_pivoting(K, q));
    const int middle = system.bodies[static_cast<size_t>(1 + elements / 2)].dof[2];
    const double sag = 5 * line_mass * 9.81 * std::pow(shaft_length, 4) / (384 * bending);
    EXPECT_NEAR(q[middle], -sag, 1e-9 * sag) << elements;
  }
}

TEST(Shafts, FrequenciesOfBendingAndTorsion) {
  const System system = build_system(steel_model(supported(8)));
  DynamicsProbe probe(system);
  MatrixX K, C;
  probe.tangents(system.initial.q, VectorX::Zero(probe.dofs()), 0, K, C);
  const VectorX found = generalized_modes(K, probe.mass(system.initial.q)).values.cwiseMax(0).cwiseSqrt();
  const auto nearest = [&](double omega) { return (found.array() - omega).abs().minCoeff(); };
  for (int mode = 1; mode <= 3; ++mode) {
    const double k = mode * pi / shaft_length;  // (SH-6)
    const double omega =
        std::sqrt(bending * std::pow(k, 4) / (line_mass + steel_density * section_inertia * k * k));
    // Cubic elements are too stiff by (k l)^4/720 in the square of the frequency.
    EXPECT_LT(nearest(omega), 1.05 * std::pow(k * shaft_length / 8, 4) / 1440 * omega) << mode;
  }
  const double torsion =
      pi / shaft_length * std::sqrt(steel_young / (2 * (1 + steel_poisson)) / steel_density);
  EXPECT_LT(nearest(torsion), 7e-3 * torsion) << "linear elements are too stiff by (pi/8)^2/24";
  EXPECT_NEAR(found[0], 0, 1e-3) << "it spins freely";
}

/// Frequencies of the motion around a steady spin: positive forward, negative backward, by the rotation of
/// the middle node.
std::vector<double> whirl_frequencies(const System& system, double spin) {
  DynamicsProbe probe(system);
  const int n = probe.dofs();
  VectorX v = VectorX::Zero(n);
  for (const auto& body : system.bodies)
    if (body.dof[3] >= 0) v[body.dof[3]] = spin;
  MatrixX K, C;
  probe.tangents(system.initial.q, v, 0, K, C);
  MatrixX A = MatrixX::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -solve_symmetric(probe.mass(system.initial.q), K);
  A.bottomRightCorner(n, n) = -solve_symmetric(probe.mass(system.initial.q), C);
  const Eigen::EigenSolver<MatrixX> solver(A);
  const auto& middle = system.bodies[system.bodies.size() / 2].dof;
  std::vector<double> result;
  for (int i = 0; i < 2 * n; ++i) {
    const double omega = solver.eigenvalues()[i].imag();
    if (omega < 1) continue;
    const std::complex<double> a = solver.eigenvectors()(middle[1], i),
                               b = solver.eigenvectors()(middle[2], i);
    if (std::abs(a) + std::abs(b) < 1e-9) continue;
    result.push_back((std::conj(a) * b).imag() < 0 ? omega : -omega);
  }
  std::sort(result.begin(), result.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  return result;
}

TEST(Shafts, SpinSplitsTheWhirlFrequencies) {
  const System system = build_system(steel_model(supported(8)));
  const double spin = 2e4, k = pi / shaft_length, ratio = section_inertia / section_area * k * k;
  const auto found = whirl_frequencies(system, spin);
  ASSERT_GE(found.size(), 2u);
  // (1 + r) w^2 - 2 r Omega w - E I k^4/(rho A) = 0  (SH-7)
  const double stiffness = bending * std::pow(k, 4) / line_mass;
  const double root = std::sqrt(ratio * ratio * spin * spin + (1 + ratio) * stiffness);
  const double forward = (ratio * spin + root) / (1 + ratio), backward = (ratio * spin - root) / (1 + ratio);
  EXPECT_GT(forward + backward, 0.01 * forward);
  EXPECT_NEAR(found[0], backward, 2e-5 * forward);
  EXPECT_NEAR(found[1], forward, 2e-5 * forward);
}

TEST(Shafts, ADiscOnALightShaftWhirlsAsStodolaSays) {
  // In the middle of a supported shaft a disc tilts and shifts independently; tilting: stiffness 12 E I/L.
  Shaft shaft = supported(2);
  const double mass = 50, polar = 4, transverse = 2.5, spin = 300;
  shaft.discs = {{"1", {mass, polar, transverse}}};
  Model model = steel_model(shaft);
  model.materials[0].second.density = 1e-6;
  const System system = build_system(model);
  DynamicsProbe probe(system);
  const int n = probe.dofs();
  VectorX v = VectorX::Zero(n);
  for (const auto& body : system.bodies)
    if (body.dof[3] >= 0) v[body.dof[3]] = spin;
  MatrixX K, C;
  probe.tangents(system.initial.q, v, 0, K, C);
  const MatrixX M = probe.mass(system.initial.q);
  const auto& disc = system.bodies[2].dof;
  // A motion of the disc in the given sense needs no moment at its own frequency: D x = 0 with
  // D = K + i w C - w^2 M, reduced to the two coordinates of the disc.
  using Complex = std::complex<double>;
  const auto lack = [&](double omega, int first, int second) {
    MatrixX D(2 * n, 2 * n);  // real and imaginary parts apart
    D.topLeftCorner(n, n) = D.bottomRightCorner(n, n) = K - omega * omega * M;
    D.bottomLeftCorner(n, n) = omega * C;
    D.topRightCorner(n, n) = -omega * C;
    Eigen::Matrix2cd part;
    for (const int column : {0, 1}) {
      VectorX x = VectorX::Unit(2 * n, column == 0 ? first : second);
      EXPECT_TRUE(solve_with_full_pivoting(D, x));
      part.col(column) << Complex(x[first], x[n + first]), Complex(x[second], x[n + second]);
    }
    const Eigen::Vector2cd forward(1, Complex(0, -1));
    return (part.inverse() * forward).norm() / K(first, first);
  };
  const double tilt = 12 * bending / shaft_length,
               root = std::sqrt(polar * polar * spin * spin + 4 * transverse * tilt);
  const double shift = std::sqrt(48 * bending / std::pow(shaft_length, 3) / mass);
  for (const double sign : {1.0, -1.0}) {
    const double omega = (polar * spin + sign * root) / (2 * transverse);
    EXPECT_LT(lack(omega, disc[4], disc[5]), 1e-7) << omega;
    EXPECT_GT(lack(1.001 * omega, disc[4], disc[5]), 1e-4) << "the law is not empty";
    EXPECT_GT(lack(-omega, disc[4], disc[5]), 1e-2) << "and knows the sense of the whirl";
  }
  EXPECT_LT(lack(shift, disc[1], disc[2]), 1e-7);
}

}  // namespace
}  // namespace percuss
