#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "percuss/nonsmooth/nlgs.h"
#include "support/scenes.h"

/// The laws behind docs/theory/reproduction.md: why claims of the papers hold or do not.
namespace percuss {
namespace {

using testing::finished;
using testing::Overrides;
using testing::scene_simulation;

void step(Simulation& simulation) {
  const StepReport report = simulation.step();
  ASSERT_EQ(report.status, SolveStatus::converged) << simulation.why_it_failed(report);
}

/// Under a constant force HHT has no spring to damp, and its impact in the middle of a step is that of
/// theta = 1/2: the two differ from theta = 1 alike.
TEST(PaperClaims, HhtIsMoreauJeanOnABall) {
  Simulation hht =
      scene_simulation("bouncing_ball", {"integrator={scheme: hht, activation: start-gap}", "time.end=2"});
  Simulation moreau = scene_simulation(
      "bouncing_ball", {"integrator={scheme: moreau-jean, activation: start-gap}", "time.end=2"});
  while (!hht.finished()) {
    step(hht);
    step(moreau);
    ASSERT_NEAR(hht.gap(0), moreau.gap(0), 1e-11);
  }
}

/// Mean overshoot below the floor, over many steps, of a ball that starts a little higher each time.
double mean_penetration_over_step(const std::string& integrator) {
  const double h = 1e-3;
  double sum = 0;
  const int count = 40;
  for (int i = 0; i < count; ++i) {
    Simulation s = scene_simulation("bouncing_ball", {"integrator=" + integrator, "time.end=0.5",
                                                      fmt::format("parameters.gap={}", 0.801 + 1e-4 * i)});
    double lowest = 0;
    while (!s.finished()) {
      s.step();
      lowest = std::min(lowest, s.gap(0));
    }
    sum -= lowest / h;
  }
  return sum / count;
}

/// With `start-gap` the ball is half a step too deep on average when its impact is found. theta = 1 moves it
/// back with the whole new velocity at once, theta = 1/2 (and HHT) goes on with the mean of both: deeper by
/// (1 - e)/2 of h u.
TEST(PaperClaims, ThetaOneTurnsTheBallRoundSooner) {
  const double speed = std::sqrt(2 * 10 * 0.803), e = 0.8;
  const double one = mean_penetration_over_step("{scheme: moreau-jean, theta: 1, activation: start-gap}");
  const double half = mean_penetration_over_step("{scheme: moreau-jean, activation: start-gap}");
  EXPECT_NEAR(one, 0.5 * speed, 0.05 * speed);
  EXPECT_NEAR(half - one, (1 - e) / 2 * speed, 0.05 * speed);
}

/// The joint of the pendulum opens by (theta - 1/2) h times the integral of its centripetal acceleration:
/// its velocity is right at the end of the step, and the way is made with another one.
TEST(PaperClaims, DriftOfMoreauJeanIsFirstOrderUnlessThetaIsOneHalf) {
  for (const double theta : {1 / 1.8, 0.75, 1.0}) {
    Simulation s =
        scene_simulation("rigid_pendulum", {fmt::format("integrator.theta={}", theta), "time.end=0.46"});
    double along_x = 0, along_y = 0;
    while (!s.finished()) {
      step(s);
      const double angle = s.probe("rod.angle"), rate = s.probe("rod.angular_velocity");
      along_x += s.last_step_size() * rate * rate * std::cos(angle);
      along_y += s.last_step_size() * rate * rate * std::sin(angle);
    }
    const double expected =
        (theta - 0.5) * s.last_step_size() * std::max(std::abs(along_x), std::abs(along_y));
    EXPECT_NEAR(s.joint_violation(), expected, 0.03 * expected) << theta;
  }
}

double angle_error(const std::string& scheme, double h) {
  const double exact = 9.1401524169;
  return std::abs(
      finished("slider_crank", {"integrator={scheme: " + scheme + "}", fmt::format("time.step={}", h),
                                "parameters.friction=0", "parameters.clearance=0"})
          .probe("slider_crank.theta1") -
      exact);
}

/// Contacts that stay closed: the reaction of a step acts along their direction at its end, which is an
/// implicit Euler step, except in the half-explicit scheme, whose two stages are a trapezoidal rule.
TEST(PaperClaims, ClosedGapsAreOfFirstOrder) {
  for (const std::string scheme : {"moreau-jean", "hht", "generalized-alpha"}) {
    const double order = std::log2(angle_error(scheme, 2.5e-5) / angle_error(scheme, 1.25e-5));
    EXPECT_NEAR(order, 1, 0.15) << scheme;
  }
  const double order =
      std::log2(angle_error("half-explicit-velocity", 1e-4) / angle_error("half-explicit-velocity", 5e-5));
  EXPECT_NEAR(order, 2, 0.2);
}

/// Velocity level: the bar stays where it was when its impact was found. Both levels: it stays at the wall.
TEST(PaperClaims, TheBarOfTheSlidesStaysBehindTheWallAtVelocityLevel) {
  const double h = 2e-3, speed = 10;
  const auto gaps_in_contact = [&](const std::string& integrator) {
    Simulation s = scene_simulation(
        "elastic_bar", {"integrator=" + integrator, fmt::format("time.step={}", h), "time.end=0.9"});
    std::vector<double> gaps;
    while (!s.finished()) {
      step(s);
      if (s.time() > 0.6) gaps.push_back(s.gap(0));
    }
    return gaps;
  };
  const auto moreau = gaps_in_contact("{scheme: moreau-jean, theta: 1/1.8}");
  EXPECT_LT(moreau.front(), -0.1 * h * speed);
  EXPECT_GT(moreau.front(), -h * speed);
  for (const double gap : moreau) EXPECT_NEAR(gap, moreau.front(), 1e-12);
  for (const double gap : gaps_in_contact("{scheme: generalized-alpha}")) EXPECT_NEAR(gap, 0, 1e-12);
}

/// [Cosimo 2020], section 4.4, has no convergence of the coupled scheme above 3e-5 s.
TEST(PaperClaims, TheCoupledSchemeConvergesOnTheCube) {
  Simulation coupled = scene_simulation(
      "flexible_cube",
      {"integrator.splitting=coupled", "integrator.accelerated=false", "time.step=1e-3", "time.end=0.255"});
  while (!coupled.finished()) step(coupled);
  EXPECT_GT(coupled.probe("contacts.impulse"), 0);
}

double first_loss(const std::string& integrator, const std::string& h, double restitution) {
  Simulation s = scene_simulation("slider_crank_frictionless",
                                  {"integrator=" + integrator, "time.step=" + h, "time.end=2.8e-3",
                                   fmt::format("parameters.restitution={}", restitution)});
  while (!s.finished()) step(s);
  EXPECT_GT(s.energy().loss_impacts, 0);
  return s.energy().loss_impacts;
}

/// Figure 11: two corners hit the wall at once at 2.69 ms, and lose (1 - e^2) of the energy of the approach.
/// Steps find this with first order.
TEST(PaperClaims, RestitutionOfTheSliderDecidesTheLoss) {
  const std::string events = "{scheme: event-driven, relative_tolerance: 1e-11, absolute_tolerance: 1e-13}";
  const double plastic = first_loss(events, "1e-4", 0);
  for (const double e : {0.2, 0.4, 0.8}) {
    const double loss = (1 - e * e) * plastic;
    EXPECT_NEAR(first_loss(events, "1e-4", e), loss, 1e-8 * loss) << e;
    EXPECT_NEAR(first_loss("{scheme: half-explicit-velocity}", "1e-6", e), loss, 5e-3 * loss) << e;
  }
}

/// Figure 13: the force of a lasting contact is finite and that of the event-driven motion; impulses belong
/// to single steps.
TEST(PaperClaims, MultipliersOfTheSliderAreToldApart) {
  const std::string events = "integrator={scheme: event-driven, relative_tolerance: 1e-10}";
  Simulation steps = scene_simulation("slider_crank_frictionless", {"time.end=0.0145"});
  Simulation exact = scene_simulation("slider_crank_frictionless", {events, "time.end=0.0145"});
  const auto force = [](const Simulation& s) {
    return s.probe("contact(slider_crank, gap1).force") + s.probe("contact(slider_crank, gap2).force");
  };
  for (const double t : {0.010, 0.012, 0.014}) {
    ASSERT_EQ(steps.advance_to(t).status, SolveStatus::converged);
    ASSERT_EQ(exact.advance_to(t).status, SolveStatus::converged);
    EXPECT_NEAR(force(steps), force(exact), 2e-3 * force(exact)) << t;
    EXPECT_TRUE(steps.impacts().empty()) << t;
  }
}

/// Gauss-Seidel converges linearly on the blocks of [Lozovskiy 2016]: every digit costs the same.
TEST(PaperClaims, SweepsGrowWithTheDigits) {
  Simulation s = scene_simulation("three_cuboids", {"solver.name=nlgs", "solver.tolerance=1e-10"});
  LocalProblem problem;
  s.observe_problems([&](const LocalProblem& seen, const Solution&, const State&) { problem = seen; });
  step(s);
  ASSERT_EQ(problem.cones.size(), 70u);
  const auto sweeps = [&](double tolerance) {
    NlgsOptions options;
    options.tolerance = tolerance;
    options.check_every = 1;
    Solution solution;
    NlgsSolver(options).solve(problem, {}, solution);
    EXPECT_EQ(solution.status, SolveStatus::converged);
    return solution.iterations;
  };
  const int few = sweeps(1e-3), more = sweeps(1e-6), many = sweeps(1e-9);
  EXPECT_LE(sweeps(1e-5), 16) << "as in the paper";
  EXPECT_GT(more, few);
  EXPECT_NEAR(many - more, more - few, 2);
}

}  // namespace
}  // namespace percuss
