// The list of contacts varies while a model moves: nothing but which open contacts are looked at may change.

#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/scene.h"
#include "percuss/simulation/run.h"
#include "support/transient_contacts.h"

namespace percuss {
namespace {

/// Balls that jump around in a box and hit each other, a pendulum that swings from stop to stop, and a block
/// that falls on its corners.
std::string jumping_scene(const std::string& scheme, bool has_friction, bool has_joints,
                          const std::string& time) {
  std::string text = fmt::format(R"(
percuss: 1
gravity: [0, 0, -9.81]
materials: {{rock: {{density: 2000}}}}
pairs: [{{between: [rock, rock], restitution: 0.8, friction: {}}}]
bodies:
  - {{rigid: a, material: rock, shape: {{sphere: 0.1}}, position: [0.2, 0.3, 0.6], velocity: [2, 1, 0]}}
  - {{rigid: b, material: rock, shape: {{sphere: 0.1}}, position: [0.8, 0.4, 0.5], velocity: [-2, 0.5, 1]}}
  - {{rigid: c, material: rock, shape: {{sphere: 0.1}}, position: [0.5, 0.8, 0.3], velocity: [0.3, -3, 2]}}
  - rigid: block
    material: rock
    shape: {{box: [0.2, 0.3, 0.1]}}
    position: [3, 0, 0.4]
    angular_velocity: [3, 1, 0.5]
)",
                                 has_friction ? 0.3 : 0.0);
  if (has_joints)
    text += R"(
  - {rigid: arm, material: rock, shape: {box: [0.1, 0.1, 0.5]}, position: [6, 0, 1.75], angular_velocity: [0, 9, 0]}
joints: [{hinge: pivot, body: arm, at: [6, 0, 2], axis: [0, 1, 0], limits: {lower: -0.5, upper: 0.4}}]
)";
  return text + R"(
obstacles:
  - {box: room, lower: [0, 0, 0], upper: [1, 1, 1], material: rock}
  - {half_space: ground, normal: [0, 0, 1], material: rock}
contacts:
  - {body: a, against: room}
  - {body: b, against: room}
  - {body: c, against: room}
  - {body: a, against: b}
  - {body: a, against: c}
  - {body: b, against: c}
  - {body: block, against: ground}
)" + fmt::format("integrator: {{scheme: {}}}\n", scheme) +
         time;
}

/// What contacts did, by their names.
std::map<std::pair<std::string, std::string>, double> impulses(const Simulation& simulation) {
  std::map<std::pair<std::string, std::string>, double> sums;
  for (const ContactSums& contact : simulation.contact_record()) {
    const ContactName& name = simulation.contact_name(contact.id);
    if (contact.impulse != 0) sums[{name.first, name.second}] = contact.impulse;
  }
  return sums;
}

struct Lists {
  int changes = 0, longest = 0;
};

/// Steps with all contacts and with those that are near; both must do the same, to the last bit or to
/// `error`.
Lists compare(const Scene& scene, int steps, double error) {
  Assembly assembly = build_assembly(scene.model, scene.run.time.start);
  Simulation all(assembly, scene.run);
  Simulation near(testing::with_transient_contacts(std::move(assembly)), scene.run);
  Lists lists;
  long version = near.contact_list().version;
  for (int i = 0; i < steps && !all.finished(); ++i) {
    const StepReport a = all.step(), b = near.step();
    EXPECT_EQ(a.status, SolveStatus::converged) << all.why_it_failed(a);
    EXPECT_EQ(b.status, SolveStatus::converged) << near.why_it_failed(b);
    lists.changes += near.contact_list().version != version;
    version = near.contact_list().version;
    lists.longest = std::max(lists.longest, near.contact_count());
    if (::testing::Test::HasFailure()) return lists;
    const double apart = (all.state().q - near.state().q).lpNorm<Eigen::Infinity>() +
                         (all.state().v - near.state().v).lpNorm<Eigen::Infinity>();
    EXPECT_LE(apart, error) << "at t = " << all.time();
    EXPECT_EQ(all.impacts().size(), near.impacts().size());
    if (::testing::Test::HasFailure()) return lists;
  }
  const auto expected = impulses(all), found = impulses(near);
  EXPECT_GE(expected.size(), 6) << "the test must meet impacts";
  EXPECT_EQ(expected.size(), found.size());
  for (const auto& [name, impulse] : expected) {
    EXPECT_NEAR(found.count(name) ? found.at(name) : 0.0, impulse, error * impulse)
        << name.first << ", " << name.second;
  }
  EXPECT_NEAR(all.energy().loss_impacts, near.energy().loss_impacts, 100 * error);
  EXPECT_LT(near.contact_record().size(), all.contact_record().size())
      << "contacts that never touched have no number";
  return lists;
}

TEST(VaryingList, EverySchemeDoesTheSame) {
  int schemes = 0;
  for (const SchemeOptions& scheme : all_schemes()) {
    const SchemeFacts known = facts(scheme);
    if (known.is_for_study) continue;
    const std::string name(scheme_name(scheme));
    SCOPED_TRACE(name);
    ++schemes;
    // Its tolerances follow the fastest contact that is listed (Mechanics::fastest), so it does not keep its
    // bits.
    const double error = name == "event-driven" ? 1e-6 : 0;
    const Scene scene = parse_scene(
        jumping_scene(name, known.has_friction, known.has_joints, "time: {end: 0.6, step: 1e-3}"), "jumping");
    const Lists lists = compare(scene, 600, error);
    EXPECT_GT(lists.changes, 20);
    EXPECT_LT(lists.longest, 26) << "of 36: the lists must be short";
  }
  EXPECT_GE(schemes, 9);
}

TEST(VaryingList, AdaptiveStepsDoTheSame) {
  for (const std::string scheme : {"moreau-jean", "generalized-alpha"}) {
    SCOPED_TRACE(scheme);
    const Scene scene =
        parse_scene(jumping_scene(scheme, true, true,
                                  "time: {end: 0.6, step: 1e-3, adaptive: {tolerance: 1e-3, max: 2e-3}}"),
                    "jumping");
    EXPECT_GT(compare(scene, 100000, 0).changes, 10);
  }
}

/// What a run depends on is in its checkpoint, also what belongs to contacts that are not listed.
TEST(VaryingList, ACheckpointGoesOnWithTheSameBits) {
  for (const std::string scheme : {"moreau-jean", "generalized-alpha", "event-driven"}) {
    SCOPED_TRACE(scheme);
    const Scene scene =
        parse_scene(jumping_scene(scheme, true, true, "time: {end: 0.4, step: 1e-3}"), "jumping");
    const auto make = [&] {
      return Simulation(testing::with_transient_contacts(build_assembly(scene.model)), scene.run);
    };
    Simulation whole = make();
    for (int stop = 1; stop <= 3; ++stop) {
      whole.advance_to(0.1 * stop);
      Simulation resumed = make();
      resumed.restore(whole.checkpoint());
      EXPECT_EQ(resumed.contact_reports().size(), whole.contact_reports().size());
      whole.advance_to(0.1 * stop + 0.05);
      resumed.advance_to(0.1 * stop + 0.05);
      EXPECT_TRUE(whole.state().q == resumed.state().q && whole.state().v == resumed.state().v);
      EXPECT_EQ(whole.state().contacts.entries(), resumed.state().contacts.entries());
      EXPECT_EQ(whole.state().contacts.reaction, resumed.state().contacts.reaction);
      EXPECT_EQ(impulses(whole), impulses(resumed));
    }
  }
}

TEST(VaryingList, ACheckpointOfOtherContactsIsRefused) {
  const Scene scene =
      parse_scene(jumping_scene("moreau-jean", true, false, "time: {end: 0.4, step: 1e-3}"), "jumping");
  Simulation simulation(scene.model, scene.run);
  simulation.advance_to(0.05);
  const State kept = simulation.state();
  for (const int change : {0, 1, 2}) {
    Checkpoint wrong = simulation.checkpoint();
    ContactState::Entries entries = wrong.state.contacts.entries();
    if (change == 0) entries.back().id.interaction += 1000;
    if (change == 1) entries.pop_back();
    if (change == 2) wrong.contacts.front().id.interaction = -1;
    wrong.state.contacts.listed = std::make_shared<const ContactState::Entries>(entries);
    EXPECT_THROW(simulation.restore(wrong), std::invalid_argument);
    EXPECT_TRUE(simulation.state().q == kept.q && simulation.state().v == kept.v);
  }
}

/// Reports of frames hold all impulses, also those of contacts that have left the list since.
TEST(VaryingList, FramesReportEveryImpulse) {
  const Scene scene =
      parse_scene(jumping_scene("moreau-jean", true, true, "time: {end: 0.6, step: 1e-3}"), "jumping");
  Simulation simulation(testing::with_transient_contacts(build_assembly(scene.model)), scene.run);
  std::map<int, double> reported;
  int departed = 0;
  while (!simulation.finished()) {
    for (int i = 0; i < 200 && !simulation.finished(); ++i)
      ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    for (const auto& [number, report] : simulation.contact_reports()) {
      reported[number] += report.impulse[0];
      const ContactId& id = simulation.contact_record()[static_cast<size_t>(number)].id;
      if (simulation.find_contact(id) >= 0) continue;
      ++departed;
      EXPECT_EQ(report.force, Vector3::Zero());
      EXPECT_GT(report.view.gap, 0);
      const bool is_stop = report.view.first == "pivot";  // of a joint: it has no place
      EXPECT_NEAR(report.view.normal.norm(), is_stop ? 0 : 1, 1e-12);
      EXPECT_EQ(simulation.gap(id), std::numeric_limits<double>::infinity());
      EXPECT_EQ(simulation.contact_status(id), ContactStatus::open);
    }
    simulation.begin_interval();
  }
  EXPECT_GT(departed, 3) << "the test must meet contacts that left";
  for (const auto& [number, impulse] : reported)
    EXPECT_NEAR(impulse, simulation.contact_record()[static_cast<size_t>(number)].impulse, 1e-12);
  EXPECT_EQ(reported.size(), simulation.contact_record().size());
}

}  // namespace
}  // namespace percuss
