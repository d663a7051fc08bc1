#include "percuss/dynamics/forces.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "percuss/dynamics/energies.h"
#include "support/models.h"

namespace percuss {
namespace {

using testing::particle;
using testing::spring;

/// Three bodies with every kind of spring, some coordinates held, loads in time.
Model spring_model() {
  Model model = testing::steel_model(0);
  model.gravity = {0.3, -0.2, -9.81};
  model.bodies = {particle("a", 1.5, Translations::xyz, {0, 0, 0}),
                  particle("b", 0.7, Translations::xz, {1, 2, 0.5}),
                  particle("c", 2.0, Translations::y, {-1, 0.4, 2})};
  Spring ground = spring("a", "b", 60, 0.9);
  ground.name = "ground";
  ground.to.body.reset();
  ground.to.point = Vector3(0.2, -1, 3);
  Spring along = spring("b", "c", 80, 1.3);
  along.name = "along";
  along.axis = Vector3(1, 2, 2);
  along.rest_length = 0.3;
  Spring free = spring("a", "c", 25);
  free.name = "free";
  free.rest_length = 0;
  model.springs = {spring("a", "b", 40, 2.5), ground, along, free};
  model.forces = {testing::load("push", "b", {"3*sin(2*t)", "7", "t^2"})};
  return model;
}

VectorX force(const System& system, const VectorX& q, const VectorX& v, double t) {
  VectorX f(system.dof_count());
  evaluate_force(system, q, v, t, f);
  return f;
}

TEST(Forces, SpringForceIsTheGradientOfItsEnergy) {
  const System system = build_system(spring_model());
  const VectorX q = system.initial.q + 0.3 * VectorX::Random(system.dof_count());
  const VectorX zero = VectorX::Zero(system.dof_count());
  const double t = 0;
  const VectorX f = force(system, q, zero, t);
  const auto potential = [&](const VectorX& x) {
    return strain_energy(system, x) + gravity_potential(system, x) - load_work(system, t, x);
  };
  for (int i = 0; i < q.size(); ++i) {
    VectorX plus = q, minus = q;
    plus[i] += 1e-6;
    minus[i] -= 1e-6;
    EXPECT_NEAR(f[i], -(potential(plus) - potential(minus)) / 2e-6, 1e-6 * (1 + std::abs(f[i]))) << i;
  }
}

TEST(Forces, DampersOnlyTakeEnergy) {
  const System system = build_system(spring_model());
  const VectorX q = system.initial.q, zero = VectorX::Zero(system.dof_count());
  for (int trial = 0; trial < 20; ++trial) {
    const VectorX v = VectorX::Random(system.dof_count());
    const double power = (force(system, q, v, 0) - force(system, q, zero, 0)).dot(v);
    EXPECT_LE(power, 0);
    EXPECT_NEAR(-power, damping_power(system, q, v), 1e-12);
  }
}

TEST(Forces, TangentsOfADistanceSpringAgreeWithDifferences) {
  DistanceSpring spring;
  spring.from.fixed = {0.1, 0.2, -0.3};
  spring.to.dof = {0, 1, 2};
  spring.rest_length = 0.8;
  spring.stiffness = 50;
  spring.damping = 4;
  const VectorX q = Vector3(0.9, -0.4, 0.5), v = Vector3(-0.3, 0.7, 1.1);
  const SpringTangents tangents = spring_tangents(spring, q, v);
  for (int j = 0; j < 3; ++j) {
    const VectorX d = 1e-6 * VectorX::Unit(3, j);
    const Vector3 column_K = -(spring_force(spring, q + d, v) - spring_force(spring, q - d, v)) / 2e-6;
    const Vector3 column_C = -(spring_force(spring, q, v + d) - spring_force(spring, q, v - d)) / 2e-6;
    EXPECT_LT((tangents.K.col(j) - column_K).norm(), 1e-7) << j;
    EXPECT_LT((tangents.C.col(j) - column_C).norm(), 1e-7) << j;
  }
}

TEST(Forces, IterationMatrixIsMassPlusTangents) {
  const System system = build_system(spring_model());
  const int n = system.dof_count();
  const VectorX q = system.initial.q + 0.1 * VectorX::Random(n), v = VectorX::Random(n);
  SparseMatrix A = system.pattern;
  const double c = 0.03, k = 0.002;
  assemble_iteration_matrix(system, q, v, c, k, A);
  Eigen::MatrixXd expected = system.mass.asDiagonal();
  for (int j = 0; j < n; ++j) {
    const VectorX d = 1e-6 * VectorX::Unit(n, j);
    expected.col(j) -= k * (force(system, q + d, v, 0) - force(system, q - d, v, 0)) / 2e-6 +
                       c * (force(system, q, v + d, 0) - force(system, q, v - d, 0)) / 2e-6;
  }
  const Eigen::MatrixXd symmetric = 0.5 * (expected + expected.transpose());
  const Eigen::MatrixXd assembled = Eigen::MatrixXd(A).selfadjointView<Eigen::Lower>();
  EXPECT_LT((assembled - symmetric).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Forces, RestLengthDefaultsToTheLengthAtTheStart) {
  Model model = spring_model();
  model.gravity.setZero();
  model.forces.clear();
  for (auto& s : model.springs) s.rest_length.reset();
  const System system = build_system(model);
  EXPECT_NEAR(strain_energy(system, system.initial.q), 0, 1e-20);
}

TEST(Forces, OnlyCertainSpringsAreLinear) {
  Model model = spring_model();
  EXPECT_FALSE(build_system(model).has_constant_matrices());
  model.springs.erase(model.springs.begin(), model.springs.begin() + 2);
  EXPECT_TRUE(build_system(model).has_constant_matrices());
}

TEST(System, MassOfASphereComesFromItsDensity) {
  Model model = testing::steel_model(0);
  model.materials[0].second.density = 1000;
  Sphere sphere;
  sphere.name = "ball";
  sphere.radius = 0.1;
  sphere.material = "steel";
  model.bodies = {sphere};
  EXPECT_NEAR(build_system(model).bodies[0].mass, 4.18879020478639, 1e-13);
}

}  // namespace
}  // namespace percuss
