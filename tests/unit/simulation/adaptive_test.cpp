#include <gtest/gtest.h>

#include "percuss/simulation/run.h"
#include "support/models.h"
#include "support/same_statistics.h"

namespace percuss {
namespace {

RunConfig adaptive(const SchemeOptions& scheme, double end, double tolerance) {
  RunConfig config = testing::run_config(scheme, end, 1e-3);
  config.time.adaptive.emplace().tolerance = tolerance;
  return config;
}

double largest_error_of_ball(Simulation& simulation) {
  const testing::ExactBall exact(10, 0.8, 0.801);
  double largest = 0;
  while (!simulation.finished()) {
    EXPECT_EQ(simulation.step().status, SolveStatus::converged);
    largest = std::max(largest, std::abs(simulation.state().q[0] - exact.height(simulation.time())));
  }
  return largest;
}

/// The error follows the tolerance over four decades, and a smaller one costs next to nothing: between
/// impacts the schemes are exact, and an impact takes the same few steps wherever it is put.
TEST(Adaptive, ABallKeepsItsToleranceInAHundredSteps) {
  for (const SchemeOptions& scheme :
       {SchemeOptions(MoreauJeanOptions{}), SchemeOptions(GeneralizedAlphaOptions{}),
        SchemeOptions(HalfExplicitVelocityOptions{})})
    for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
      Simulation simulation(testing::ball_model(), adaptive(scheme, 2, tolerance));
      EXPECT_LT(largest_error_of_ball(simulation), 10 * tolerance) << scheme_name(scheme);
      EXPECT_EQ(simulation.statistics().impacts, 4) << scheme_name(scheme);
      EXPECT_LT(simulation.statistics().computed, 250) << scheme_name(scheme);
      EXPECT_EQ(simulation.statistics().inaccurate, 0) << scheme_name(scheme);
    }
}

/// Infinitely many impacts until 3.60225 s, then rest.
TEST(Adaptive, ImpactsThatAccumulateTakeFewSteps) {
  Simulation simulation(testing::ball_model(), adaptive(MoreauJeanOptions{}, 5, 1e-4));
  simulation.advance_to(5);
  EXPECT_TRUE(simulation.finished());
  EXPECT_NEAR(simulation.state().q[0], 0, 1e-3);
  EXPECT_NEAR(simulation.state().v[0], 0, 1e-3);
  EXPECT_LT(simulation.statistics().computed, 2000);
}

TEST(Adaptive, EndsStepsExactlyAtFrames) {
  RunConfig config = adaptive(MoreauJeanOptions{}, 2, 1e-3);
  config.record.every = 0.07;
  Simulation simulation(testing::ball_model(), config);
  int frames = 0;
  while (!simulation.finished()) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    if (!is_frame_time(simulation) || simulation.finished()) continue;
    EXPECT_EQ(simulation.time(), ++frames * 0.07);
  }
  EXPECT_EQ(frames, 28);
  EXPECT_EQ(simulation.time(), 2.0);
}

/// What decides on the steps to come is in the checkpoint: neither the object nor its scratch memory
/// remembers anything.
TEST(Adaptive, ContinuesFromACheckpointBitForBit) {
  for (const SchemeOptions& scheme :
       {SchemeOptions(MoreauJeanOptions{}), SchemeOptions(GeneralizedAlphaOptions{}),
        SchemeOptions(HalfExplicitVelocityOptions{})}) {
    const RunConfig config = adaptive(scheme, 2, 1e-4);
    Simulation whole(testing::ball_model(), config);
    Checkpoint middle = whole.checkpoint();
    for (int i = 0; !whole.finished(); ++i) {
      ASSERT_EQ(whole.step().status, SolveStatus::converged) << scheme_name(scheme) << ", step " << i;
      Simulation resumed(testing::ball_model(), config);
      resumed.restore(middle);
      resumed.renew_workspace();
      ASSERT_EQ(resumed.step().status, SolveStatus::converged) << scheme_name(scheme) << ", step " << i;
      middle = resumed.checkpoint();
      ASSERT_EQ(resumed.time(), whole.time()) << scheme_name(scheme) << ", step " << i;
      ASSERT_EQ(resumed.state().q, whole.state().q);
      ASSERT_EQ(resumed.state().v, whole.state().v);
      ASSERT_EQ(resumed.energy().loss_impacts, whole.energy().loss_impacts);
    }
    testing::expect_same_statistics(middle.total, whole.statistics());
  }
}

TEST(Adaptive, KeepsItsBudgets) {
  MoreauJeanOptions late, damped;
  late.activation = Activation::start_gap;  // notices an impact when the step after it begins
  RunConfig config = adaptive(late, 2, 1e-2);
  config.time.adaptive->penetration = 1e-6;
  Simulation ball(testing::ball_model(), config);
  while (!ball.finished()) {
    ASSERT_EQ(ball.step().status, SolveStatus::converged);
    EXPECT_GE(ball.gap(0), -1e-6);
  }
  damped.theta = 1;
  Model oscillator;
  oscillator.materials = {{"steel", {}}};
  oscillator.bodies = {testing::particle("a", 1, Translations::x, {1, 0, 0}, {1, 0, 0})};
  Spring spring = testing::spring("a", "a", 40);
  spring.to = {};
  spring.to.point = Vector3(0, 0, 0);
  spring.rest_length = 0;
  spring.axis = Vector3(1, 0, 0);
  oscillator.springs = {spring};
  for (const double budget : {1e-1, 1e-3}) {
    config = adaptive(damped, 1, 1);
    config.time.adaptive->energy = budget;
    Simulation simulation(oscillator, config);
    simulation.advance_to(1);
    EXPECT_LE(std::abs(simulation.energy().loss_algorithmic), budget);
    EXPECT_GT(std::abs(simulation.energy().loss_algorithmic), 0.01 * budget);
  }
}

TEST(Adaptive, RefusesWhatContradictsItself) {
  const auto complaint = [](const RunConfig& config) {
    const auto complaints = validate(config);
    return complaints.empty() ? std::string() : complaints.front().path + ": " + complaints.front().message;
  };
  RunConfig config = adaptive(MoreauJeanOptions{}, 1, 1e-3);
  EXPECT_EQ(complaint(config), "");
  config.time.adaptive->min = 0.1;
  config.time.adaptive->max = 0.01;
  EXPECT_NE(complaint(config).find("time.adaptive.min: 0.1 is not allowed; min must be at most max = 0.01"),
            std::string::npos);
  config = adaptive(MoreauJeanOptions{}, 1, 0);
  EXPECT_NE(complaint(config).find("time.adaptive.tolerance: 0 is not allowed"), std::string::npos);
  config = adaptive(HhtOptions{}, 1, 1e-3);
  config.integrator = ExplicitVelocityOptions{};
  EXPECT_NE(complaint(config).find("'explicit-velocity' makes larger errors"), std::string::npos);
  config.integrator = HhtOptions{};
  EXPECT_NE(complaint(config).find("'hht' makes larger errors where the step changes"), std::string::npos);
}

}  // namespace
}  // namespace percuss
