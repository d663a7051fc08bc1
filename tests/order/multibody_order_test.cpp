#include <iostream>

#include <gtest/gtest.h>

#include "support/models.h"
#include "support/scenes.h"

/// Observed orders of rotations and joints against the declared ones, two-sided.
namespace percuss {
namespace {

using Overrides = std::vector<std::string>;

Simulation run(const std::string& scene, Overrides overrides, double h) {
  overrides.push_back("time.step=" + std::to_string(h));
  Simulation simulation = testing::scene_simulation(scene, overrides);
  EXPECT_EQ(simulation.advance_to(1e9).status, SolveStatus::converged);
  return simulation;
}
Vector3 omega(const Simulation& s, const std::string& body) {
  return {s.probe(body + ".omega.x"), s.probe(body + ".omega.y"), s.probe(body + ".omega.z")};
}

struct SchemeCase {
  Overrides overrides;
  int smooth_order, joint_order;
};
std::vector<SchemeCase> scheme_cases() {
  std::vector<SchemeCase> cases;
  for (const Overrides& o :
       {Overrides{"integrator.theta=0.5"}, Overrides{"integrator.theta=0.75"},
        Overrides{"integrator.scheme=moreau-explicit"}, Overrides{"integrator.scheme=schatzman-paoli"},
        Overrides{"integrator.scheme=hht"}, Overrides{"integrator.scheme=generalized-alpha"},
        Overrides{"integrator.scheme=generalized-alpha", "integrator.spectral_radius=0.3"},
        Overrides{"integrator.scheme=generalized-alpha", "integrator.splitting=coupled"},
        Overrides{"integrator.scheme=half-explicit-velocity"},
        Overrides{"integrator.scheme=half-explicit-acceleration"},
        Overrides{"integrator.scheme=explicit-velocity"}}) {
    const Scene scene = load_scene(testing::scene_path("dzhanibekov"), o);
    const SchemeFacts declared = facts(scene.run.integrator);
    cases.push_back({o, declared.smooth_order, declared.joint_order});
  }
  return cases;
}

double observed_order(const std::string& scene, const Overrides& overrides, double first_step,
                      const std::function<double(const Simulation&)>& error) {
  std::vector<double> steps, errors;
  for (int i = 0; i < 5; ++i) {
    steps.push_back(first_step / (1 << i));
    errors.push_back(error(run(scene, overrides, steps.back())));
  }
  const double order = testing::fitted_order(steps, errors);
  std::cout << "  observed order of " << overrides.front() << ", " << scene << ": " << order << "\n";
  return order;
}

TEST(MultibodyOrder, FreeRotation) {
  const Overrides unstable = {"time.end=1", "bodies[nut].angular_velocity=[1, 4, 2]"};
  const auto with = [&](Overrides o) {
    o.insert(o.end(), unstable.begin(), unstable.end());
    return o;
  };
  const Simulation reference = run("dzhanibekov", with({"integrator.theta=0.5"}), 1e-5);
  const auto attitude = [&](const Simulation& s) { return s.probe("nut.orientation.w"); };
  for (const auto& [overrides, smooth, joint] : scheme_cases()) {
    const double order = observed_order("dzhanibekov", with(overrides), 8e-3, [&](const Simulation& s) {
      return (omega(s, "nut") - omega(reference, "nut")).norm() + std::abs(attitude(s) - attitude(reference));
    });
    EXPECT_GT(order, smooth - 0.15) << overrides.front();
    EXPECT_LT(order, smooth + 0.15) << overrides.front();
  }
}

TEST(MultibodyOrder, SteadyPrecessionOfTheTop) {
  // Exact: the centre of mass stays at the height l cos(beta) and circles at the rate p.
  const double J3 = 6e-4, A = 4e-4 + 0.5 * 0.04 * 0.04, l = 0.04, beta = std::numbers::pi / 6, spin = 150;
  const double c = std::cos(beta), b = J3 * spin;
  const double p = (b - std::sqrt(b * b - 4 * A * c * 0.5 * 9.81 * l)) / (2 * A * c);
  const double t = 0.5;
  const Vector3 exact(l * std::sin(beta) * std::sin(p * t), -l * std::sin(beta) * std::cos(p * t), l * c);
  for (const auto& [overrides, smooth, joint] : scheme_cases()) {
    if (overrides.front() == "integrator.scheme=moreau-explicit") continue;  // gains energy in fast nutation
    Overrides all = overrides;
    all.emplace_back("time.end=0.5");
    const double order = observed_order(
        "spinning_top", all, 4e-4, [&](const Simulation& s) { return (s.position("top") - exact).norm(); });
    EXPECT_GT(order, joint - 0.15) << overrides.front();
    EXPECT_LT(order, joint + 0.15) << overrides.front();
  }
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
      worst_velocity = std::max(worst_velocity, s.joint_velocity_drift());
    }
    EXPECT_LT(worst_velocity, 2e-14);  // velocities are of the size 10 m/s
    steps.push_back(h);
    drifts.push_back(s.joint_drift());
  }
  const double order = testing::fitted_order(steps, drifts);
  std::cout << "  drift at position level: order " << order << ", " << drifts.front() << " m at h = 2e-3\n";
  EXPECT_GT(order, 1.7);  // the trapezoidal rule integrates G v = 0
  EXPECT_LT(order, 2.3);
}

}  // namespace
}  // namespace percuss
