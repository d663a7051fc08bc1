#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/simulation/step_suggestion.h"
#include "support/scenes.h"

/// Flexible bodies that hit something: the numbers that a correct implementation shows, and exact solutions.
namespace percuss {
namespace {

using testing::finished;
using testing::Overrides;
using testing::scene_simulation;

/// The times of contact, and its forces, of a run with one contact.
struct ContactHistory {
  double first = -1, last = -1;                  ///< ends of steps with a reaction [s]
  int phases = 0;                                ///< uninterrupted series of such steps
  double impact_impulse = 0;                     ///< [N s]
  std::vector<std::pair<double, double>> force;  ///< time and mean force of steps without an impact
  std::vector<double> closed_gaps;

  double mean_force(double from, double to) const {
    double sum = 0;
    int count = 0;
    for (const auto& [t, f] : force)
      if (t >= from && t <= to) {
        sum += f;
        ++count;
      }
    return sum / count;
  }
};
ContactHistory run_contact(Simulation& s) {
  ContactHistory history;
  bool touches = false;
  while (!s.finished()) {
    if (const StepReport report = s.step(); report.status != SolveStatus::converged) {
      ADD_FAILURE() << s.why_it_failed(report);
      break;
    }
    for (const auto& impact : s.impacts()) history.impact_impulse += impact.impulse;
    history.force.emplace_back(s.time(), s.contact_force(0)[0]);
    const bool now = s.state().contacts.reaction[0] > 0;
    if (now) {
      if (history.first < 0) history.first = s.time();
      history.last = s.time();
      history.phases += !touches;
      history.closed_gaps.push_back(s.gap(0));
    }
    touches = now;
  }
  return history;
}

TEST(ElasticBar, DiscreteValuesOfTheDecoupledScheme) {
  Simulation fine = scene_simulation("elastic_bar");
  const ContactHistory history = run_contact(fine);
  EXPECT_NEAR(fine.probe("bar.first.displacement.x"), -1.696309, 1e-5);
  EXPECT_NEAR(fine.probe("contact(bar.first, wall).impulse"), 199.4108, 1e-3);
  EXPECT_NEAR(history.last, 1.166, 1e-9);
  EXPECT_EQ(history.phases, 1);
  for (const double gap : history.closed_gaps) EXPECT_NEAR(gap, 0, 1e-12);
  EXPECT_EQ(fine.statistics().max_by_level, (std::array<int, 3>{1, 1, 1}));
  const Simulation coarse = finished("elastic_bar", {"time.step=3e-2"});
  EXPECT_NEAR(coarse.probe("bar.first.displacement.x"), -2.117098, 1e-6);
  EXPECT_NEAR(coarse.probe("bar.first.velocity.x"), 11.26218, 1e-5);
  EXPECT_NEAR(coarse.probe("contacts.impulse"), 186.2430, 1e-4);
}

TEST(ElasticBar, NeglectedForcesHoldTheBarToTheWall) {
  const std::string neglected = "integrator.splitting=decoupled-neglected";
  Simulation fine = scene_simulation("elastic_bar", {neglected, "time.step=1e-3"});
  EXPECT_GT(run_contact(fine).last, 1.167);
  Simulation medium = scene_simulation("elastic_bar", {neglected, "time.step=1e-2"});
  EXPECT_NEAR(run_contact(medium).last, 1.34, 1e-9) << "late";
  Simulation coarse = scene_simulation("elastic_bar", {neglected, "time.step=3e-2"});
  EXPECT_NEAR(run_contact(coarse).last, 1.5, 1e-9) << "still in contact";
  EXPECT_LT(coarse.probe("bar.node045.position.x"), -1) << "far behind the wall";
}

TEST(ElasticBar, TendsToTheContinuousSolution) {
  Simulation s = scene_simulation("elastic_bar", {"time.step=1e-5"});
  const ContactHistory history = run_contact(s);
  EXPECT_NEAR(history.last, 1.164696, 2e-5);
  EXPECT_NEAR(s.probe("bar.first.displacement.x"), -1.704353, 1e-5);
  EXPECT_NEAR(s.probe("contacts.impulse"), 199.178, 1e-3);
  EXPECT_NEAR(s.probe("energy"), 499.278, 1e-3);
  EXPECT_NEAR(history.mean_force(0.52, 0.82), 300, 5e-3);
}

TEST(ElasticBarSteel, ImpactAndForceOfTheHalfExplicitScheme) {
  Simulation s = scene_simulation("elastic_bar_steel");
  const ContactHistory history = run_contact(s);
  EXPECT_NEAR(history.impact_impulse, 1.414764e-3, 1.5e-9);
  EXPECT_NEAR(history.last - history.first, 3.819e-4, 2e-7);
  const double after_impact = history.first + 1.5e-7, middle = 0.5 * (history.first + history.last);
  EXPECT_NEAR(history.mean_force(after_impact, middle), 1264.5, 0.3);
  EXPECT_NEAR(history.closed_gaps[100], -5.000e-9, 1e-12);
}

/// A thousand elements, without and with damping.
TEST(ElasticBarSteel, ThousandElements) {
  for (const double damping : {0.0, 4.762e-9}) {
    Simulation s = scene_simulation(
        "elastic_bar_steel", {"parameters.elements=1000", fmt::format("parameters.damping={}", damping)});
    const ContactHistory history = run_contact(s);
    EXPECT_NEAR(history.last - history.first, damping > 0 ? 3.852e-4 : 3.849e-4, 2e-7) << damping;
    if (damping > 0) continue;
    EXPECT_NEAR(history.impact_impulse, 7.073818e-5, 7.1e-11);
    const double after_impact = history.first + 1.5e-7, middle = 0.5 * (history.first + history.last);
    EXPECT_NEAR(history.mean_force(after_impact, middle), 1271.4, 0.1);
  }
}

/// The step may be as long as a wave needs for an element, 1.11e-7 s, and no longer.
TEST(ElasticBarSteel, LimitOfTheStep) {
  Simulation stable =
      scene_simulation("elastic_bar_steel", {"parameters.elements=1000", "parameters.step=1.10e-7"});
  EXPECT_EQ(stable.advance_to(1).status, SolveStatus::converged);
  EXPECT_LT(stable.energy().total(), 1.001 * stable.energy().initial);
  Simulation unstable =
      scene_simulation("elastic_bar_steel", {"parameters.elements=1000", "parameters.step=1.15e-7"});
  EXPECT_EQ(unstable.advance_to(1).status, SolveStatus::not_finite);
}

TEST(FlexiblePendulum, DiscreteValuesOfTheDecoupledScheme) {
  Simulation s = scene_simulation("flexible_pendulum", {"time.step=1e-3"});
  double first = 0;
  while (!s.finished()) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    if (first == 0) first = s.state().contacts.reaction[0];
  }
  EXPECT_NEAR(first, 0.388118, 1e-6);
  EXPECT_NEAR(s.probe("contacts.impulse"), 2.69234, 1e-5);
  EXPECT_NEAR(s.probe("rod.last.displacement.y"), -0.706298, 1e-6);
  EXPECT_LE(s.statistics().max_by_level[0], 5);
  EXPECT_LE(s.statistics().max_by_level[1], 4);
  EXPECT_LE(s.statistics().max_by_level[2], 1);
}

TEST(FlexiblePendulum, TheCoupledSchemeSaysThatItDoesNotConverge) {
  Simulation s = scene_simulation("flexible_pendulum", {"time.step=1e-3", "integrator.splitting=coupled",
                                                        "integrator.accelerated=false", "time.halvings=0"});
  const StepReport report = s.advance_to(1);
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_NEAR(s.time(), 0.332, 1e-9) << "as soon as it touches for a whole step";
}

TEST(FlexiblePendulum, TendsToItsLimitBeforeTheImpact) {
  Simulation s = scene_simulation("flexible_pendulum", {"time.step=1e-5", "time.end=0.33"});
  s.advance_to(0.1);
  EXPECT_NEAR(s.probe("rod.last.displacement.x"), -0.00269515, 1e-6);
  EXPECT_NEAR(s.probe("rod.last.displacement.y"), -0.07336907, 1e-6);
  s.advance_to(0.3);
  EXPECT_NEAR(s.probe("rod.last.displacement.x"), -0.20546789, 1e-6);
  EXPECT_NEAR(s.probe("rod.last.displacement.y"), -0.60722261, 1e-6);
  s.advance_to(0.33);
  EXPECT_NEAR(s.probe("rod.last.velocity.x"), -3.20626, 2e-4);
  EXPECT_NEAR(s.probe("rod.last.velocity.y"), -3.21267, 2e-4);
}

TEST(FlexibleCube, DiscreteValuesOfTheDecoupledScheme) {
  const Simulation s = finished("flexible_cube", {"time.step=1e-3"});
  EXPECT_NEAR(s.probe("cube.corner.displacement.z"), -0.266460, 1e-6);
  EXPECT_NEAR(s.probe("cube.displacement.z"), -0.259928, 1e-6);
  EXPECT_NEAR(s.probe("contacts.impulse"), 4.619899e-3, 1e-8);
  // Node i + 6 j + 36 k of the 6 x 6 x 6 nodes: the motion has the symmetries of the cube about z.
  double defect = 0;
  for (int k = 0; k < 6; ++k)
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        const auto at = [&](int a, int b, char axis) {
          return s.probe("cube." + std::to_string(a + 6 * b + 36 * k) + ".displacement." + axis);
        };
        defect = std::max({defect, std::abs(at(i, j, 'z') - at(5 - i, j, 'z')),
                           std::abs(at(i, j, 'z') - at(j, i, 'z')), std::abs(at(i, j, 'x') - at(j, i, 'y')),
                           std::abs(at(i, j, 'x') + at(5 - i, j, 'x'))});
      }
  EXPECT_LT(defect, 1e-12);
}

TEST(FlexibleCube, TheDecoupledSchemeRunsWithLargeStepsToo) {
  // Compressed elements make the iteration matrix indefinite there.
  const Simulation s = finished("flexible_cube", {"time.step=3e-3"});
  EXPECT_NEAR(s.probe("cube.displacement.z"), -0.2574, 0.01);
}

TEST(TwoBars, ExchangeTheirSpeedsAsTheContinuousSolutionDoes) {
  // Each bar acts as if it hit a wall: force S sqrt(E rho) v for 2 L / c, then it flies back with its speed.
  const double wave = std::sqrt(2.1e11 / 7800), force = 1e-4 * std::sqrt(2.1e11 * 7800) * 0.1;
  double previous = 1;
  for (const int elements : {50, 200}) {
    Simulation s = scene_simulation("two_bars", {"parameters.elements=" + std::to_string(elements),
                                                 fmt::format("time.step={}", 1e-4 / elements)});
    const ContactHistory history = run_contact(s);
    EXPECT_NEAR(history.last - history.first, 2 / wave, 5e-3 * 2 / wave) << elements;
    EXPECT_NEAR(history.mean_force(1.2e-4, 3e-4), force, 5e-5 * force) << elements;
    // Momentum is conserved by any integrator, energy of the motion only as the mesh is refined.
    EXPECT_NEAR(s.probe("left.velocity.x") + s.probe("right.velocity.x"), 0, 1e-13);
    const double lost = 1 + s.probe("left.velocity.x") / 0.1;
    EXPECT_LT(std::abs(lost), 0.6 * previous) << elements;
    previous = std::abs(lost);
  }
  EXPECT_LT(previous, 0.01);
}

TEST(BeamRollUp, ComesToRestAsACircle) {
  const Simulation s = finished("beam_roll_up", {});
  EXPECT_NEAR(s.probe("strip.last.position.x"), 0, 1e-4);
  EXPECT_NEAR(s.probe("strip.last.position.y"), 0, 1e-4);
  EXPECT_NEAR(s.probe("strip.last.angle"), 2 * std::numbers::pi, 1e-4);
}

TEST(RubberBlockDrop, RestsOnTheSlopeWithItsWeight) {
  const Simulation s = finished("rubber_block_drop", {"parameters.cells=2", "time.end=0.4"});
  const double weight = 1100 * 0.1 * 0.06 * 0.04 * 9.81, slope = 20 * std::numbers::pi / 180;
  EXPECT_NEAR(s.probe("contact(block.z_min, table).force"), weight * std::cos(slope), 1e-9 * weight);
  EXPECT_NEAR(s.probe("contact(block.z_min, table).pressure") * 0.1 * 0.06,
              s.probe("contact(block.z_min, table).force"), 1e-12);
  EXPECT_NEAR(s.probe("contact(block.0, table).pressure") * 0.1 * 0.06 / 8 / 4,
              s.probe("contact(block.0, table).force"), 1e-12)
      << "a corner has a quarter of one of 4 x 2 facets";
  EXPECT_NEAR(s.probe("block.velocity.x"), 0, 1e-9) << "the slope is below the angle of friction";
  for (int c = 0; c < s.contact_count(); ++c) {
    const Vector3 force = s.contact_force(c);
    EXPECT_LE(force.tail<2>().norm(), 0.6 * force[0] * (1 + 1e-9) + 1e-12) << "Coulomb's cone of node " << c;
  }
}

TEST(RubberBlockDrop, ABlockDoesNotTouchItselfThroughItsThickness) {
  Scene scene = load_scene(testing::scene_path("rubber_block_drop"),
                           {"parameters.cells=1", "time.end=0.1", "bodies[block].velocity=[0, 0, -1]"});
  scene.model.pairs.push_back({{"rubber", "rubber"}, 0, 0.5});
  scene.model.contacts.push_back({.body = "", .against = "block", .nodes = "block.z_max"});
  Simulation s(scene.model, scene.run);
  while (!s.finished()) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    for (int c = 0; c < s.contact_count(); ++c)
      if (s.contact_name(s.contact_list()[c].id).second == "block") {
        ASSERT_EQ(s.state().contacts.reaction[s.contact_list()[c].row], 0) << s.time();
      }
  }
}

TEST(RubberStack, ForcesPassThroughTheDeformableContact) {
  const Simulation s = finished(
      "rubber_stack", {"bodies[lower].mesh.box.divisions=[3, 3, 2]",
                       "bodies[upper].mesh.box.divisions=[2, 2, 2]", "time.end=0.3", "time.step=1e-3"});
  const double upper = 1100 * 0.05 * 0.05 * 0.05 * 9.81, lower = 1100 * 0.1 * 0.1 * 0.05 * 9.81;
  EXPECT_NEAR(s.probe("contact(upper.z_min, lower.z_max).force"), upper, 2e-4 * upper);
  EXPECT_NEAR(s.probe("contact(lower.z_min, table).force"), upper + lower, 1e-5 * (upper + lower));
  EXPECT_GT(s.probe("contact(upper.z_min, lower.z_max).gap"), -1e-4);
}

/// Its centre is ten facets away from the surface that it hits.
TEST(RubberBlock, StopsABallThatIsLargerThanItsFacets) {
  const Scene scene = parse_scene(R"(
percuss: 1
gravity: [0, 0, -10]
materials:
  rubber: {density: 1000, young: 1e7, poisson: 0.3}
  steel: {}
pairs:
  - {between: [steel, rubber], restitution: 0}
bodies:
  - solid: block
    material: rubber
    mesh: {box: {corner: [-0.2, -0.2, -0.1], size: [0.4, 0.4, 0.1], divisions: [8, 8, 2]}}
    held: {z_min: xyz}
  - {sphere: ball, radius: 0.5, mass: 1, material: steel, translations: z, position: [0.01, 0.02, 0.55]}
contacts:
  - {body: ball, against: block.z_max}
integrator: {scheme: moreau-jean, theta: 1}
time: {end: 0.3, step: 1e-3}
)",
                                  "ball.yaml");
  Simulation s(scene.model, scene.run);
  double lowest = 1;
  while (!s.finished()) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    if (s.time() < 0.0995) {  // it falls for 0.1 s
      EXPECT_EQ(s.probe("contact(ball, block.z_max).impulse"), 0);
    }
    lowest = std::min(lowest, s.position("ball").z());
    EXPECT_GT(s.gap(0), -1e-3);
  }
  EXPECT_NEAR(lowest, 0.49907, 1e-4);
}

/// The shaker starts at once with 0.19 m/s, and its first forces are enormous.
TEST(StepSuggestion, AJerkAtTheStartIsNoSpeed) {
  const StepSuggestion suggestion = suggest_step(testing::scene_simulation("cantilever_stop"));
  const auto speed = std::ranges::find_if(
      suggestion.limits, [](const StepLimit& limit) { return limit.reason.starts_with("speed"); });
  ASSERT_NE(speed, suggestion.limits.end());
  EXPECT_GT(speed->step, 5e-3) << speed->reason;
}

}  // namespace
}  // namespace percuss
