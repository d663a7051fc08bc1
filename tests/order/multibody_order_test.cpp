#include <iostream>

#include <gtest/gtest.h>

#include "support/models.h"
#include "support/scenes.h"
#include "support/scheme_cases.h"

/// Observed orders of rotations and joints against the declared ones, two-sided.
namespace percuss {
namespace {

using Overrides = std::vector<std::string>;

using testing::Exclusion;
using testing::SchemeCase;

Simulation run(const std::string& name, const SchemeOptions& scheme, Overrides overrides, double h) {
  overrides.push_back("time.step=" + std::to_string(h));
  Scene scene = load_scene(testing::scene_path(name), overrides);
  scene.run.integrator = scheme;
  Simulation simulation(scene.model, scene.run);
  EXPECT_EQ(simulation.advance_to(1e9).status, SolveStatus::converged) << scheme_name(scheme);
  return simulation;
}
Vector3 omega(const Simulation& s, const std::string& body) {
  return {s.probe(body + ".omega.x"), s.probe(body + ".omega.y"), s.probe(body + ".omega.z")};
}

std::vector<SchemeCase> multibody_schemes(const std::vector<Exclusion>& excluded) {
  MoreauJeanOptions damped;
  damped.theta = 0.75;
  GeneralizedAlphaOptions dissipative, coupled;
  dissipative.spectral_radius = 0.3;
  coupled.splitting = Splitting::coupled;
  NewmarkPositionOptions newmark;
  newmark.allow_inconsistent = true;
  newmark.gamma = 0.6;
  return testing::schemes_and_variants(excluded, {{"moreau-jean 0.75", damped},
                                                  {"newmark-position 0.6", newmark},
                                                  {"generalized-alpha 0.3", dissipative},
                                                  {"generalized-alpha coupled", coupled}});
}

void expect_order(const std::string& scene, const SchemeCase& scheme, const Overrides& overrides,
                  double first_step, int declared, const std::function<double(const Simulation&)>& error) {
  std::vector<double> steps, errors;
  for (int i = 0; i < 5; ++i) {
    steps.push_back(first_step / (1 << i));
    errors.push_back(error(run(scene, scheme.options, overrides, steps.back())));
  }
  const double order = testing::fitted_order(steps, errors);
  std::cout << "  observed order of " << scheme.label << ", " << scene << ": " << order << "\n";
  EXPECT_GT(order, declared - 0.15) << scheme.label << ", " << scene;
  EXPECT_LT(order, declared + 0.15) << scheme.label << ", " << scene;
}

TEST(MultibodyOrder, FreeRotation) {
  const Overrides unstable = {"time.end=1", "bodies[nut].angular_velocity=[1, 4, 2]"};
  const Simulation reference = run("dzhanibekov", MoreauJeanOptions{}, unstable, 1e-5);
  const auto attitude = [&](const Simulation& s) { return s.probe("nut.orientation.w"); };
  for (const SchemeCase& scheme : multibody_schemes({testing::event_driven}))
    expect_order("dzhanibekov", scheme, unstable, 8e-3, facts(scheme.options).smooth_order,
                 [&](const Simulation& s) {
                   return (omega(s, "nut") - omega(reference, "nut")).norm() +
                          std::abs(attitude(s) - attitude(reference));
                 });
}

TEST(MultibodyOrder, SteadyPrecessionOfTheTop) {
  // Exact: the centre of mass stays at the height l cos(beta) and circles at the rate p.
  const double J3 = 6e-4, A = 4e-4 + 0.5 * 0.04 * 0.04, l = 0.04, beta = std::numbers::pi / 6, spin = 150;
  const double c = std::cos(beta), b = J3 * spin;
  const double p = (b - std::sqrt(b * b - 4 * A * c * 0.5 * 9.81 * l)) / (2 * A * c);
  const double t = 0.5;
  const Vector3 exact(l * std::sin(beta) * std::sin(p * t), -l * std::sin(beta) * std::cos(p * t), l * c);
  for (const SchemeCase& scheme : multibody_schemes(
           {testing::event_driven,
            {"moreau-explicit", "gains energy in fast nutation"},
            {"newmark-position", "gamma = 1/2 damps no error of the reactions: its runs gain energy and end"},
            {"floating-trapezoidal", "has no joints"}}))
    expect_order("spinning_top", scheme, {"time.end=0.5"}, 4e-4, facts(scheme.options).joint_order,
                 [&](const Simulation& s) { return (s.position("top") - exact).norm(); });
}

TEST(MultibodyOrder, JointDriftIsAtRoundingInVelocityAndGrowsLinearlyInPosition) {
  std::vector<double> steps, drifts;
  for (int i = 0; i < 4; ++i) {
    const double h = 2e-3 / (1 << i);
    Simulation s = testing::scene_simulation(
        "double_pendulum", {"time.end=0.4", "joints[knee].limits.upper=3", "time.step=" + std::to_string(h)});
    double worst_velocity = 0;
    while (!s.finished()) {
      ASSERT_EQ(s.step().status, SolveStatus::converged);
      worst_velocity = std::max(worst_velocity, s.joint_velocity_violation());
    }
    EXPECT_LT(worst_velocity, 2e-14);  // velocities are of the size 10 m/s
    steps.push_back(h);
    drifts.push_back(s.joint_violation());
  }
  const double order = testing::fitted_order(steps, drifts);
  std::cout << "  drift at position level: order " << order << ", " << drifts.front() << " m at h = 2e-3\n";
  EXPECT_GT(order, 1.7);  // the trapezoidal rule integrates G v = 0
  EXPECT_LT(order, 2.3);
}

}  // namespace
}  // namespace percuss
