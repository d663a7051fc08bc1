#include <nlohmann/json.hpp>

#include "percuss/io/results_reader.h"
#include "support/process.h"

// Steps whose contacts no try solves to the tolerance: they are told, and go on through a resume.
namespace percuss {
namespace {

using namespace percuss::testing;
using nlohmann::json;

/// A box on another one of a thousandth of its mass: Gauss-Seidel's sweeps alone do not solve that.
constexpr const char* stack = R"(percuss: 1
gravity: [0, 0, -9.81]
materials: {stone: {}}
pairs: [{between: [stone, stone], friction: 0.5}]
bodies:
  - {rigid: light, material: stone, mass: 1e-3, shape: {box: [0.2, 0.2, 0.1]}, position: [0, 0, 0.051]}
  - {rigid: heavy, material: stone, mass: 1, shape: {box: [0.3, 0.2, 0.2]}, position: [0.05, 0, 0.2012]}
obstacles: [{half_space: floor, material: stone}]
contacts: all
solver: {name: nlgs, acceptable: 0.5}
time: {end: 0.02, step: 1e-3, halvings: 1}
)";

class AcceptedSteps : public ::testing::Test {
 protected:
  void SetUp() override { write_file(folder_ / "stack.yaml", stack); }
  ProcessResult percuss(const std::vector<std::string>& arguments) const {
    return run_percuss_in(folder_, arguments);
  }
  ResultsReader results(const std::string& name) const { return ResultsReader((folder_ / name).string()); }

  TemporaryDirectory folder_;
};

TEST_F(AcceptedSteps, AreToldByTheRunAndByInfo) {
  const ProcessResult run = percuss({"run", "stack.yaml", "-q"});
  expect_exit(run, 0);
  EXPECT_TRUE(contains(run.errors, "warning: ")) << run.errors;
  EXPECT_TRUE(contains(run.errors, "steps miss solver.tolerance")) << run.errors;
  const auto reader = results("stack.h5");
  const auto steps = reader.accepted();
  ASSERT_FALSE(steps.empty());
  EXPECT_EQ(std::ssize(steps), reader.run().total.accepted);
  for (const AcceptedStep& step : steps) {
    EXPECT_GT(step.residual, 1e-10);
    EXPECT_LE(step.residual, reader.run().total.max_residual);
    EXPECT_GT(step.displacement, 0);
    EXPECT_LE(step.displacement, reader.run().total.max_displacement);
    EXPECT_GT(step.size, 0);
    EXPECT_LE(step.size, 1e-3 * (1 + 1e-12));
    EXPECT_EQ(reader.contacts()[static_cast<size_t>(step.contact)].body.empty(), false);
  }
  const ProcessResult info = percuss({"info", "stack.h5"});
  expect_exit(info, 0);
  EXPECT_TRUE(contains(info.output, "Steps accepted above solver.tolerance: ")) << info.output;
  EXPECT_TRUE(contains(info.output, "micrometres")) << info.output;
  EXPECT_TRUE(contains(info.output, "light")) << info.output;
  const json listed = json::parse(percuss({"info", "stack.h5", "--json"}).output);
  EXPECT_EQ(listed["accepted"].size(), steps.size());
  EXPECT_EQ(listed["accepted"][0]["time_s"], steps[0].time);
}

/// Halving is tried before an answer is accepted.
TEST_F(AcceptedSteps, AreHalvedFirst) {
  expect_exit(percuss({"run", "stack.yaml", "-q", "-o", "halved.h5"}), 0);
  expect_exit(percuss({"run", "stack.yaml", "-q", "-o", "whole.h5", "--set", "time.halvings=0"}), 0);
  EXPECT_GT(results("halved.h5").run().total.halved, 0);
  EXPECT_EQ(results("whole.h5").run().total.halved, 0);
  EXPECT_GT(results("whole.h5").run().total.accepted, 0);
}

TEST_F(AcceptedSteps, EndAStrictRun) {
  const ProcessResult run = percuss({"run", "stack.yaml", "-q", "--strict"});
  expect_exit(run, 1);
  EXPECT_TRUE(contains(run.errors, "above solver.tolerance")) << run.errors;
  const auto reader = results("stack.h5");
  EXPECT_EQ(reader.run().status, RunStatus::failed);
  EXPECT_TRUE(reader.accepted().empty());
}

/// Stopped before the first of them, and after it.
TEST_F(AcceptedSteps, ContinueInAResumedRun) {
  expect_exit(percuss({"run", "stack.yaml", "-q", "-o", "whole.h5"}), 0);
  const auto whole = results("whole.h5").accepted();
  for (const bool has_some : {false, true}) {
    const std::string end = has_some ? "time.end=0.017" : "time.end=0.016";
    expect_exit(percuss({"run", "stack.yaml", "-q", "-o", "parts.h5", "--set", end}), 0);
    EXPECT_EQ(results("parts.h5").accepted().empty(), !has_some);
    expect_exit(percuss({"run", "stack.yaml", "-q", "-o", "parts.h5", "--resume"}), 0);
    const auto parts = results("parts.h5").accepted();
    ASSERT_EQ(whole.size(), parts.size());
    for (size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(whole[i].time, parts[i].time);
      EXPECT_EQ(whole[i].size, parts[i].size);
      EXPECT_EQ(whole[i].residual, parts[i].residual);
      EXPECT_EQ(whole[i].displacement, parts[i].displacement);
      EXPECT_EQ(whole[i].contact, parts[i].contact);
    }
  }
}

}  // namespace
}  // namespace percuss
