#include "percuss/simulation/step_controller.h"

#include <cmath>

#include <gtest/gtest.h>

namespace percuss {
namespace {

StepController controller(double tolerance = 1e-4) {
  AdaptiveOptions options;
  options.tolerance = tolerance;
  options.min = 1e-8;
  options.max = 0.5;
  return {options, 2, 2, 1};
}

TEST(StepController, KnowsWhenAParabolaReachesTheFloor) {
  for (const double u : {-3.0, 0.0, 2.0}) {
    const double gap = 0.7, a = -10;
    const auto time = time_to_impact({gap, u, a, 0});
    ASSERT_TRUE(time);
    EXPECT_NEAR(gap + u * *time + 0.5 * a * *time * *time, 0, 1e-14);
    EXPECT_LT(u + a * *time, 0) << "it must be closing";
  }
  EXPECT_NEAR(*time_to_impact({0, 3, -10, 0}), 0.6, 1e-15) << "after a rebound";
  EXPECT_NEAR(*time_to_impact({0.5, -2, 0, 0}), 0.25, 1e-15) << "without acceleration";
  EXPECT_EQ(*time_to_impact({-1e-9, -1, 0, 0}), 0);
  EXPECT_FALSE(time_to_impact({0.5, 1, 0, 0})) << "it opens";
  EXPECT_FALSE(time_to_impact({0.5, -1, 2, 0})) << "it turns before";
  EXPECT_FALSE(time_to_impact({0.5, 0, 0, 0})) << "it stands still";
}

TEST(StepController, EndsAStepBeforeAnImpactAndMakesTheOneWithItShort) {
  const StepController c = controller();
  const Approach approach = {0.5, -1, 0, 1};
  const double with_impact = c.impulsive_step(2);
  EXPECT_NEAR(c.before_impact(approach, 1), 0.5 - 0.5 * with_impact, 1e-15);
  EXPECT_EQ(c.before_impact(approach, 0.3), 0.3);
  EXPECT_NEAR(c.before_impact({0.2 * with_impact, -1, 0, 1}, 1), with_impact, 1e-15);
  EXPECT_EQ(c.before_impact({0.5, -1e-9, 0, 1}, 0.4), 0.4) << "an impact that does no harm";
}

TEST(StepController, LeavesNoTinyRemainders) {
  const StepController c = controller();
  EXPECT_EQ(c.fit(0.1, 0.105, true), 0.105);
  EXPECT_EQ(c.fit(0.1, 0.15, true), 0.075);
  EXPECT_EQ(c.fit(0.1, 0.3, true), 0.1);
  EXPECT_EQ(c.fit(0.2, 0.1, false), 0.1);
  EXPECT_EQ(c.fit(0.1, 0.105, false), 0.1) << "what ends before an impact is not stretched";
  EXPECT_EQ(c.fit(0.1, 0.1 + 1e-9, false), 0.5 * (0.1 + 1e-9));
  EXPECT_EQ(c.fit(9, 9, true), 0.5);
}

/// The errors of smooth steps add up to the tolerance, whatever the steps are.
TEST(StepController, SharesTheToleranceByTime) {
  const StepController c = controller();
  EXPECT_NEAR(c.allowed(0.5, false) + 3 * c.allowed(0.5, false), 1e-4, 1e-18);
  const double constant = 7e-3;  // a scheme of order 2 has the local error C h^3
  double h = 0.5;
  for (int i = 0; i < 60; ++i) h = c.next_size(h, constant * h * h * h / c.allowed(h, false), false);
  EXPECT_LE(constant * h * h * h, c.allowed(h, false));
  EXPECT_GE(constant * h * h * h, 0.5 * c.allowed(h, false));
}

}  // namespace
}  // namespace percuss
