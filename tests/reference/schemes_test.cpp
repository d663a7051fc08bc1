#include <cmath>

#include <gtest/gtest.h>

#include "support/scenes.h"

/// The schemes of [Cosimo 2020] to [Acary 2020] against the numbers that a correct implementation shows:
/// "discrete" values are the exact solutions of a scheme's own equations at that step.
namespace percuss {
namespace {

using testing::finished;
using testing::Overrides;

Overrides alpha(Overrides more = {}) {
  more.insert(more.begin(), "integrator.scheme=generalized-alpha");
  return more;
}
Overrides hht(Overrides more = {}) {
  more.insert(more.begin(), "integrator.scheme=hht");
  return more;
}

TEST(GeneralizedAlphaReference, BouncingBallIsTheDiscreteSolution) {
  for (const char* splitting : {"decoupled", "coupled", "decoupled-neglected"}) {
    const Simulation s =
        finished("bouncing_ball", alpha({std::string("integrator.splitting=") + splitting, "time.end=2"}));
    EXPECT_NEAR(s.probe("contact(ball, floor).gap"), 0.0570112, 1e-9) << splitting;
    EXPECT_NEAR(s.probe("ball.velocity.z"), 1.22528, 1e-9) << splitting;
  }
}

TEST(GeneralizedAlphaReference, OscillatorChain) {
  const Simulation s = finished("oscillator_chain", alpha());
  EXPECT_NEAR(s.probe("energy"), 49.2486, 1e-4);
  EXPECT_EQ(s.statistics().max_by_level, (std::array<int, 3>{1, 1, 1})) << "linear, one contact";
}

TEST(GeneralizedAlphaReference, BallInBoxRestsInItsCorner) {
  Simulation s = testing::scene_simulation("ball_in_box", alpha({"time.end=10"}));
  while (!s.finished()) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    for (int c = 0; c < s.contact_count(); ++c) ASSERT_GE(s.gap(c), -1e-14);
  }
  EXPECT_NEAR(s.probe("ball.position.x"), 1, 1e-14);
  EXPECT_NEAR(s.probe("ball.position.y"), 1, 1e-14);
}

TEST(GeneralizedAlphaReference, EnergyNeverRisesWithConstantNormalsAndWithoutStiffSprings) {
  for (const char* scene : {"bouncing_ball", "ball_in_box"}) {
    Simulation s = testing::scene_simulation(scene, alpha());
    double energy = s.energy().total();
    const double rounding = 1e-14 * energy;
    while (!s.finished()) {
      ASSERT_EQ(s.step().status, SolveStatus::converged);
      ASSERT_LE(s.energy().total(), energy + rounding) << scene << " at " << s.time();
      energy = s.energy().total();
    }
  }
}

TEST(GeneralizedAlphaReference, RigidPendulumKeepsJointsAndGaps) {
  for (const char* inertia : {"parameters.inertia=1/3", "parameters.inertia=0"}) {
    Simulation s =
        testing::scene_simulation("rigid_pendulum", alpha({inertia, "time.end=1.2", "time.step=2e-3"}));
    double drift = 0, velocity_drift = 0;
    while (!s.finished()) {
      ASSERT_EQ(s.step().status, SolveStatus::converged);
      drift = std::max(drift, s.joint_violation());
      velocity_drift = std::max(velocity_drift, s.joint_velocity_violation());
      ASSERT_GE(s.gap(0), -1e-12);
    }
    EXPECT_LT(drift, 1e-12);
    EXPECT_LT(velocity_drift, 1e-12);
  }
}

TEST(GeneralizedAlphaReference, DecoupledNeedsFewerSolvesThanCoupled) {
  const Overrides common = {"time.end=0.42", "time.step=1e-3"};
  Overrides decoupled = alpha(common), coupled = alpha(common);
  coupled.emplace_back("integrator.splitting=coupled");
  const auto solves = [](const Overrides& o) {
    return static_cast<double>(finished("parallelepiped_natural", o).statistics().iterations);
  };
  EXPECT_LT(solves(decoupled), 0.6 * solves(coupled));
}

TEST(GeneralizedAlphaReference, BlockStaysOnASlope) {
  const Simulation start = testing::scene_simulation("block_on_slope");
  const Simulation s = finished("block_on_slope", alpha());
  EXPECT_LT((s.position("block") - start.position("block")).norm(), 1e-12);
}

TEST(GeneralizedAlphaReference, SlidingBlockStopsWhereItShould) {
  // The impulse of friction is exact for a constant force: the error is that of the step in which it stops.
  const Simulation fine = finished("sliding_block", {"time.step=1e-5"});
  for (const double h : {4e-3, 1e-3}) {
    const Simulation s = finished("sliding_block", alpha({"time.step=" + std::to_string(h)}));
    EXPECT_NEAR(s.probe("block.position.x"), fine.probe("block.position.x"), 0.4 * h * h);
    EXPECT_NEAR(s.probe("block.position.y"), fine.probe("block.position.y"), 0.4 * h * h);
    EXPECT_LT(s.probe("block.velocity.x"), 1e-12);
  }
}

TEST(GeneralizedAlphaReference, FrictionOfTheSliderCrankAgreesWithTheLimit) {
  const Simulation s = finished("slider_crank", alpha({"time.step=1e-5"}));
  EXPECT_NEAR(s.probe("slider_crank.theta1"), 9.0006398425, 2e-3);
  EXPECT_NEAR(s.probe("slider_crank.theta2"), -0.2105887551, 1e-3);
}

TEST(HhtReference, DiscreteEnergies) {
  EXPECT_NEAR(finished("vertical_oscillator", hht({"time.end=1"})).probe("energy"), 13.221061, 1e-6);
  EXPECT_NEAR(finished("vertical_oscillator", hht({"time.end=1", "integrator.alpha_f=0", "integrator.gamma=1",
                                                   "integrator.beta=0.5"}))
                  .probe("energy"),
              8.592869, 1e-6);
  EXPECT_NEAR(finished("oscillator_chain", hht()).probe("energy"), 49.2845, 1e-4);
}

/// Ratio of the velocities after and before the first impact of the ball, some steps later.
double rebound(const Overrides& overrides) {
  Simulation s = testing::scene_simulation("bouncing_ball", overrides);
  double before = 0;
  while (!s.finished() && s.impacts().empty()) {
    before = s.probe("ball.velocity.z");
    EXPECT_EQ(s.step().status, SolveStatus::converged);
  }
  const double hit = s.time();
  for (int i = 0; i < 10; ++i) s.step();
  return -(s.probe("ball.velocity.z") + 10 * (s.time() - hit)) / before;
}

TEST(InconsistentSchemes, HhtDirectHasTheRestitutionOfItsFormula) {
  struct Case {
    double alpha_f, gamma;
  };
  for (const auto& [alpha_f, gamma] : {Case{0.1, 0.6}, Case{0, 0.5}, Case{0, 1}, Case{0.2, 0.7}}) {
    const double found =
        rebound({"integrator.scheme=hht-direct", "integrator.allow_inconsistent=true",
                 "integrator.alpha_f=" + std::to_string(alpha_f), "integrator.gamma=" + std::to_string(gamma),
                 "time.step=1e-4", "time.end=1"});
    EXPECT_NEAR(found, 1.8 / ((1 - alpha_f) * gamma) - 1, 3e-4) << alpha_f << " " << gamma;
  }
}

TEST(InconsistentSchemes, NewmarkAtPositionLevelReboundsByThePlaceOfTheImpactInTheStep) {
  const double impact = 0.4002499219;
  double least = 2, most = 0;
  for (int i = 0; i < 8; ++i) {
    const double h = 1e-4 * (1 + 0.01 * i), phase = impact / h - std::floor(impact / h);
    Simulation s = testing::scene_simulation(
        "bouncing_ball", {"integrator.scheme=newmark-position", "integrator.allow_inconsistent=true",
                          "integrator.gamma=1", "integrator.beta=0.5", "time.step=" + std::to_string(h)});
    s.advance_to(impact + 10 * h);
    const double found = std::abs(s.probe("ball.velocity.z")) / 4.0025;
    EXPECT_NEAR(found, std::abs(1 - 2 * phase), 5e-3) << h;
    least = std::min(least, found);
    most = std::max(most, found);
  }
  EXPECT_GT(most - least, 0.5) << "no convergence";
}

TEST(SchatzmanPaoliReference, ImpactLawHoldsAfterTwoSteps) {
  Simulation s = testing::scene_simulation(
      "bouncing_ball", {"integrator.scheme=schatzman-paoli", "time.step=1e-4", "time.end=0.42"});
  s.advance_to(0.42);
  EXPECT_NEAR((s.probe("ball.velocity.z") + 10 * (0.42 - 0.4002499219)) / 4.002499219, 0.8, 1e-3);
}

}  // namespace
}  // namespace percuss
