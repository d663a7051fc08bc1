#include <cmath>

#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/forces.h"
#include "support/event_runs.h"
#include "support/same_statistics.h"

/// The scheme `event-driven` with the implicit method `bdf`: exact solutions, and stiff bodies.
namespace percuss {
namespace {

using testing::next_impact;
using testing::Overrides;
using testing::scene_simulation;
using testing::sharp;
using testing::operator+;

/// Without frames, at which the method would begin anew.
Simulation bdf(const std::string& scene, const Overrides& overrides = {}) {
  return scene_simulation(
      scene, Overrides{"integrator.scheme=event-driven", "integrator.method=bdf", "record={}"} + overrides);
}
/// A function: not every compiler has set `sharp` before the constants of this file.
Overrides high_order() { return sharp + Overrides{"integrator.max_order=5"}; }
const Overrides stiff = {"integrator.relative_tolerance=1e-6", "integrator.absolute_tolerance=1e-8"};

// ----------------------------- exact solutions

TEST(EventDrivenBdf, TheBallBouncesInTimeAndRests) {
  for (const auto& [overrides, tolerance] : {std::pair{Overrides{}, 1e-6}, {sharp, 1e-10}}) {
    Simulation s = bdf("bouncing_ball", overrides + Overrides{"time.step=0.5"});
    const double first = std::sqrt(2 * 0.801 / 10), e = 0.8;
    double exact = first, flight = 2 * e * first;
    for (int k = 0; k < 25; ++k) {
      EXPECT_NEAR(next_impact(s).time, exact, tolerance) << k;
      exact += flight;
      flight *= e;
    }
    ASSERT_EQ(s.advance_to(5).status, SolveStatus::converged);
    EXPECT_EQ(s.statistics().impacts, 79) << "as many as the one-step method finds";
    EXPECT_NEAR(s.probe("contact(ball, floor).force"), 10, 1e-9);
  }
}

TEST(EventDrivenBdf, BothWallsOfTheBoxAreMetInTime) {
  Simulation s = bdf("ball_in_box", sharp + Overrides{"time.end=2", "time.step=0.5"});
  const double a[] = {9.81 * std::cos(M_PI / 6), 9.81 * std::sin(M_PI / 6)};
  for (const double acceleration : a) EXPECT_NEAR(next_impact(s).time, std::sqrt(2 / acceleration), 1e-10);
  ASSERT_EQ(s.advance_to(2).status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("ball.position.x"), 1, 1e-15);
  EXPECT_NEAR(s.probe("ball.position.y"), 1, 1e-15);
}

TEST(EventDrivenBdf, TheOscillatorMovesAsItMust) {
  Simulation s = bdf("vertical_oscillator", high_order() + Overrides{"time.end=1", "time.step=0.1"});
  EXPECT_NEAR(next_impact(s).time, 0.4474371464, 1e-10);
  EXPECT_NEAR(next_impact(s).time, 0.4669458288, 1e-9);
  ASSERT_EQ(s.advance_to(1).status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("lower.position.z"), 0.33719525, 1e-8);
  EXPECT_NEAR(s.probe("lower.velocity.z"), -1.80846210, 1e-7);
}

TEST(EventDrivenBdf, SliderCrankAgreesWithItsLimits) {
  for (const char* scene : {"slider_crank", "slider_crank_joints"}) {
    const bool is_user = scene == std::string("slider_crank");
    const char* theta1 = is_user ? "slider_crank.theta1" : "crank.angle";
    const char* theta2 = is_user ? "slider_crank.theta2" : "rod.angle";
    Simulation rough = bdf(scene, high_order() + Overrides{"time.step=1e-2"});
    EXPECT_NEAR(next_impact(rough).time, 0.0026925028, 1e-9) << scene;
    ASSERT_EQ(rough.advance_to(0.1).status, SolveStatus::converged);
    EXPECT_NEAR(rough.probe("energy"), 7.22764395, 1e-8);
    EXPECT_NEAR(rough.probe(theta1), 9.0006398425, 1e-8);
    EXPECT_NEAR(rough.probe(theta2), -0.2105887551, 1e-8);
    Simulation bilateral = bdf(
        scene, high_order() + Overrides{"parameters.friction=0", "parameters.clearance=0", "time.step=1e-2"});
    ASSERT_EQ(bilateral.advance_to(0.1).status, SolveStatus::converged);
    EXPECT_NEAR(bilateral.probe("energy"), 7.49554875, 1e-8);
    EXPECT_NEAR(bilateral.probe(theta1), 9.1401524169, 1e-8);
    EXPECT_NEAR(bilateral.probe(theta2), -0.1408644354, 1e-8);
  }
}

/// Contacts open with velocity zero some fifty times: whatever the tolerances are, they stay open. Steps of
/// order 2 go with the third root of the tolerance, and the error with their square.
TEST(EventDrivenBdf, SliderCrankConvergesWithTheTolerances) {
  constexpr double exact = 7.22764395;  // [J]
  for (const char* scene : {"slider_crank", "slider_crank_joints"})
    for (const int digits : {6, 8, 10}) {
      Simulation s = bdf(scene, {"integrator.relative_tolerance=1e-" + std::to_string(digits),
                                 "integrator.absolute_tolerance=1e-" + std::to_string(digits + 2)});
      ASSERT_EQ(s.advance_to(0.1).status, SolveStatus::converged) << scene << digits;
      EXPECT_NEAR(s.probe("energy") / exact, 1, 5 * std::pow(10, -2.0 / 3 * digits)) << scene << digits;
    }
}

TEST(EventDrivenBdf, TheBlockRocksAndThePendulumHitsInTime) {
  Simulation block = bdf("rocking_block", high_order() + Overrides{"time.step=0.1"});
  for (const double time : {0.2925403726, 0.8149959369, 1.2872541859})
    EXPECT_NEAR(next_impact(block).time, time, 1e-9);
  Simulation pendulum = bdf("rigid_pendulum", high_order() + Overrides{"time.end=2", "time.step=0.1"});
  for (const double time : {0.4669330053, 1.2504663160}) EXPECT_NEAR(next_impact(pendulum).time, time, 1e-9);
  EXPECT_LT(pendulum.joint_violation(), 1e-14);
  EXPECT_LT(pendulum.joint_velocity_violation(), 1e-13);
}

// ----------------------------- stiff bodies

TEST(EventDrivenBdf, TheFlexiblePendulumSwingsAndHitsInTime) {
  Simulation s = bdf("flexible_pendulum", stiff + Overrides{"time.step=0.01"});
  ASSERT_EQ(s.advance_to(0.1).status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("rod.last.displacement.x"), -0.00269515, 1e-6);
  EXPECT_NEAR(s.probe("rod.last.displacement.y"), -0.07336907, 1e-6);
  ASSERT_EQ(s.advance_to(0.3).status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("rod.last.displacement.x"), -0.20546789, 1e-6);
  EXPECT_NEAR(s.probe("rod.last.displacement.y"), -0.60722261, 1e-6);
  EXPECT_NEAR(next_impact(s).time, 0.3302207, 1e-6);
  EXPECT_LT(s.statistics().iterations, 300'000) << "the explicit method takes 2.8 million";
}

TEST(EventDrivenBdf, TheFlexiblePendulumGoesOnAfterItsImpact) {
  Simulation s = bdf("flexible_pendulum", {"integrator.relative_tolerance=1e-5", "time.step=0.01",
                                           "integrator.absolute_tolerance=1e-5", "time.end=0.332"});
  const double before = next_impact(s).time;
  ASSERT_EQ(s.advance_to(0.332).status, SolveStatus::converged);
  EXPECT_NEAR(before, 0.33022, 1e-5);
  EXPECT_NEAR(s.energy().total() + s.energy().loss_impacts, 0, 1e-4);
  EXPECT_LT(s.joint_violation(), 1e-14);
}

/// A damped beam: with high orders it takes a tenth of the work.
TEST(EventDrivenBdf, TheCantileverHitsItsStopWithAnyOrder) {
  std::int64_t work[2] = {};
  for (const int order : {2, 5}) {
    Simulation s = bdf("cantilever_stop", stiff + Overrides{"time.step=0.01", "time.end=0.04",
                                                            "integrator.max_order=" + std::to_string(order)});
    for (const double time : {0.03025062, 0.03036274, 0.03041720}) {
      const Impact impact = next_impact(s);
      EXPECT_NEAR(impact.time, time, 3e-8);
      EXPECT_NEAR(impact.u_after, -0.5 * impact.u_before, 1e-12);
    }
    work[order == 5] = s.statistics().iterations;
  }
  EXPECT_LT(work[1], work[0] / 2);
}

/// The static solution is a circle; the explicit method does not come to 0.1 s with a million internal steps.
TEST(EventDrivenBdf, TheBeamRollsUp) {
  Simulation s = bdf("beam_roll_up", stiff + Overrides{"time.step=0.1"});
  ASSERT_EQ(s.advance_to(3).status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("strip.last.position.x"), 0, 1e-4);
  EXPECT_NEAR(s.probe("strip.last.position.y"), 0, 1e-4);
  EXPECT_NEAR(s.probe("strip.last.angle"), 2 * M_PI, 1e-4);
}

/// The impulses are integrals along the motion: together they are the change of momentum.
TEST(EventDrivenBdf, ImpulsesAreTheChangeOfMomentum) {
  Simulation s = bdf("elastic_bar", stiff + Overrides{"parameters.elements=20", "bodies[bar].points={}",
                                                      "record={}", "time.step=0.1", "time.end=1.4"});
  const System& system = s.assembly().system;
  Kinematics kinematics = make_kinematics(system);
  VectorX momentum(system.dof_count());
  const auto total = [&] {
    multiply_mass(system, s.state().q, s.state().v, kinematics, momentum);
    return momentum.sum();
  };
  const double before = total();
  ASSERT_EQ(s.advance_to(2).status, SolveStatus::converged);
  EXPECT_NEAR(s.probe("contacts.impulse"), total() - before, 1e-6);
  EXPECT_NEAR(s.energy().total() + s.energy().loss_impacts, 500, 1e-2);
  EXPECT_GT(s.probe("contact(bar.first, wall).gap"), 0);
}

TEST(EventDrivenBdf, TheBarOfTheBenchmarkLiftsOffInTime) {
  Simulation s = bdf("elastic_bar", stiff + Overrides{"time.step=0.1", "integrator.max_order=5"});
  double closed_until = 0;
  while (!s.finished()) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    if (s.state().contacts.status[0] == ContactStatus::slip) closed_until = s.time();
  }
  EXPECT_NEAR(closed_until, 1.164696, 1e-5);
  EXPECT_NEAR(s.probe("contacts.impulse"), 199.178, 1e-4);
  EXPECT_NEAR(s.probe("bar.first.displacement.x"), -1.704353, 2e-5);
}

// ----------------------------- the state is all there is

TEST(EventDrivenBdf, AFreshWorkspaceChangesNoBit) {
  for (const auto& [scene, end] : {std::pair{"slider_crank_joints", 0.02},
                                   {"rocking_block", 1.0},
                                   {"sliding_block", 1.0},
                                   {"bouncing_ball", 4.0},
                                   {"four_masses", 1.0},
                                   {"flexible_pendulum", 0.02}}) {
    const Overrides step = {"time.step=" + std::to_string(end / 40), "integrator.relative_tolerance=1e-6",
                            "integrator.absolute_tolerance=1e-8"};
    Simulation kept = bdf(scene, step), renewed = bdf(scene, step);
    while (kept.time() < end && !kept.finished()) {
      ASSERT_EQ(kept.step().status, SolveStatus::converged) << scene;
      renewed.renew_workspace();
      ASSERT_EQ(renewed.step().status, SolveStatus::converged) << scene;
      ASSERT_TRUE(kept.time() == renewed.time() && kept.state().q == renewed.state().q &&
                  kept.state().v == renewed.state().v && kept.state().memory == renewed.state().memory &&
                  kept.state().contacts.reaction == renewed.state().contacts.reaction)
          << scene << " at " << kept.time();
    }
    SCOPED_TRACE(scene);
    testing::expect_same_statistics(kept.statistics(), renewed.statistics());
  }
}

TEST(EventDrivenBdf, ARunGoesOnFromACheckpointBitForBit) {
  const Overrides overrides = stiff + Overrides{"time.step=0.01", "time.end=0.05"};
  Simulation whole = bdf("flexible_pendulum", overrides), resumed = bdf("flexible_pendulum", overrides);
  ASSERT_EQ(whole.advance_to(0.02).status, SolveStatus::converged);
  resumed.restore(whole.checkpoint());
  ASSERT_EQ(whole.advance_to(0.05).status, SolveStatus::converged);
  ASSERT_EQ(resumed.advance_to(0.05).status, SolveStatus::converged);
  EXPECT_TRUE(whole.state().q == resumed.state().q && whole.state().v == resumed.state().v);
  testing::expect_same_statistics(whole.statistics(), resumed.statistics());
}

TEST(EventDrivenBdf, FactsFollowTheMethod) {
  EventDrivenOptions options;
  EXPECT_TRUE(options.facts().is_explicit);
  EXPECT_EQ(options.facts().smooth_order, 6);
  options.method = EventMethod::bdf;
  EXPECT_FALSE(options.facts().is_explicit);
  EXPECT_EQ(options.facts().smooth_order, 2);
}

TEST(EventDrivenBdf, OtherMethodsAreRefused) {
  try {
    scene_simulation("bouncing_ball", {"integrator.scheme=event-driven", "integrator.method=bfd"});
    FAIL() << "it was accepted";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'bdf'?"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace percuss
