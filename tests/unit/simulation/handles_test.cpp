#include <gtest/gtest.h>

#include "percuss/simulation/simulation.h"
#include "support/scenes.h"

namespace percuss {
namespace {

constexpr const char* turning = R"(percuss: 1
title: bodies that turn
materials: {steel: {density: 7800}, stone: {density: 2500, young: 3.5e10, poisson: 0.2}}
bodies:
  - {rigid: spatial, shape: {box: [0.1, 0.2, 0.3]}, material: steel, angular_velocity: [1, 5, 0.5]}
  - {rigid: natural, shape: {box: [0.1, 0.2, 0.3]}, material: steel, position: [1, 0, 0], angular_velocity: [1, 5, 0.5], coordinates: natural}
  - solid: floating
    material: stone
    formulation: floating
    mesh: {box: {corner: [2, 0, 0], size: [0.5, 0.5, 1], divisions: [1, 1, 1]}}
    angular_velocity: [1, 3, 0]
frames:
  - {frame: driven, axis: [0, 0, 1], angle: 2*t}
time: {end: 1e-3, step: 1e-5}
)";

/// R_dot = skew(omega) R, by differences over a short step.
TEST(Handles, TellHowABodyTurns) {
  Simulation simulation = parse_simulation(turning, "turning.yaml").simulation;
  for (const char* name : {"spatial", "natural", "floating", "driven"}) {
    const BodyId body = simulation.body(name);
    const double start = simulation.time();
    const Matrix3 before = simulation.rotation(body);
    const Vector3 omega_before = simulation.angular_velocity(body);
    ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    const Vector3 omega = 0.5 * (omega_before + simulation.angular_velocity(body));
    const Matrix3 change = (simulation.rotation(body) - before) / (simulation.time() - start);
    const Matrix3 middle = 0.5 * (simulation.rotation(body) + before);
    for (int column = 0; column < 3; ++column)
      EXPECT_LT((change.col(column) - omega.cross(middle.col(column))).norm(), 1e-7) << name;
    EXPECT_GT(omega.norm(), 1) << name;
  }
}

TEST(Handles, MeanTheSameAsNames) {
  Simulation simulation = testing::scene_simulation("bouncing_ball", {"time.end=1"});
  const BodyId ball = simulation.body("ball");
  const auto contacts = simulation.find_contacts("ball", "floor");
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(simulation.contact_name(contacts[0]), (ContactName{"ball", "floor"}));
  const Probe height = simulation.make_probe("ball.position.z"),
              gap = simulation.make_probe("contact(ball, floor).gap");
  while (!simulation.finished()) {
    simulation.step();
    EXPECT_EQ(simulation.position(ball).z(), height.value(simulation));
    EXPECT_EQ(simulation.position(ball), simulation.position("ball"));
    EXPECT_EQ(simulation.velocity(ball), simulation.velocity("ball"));
    EXPECT_EQ(simulation.gap(contacts[0]), gap.value(simulation));
  }
  EXPECT_TRUE(simulation.find_contacts("ball", "wall").empty());
}

TEST(Handles, OfUnknownBodiesAreNotGiven) {
  const Simulation simulation = testing::scene_simulation("bouncing_ball");
  EXPECT_THROW(simulation.body("bal"), std::out_of_range);
  EXPECT_THROW(simulation.position(BodyId{}), std::out_of_range);
}

}  // namespace
}  // namespace percuss
