#include <iostream>

#include <gtest/gtest.h>

#include "support/models.h"
#include "support/scenes.h"
#include "support/scheme_cases.h"

/// Observed orders of every registered scheme against the declared ones, two-sided (docs/verification.md has
/// the numbers).
namespace percuss {
namespace {

SchemeOptions theta(double value) {
  MoreauJeanOptions options;
  options.theta = value;
  return options;
}
SchemeOptions projected() {
  MoreauJeanOptions options;
  options.stabilisation = Stabilisation::combined_projection;
  return options;
}
SchemeOptions paoli(double value) {
  SchatzmanPaoliOptions options;
  options.theta = value;
  return options;
}
SchemeOptions hht(double alpha_f) {
  HhtOptions options;
  options.alpha_f = alpha_f;
  return options;
}
SchemeOptions implicit_newmark() {
  HhtOptions options;
  options.alpha_f = 0;
  options.gamma = 1;
  options.beta = 0.5;
  return options;
}
SchemeOptions alpha(double spectral_radius, Splitting splitting) {
  GeneralizedAlphaOptions options;
  options.spectral_radius = spectral_radius;
  options.splitting = splitting;
  return options;
}
SchemeOptions alpha_of_first_order() {
  GeneralizedAlphaOptions options;
  options.parameters.newmark = NewmarkParameters{.gamma = 0.8, .beta = 0.45};
  return options;
}
SchemeOptions half_explicit(HalfExplicitVariant variant) {
  HalfExplicitVelocityOptions options;
  options.variant = variant;
  return options;
}
SchemeOptions explicit_velocity(Projection projection) {
  ExplicitVelocityOptions options;
  options.projection = projection;
  return options;
}
using testing::Exclusion;
using testing::SchemeCase;

/// Options that change what a scheme does, or its order.
std::vector<SchemeCase> particle_schemes(const std::vector<Exclusion>& excluded) {
  return testing::schemes_and_variants(
      excluded, {{"moreau-jean 0.75", theta(0.75)},
                 {"moreau-jean 1", theta(1.0)},
                 {"moreau-jean projected", projected()},
                 {"schatzman-paoli 1", paoli(1)},
                 {"hht 0.3", hht(0.3)},
                 {"implicit newmark", implicit_newmark()},
                 {"DS 0.3", alpha(0.3, Splitting::decoupled)},
                 {"CS 0.8", alpha(0.8, Splitting::coupled)},
                 {"DSn 0.8", alpha(0.8, Splitting::decoupled_neglected)},
                 {"DS newmark 0.8 0.45", alpha_of_first_order()},
                 {"half-explicit-velocity brasey", half_explicit(HalfExplicitVariant::brasey)},
                 {"half-explicit-velocity shortened", half_explicit(HalfExplicitVariant::shortened)},
                 {"explicit-velocity with-forces", explicit_velocity(Projection::with_forces)}});
}

void expect_order(const std::string& label, const std::string& problem, double order, double low,
                  double high) {
  std::cout << "  observed order of " << label << ", " << problem << ": " << order << "\n";
  EXPECT_GT(order, low) << label << ", " << problem;
  EXPECT_LT(order, high) << label << ", " << problem;
}

State run_to_end(const Model& model, const SchemeOptions& scheme, double end, double h) {
  Simulation simulation(model, testing::run_config(scheme, end, h));
  EXPECT_EQ(simulation.advance_to(end).status, SolveStatus::converged);
  return simulation.state();
}

/// A damped oscillator with a load in time; x'' + 2 x' + 26 x = 3 cos(2 t), x(0) = 1, x'(0) = 0.
Model oscillator() {
  Model model = testing::steel_model(0);
  model.bodies = {testing::particle("a", 1, Translations::x, {1, 0, 0})};
  Spring ground = testing::spring("a", "a", 26, 2);
  ground.to = {};
  ground.to.point = Vector3(0, 0, 0);
  ground.rest_length = 0;
  ground.axis = Vector3(1, 0, 0);
  model.springs = {ground};
  model.forces = {testing::load("push", "a", {"3*cos(2*t)", "0", "0"})};
  return model;
}
double exact_oscillator(double t) {
  const double a = 3 * 22.0 / (22 * 22 + 16), b = 3 * 4.0 / (22 * 22 + 16);  // a cos 2t + b sin 2t
  const double c = 1 - a, d = (c - 2 * b) / 5;
  return a * std::cos(2 * t) + b * std::sin(2 * t) +
         std::exp(-t) * (c * std::cos(5 * t) + d * std::sin(5 * t));
}

TEST(Order, SmoothLinearMotion) {
  for (const auto& [label, scheme] : particle_schemes({testing::event_driven})) {
    std::vector<double> steps, errors;
    for (int i = 0; i < 6; ++i) {
      const double h = 4e-3 / (1 << i);
      steps.push_back(h);
      errors.push_back(std::abs(run_to_end(oscillator(), scheme, 1.0, h).q[0] - exact_oscillator(1.0)));
    }
    const int declared = facts(scheme).smooth_order;
    expect_order(label, "damped oscillator", testing::fitted_order(steps, errors), declared - 0.15,
                 declared + 0.15);
  }
}

TEST(Order, SmoothNonlinearMotion) {
  // A spring pendulum with damper: large rotations of the spring.
  Model model = testing::steel_model(0);
  model.gravity = {0, 0, -9.81};
  model.bodies = {testing::particle("a", 0.5, Translations::xz, {1, 0, 0}, {0, 0, 0.5})};
  Spring rod = testing::spring("a", "a", 60, 0.4);
  rod.from = {};
  rod.from.point = Vector3(0, 0, 0);
  rod.rest_length = 0.9;
  model.springs = {rod};
  const State reference = run_to_end(model, theta(0.5), 1.0, 1e-5);
  for (const auto& [label, scheme] : particle_schemes({testing::event_driven})) {
    std::vector<double> steps, errors;
    for (int i = 0; i < 5; ++i) {
      const double h = 4e-3 / (1 << i);
      steps.push_back(h);
      errors.push_back((run_to_end(model, scheme, 1.0, h).q - reference.q).norm());
    }
    const int declared = facts(scheme).smooth_order;
    expect_order(label, "spring pendulum", testing::fitted_order(steps, errors), declared - 0.15,
                 declared + 0.15);
  }
}

/// L1 error of [Cosimo 2020, eq. 52] over all steps.
struct L1 {
  double difference = 0, size = 0;
  void add(double computed, double exact) {
    difference += std::abs(computed - exact);
    size += std::abs(exact);
  }
  double value() const { return difference / size; }
};

TEST(Order, BouncingBall) {
  const testing::ExactBall exact(10, 0.8, 0.801);
  for (const Activation activation :
       {Activation::start_gap, Activation::half_step_gap, Activation::predicted_gap})
    for (auto [label, scheme] : particle_schemes(
             {testing::event_driven,
              {"hht-position", "no impact law: its error scatters with the place of an impact in the step"},
              {"newmark-position", "the same; schemes_test has its rebound"}})) {
      const bool has_rule = std::visit(
          [&](auto& options) {
            if constexpr (requires { options.activation; }) options.activation = activation;
            return requires { options.activation; };
          },
          scheme);
      if (!has_rule && activation != Activation::start_gap) continue;
      std::vector<double> steps, position, velocity;
      for (int i = 0; i < 25; ++i) {  // neighbours scatter, many steps do not
        const double h = 1e-2 * std::pow(10, -i / 12.0);
        Simulation simulation(testing::ball_model(), testing::run_config(scheme, 2, h));
        L1 q, v;
        while (!simulation.finished()) {
          ASSERT_EQ(simulation.step().status, SolveStatus::converged);
          q.add(simulation.state().q[0], exact.height(simulation.time()));
          v.add(simulation.state().v[0], exact.velocity(simulation.time()));
        }
        steps.push_back(h);
        position.push_back(q.value());
        velocity.push_back(v.value());
      }
      const std::string rule(enum_name(activation));
      const int declared = facts(scheme).impact_order;
      expect_order(label, "ball position, " + rule, testing::fitted_order(steps, position), declared - 0.15,
                   declared + 0.25);
      expect_order(label, "ball velocity, " + rule, testing::fitted_order(steps, velocity), declared - 0.15,
                   declared + 0.25);
    }
}

TEST(Order, TheExactBallMeetsItsPublishedNumbers) {
  const testing::ExactBall exact(10, 0.8, 0.801);
  EXPECT_NEAR(exact.height(2), 0.0540348899, 1e-10);
  EXPECT_NEAR(exact.velocity(2), 1.2676798513, 1e-10);
}

}  // namespace
}  // namespace percuss
