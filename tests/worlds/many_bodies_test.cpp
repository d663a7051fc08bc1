// The shipped scenes of many bodies, shortened: what bears what, and nothing goes through anything.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "percuss/contacts/assembly.h"
#include "support/scenes.h"

namespace percuss {
namespace {

using testing::scene_simulation;

double weight_of(const Simulation& s) {
  double mass = 0;
  for (const auto& body : s.assembly().system.bodies) mass += body.mass;
  return 9.81 * mass;
}

void run_on(Simulation& s) {
  while (!s.finished()) {
    const StepReport report = s.step();
    ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
  }
}

/// Each link bears those below it: a hanging chain is in equilibrium as it is put.
TEST(Chain, EachLinkBearsThoseBelow) {
  Simulation s = scene_simulation("chain", {"parameters.tilt=0", "time.end=0.1", "time.step=1e-3"});
  run_on(s);
  const double weight = weight_of(s);
  // Capsules of 0.06 and 0.03 m with a radius of 4 mm, two of each in a link.
  const double volume = std::numbers::pi * 1.6e-5 * (2 * 0.06 + 2 * 0.03 + 4 * 4.0 / 3 * 0.004);
  EXPECT_NEAR(weight, 10 * 7800 * volume * 9.81, 1e-10);
  EXPECT_NEAR(s.probe("contact(hook, link0).force.z"), -weight, 1e-8 * weight);
  for (int i = 1; i < 10; ++i)
    EXPECT_NEAR(s.probe(fmt::format("contact(link{}, link{}).force.z", i, i - 1)), (10 - i) * weight / 10,
                1e-8 * weight);
  EXPECT_NEAR(s.probe("link9.displacement.z"), 0, 1e-10);
}

/// It swings without losing a link: the distance of neighbours stays within what the rings allow.
TEST(Chain, HoldsTogetherWhileItSwings) {
  Simulation s = scene_simulation("chain", {"time.end=0.4", "time.step=1e-3"});
  run_on(s);
  for (int i = 1; i < 10; ++i) {
    const double apart =
        (s.position(fmt::format("link{}", i)) - s.position(fmt::format("link{}", i - 1))).norm();
    EXPECT_LT(apart, 0.052 + 1e-4) << i;  // the length less two wires
    EXPECT_GT(apart, 0.04) << i;
  }
  EXPECT_LT(s.position("link9").x(), 0);  // on the other side
  EXPECT_LT(s.energy().total(), s.energy().initial);
}

/// Grains leave through the opening, when the gate is open, and nowhere else; none gets through walls or pan.
TEST(Hopper, GrainsLeaveThroughTheOpening) {
  constexpr int grains = 60;
  constexpr double d = 0.02, half = 3.5 * d, opening = 4.5 * d, thickness = 0.5 * d, tray = 5 * d;
  Simulation s =
      scene_simulation("hopper", {fmt::format("parameters.grains={}", grains), "parameters.half=3.5*d",
                                  "parameters.side=5", "parameters.opens=0.15", "parameters.tray=5*d",
                                  "time.end=1.2", "time.step=1e-3", "record={every: 1}"});
  const auto across = [&](int i) {  // the larger of |x| and |y|
    const Vector3 p = s.position(fmt::format("grain{}", i));
    return std::max(std::abs(p.x()), std::abs(p.y()));
  };
  int left = 0;
  std::vector<bool> has_left(grains, false);
  while (!s.finished()) {
    const StepReport report = s.step();
    ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
    for (int i = 0; i < grains; ++i) {
      const size_t grain = static_cast<size_t>(i);
      const double z = s.position(fmt::format("grain{}", i)).z(),
                   radius = d / 2 * (1 + 0.1 * std::sin(12.9 * i));
      if (!has_left[grain] && z < -thickness / 2) {
        has_left[grain] = true;
        ASSERT_LT(across(i), opening / 2 - 0.9 * radius) << s.time();
        ASSERT_GT(s.time(), 0.15);
        ++left;
      }
      ASSERT_LT(across(i), (has_left[grain] ? tray : half) - 0.9 * radius) << s.time();
      ASSERT_GT(z, -6 * d + 0.9 * radius) << s.time();
    }
  }
  EXPECT_EQ(left, grains);
}

TEST(KaplaTower, BearsItself) {
  Simulation s = scene_simulation("kapla_tower", {"time.end=0.05", "time.step=1e-3"});
  run_on(s);
  EXPECT_NEAR(s.probe("contact(floor, *).force"), 16 * 500 * 0.12 * 0.024 * 0.008 * 9.81, 1e-8);
  EXPECT_NEAR(s.position("plank15").z(), 0.18, 1e-12);
}

TEST(SpherePile, SpheresStayInTheBox) {
  Simulation s =
      scene_simulation("sphere_pile", {"parameters.side=3", "parameters.layers=3", "time.end=0.5"});
  run_on(s);
  for (int i = 0; i < 27; ++i) {
    const Vector3 x = s.position(fmt::format("ball{}", i));
    EXPECT_LT(x.head<2>().lpNorm<Eigen::Infinity>(), 3.1 * 0.045 / 2 - 0.02 + 5e-4) << i;
    EXPECT_GT(x.z(), 0.02 - 5e-4) << i;
  }
  EXPECT_LT(s.energy().total(), s.energy().initial);
}

TEST(RockFall, RocksStopAtTheFence) {
  Simulation s =
      scene_simulation("rock_fall", {"parameters.rocks=8", "record=null", "time.end=8", "time.step=1e-3"});
  run_on(s);
  for (int i = 0; i < 8; ++i) {
    const Vector3 x = s.position(fmt::format("rock{}", i));
    EXPECT_LT(x.x(), 1.9) << i;
    EXPECT_GT(x.z(), 0.08) << i;
    EXPECT_GT(x.x() * std::sin(40 * std::numbers::pi / 180) + x.z() * std::cos(40 * std::numbers::pi / 180),
              0.08)
        << i;
  }
  double bears = 0;
  for (const char* thing : {"ground", "hill", "fence"})
    bears -= s.probe(fmt::format("contact({}, *).force.z", thing));
  EXPECT_NEAR(bears, weight_of(s), 1e-6 * weight_of(s));
  EXPECT_LT(s.energy().kinetic, 1e-9);
}

/// A wall that stands still bears itself; on its shaken base no stone sinks, and one that falls lies on
/// others.
TEST(DryWall, BearsItself) {
  Simulation s = scene_simulation(
      "dry_wall", {"parameters.speed=0", "solver.tolerance=1e-10", "time.end=0.05", "time.step=1e-3"});
  run_on(s);
  EXPECT_NEAR(s.probe("contact(ground, *).force"), 8 * 78.125 * 9.81, 1e-5);
  EXPECT_NEAR(s.position("stone9").z(), 0.875, 1e-9);
}

TEST(DryWall, StonesThatLeaveItLieOnSomething) {
  Simulation s = scene_simulation("dry_wall", {"time.end=0.7", "time.step=2e-3"});
  run_on(s);
  for (int i = 0; i < 10; ++i) EXPECT_GT(s.position(fmt::format("stone{}", i)).z(), 0.12) << i;
}

}  // namespace
}  // namespace percuss
