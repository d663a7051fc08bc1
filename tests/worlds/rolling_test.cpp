// Resistance to rolling and spinning against closed forms (docs/theory/laws/rolling.md), with every scheme
// that knows it.

#include <cmath>
#include <numbers>

#include "percuss/contacts/assembly.h"
#include "worlds/supports.h"
#include "worlds/world_scene.h"

namespace percuss {
namespace {

using testing::rigid;
using testing::WorldScene;

class RollingLaw : public ::testing::TestWithParam<std::string> {
 public:
  static constexpr double gravity = 9.81, radius = 0.1;

  static double spin(const Simulation& s, int axis) { return s.angular_velocity(s.body("ball"))[axis]; }
  /// half-explicit-acceleration holds rolling by accelerations: velocities are off by what it integrates.
  static double rounding() { return GetParam() == "half-explicit-acceleration" ? 1e-9 : 1e-11; }
  /// What friction and resistance took, from forces and ways, is all that is missing of the energy [J].
  static void expect_lost(const Simulation& s, double expected, double tolerance) {
    const EnergyLedger& e = s.energy();
    EXPECT_NEAR(e.initial - e.total(), expected, tolerance);
    EXPECT_NEAR(e.loss_friction + e.loss_rolling + e.loss_spinning + e.loss_impacts, expected, tolerance);
  }
};

/// (LR-5): a = -5/7 mu_R/R g until it rests, and then it stays.
TEST_P(RollingLaw, BallsRollToAStop) {
  constexpr double mu_R = 0.002, v = 0.5, h = 1e-3;
  const double a = 5.0 / 7 * mu_R / radius * gravity;
  WorldScene scene{.bodies = {rigid("ball", "{sphere: 0.1}", {0, 0, radius},
                                    "velocity: [0.5, 0, 0], angular_velocity: [0, 5, 0]")},
                   .friction = 0.5,
                   .scheme = GetParam(),
                   .step = h,
                   .end = 2,
                   .law = "rolling: 0.002"};
  const Simulation rolls = scene.run();
  EXPECT_NEAR(rolls.velocity("ball").x(), v - a * scene.end, rounding());
  EXPECT_NEAR(spin(rolls, 1), (v - a * scene.end) / radius, 10 * rounding());
  const double weight = 2000 * 4.0 / 3 * std::numbers::pi * std::pow(radius, 3) * gravity;
  EXPECT_NEAR(rolls.probe("contact(ball, floor).rolling_moment"), mu_R * weight, 1e-8 * weight);
  const double lost = mu_R * weight / radius * (v * scene.end - 0.5 * a * scene.end * scene.end);
  EXPECT_NEAR(rolls.energy().loss_rolling, lost, 1e-9);
  expect_lost(rolls, lost, 1e-9);
  scene.end = 5;  // it stops after 3.6 s
  const Simulation rests = scene.run();
  EXPECT_LT(rests.velocity("ball").norm() + radius * std::abs(spin(rests, 1)), 100 * rounding());
}

/// (LR-6): stays up to tan = mu_R/R, rolls down with 5/7 g (sin - mu_R/R cos) beyond.
TEST_P(RollingLaw, BallsStayOnSlopes) {
  constexpr double mu_R = 0.02, end = 0.4;
  for (const double factor : {0.999, 1.001, 2.0}) {
    SCOPED_TRACE(factor);
    const double angle = std::atan(factor * mu_R / radius);
    const Vector3 normal(std::sin(angle), 0, std::cos(angle)), down(std::cos(angle), 0, -std::sin(angle));
    const Simulation s =
        WorldScene{
            .bodies = {rigid("ball", "{sphere: 0.1}", radius * normal)},
            .obstacles = {fmt::format("{{half_space: ramp, normal: [{:.17g}, 0, {:.17g}], material: stone}}",
                                      normal.x(), normal.z())},
            .scheme = GetParam(),
            .step = 2e-3,
            .end = end,
            .law = "rolling: 0.02"}
            .run();
    const double a = factor < 1 ? 0 : 5.0 / 7 * gravity * (std::sin(angle) - mu_R / radius * std::cos(angle));
    EXPECT_NEAR(s.velocity("ball").dot(down), a * end, rounding());
  }
}

/// (LR-7): a spinning ball slows down with 5/2 mu_S g / R^2.
TEST_P(RollingLaw, BallsSpinToAStop) {
  constexpr double mu_S = 0.001;
  WorldScene scene{.bodies = {rigid("ball", "{sphere: 0.1}", {0, 0, radius}, "angular_velocity: [0, 0, -3]")},
                   .scheme = GetParam(),
                   .end = 0.5,
                   .law = "spinning: 0.001"};
  const double slows = 2.5 * mu_S * gravity / (radius * radius);
  const Simulation spins = scene.run();
  EXPECT_NEAR(spin(spins, 2), -3 + slows * scene.end, 10 * rounding());
  EXPECT_NEAR(spins.velocity("ball").norm(), 0, rounding());
  const double weight = 2000 * 4.0 / 3 * std::numbers::pi * std::pow(radius, 3) * gravity;
  const double lost = mu_S * weight * (3 * scene.end - 0.5 * slows * scene.end * scene.end);
  EXPECT_NEAR(spins.energy().loss_spinning, lost, 1e-9);
  expect_lost(spins, lost, 1e-9);
  EXPECT_EQ(spins.energy().loss_rolling, 0);
  scene.end = 1.5;  // it stops after 1.22 s
  EXPECT_LT(std::abs(spin(scene.run(), 2)), 100 * rounding());
}

/// While it slides friction and resistance both act: a = -mu g, domega/dt = 5/2 (mu R - mu_R) g / R^2.
TEST_P(RollingLaw, SlidesAndRollsAtOnce) {
  constexpr double mu = 0.2, mu_R = 0.005, v = 2, end = 0.2;
  const Simulation s =
      WorldScene{.bodies = {rigid("ball", "{sphere: 0.1}", {0, 0, radius}, "velocity: [2, 0, 0]")},
                 .friction = mu,
                 .scheme = GetParam(),
                 .end = end,
                 .law = "rolling: 0.005, spinning: 0.001"}
          .run();
  EXPECT_NEAR(s.velocity("ball").x(), v - mu * gravity * end, rounding());
  // In the first step it does not roll yet at its beginning: nothing else is missing.
  EXPECT_NEAR(spin(s, 1), 2.5 * (mu * radius - mu_R) * gravity / (radius * radius) * end, 100 * rounding());
}

/// A ball is taken along by a table that turns under it, up to the table's speed.
TEST_P(RollingLaw, TurntablesDragBalls) {
  constexpr double mu_S = 0.002;
  WorldScene scene{.bodies = {rigid("ball", "{sphere: 0.1}", {0, 0, radius})},
                   .obstacles = {"{half_space: floor, material: stone, frame: table}"},
                   .scheme = GetParam(),
                   .end = 0.4,
                   .more = "frames: [{frame: table, axis: [0, 0, 1], angle: 4*t}]\n",
                   .law = "spinning: 0.002"};
  const double speeds_up = 2.5 * mu_S * gravity / (radius * radius);
  EXPECT_NEAR(spin(scene.run(), 2), speeds_up * scene.end, 100 * rounding());
  scene.end = 1;
  const Simulation turns = scene.run();
  EXPECT_NEAR(spin(turns, 2), 4, 100 * rounding());
  EXPECT_NEAR(turns.energy().work_drives, turns.energy().kinetic + turns.energy().loss_spinning, 1e-4);
}

/// In the plane a disc has one rolling moment: a = -2/3 mu_R/R g.
TEST_P(RollingLaw, DiscsRollInThePlane) {
  constexpr double v = 0.5, end = 1;
  const Simulation s = WorldScene{.bodies = {"{planar: ball, material: stone, shape: {disc: 0.1}, mass: 2, "
                                             "position: [0, 0.1, 0], velocity: [0.5, "
                                             "0, 0], angular_velocity: -5}"},
                                  .obstacles = {"{half_space: floor, normal: [0, 1, 0], material: stone}"},
                                  .gravity = "[0, -9.81, 0]",
                                  .scheme = GetParam(),
                                  .end = end,
                                  .law = "rolling: 0.002, spinning: 0.1"}
                           .run();
  EXPECT_NEAR(s.velocity("ball").x(), v - 2.0 / 3 * 0.002 / radius * gravity * end, rounding());
}

/// Reactions of all rows are part of a checkpoint.
TEST_P(RollingLaw, ResumesChangeNoBit) {
  testing::expect_resumes_change_no_bit(
      WorldScene{.bodies = {rigid("ball", "{sphere: 0.1}", {0, 0, radius},
                                  "velocity: [0.5, 0.2, 0], angular_velocity: [1, 2, 3]"),
                            rigid("other", "{sphere: 0.1}", {0.25, 0.05, radius})},
                 .scheme = GetParam(),
                 .end = 0.5,
                 .law = "rolling: 0.002, spinning: 0.001"},
      200);
}

std::vector<std::string> moment_schemes() {
  std::vector<std::string> names;
  for (const SchemeOptions& scheme : all_schemes())
    for (const std::string& name : testing::friction_schemes())
      if (scheme_name(scheme) == name && facts(scheme).has_moments) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Schemes, RollingLaw, ::testing::ValuesIn(moment_schemes()), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace percuss
