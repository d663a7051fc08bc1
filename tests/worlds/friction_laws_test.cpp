// Friction that depends on the speed of sliding, and restitution that depends on the speed of the impact
// (docs/theory/laws/friction.md, restitution.md), with every scheme that has them.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "percuss/contacts/assembly.h"
#include "worlds/world_scene.h"

namespace percuss {
namespace {

using testing::rigid;
using testing::WorldScene;

class FrictionLaws : public ::testing::TestWithParam<std::string> {
 public:
  static constexpr double g = 9.81;
  static bool is_exact() { return GetParam() == "event-driven"; }

  /// The speed after `end` of a body that begins with `speed` and slows down with mu(v) g, by Runge and
  /// Kutta.
  static double slowed_down(double speed, double end, const std::function<double(double)>& mu) {
    constexpr int steps = 20000;
    const double h = end / steps;
    const auto rate = [&](double v) { return -mu(v) * g; };
    for (int i = 0; i < steps; ++i) {
      const double k1 = rate(speed), k2 = rate(speed + 0.5 * h * k1), k3 = rate(speed + 0.5 * h * k2),
                   k4 = rate(speed + h * k3);
      speed += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return speed;
  }
  static double speed_of_brick(const std::string& law, double step, double end) {
    return WorldScene{
        .bodies = {rigid("brick", "{box: [0.4, 0.4, 0.05]}", {0, 0, 0.025}, "velocity: [1.5, 0, 0]")},
        .scheme = GetParam(),
        .step = step,
        .end = end,
        .whole_law = law}
        .run()
        .velocity("brick")
        .x();
  }
  /// mu is that of the speed before the step: of first order in h, and exact where events end the steps.
  static void expect_slows_down(const std::string& law, const std::function<double(double)>& mu) {
    constexpr double end = 0.3;
    const double expected = slowed_down(1.5, end, mu);
    if (is_exact()) {
      EXPECT_NEAR(speed_of_brick(law, 0.01, end), expected, 1e-8);
      return;
    }
    const double coarse = speed_of_brick(law, 4e-3, end) - expected,
                 fine = speed_of_brick(law, 2e-3, end) - expected;
    EXPECT_LT(std::abs(coarse), 1e-2);
    EXPECT_NEAR(coarse / fine, 2, 0.2);
  }
};

TEST_P(FrictionLaws, StribecksCurve) {
  expect_slows_down("friction: {static: 0.5, kinetic: 0.2, velocity: 0.8}",
                    [](double v) { return 0.2 + 0.3 * std::exp(-v * v / 0.64); });
}

TEST_P(FrictionLaws, Tables) {
  expect_slows_down("friction: {table: [[0, 0.1], [2, 0.5], [3, 0.5]]}",
                    [](double v) { return 0.1 + 0.2 * v; });
}

/// What rests holds up to the static friction; what has begun to slide does so with the kinetic one.
TEST_P(FrictionLaws, HoldsAtRest) {
  for (const double factor : {0.999, 1.001}) {
    const double angle = std::atan(factor * 0.5);
    const Vector3 normal(std::sin(angle), 0, std::cos(angle)), down(std::cos(angle), 0, -std::sin(angle));
    const Simulation s =
        WorldScene{
            .bodies = {rigid("brick", "{box: [0.4, 0.4, 0.05]}", 0.025 * normal,
                             fmt::format("orientation: {{axis: [0, 1, 0], angle: {:.17g}}}", angle))},
            .obstacles = {fmt::format("{{half_space: ramp, normal: [{:.17g}, 0, {:.17g}], material: stone}}",
                                      normal.x(), normal.z())},
            .scheme = GetParam(),
            .end = 2,
            .whole_law = "friction: {static: 0.5, kinetic: 0.3, velocity: 1e-3}"}
            .run();
    const double speed = s.velocity("brick").dot(down);
    if (factor < 1)
      EXPECT_LT(std::abs(speed), 1e-9);
    else  // it takes a while until it is faster than `velocity`
      EXPECT_GT(speed, 0.5 * g * (std::sin(angle) - 0.3 * std::cos(angle)) * 2);
  }
}

/// (LF-3): the period of stick and slip on a belt tends to that of friction that jumps from static to
/// kinetic.
TEST(StickSlipStatic, HasThePeriodOfTheJump) {
  const double w = 10, D = 0.2 * 9.81 / 100, V = 0.1;
  const double period = 2 * D / V + 2 * (std::numbers::pi - std::atan(D * w / V)) / w;
  double before = 1;
  for (const double velocity : {4e-3, 1e-3, 2.5e-4}) {
    Simulation s = std::move(load_simulation(PERCUSS_SOURCE_DIR "/scenes/stick_slip_static.yaml",
                                             {fmt::format("parameters.velocity={}", velocity), "time.end=5"})
                                 .simulation);
    std::vector<double> slips;  // when it begins to slip
    bool was_slipping = true;
    while (!s.finished()) {
      ASSERT_EQ(s.step().status, SolveStatus::converged);
      const bool slips_now = V - s.velocity("block").x() > 0.01;
      if (slips_now && !was_slipping) slips.push_back(s.time());
      was_slipping = slips_now;
    }
    ASSERT_GE(slips.size(), 4u);
    const double error = std::abs((slips.back() - slips[1]) / static_cast<double>(slips.size() - 2) - period);
    EXPECT_LT(error, 0.7 * before) << velocity;
    before = error;
  }
  EXPECT_LT(before, 0.02 * period);
}

/// What lies on a conveyor is dragged along with mu g, up to the speed of the belt; whichever of the two has
/// the corners that touch.
TEST_P(FrictionLaws, ConveyorsDragAlong) {
  constexpr double mu = 0.3, belt = 0.2;
  const std::string floors[] = {
      "{half_space: belt, material: stone, surface_velocity: [0.2, 0, 0]}",
      "{obstacle: belt, material: stone, shape: {box: [4, 2, 0.2]}, position: [0, 0, -0.1], "
      "surface_velocity: "
      "[0.2, 0, 0]}",
      "{obstacle: belt, material: stone, shape: {box: [0.1, 0.06, 0.2]}, position: [0, 0, -0.1], "
      "surface_velocity: [0.2, 0, 0]}",
      "{obstacle: belt, material: stone, shape: {box: [2, 4, 0.2]}, position: [0, 0, -0.1], "
      "orientation: {axis: [0, 0, 1], angle: 90 deg}, surface_velocity: [0, -0.2, 0]}",
  };
  // Errors of the solver open a corner for a step, if more than rounding counts as open.
  const std::string closed = is_exact() ? "" : ", activation_tolerance: 1e-9";
  for (const std::string& floor : floors)
    for (const double end : {0.04, 0.12}) {  // belt / (mu g) = 0.068 s
      SCOPED_TRACE(fmt::format("{} {}", floor, end));
      const Simulation s = WorldScene{.bodies = {rigid("brick", "{box: [0.2, 0.2, 0.1]}", {0, 0, 0.05})},
                                      .obstacles = {floor},
                                      .friction = mu,
                                      .scheme = GetParam() + closed,
                                      .end = end}
                               .run();
      const double expected = std::min(mu * g * end, belt);
      const bool drifts = GetParam() == "half-explicit-acceleration";
      EXPECT_NEAR(s.velocity("brick").x(), expected, drifts ? 1e-2 * belt : 1e-9);
      EXPECT_NEAR(s.position("brick").z(), 0.05, drifts ? 1e-4 : 1e-10);
      const double weight = 2000 * 0.2 * 0.2 * 0.1 * g;
      if (end < 0.068) {
        EXPECT_NEAR(s.probe("contact(brick, belt).force.x"), mu * weight, drifts ? 1 : 1e-7 * weight);
      }
      if (!drifts) {
        EXPECT_NEAR(s.energy().loss_algorithmic, 0, 1e-6 * s.energy().kinetic);
      }
    }
}

/// Every impact has the restitution of its speed.
TEST_P(FrictionLaws, ImpactsHaveTheRestitutionOfTheirSpeed) {
  // The half-explicit schemes tell the velocity at the beginning of the step, and the impact is at its end.
  const double rounding = GetParam().starts_with("half-explicit") ? g * 1e-3 : 1e-8;
  const auto expect = [rounding](const std::string& law, const std::function<double(double)>& e) {
    Simulation s = WorldScene{.bodies = {rigid("ball", "{sphere: 0.1}", {0, 0, 0.6})},
                              .scheme = GetParam(),
                              .end = 2,
                              .whole_law = law}
                       .simulation();
    int bounces = 0;
    while (!s.finished()) {
      ASSERT_EQ(s.step().status, SolveStatus::converged);
      for (const Impact& impact : s.impacts()) {
        if (std::abs(impact.u_before) < 0.2) continue;  // steps of the size of the flight
        const double expected = e(std::abs(impact.u_before)) * std::abs(impact.u_before);
        EXPECT_NEAR(impact.u_after, expected, rounding) << impact.u_before;
        ++bounces;
      }
    }
    EXPECT_GE(bounces, 2);
  };
  expect("restitution: {table: [[0, 1], [2, 0.8], [4, 0.5]]}",
         [](double u) { return u < 2 ? 1 - 0.1 * u : 0.8 - 0.15 * (u - 2); });
  expect("restitution: {value: 0.7, threshold: 1.2}", [](double u) { return u < 1.2 ? 0 : 0.7; });
}

INSTANTIATE_TEST_SUITE_P(Schemes, FrictionLaws, ::testing::ValuesIn(testing::friction_schemes()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace percuss
