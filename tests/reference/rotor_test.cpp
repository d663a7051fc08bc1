#include <cmath>

#include <gtest/gtest.h>

#include "support/scenes.h"

/// The rotor of [Schindler 2014, section 7.2].
namespace percuss {
namespace {

using testing::scene_simulation;

/// How much the journal's centre circulates: the integral of r x v over that of |r| |v| about the middle of
/// its orbit. 1 is a circle in the sense of the spin, -1 one against it, 0 a motion to and fro.
struct Whirl {
  double circulation = 0, largest_energy = 0, speed = 0, least_gap = 1;
  double impulsive_share = 0;
};

Whirl whirl(Simulation& s, double from, double to, double interval = 1e-4) {
  std::vector<std::array<double, 4>> orbit;
  Whirl result;
  while (s.time() < to - 0.5 * interval) {
    EXPECT_EQ(s.advance_to(s.time() + interval).status, SolveStatus::converged);
    result.largest_energy = std::max(result.largest_energy, s.probe("energy"));
    result.least_gap = std::min(result.least_gap, s.probe("contacts.min_gap"));
    if (s.time() < from) continue;
    orbit.push_back({s.probe("axle.journal.position.y"), s.probe("axle.journal.position.z"),
                     s.probe("axle.journal.velocity.y"), s.probe("axle.journal.velocity.z")});
  }
  double y = 0, z = 0, around = 0, along = 0;
  for (const auto& p : orbit) {
    y += p[0] / static_cast<double>(orbit.size());
    z += p[1] / static_cast<double>(orbit.size());
  }
  for (const auto& p : orbit) {
    around += (p[0] - y) * p[3] - (p[1] - z) * p[2];
    along += std::hypot(p[0] - y, p[1] - z) * std::hypot(p[2], p[3]);
  }
  result.circulation = around / along;
  result.speed = s.probe("axle.wheel.spin");
  result.impulsive_share = s.probe("steps.impulsive") / s.probe("steps.count");
  return result;
}

TEST(Rotor, WhirlsForwardUnderATorqueThatTurnsWithIt) {
  Simulation s = scene_simulation("rotor", {});
  const Whirl found = whirl(s, 0.04, 0.1);
  EXPECT_NEAR(found.speed, 490, 2);
  EXPECT_GT(found.circulation, 0.75);
  EXPECT_GT(found.least_gap, -1e-6) << "a hundredth of the clearance";
  EXPECT_GT(found.impulsive_share, 0.01);
  EXPECT_LT(found.impulsive_share, 0.03);
}

}  // namespace
}  // namespace percuss
