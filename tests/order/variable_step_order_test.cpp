#include <iostream>

#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/integrators/integrator.h"
#include "support/lone_steps.h"
#include "support/models.h"
#include "support/scenes.h"
#include "support/scheme_cases.h"

/// A scheme that says so keeps its order where steps change strongly: h, 2h, h/2 in turn, or a short one that
/// is followed by one thirty times as long.
namespace percuss {
namespace {

using Pattern = std::vector<double>;
const Pattern alternating = {1, 2, 0.5}, leaping = {0.1, 3, 0.4};
constexpr double pattern_length = 3.5;

/// The state after steps that repeat the pattern.
State run(const Scene& scene, double h, const Pattern& pattern) {
  const Assembly assembly = build_assembly(scene.model);
  const auto integrator = make_integrator(scene.run.integrator, scene.run.solver);
  percuss::testing::LoneSteps steps(*integrator, assembly);
  State state = assembly.system.initial;
  state.memory.setZero(integrator->memory_size(assembly.system));
  const auto rounds = std::lround(scene.run.time.end / (pattern_length * h));
  for (int i = 0; i < rounds; ++i)
    for (const double part : pattern) EXPECT_EQ(steps.step(part * h, state).status, SolveStatus::converged);
  EXPECT_NEAR(state.time, scene.run.time.end, 1e-9);
  return state;
}

double observed_order(const Scene& scene, const Pattern& pattern) {
  const double first = scene.run.time.end / (16 * pattern_length);
  const State exact = run(scene, first / 64, alternating);
  std::vector<double> steps, errors;
  for (int i = 0; i < 4; ++i) {
    steps.push_back(first / (1 << i));
    const State state = run(scene, steps.back(), pattern);
    errors.push_back((state.q - exact.q).norm() + (state.v - exact.v).norm());
  }
  return testing::fitted_order(steps, errors);
}

/// A scheme that does not declare it is not asked.
std::vector<testing::SchemeCase> varying_schemes() {
  GeneralizedAlphaOptions dissipative, coupled;
  dissipative.spectral_radius = 0.3;
  coupled.splitting = Splitting::coupled;
  auto cases = testing::schemes_and_variants(
      {}, {{"generalized-alpha 0.3", dissipative}, {"generalized-alpha coupled", coupled}});
  std::erase_if(cases, [](const testing::SchemeCase& c) { return !facts(c.options).varies_step; });
  return cases;
}

void expect_order(const std::string& name, const testing::Overrides& settings, bool has_joints) {
  Scene scene = load_scene(testing::scene_path(name), settings);
  ASSERT_GE(varying_schemes().size(), 7u);
  for (const auto& [label, scheme] : varying_schemes()) {
    scene.run.integrator = scheme;
    const SchemeFacts declared = facts(scheme);
    for (const Pattern& pattern : {alternating, leaping}) {
      const double order = observed_order(scene, pattern);
      std::cout << "  observed order of " << label << ", " << name << ": " << order << "\n";
      EXPECT_NEAR(order, has_joints ? declared.joint_order : declared.smooth_order, 0.25) << label;
    }
  }
}

TEST(VariableStepOrder, WithoutJoints) {
  expect_order("dzhanibekov", {"time.end=0.7", "time.step=1e-3", "bodies[nut].angular_velocity=[1, 4, 2]"},
               false);
}
TEST(VariableStepOrder, WithJoints) {
  expect_order("rigid_pendulum", {"time.end=0.35", "time.step=1e-3"}, true);
}

}  // namespace
}  // namespace percuss
