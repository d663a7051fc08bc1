#include "percuss/simulation/study.h"

#include <cmath>

#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "support/models.h"

namespace percuss {
namespace {

/// x'' = -25 x, x(0) = 1.
Model oscillator(double stiffness = 25) {
  Model model = testing::steel_model(0);
  model.bodies = {testing::particle("mass", 1, Translations::x, {1, 0, 0})};
  Spring ground = testing::spring("mass", "mass", stiffness);
  ground.to = {};
  ground.to.point = Vector3(0, 0, 0);
  ground.rest_length = 0;
  ground.axis = Vector3(1, 0, 0);
  model.springs = {ground};
  return model;
}

StudyTask task(const Model& model, const SchemeOptions& scheme, double end, double step) {
  return {std::make_shared<const Assembly>(build_assembly(model)),
          testing::run_config(scheme, end, step),
          {"mass.position.x", "mass.velocity.x"}};
}

const std::vector<double> steps = {4e-3, 2e-3, 1e-3, 5e-4};

StudyPlan smooth_plan(double theta) {
  MoreauJeanOptions scheme;
  scheme.theta = theta;
  StudyPlan plan;
  for (const double h : steps) plan.tasks.push_back(task(oscillator(), scheme, 1, h));
  return plan;
}

TEST(Study, ObservesTheOrderOfASmoothMotion) {
  const ReferenceSolution exact = make_reference(
      {[](double t) { return std::cos(5 * t); }, [](double t) { return -5 * std::sin(5 * t); }}, 0, 1, true);
  for (const auto& [theta, order] : {std::pair{0.5, 2.0}, std::pair{1.0, 1.0}})
    for (const Norm norm : {Norm::l1, Norm::graph, Norm::spectral}) {
      const auto errors = study_errors(run_study(smooth_plan(theta), 2), exact, norm);
      for (size_t k = 0; k < errors[0].size(); ++k) {
        std::vector<double> column;
        for (const auto& row : errors) column.push_back(row[k]);
        const double expected = norm == Norm::spectral ? order - 0.5 : order;
        EXPECT_NEAR(fit_order(steps, column).order, expected, 0.1) << "theta " << theta;
      }
    }
}

TEST(Study, DoesNotDependOnTheNumberOfThreads) {
  const auto one = run_study(smooth_plan(0.5), 1), three = run_study(smooth_plan(0.5), 3);
  for (size_t i = 0; i < steps.size(); ++i) {
    EXPECT_TRUE(one[i].finished());
    EXPECT_EQ(one[i].trajectory.time.size(), static_cast<size_t>(std::lround(1 / steps[i])) + 1);
    EXPECT_EQ(one[i].trajectory.values, three[i].trajectory.values);
    EXPECT_EQ(one[i].statistics.iterations, three[i].statistics.iterations);
    EXPECT_GT(one[i].cpu_seconds, 0);
  }
}

TEST(Study, ARunThatFailsEndsAlone) {
  StudyPlan plan = smooth_plan(0.5);
  plan.tasks[1] = task(oscillator(1e12), MoreauExplicitOptions{}, 1, 1e-2);
  const auto runs = run_study(plan, 2);
  EXPECT_EQ(runs[1].end, RunEnd::failed);
  EXPECT_FALSE(runs[1].message.empty());
  EXPECT_GT(runs[1].reached, 0);
  EXPECT_LT(runs[1].reached, 1);
  for (const size_t other : {0, 2, 3}) EXPECT_TRUE(runs[other].finished());
  const auto errors =
      study_errors(runs, make_reference(runs[3].trajectory, Interpolation::linear, false), Norm::l1);
  EXPECT_TRUE(errors[1].empty());
  EXPECT_EQ(errors[3], (std::vector<double>{0, 0}));
}

TEST(Study, StopsWhenAsked) {
  StudyPlan plan;
  plan.tasks = {task(oscillator(), MoreauJeanOptions{}, 1, 1e-1),
                task(oscillator(), MoreauJeanOptions{}, 1, 1e-7)};
  StudyHooks hooks;
  hooks.should_stop = [] { return true; };
  const auto runs = run_study(plan, 2, hooks);
  EXPECT_TRUE(runs[0].finished()) << "it is short";
  EXPECT_EQ(runs[1].end, RunEnd::stopped);
  EXPECT_LT(runs[1].reached, 1);
}

}  // namespace
}  // namespace percuss
