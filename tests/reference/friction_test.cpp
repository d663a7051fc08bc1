#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "percuss/simulation/probe.h"
#include "support/scenes.h"

/// The scenes with friction against exact solutions.
namespace percuss {
namespace {

using testing::finished;
using testing::Overrides;
using testing::scene_simulation;

constexpr double g = 9.81;

const Overrides both_schemes[] = {{"integrator.scheme=moreau-jean"}, {"integrator.scheme=moreau-explicit"}};

TEST(SlidingBlock, StopsWhereAndWhenCoulombSays) {
  const double speed = 2, mu = 0.3, angle = std::atan2(3.0, 4.0);
  for (Overrides overrides : both_schemes)
    for (const double h : {1e-3, 2.5e-4}) {
      overrides.push_back("time.step=" + std::to_string(h));
      Simulation s = scene_simulation("sliding_block", overrides);
      overrides.pop_back();
      while (s.probe("block.speed") > 1e-9) {
        ASSERT_EQ(s.step().status, SolveStatus::converged);
        ASSERT_TRUE(s.impacts().empty()) << s.time();
      }
      EXPECT_NEAR(s.time(), speed / (mu * g), 1.01 * h);
      const double distance = speed * speed / (2 * mu * g), x = s.probe("block.position.x"),
                   y = s.probe("block.position.y");
      EXPECT_NEAR(std::hypot(x, y), distance, 1.01 * speed * h);
      EXPECT_NEAR(std::atan2(y, x), angle,
                  1e-3 * h);  // it rocks a little: see the solver's tolerance at (M-9)
      // All the energy went into friction: mu N times the way, and what the first step's rocking takes.
      const double m = 0.2 * 0.2 * 0.04 * 700;
      EXPECT_NEAR(s.energy().loss_friction, mu * m * g * std::hypot(x, y), mu * m * g * 1.01 * speed * h);
    }
}

TEST(BlockOnSlope, HoldsJustBelowTheFrictionAngle) {
  for (const Overrides& overrides : both_schemes) {
    const Simulation s = finished("block_on_slope", overrides);
    EXPECT_LT(std::abs(s.probe("block.displacement.x")), 1e-11);
    EXPECT_LT(std::abs(s.probe("block.displacement.z")), 1e-11);
    EXPECT_LT(s.probe("block.speed"), 1e-13);
  }
}

TEST(BlockOnSlope, SlidesJustAboveItWithTheExactAcceleration) {
  const double mu = 0.5, slope = std::atan(1.01 * mu), a = g * (std::sin(slope) - mu * std::cos(slope));
  for (Overrides overrides : both_schemes) {
    overrides.insert(overrides.end(), {"parameters.ratio=1.01", "time.end=2"});
    const Simulation s = finished("block_on_slope", overrides);
    EXPECT_NEAR(s.probe("block.speed"), a * 2, 1e-9);
    EXPECT_NEAR(std::hypot(s.probe("block.displacement.x"), s.probe("block.displacement.z")), a * 2,
                2 * a * 5e-3);
  }
}

TEST(SpinningBall, RollsAtTheExactSpeedFromTheExactTimeOn) {
  const double radius = 0.11, speed = 1.5, spin = 50, mu = 0.2;
  const double rolling = (5 * speed - 2 * spin * radius) / 7,
               begins = 2 * (speed + spin * radius) / (7 * mu * g);
  for (const Overrides& overrides : both_schemes) {
    Simulation s = scene_simulation("spinning_ball", overrides);
    while (s.probe("contact(ball, floor).sliding") > 1e-9) ASSERT_EQ(s.step().status, SolveStatus::converged);
    EXPECT_NEAR(s.time(), begins, 1.01e-3);
    s.advance_to(2);
    EXPECT_NEAR(s.probe("ball.velocity.x"), rolling, 1e-12);
    EXPECT_NEAR(s.probe("ball.omega.y"), rolling / radius, 1e-10);
    EXPECT_NEAR(s.energy().loss_impacts, 0, 1e-12);
  }
}

TEST(StickSlipBelt, SticksThenSwings) {
  const double m = 1, k = 100, mu = 0.4, speed = 0.5, omega = std::sqrt(k / m);
  const double middle = mu * m * g / k, leaves = middle / speed;
  for (const double h : {1e-3, 2.5e-4}) {
    Simulation s = scene_simulation("stick_slip_belt", {"time.step=" + std::to_string(h)});
    s.advance_to(leaves - 2 * h);
    EXPECT_NEAR(s.probe("block.position.x"), speed * s.time(), 1e-12);
    EXPECT_EQ(s.probe("contact(block, surface).status"), 1);
    for (const double t : {0.3, 0.8, 1.7, 2.6}) {
      s.advance_to(t);
      const double exact = middle + speed / omega * std::sin(omega * (s.time() - leaves));
      EXPECT_NEAR(s.probe("block.position.x"), exact, speed * h) << t;
    }
    // What the belt gave and what friction took.
    const EnergyLedger& e = s.energy();
    EXPECT_NEAR(e.initial + e.work_drives - e.loss_friction - e.loss_algorithmic, e.total(), 1e-9);
    EXPECT_LT(std::abs(e.loss_algorithmic), 1e-9);
    EXPECT_GT(e.loss_friction, 1);
  }
}

TEST(DryJoint, StopsAWheelInTheExactTime) {
  const std::string text = R"scene(percuss: 1
bodies:
  - {planar: wheel, mass: 2, inertia: 0.5, angular_velocity: 10}
joints:
  - {hinge: axle, body: wheel, at: [0, 0, 0], friction: 4}
time: {end: 2, step: 1e-3}
)scene";
  const Scene scene = parse_scene(text, "wheel");
  Simulation s(scene.model, scene.run);
  ASSERT_EQ(s.step().status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("contact(axle, friction).sliding"), 10 - 4 / 0.5 * 1e-3, 1e-12);
  EXPECT_NEAR(s.probe("contact(axle, friction).friction"), 4, 1e-12);
  EXPECT_NEAR(s.probe("contact(axle, friction).force"), -4, 1e-12);
  EXPECT_THROW(s.probe("contact(axle, friction).gap"), ProbeError);
  while (s.probe("contact(axle, friction).status") != 1) ASSERT_EQ(s.step().status, SolveStatus::converged);
  EXPECT_NEAR(s.time(), 0.5 * 10 / 4.0, 1.01e-3);
  EXPECT_NEAR(s.probe("wheel.angle"), 0.5 * 10 * 1.25, 1e-9);
  EXPECT_NEAR(s.energy().loss_friction, 25, 1e-9);
  s.advance_to(2);
  EXPECT_LT(std::abs(s.probe("wheel.angular_velocity")), 1e-14);
}

TEST(PainleveRod, StopsInAnImpactWithoutCollision) {
  // 1 + 3 cos(angle) (cos(angle) - mu sin(angle)) < 0: no force keeps the tip from digging in.
  for (const double h : {1e-3, 1e-4, 1e-5}) {
    Simulation s = scene_simulation("painleve_rod", {"time.step=" + std::to_string(h)});
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    EXPECT_EQ(s.probe("contact(rod.tip, board).status"), 3) << h;
    EXPECT_EQ(s.probe("contact(rod.tip, board).force"), 0) << h;
    EXPECT_NEAR(s.probe("contact(rod.tip, board).impulse"), 1.0956, 1e-4 + 6.5 * h) << h;  // a limit, not 0
    EXPECT_NEAR(s.probe("rod.tip.velocity.x"), 0, 1e-9) << h;
  }
  // Pushed the other way the tip slides under a finite force.
  Simulation s = scene_simulation("painleve_rod", {"parameters.speed=3"});
  while (s.time() < 0.1) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    ASSERT_NE(s.probe("contact(rod.tip, board).status"), 3) << s.time();
  }
}

TEST(ThirtyCubes, MoveAlikeAndAreCarriedAlike) {
  Simulation s = scene_simulation("thirty_cubes", {"time.end=0.6"});
  while (!s.finished()) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    const std::vector<double>& r = s.state().contacts.reaction;
    ASSERT_EQ(r.size(), 30u * 8 * 3);
    for (size_t i = 0; i < r.size(); i += 3) {  // the corners of a cube: half of them below
      const double first = *std::max_element(r.begin(), r.begin() + 24);
      ASSERT_TRUE(r[i] == 0 || std::abs(r[i] - first) <= 1e-10 * first) << i << " at " << s.time();
      ASSERT_LE(std::hypot(r[i + 1], r[i + 2]), 1e-10 * first) << i << " at " << s.time();
    }
    const double height = s.probe("cube0.position.z");
    for (int i = 0; i < 30; ++i) {
      const std::string cube = "cube" + std::to_string(i);
      ASSERT_NEAR(s.position(cube).z(), height, 1e-12) << cube;
      ASSERT_LT(s.velocity(cube).head<2>().norm(), 1e-12) << cube;
    }
  }
}

}  // namespace
}  // namespace percuss
