// Euler's disk, the tippe top and the rattleback: the shipped scenes against what theory says of them.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "percuss/contacts/assembly.h"
#include "support/scenes.h"

namespace percuss {
namespace {

using testing::Overrides;
using testing::scene_simulation;

void ends_well(Simulation& s) {
  const StepReport report = s.advance_to(1e9);
  ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
}

/// In steady motion the centre, the inclination and the energy stay, there are no impacts, and the table
/// bears the weight.
TEST(EulersDisk, GoesRoundWithItsCentreAtRest) {
  constexpr double a = 0.0381, alpha = 0.3;
  Simulation s = scene_simulation("eulers_disk");
  const Vector3 centre = s.position("disk");
  const double weight = 9.81 * s.assembly().system.bodies[0].mass;
  double moved = 0, tilted = 0, lost = 0, pressed = 0;
  while (!s.finished()) {
    const StepReport report = s.step();
    ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
    moved = std::max(moved, (s.position("disk") - centre).norm());
    tilted = std::max(tilted, std::abs(std::acos(s.rotation(s.body("disk")).col(2).z()) - alpha));
    lost = std::max(lost, std::abs(s.energy().total() / s.energy().initial - 1));
    pressed = std::max(pressed, std::abs(s.probe("contact(disk, table).force") - weight));
  }
  EXPECT_EQ(s.statistics().impulsive, 0);
  EXPECT_LT(moved, 1e-9 * a);
  EXPECT_LT(tilted, 1e-9);
  EXPECT_LT(lost, 5e-9);
  EXPECT_LT(pressed, 5e-9 * weight);
}

/// A scheme of second order keeps the energy to that order, or better.
TEST(EulersDisk, KeepsItsEnergyToSecondOrder) {
  const auto lost = [](const char* step) {
    Simulation s = scene_simulation(
        "eulers_disk", {"integrator={scheme: half-explicit-velocity}", fmt::format("time.step={}", step)});
    ends_well(s);
    return 1 - s.energy().total() / s.energy().initial;
  };
  const double coarse = lost("1e-4"), fine = lost("5e-5");
  EXPECT_LT(std::abs(fine), 1e-6);
  EXPECT_GT(coarse / fine, 4);
}

/// L . r of the top, with r from its centre of mass to the lowest point of the ball.
double jellett(const Simulation& s) {
  constexpr double R = 0.02, core = 0.014, low = 0.0056;
  const double pi = std::acos(-1.0), volume = 4.0 / 3 * pi * R * R * R,
               hole = 4.0 / 3 * pi * core * core * core;
  const double density = 700, ball = density * volume, inner = density * hole;
  const double below = low * inner / (ball + inner);
  const double C = 0.4 * (ball * R * R + inner * core * core);
  const double A = C + ball * inner / (ball + inner) * low * low;
  const Eigen::Matrix3d turned = s.rotation(s.body("top"));
  const Vector3 omega = turned.transpose() * s.angular_velocity(s.body("top"));
  const Vector3 L = turned * Vector3(A * omega.x(), A * omega.y(), C * omega.z());
  return L.dot(below * turned.col(2) - R * Vector3::UnitZ());
}

double worst_jellett(const Overrides& overrides) {
  Simulation s = scene_simulation("tippe_top", overrides);
  const double first = jellett(s);
  double worst = 0;
  while (!s.finished()) {
    const StepReport report = s.step();
    EXPECT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
    if (report.status != SolveStatus::converged) break;
    worst = std::max(worst, std::abs(jellett(s) / first - 1));
  }
  return worst;
}

TEST(TippeTop, TurnsOver) {
  Simulation s = scene_simulation("tippe_top");
  ends_well(s);
  const double up = (s.probe("top.centre.position.z") - s.position("top").z()) / (0.0715115 * 0.02);
  EXPECT_NEAR(up, -0.96, 0.005);
  EXPECT_LT(s.probe("top.omega.z"), -150);
  EXPECT_LT(s.energy().total(), s.energy().initial);
}

TEST(TippeTop, StaysUpWhereItDoesNotSlide) {
  Simulation s = scene_simulation("tippe_top", {"pairs[0].friction=0.3"});
  ends_well(s);
  EXPECT_LT(s.position("top").z(), 0.01858);
}

/// Jellett's constant: to the tolerance of the event-driven scheme, and with others to the order of each.
TEST(TippeTop, KeepsJellettsConstant) {
  EXPECT_LT(worst_jellett({}), 1e-9);
  struct Case {
    std::string scheme;
    double order, bound;
  };
  for (const Case& c :
       {Case{"half-explicit-velocity", 2, 1e-6}, Case{"moreau-jean", 1, 1e-4},
        Case{"moreau-explicit", 1, 1e-3}, Case{"hht", 1, 1e-4}, Case{"generalized-alpha", 1, 1e-4}}) {
    const auto at = [&](const char* step) {
      return worst_jellett({fmt::format("integrator={{scheme: {}}}", c.scheme),
                            fmt::format("time.step={}", step), "time.end=2"});
    };
    const double coarse = at("2e-4"), fine = at("1e-4");
    EXPECT_LT(fine, c.bound) << c.scheme;
    EXPECT_NEAR(std::log2(coarse / fine), c.order, 0.05) << c.scheme;
  }
}

/// Yaw, pitch, roll and the rate of yaw of the stone and of the equations.
using Attitude = std::array<double, 4>;
Attitude of_stone(const Simulation& s) {
  const Eigen::Matrix3d turned = s.rotation(s.body("stone"));
  const Vector3 omega = turned.transpose() * s.angular_velocity(s.body("stone"));
  const double pitch = -std::asin(turned(2, 0)), roll = std::atan2(turned(2, 1), turned(2, 2));
  return {std::atan2(turned(1, 0), turned(0, 0)), pitch, roll,
          (omega.y() * std::sin(roll) + omega.z() * std::cos(roll)) / std::cos(pitch)};
}
Attitude of_equations(const Simulation& s) {
  return {s.probe("equations.yaw"), s.probe("equations.pitch"), s.probe("equations.roll"),
          s.probe("equations.yaw.rate")};
}
double apart(const Attitude& a, const Attitude& b) {
  double worst = std::abs(std::remainder(a[0] - b[0], 2 * std::acos(-1.0)));
  for (size_t i = 1; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

/// Over the first reversal the stone moves as the equations of rolling without slip say.
TEST(Rattleback, MovesAsItsEquations) {
  Simulation s = scene_simulation("rattleback", {"time.end=5"});
  double worst = 0;
  while (!s.finished()) {
    const StepReport report = s.step();
    ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
    worst = std::max(worst, apart(of_stone(s), of_equations(s)));
  }
  EXPECT_LT(worst, 1e-11);
  EXPECT_GT(of_equations(s)[3], 1);  // it began with -2
}

/// With h = 12.5 us they are 8e-7 apart.
TEST(Rattleback, SecondOrderSchemesComeToItsEquations) {
  Simulation exact = scene_simulation("rattleback", {"time.end=5", "integrator.relative_tolerance=1e-11",
                                                     "integrator.absolute_tolerance=1e-13"});
  ends_well(exact);
  const auto error = [&](const char* step) {
    Simulation s = scene_simulation(
        "rattleback",
        {"time.end=5", "integrator={scheme: half-explicit-velocity, activation_tolerance: 1e-6}",
         fmt::format("time.step={}", step)});
    ends_well(s);
    return apart(of_stone(s), of_equations(exact));
  };
  const double coarse = error("2e-4"), fine = error("1e-4");
  EXPECT_LT(fine, 6e-5);
  EXPECT_NEAR(coarse / fine, 4, 0.05);
}

}  // namespace
}  // namespace percuss
