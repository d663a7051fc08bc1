#include "percuss/dynamics/forces.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support/dynamics_probe.h"
#include "support/models.h"

namespace percuss {
namespace {

using testing::DynamicsProbe;
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

TEST(Forces, SpringForceIsTheGradientOfItsEnergy) {
  Model model = spring_model();
  model.forces.clear();
  const System system = build_system(model);
  DynamicsProbe probe(system);
  const VectorX q = probe.random_configuration(0.3), zero = VectorX::Zero(probe.dofs());
  const VectorX f = probe.force(q, zero, 0);
  for (int i = 0; i < q.size(); ++i) {
    const VectorX d = 1e-6 * VectorX::Unit(q.size(), i);
    EXPECT_NEAR(f[i], -(probe.potential(q + d, 0) - probe.potential(q - d, 0)) / 2e-6,
                1e-6 * (1 + std::abs(f[i])))
        << i;
  }
}

TEST(Forces, DampersOnlyTakeEnergy) {
  const System system = build_system(spring_model());
  DynamicsProbe probe(system);
  const VectorX q = system.initial.q, zero = VectorX::Zero(probe.dofs());
  for (int trial = 0; trial < 20; ++trial) {
    const VectorX v = VectorX::Random(probe.dofs());
    const double power = (probe.force(q, v, 0) - probe.force(q, zero, 0)).dot(v);
    EXPECT_LE(power, 0);
    EXPECT_NEAR(-power, probe.damping(q, v, 0), 1e-12);
  }
}

TEST(Forces, IterationMatrixIsMassPlusTangents) {
  const System system = build_system(spring_model());
  DynamicsProbe probe(system);
  const int n = probe.dofs();
  const VectorX q = probe.random_configuration(0.1), v = VectorX::Random(n);
  const double c = 0.03, k = 0.002;
  MatrixX expected = system.mass.asDiagonal();
  for (int j = 0; j < n; ++j) {
    const VectorX d = 1e-6 * VectorX::Unit(n, j);
    expected.col(j) -= k * (probe.force(q + d, v, 0) - probe.force(q - d, v, 0)) / 2e-6 +
                       c * (probe.force(q, v + d, 0) - probe.force(q, v - d, 0)) / 2e-6;
  }
  const MatrixX symmetric = 0.5 * (expected + expected.transpose());
  EXPECT_LT((probe.iteration_matrix(q, v, 0, c, k) - symmetric).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Forces, RestLengthDefaultsToTheLengthAtTheStart) {
  Model model = spring_model();
  model.gravity.setZero();
  model.forces.clear();
  for (auto& s : model.springs) std::get<Spring>(s).rest_length.reset();
  const System system = build_system(model);
  EXPECT_NEAR(DynamicsProbe(system).potential(system.initial.q, 0), 0, 1e-20);
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
