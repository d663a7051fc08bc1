#include <gtest/gtest.h>

#include "support/models.h"

namespace percuss {
namespace {

TimeGrid grid(double start, double end, double step) {
  TimeOptions options;
  options.start = start;
  options.end = end;
  options.step = step;
  return TimeGrid(options);
}

TEST(TimeGrid, DividesTheDurationExactlyWhereItCan) {
  const TimeGrid g = grid(0, 2, 1e-3);
  EXPECT_EQ(g.step_count(), 2000);
  EXPECT_FALSE(g.last_step_is_shorter());
  EXPECT_EQ(g.time(2000), 2.0);
  EXPECT_EQ(grid(0.5, 1.1, 0.1).step_count(), 6);
}

TEST(TimeGrid, ShortensTheLastStepOtherwise) {
  const TimeGrid g = grid(0, 1, 0.3);
  EXPECT_EQ(g.step_count(), 4);
  EXPECT_NEAR(g.step_size(3), 0.1, 1e-15);
  EXPECT_EQ(g.step_size(2), 0.3);
  EXPECT_EQ(g.time(4), 1.0);
}

TEST(TimeGrid, ARunEndsExactlyAtItsEnd) {
  Simulation simulation(testing::ball_model(), testing::run_config(MoreauJeanOptions{}, 1, 0.3));
  simulation.advance_to(1);
  EXPECT_TRUE(simulation.finished());
  EXPECT_EQ(simulation.time(), 1.0);
  EXPECT_EQ(simulation.statistics().factorisations, 2);
}

}  // namespace
}  // namespace percuss
