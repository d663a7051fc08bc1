#include <algorithm>
#include <map>
#include <type_traits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/scene.h"
#include "percuss/nonsmooth/solvers.h"
#include "support/models.h"

namespace percuss {
namespace {

static_assert(std::is_nothrow_move_constructible_v<Simulation>);
static_assert(std::is_nothrow_move_assignable_v<Simulation>);
static_assert(!std::is_copy_constructible_v<Simulation> && !std::is_copy_assignable_v<Simulation>);

void expect_same_bits(const State& a, const State& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_TRUE(a.q == b.q && a.v == b.v && a.memory == b.memory);
  EXPECT_EQ(a.contacts.reaction, b.contacts.reaction);
  EXPECT_EQ(a.joint_impulse, b.joint_impulse);
  EXPECT_EQ(a.angles, b.angles);
}

void take_steps(int count, Simulation& simulation) {
  for (int i = 0; i < count; ++i) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
}

/// A box at rest on the ground, and a pendulum with a stop and a prescribed support.
std::string moving_scene(const std::string& scheme, const std::string& time) {
  return R"(
percuss: 1
gravity: [0, 0, -9.81]
materials: {rock: {density: 2000}}
pairs: [{between: [rock, rock], restitution: 0.3}]
bodies:
  - rigid: box
    material: rock
    shape: {box: [0.2, 0.1, 0.1]}
    position: [0, 0, 0.05]
    velocity: [0.3, 0, -0.1]
  - rigid: arm
    material: rock
    shape: {box: [0.1, 0.1, 0.5]}
    position: [2, 0, 1.75]
    angular_velocity: [0, 2, 0]
frames: [{frame: support, position: [2 + 0.01*sin(20*t), 0, 2]}]
joints: [{hinge: pivot, body: arm, to: support, at: [2, 0, 2], axis: [0, 1, 0], limits: {lower: -0.05, upper: 0.02}}]
obstacles: [{half_space: ground, normal: [0, 0, 1], material: rock}]
contacts: [{body: box, against: ground}]
)" + scheme +
         "\n" + time;
}

TEST(Ownership, ASimulationThatMovesGoesOnWithTheSameBits) {
  std::vector<std::string> schemes;
  for (const SchemeOptions& scheme : all_schemes())
    if (facts(scheme).has_joints && !facts(scheme).is_for_study)
      schemes.emplace_back(fmt::format("integrator: {{scheme: {}}}", scheme_name(scheme)));
  ASSERT_GT(schemes.size(), 6);
  const std::string steps = "time: {end: 1, step: 1e-3}",
                    adaptive = "time: {end: 1, step: 1e-3, adaptive: {tolerance: 1e-3}}";
  std::vector<std::string> texts = {moving_scene("integrator: {scheme: moreau-jean}", adaptive)};
  for (const auto& scheme : schemes) texts.push_back(moving_scene(scheme, steps));
  for (const auto& text : texts) {
    SCOPED_TRACE(text.substr(text.find("integrator")));
    const Scene scene = parse_scene(text, "moving");
    Simulation still(scene.model, scene.run), first(scene.model, scene.run), used(scene.model, scene.run);
    take_steps(12, still);
    take_steps(4, first);
    take_steps(1, used);
    int seen = 0;
    first.observe_problems([&](const LocalProblem&, const Solution&, const State&) { ++seen; });
    auto second = std::make_unique<Simulation>(std::move(first));
    take_steps(4, *second);
    used = std::move(*second);
    second.reset();
    used.renew_workspace();
    const int seen_before = seen;
    take_steps(4, used);
    expect_same_bits(used.state(), still.state());
    EXPECT_EQ(used.energy().total(), still.energy().total());
    EXPECT_EQ(used.statistics().impacts, still.statistics().impacts);
    const bool solves_problems = text.find("generalized-alpha") == text.npos;  // not active sets as equations
    EXPECT_EQ(seen > seen_before, solves_problems) << "the observer stays, whatever moves or is made anew";
  }
}

TEST(Ownership, AnAssemblyServesSeveralSimulations) {
  auto [scene, simulation] = parse_simulation(
      moving_scene("integrator: {scheme: moreau-jean}", "time: {end: 1, step: 1e-3}"), "once");
  Simulation again(simulation.assembly(), scene.run);
  take_steps(20, simulation);
  take_steps(20, again);
  expect_same_bits(again.state(), simulation.state());
  RunConfig later = scene.run;
  later.time.start = 0.5;
  EXPECT_THROW(Simulation(simulation.assembly(), later), std::invalid_argument);
}

std::vector<Complaint> complaints_about(const Model& model, const RunConfig& config) {
  try {
    Simulation simulation(model, config);
  } catch (const ModelError& e) {
    return e.complaints();
  }
  return {};
}

/// What io alone looked at before: functions of time, and probes.
TEST(Ownership, ProgramsGetTheChecksOfScenes) {
  Model model = testing::ball_model();
  RunConfig config = testing::run_config(MoreauJeanOptions{}, 1, 1e-3);
  config.record.probes = {{"height", "ball.position.z"}, {"time", "bal.position.z"}};
  const std::vector<Complaint> about_probes = complaints_about(model, config);
  ASSERT_EQ(about_probes.size(), 2u);
  EXPECT_EQ(about_probes[0].path, "record.probes.time");
  config.record.probes.clear();
  model.forces = {testing::load("wind", "ball", {"0", "1/t", "0"})};  // infinite at the start
  const std::vector<Complaint> about_wind = complaints_about(model, config);
  ASSERT_EQ(about_wind.size(), 1u);
  EXPECT_EQ(about_wind[0].path, "forces[0].value[1]");
}

/// A point that falls on two planes; counts how often its gaps are asked for at each height.
class CountedFall : public LagrangianSystem {
 public:
  std::vector<std::string> coordinate_names() const override { return {"height"}; }
  void initial_state(VectorX& q, VectorX& v) const override { q[0] = 1, v[0] = 0; }
  void mass_matrix(const VectorX&, MatrixX& M) const override { M(0, 0) = 1; }
  bool has_constant_mass() const override { return true; }
  void force(const VectorX&, const VectorX&, double, VectorX& f) const override { f[0] = -9.81; }
  double potential_energy(const VectorX& q) const override { return 9.81 * q[0]; }
  std::vector<Gap> gaps() const override { return {{.name = "floor", .restitution = 0.5}}; }
  void gap_values(const VectorX& q, VectorX& g) const override {
    g[0] = q[0];
    ++asked[q[0]];
  }
  void gap_jacobian(const VectorX&, MatrixX& G) const override { G(0, 0) = 1; }

  mutable std::map<double, int> asked;
};

/// The contacts at the end of a step are those at the start of the next, and nobody asks for them again,
/// neither the scheme nor the booking.
TEST(Ownership, ContactsAreEvaluatedOnceForEachState) {
  for (const SchemeOptions& scheme : all_schemes()) {
    if (facts(scheme).chooses_steps) continue;  // event-driven: evaluates tens of times along a step
    if (scheme_name(scheme) == "schatzman-paoli") continue;       // its q* may be the end of a step by chance
    if (scheme_name(scheme) == "floating-trapezoidal") continue;  // looks at closed contacts alone, again
    SCOPED_TRACE(scheme_name(scheme));
    const auto fall = std::make_shared<CountedFall>();
    Model model;
    model.systems.emplace_back();
    model.systems[0].name = "fall";
    model.systems[0].equations = fall;
    RunConfig config = testing::run_config(scheme, 1, 1e-2);
    std::visit(
        [](auto& given) {
          if constexpr (requires { given.allow_inconsistent; }) given.allow_inconsistent = true;
        },
        config.integrator);
    Simulation simulation(model, config);
    fall->asked.clear();
    std::vector<double> heights;
    for (int i = 0; i < 60; ++i) {
      ASSERT_EQ(simulation.step().status, SolveStatus::converged);
      heights.push_back(simulation.state().q[0]);
    }
    EXPECT_GT(simulation.contact_sums(0).impulse, 0) << "the test must meet impacts";
    for (const double height : heights) EXPECT_EQ(fall->asked[height], 1) << height;
  }
}

}  // namespace
}  // namespace percuss
