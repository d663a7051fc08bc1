#include <cmath>

#include <gtest/gtest.h>

#include "support/scenes.h"

/// A half-circular arch stands if its thickness is at least 0.1075 of its mean radius (Milankovitch 1907).
/// One of 30 stones opens at their joints only, so its limit is a little lower: between 0.107 and 0.1075.
namespace percuss {
namespace {

TEST(Arch, StandsAboveMilankovitchsThickness) {
  Simulation s = testing::scene_simulation("arch", {"parameters.thickness=0.1075", "time.end=0.5"});
  const double energy = s.energy().total();
  while (!s.finished()) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    ASSERT_LT(std::abs(s.probe("stone15.displacement.y")), 1e-11) << s.time();
    ASSERT_GT(s.probe("contacts.min_gap"), -1e-11) << s.time();
  }
  EXPECT_EQ(s.probe("contacts.closed"), 62);  // nothing opens: 31 joints of two corners
  EXPECT_NEAR(s.energy().total(), energy, 1e-12 * energy);
}

TEST(Arch, FallsBelowIt) {
  Simulation s = testing::finished("arch", {"parameters.thickness=0.107", "time.end=0.5"});
  // The limits of ever smaller steps, which runs with 1e-3, 5e-4 and 2.5e-4 s approach in proportion to the
  // step.
  const double h = 2e-3;
  EXPECT_NEAR(s.probe("stone15.displacement.y"), -3.693e-3, 0.03 * h);
  // What fell became motion, and Milankovitch's mechanism has five hinges: as many corners have opened.
  EXPECT_NEAR(s.energy().kinetic, 2.071, 30 * h);
  EXPECT_EQ(s.probe("contacts.closed"), 57);
  EXPECT_LT(s.energy().total(), s.energy().initial);
}

}  // namespace
}  // namespace percuss
