#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/forces.h"
#include "percuss/dynamics/saddle_point.h"
#include "percuss/integrators/integrator.h"
#include "percuss/integrators/one_step/compliance.h"
#include "percuss/io/scene.h"
#include "support/count_allocations.h"
#include "support/lone_steps.h"
#include "support/models.h"

/// Steps of bodies in floating frames that turn and touch.
namespace percuss {
namespace {

constexpr double step_size = 5e-2;  // the block turns by 0.1 rad in it
constexpr double masses = 5000 + 50;

/// A flexible block that stands on the floor and tips over, with a lid that slides on it.
Scene tipping_block(const std::string& scheme, bool is_reduced) {
  constexpr std::string_view text = R"(
percuss: 1
gravity: [0, 0, -9.81]
materials:
  stone: {{density: 2500, young: 3.5e8, poisson: 0.2}}
  wood: {{density: 500, young: 1e8, poisson: 0.2}}
  rock: {{}}
pairs:
  - {{between: [stone, rock], friction: 0.5}}
  - {{between: [wood, stone], friction: 0.2}}
bodies:
  - solid: block
    material: stone
    formulation: floating
    {0}
    mesh: {{box: {{corner: [-0.5, -0.5, -1], size: [1, 1, 2], divisions: [4, 4, 3]}}}}
    velocity: [1, 0, 0]
    angular_velocity: [0, 2, 0]
  - solid: lid
    material: wood
    formulation: floating
    {0}
    mesh: {{box: {{corner: [-0.4, -0.25, 1], size: [1, 0.5, 0.2], divisions: [2, 2, 2]}}}}
    velocity: [3, 0, 0]
obstacles:
  - {{half_space: floor, point: [0, 0, -1], normal: [0, 0, 1], material: rock}}
contacts:
  - {{nodes: block.z_min, against: floor}}
  - {{nodes: lid.z_min, against: block.z_max}}
integrator: {{scheme: {1}{2}}}
solver: {{name: nlgs, tolerance: 1e-11}}
time: {{end: 1, step: {3}}}
)";
  return parse_scene(fmt::format(text, is_reduced ? "reduction: {modes: 3}" : "", scheme,
                                 scheme == "floating-trapezoidal" ? ", inner_tolerance: 1e-10" : "",
                                 scheme == "moreau-explicit" ? 1e-4 : step_size),
                     "tipping_block.yaml");
}

void expect_equal(const State& a, const State& b) {
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.contacts.reaction, b.contacts.reaction);
}

Vector3 momentum_of(const Simulation& s) { return 5000 * s.velocity("block") + 50 * s.velocity("lid"); }

/// Reaction of a contact in space; its law with the floor, to the tolerances of the scene.
Vector3 reaction_by_law(const Simulation& s, int c) {
  const Vector3 r = in_contact_frame(s.contact_list()[c], s.state().contacts.reaction);
  const ContactView view = s.view_contact(c);
  const double sliding = view.velocity.tail<2>().norm(), friction = r.tail<2>().norm();
  EXPECT_NEAR(view.velocity[0], 0, 1e-8);
  EXPECT_LE(friction, 0.5 * r[0] * (1 + 1e-9));
  if (friction < 0.5 * r[0] * (1 - 1e-6)) {
    EXPECT_NEAR(sliding, 0, 1e-8);
  }
  return r[0] * view.normal + r[1] * view.tangent + r[2] * view.normal.cross(view.tangent);
}

/// Later iterations of a step keep the operator of the first one; what they end at must not show it.
TEST(FloatingStep, LawsAndBalanceHoldAtTheEnd) {
  for (const bool is_reduced : {false, true}) {
    const Scene scene = tipping_block("floating-trapezoidal", is_reduced);
    Simulation s(scene.model, scene.run);
    int closed = 0;
    while (!s.finished()) {
      const Vector3 before = momentum_of(s);
      ASSERT_EQ(s.step().status, SolveStatus::converged);
      Vector3 impulse = -9.81 * step_size * masses * Vector3::UnitZ();
      for (int c = 0; c < s.contact_count(); ++c) {
        if (s.view_contact(c).second != "floor" || s.state().contacts.reaction[s.contact_list()[c].row] == 0)
          continue;
        ++closed;
        impulse += reaction_by_law(s, c);
      }
      EXPECT_LT((momentum_of(s) - before - impulse).norm(), 1e-6 * masses);
    }
    EXPECT_GT(s.statistics().max_iterations, 3) << "the test must meet later iterations";
    EXPECT_GT(closed, 20) << "the test must meet contacts";
  }
}

/// A scheme may leave what it knows of the end of a step to the next one; nothing depends on it, nor on
/// scratch memory.
TEST(FloatingStep, NothingDependsOnWhatTheCallerLends) {
  for (const bool is_reduced : {false, true})
    for (const char* scheme : {"floating-trapezoidal", "moreau-jean", "moreau-explicit"}) {
      if (is_reduced && scheme == std::string("moreau-explicit")) continue;
      const Scene scene = tipping_block(scheme, is_reduced);
      Simulation s(scene.model, scene.run), renewed(scene.model, scene.run);
      const auto integrator = make_integrator(scene.run.integrator, scene.run.solver);
      percuss::testing::LoneSteps steps(*integrator, s.assembly());
      State alone = s.state();
      for (int i = 0; i < 5; ++i) {
        ASSERT_EQ(s.step().status, SolveStatus::converged) << scheme;
        ASSERT_EQ(steps.step(s.last_step_size(), alone).status, SolveStatus::converged);
        alone.time = s.time();  // on the grid
        expect_equal(alone, s.state());
        renewed.renew_workspace();
        ASSERT_EQ(renewed.step().status, SolveStatus::converged);
        expect_equal(renewed.state(), s.state());
      }
      EXPECT_GT(s.statistics().max_active_contacts, 2) << scheme;
    }
}

/// Steps look at contacts that are closed or near; who asks sees all of them as they are.
TEST(FloatingStep, WhoAsksSeesAllContacts) {
  const Scene scene = tipping_block("floating-trapezoidal", true);
  Simulation s(scene.model, scene.run);
  const Assembly& assembly = s.assembly();
  Kinematics kinematics = make_kinematics(assembly.system);
  int open = 0;
  while (!s.finished()) {
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    const State& state = s.state();
    update(assembly.system, state.q, state.v, state.time, kinematics);
    ContactKinematics at = make_contact_kinematics(assembly.interactions, assembly.interactions.declared);
    evaluate_contacts(assembly, assembly.interactions.declared, state.q, kinematics, at);
    for (int c = 0; c < s.contact_count(); ++c) {
      const ContactView view = s.view_contact(c);
      EXPECT_EQ(s.gap(c), at.gap[static_cast<size_t>(c)]);
      EXPECT_EQ(view.normal, at.direction[static_cast<size_t>(c)]);
      EXPECT_EQ(s.contact_velocity(c), relative_velocity(assembly.interactions.declared, at, c, 0, state.v));
      open += state.contacts.status[static_cast<size_t>(c)] == ContactStatus::open;
    }
  }
  EXPECT_GT(open, 20);
}

/// A load of zero makes the scheme evaluate the whole balance (FF-12) where it would take the short one
/// (FF-12b) to (FF-12d).
TEST(FloatingStep, TheShortBalanceIsTheWholeOne) {
  for (const bool is_reduced : {false, true}) {
    Scene scene = tipping_block("floating-trapezoidal", is_reduced);
    Simulation brief(scene.model, scene.run);
    scene.model.forces = {testing::load("nothing", "lid.0", {"0", "0", "0"})};
    Simulation whole(scene.model, scene.run);
    ASSERT_EQ(brief.state().v.size(), whole.state().v.size());
    // Later rounding decides which of two facets a node of the lid touches above their common edge.
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(brief.step().status, SolveStatus::converged);
      ASSERT_EQ(whole.step().status, SolveStatus::converged);
    }
    EXPECT_GT(brief.statistics().max_active_contacts, 2);
    EXPECT_GT(brief.statistics().max_iterations, 2);
    EXPECT_LT((brief.state().q - whole.state().q).norm(), 1e-12 * whole.state().q.norm());
    EXPECT_LT((brief.state().v - whole.state().v).norm(), 1e-11 * whole.state().v.norm());
  }
}

TEST(FloatingStep, AllocatesNothing) {
  for (const bool is_reduced : {false, true}) {
    const Scene scene = tipping_block("floating-trapezoidal", is_reduced);
    Simulation s(scene.model, scene.run);
    ASSERT_EQ(s.step().status, SolveStatus::converged);
    const long before = allocation_count();
    while (!s.finished() && s.step().status == SolveStatus::converged) continue;
    EXPECT_TRUE(s.finished());
    EXPECT_EQ(allocation_count() - before, 0) << is_reduced;
  }
}

/// The matrix of a step of 1 ms, where everything is at the start, and its compliance.
struct StepAtRest {
  explicit StepAtRest(const Scene& scene)
      : assembly(build_assembly(scene.model)),
        kinematics(make_kinematics(assembly.system)),
        saddle(assembly.system),
        compliance(assembly, saddle.factor()) {
    const System& system = assembly.system;
    update(system, system.initial.q, system.initial.v, 0, kinematics);
    assemble_iteration_matrix(system, system.initial.q, system.initial.v, 0, 0.5e-3, 0.25e-6, kinematics,
                              saddle.matrix());
    is_regular = saddle.factorise();
    if (is_regular) compliance.update(saddle.factor());
  }
  bool is_ready() const { return is_regular && compliance.is_used(); }

  Assembly assembly;
  Kinematics kinematics;
  SaddlePoint saddle;
  Compliance compliance;
  bool is_regular = false;
};

/// W by the compliance against solves with the factor: contacts of nodes, of facets, of spheres whose
/// coordinates are coupled by a spring one by one, and of nodes that are held.
TEST(Compliance, GivesTheBlocksOfW) {
  const Scene scene = parse_scene(R"(
percuss: 1
gravity: [0, 0, -10]
materials: {wood: {density: 1000, young: 1e7, poisson: 0.3}, rock: {}}
pairs:
  - {between: [wood, rock], friction: 0.5}
  - {between: [wood, wood]}
  - {between: [rock, rock], friction: 0.2}
bodies:
  - solid: block
    material: wood
    formulation: small
    mesh: {box: {corner: [0, 0, 0], size: [1, 1, 1], divisions: [3, 3, 3]}}
    held: {z_min: xyz}
  - solid: lid
    material: wood
    formulation: small
    mesh: {box: {corner: [0.1, 0.15, 1], size: [0.7, 0.6, 0.2], divisions: [2, 2, 1]}}
  - {sphere: a, radius: 0.5, mass: 1, material: rock, position: [3, 0.1, 0.5]}
  - {sphere: b, radius: 0.5, mass: 2, material: rock, position: [3.9, 0.3, 0.7]}
springs:
  - {spring: tie, from: {body: a}, to: {body: b}, axis: [1, 0, 0], stiffness: 1e4}
obstacles:
  - {half_space: ground, point: [0, 0, 0], normal: [0.1, 0, 1], material: rock}
contacts:
  - {body: block, against: ground}
  - {body: a, against: b}
  - {nodes: lid.z_min, against: block.z_max}
time: {end: 1, step: 1e-3}
)",
                                  "mixed.yaml");
  StepAtRest step(scene);
  ASSERT_TRUE(step.is_ready());
  const System& system = step.assembly.system;
  const ContactList& contacts = step.assembly.interactions.declared;
  const SparseLdlt& factor = step.saddle.factor();
  Compliance& compliance = step.compliance;
  ContactKinematics at = make_contact_kinematics(step.assembly.interactions, contacts);
  evaluate_contacts(step.assembly, contacts, system.initial.q, step.kinematics, at);
  const int count = contacts.count();
  const auto column = [&](int c, int row) {
    const Contact& contact = contacts[static_cast<size_t>(c)];
    VectorX h = VectorX::Zero(system.dof_count());
    for (int i = 0; i < contact.count; ++i)
      h[at.dof[static_cast<size_t>(contact.begin + i)]] +=
          at.jacobian[static_cast<size_t>(contact.entry + row * contact.count + i)];
    return h;
  };
  compliance.forget_contacts();
  int without_coordinates = 0;
  for (const Contact& contact : contacts.contacts) {
    compliance.add_contact(
        {at.dof.data() + contact.begin, at.jacobian.data() + contact.entry, contact.count, contact.rows});
    without_coordinates += contact.count == 0;
  }
  compliance.finish_contacts();
  EXPECT_GT(without_coordinates, 0);
  VectorX halfway(system.dof_count()), x(system.dof_count());
  for (int own = 0; own < count; ++own) {
    std::vector<int> others;
    for (int other = own; other < count; ++other) others.push_back(other);
    std::vector<double> blocks(12 * others.size());
    compliance.multiply(own, others, blocks.data());
    for (int a = 0; a < contacts[static_cast<size_t>(own)].rows; ++a) {
      factor.forward(column(own, a), halfway);
      factor.backward(halfway, x);
      for (size_t i = 0; i < others.size(); ++i)
        for (int b = 0; b < contacts[static_cast<size_t>(others[i])].rows; ++b)
          EXPECT_NEAR(blocks[12 * i + 4 * static_cast<size_t>(b) + static_cast<size_t>(a)],
                      column(others[i], b).dot(x), 1e-12)
              << own << " " << others[i];
    }
  }
}

TEST(Compliance, OfReducedBodiesSolvesByTheInverse) {
  for (const bool is_reduced : {false, true}) {
    StepAtRest step(tipping_block("floating-trapezoidal", is_reduced));
    ASSERT_TRUE(step.is_ready());
    const SparseLdlt& factor = step.saddle.factor();
    VectorX b = VectorX::Random(step.assembly.system.dof_count()), halfway(b.size()), expected(b.size()),
            x(b.size());
    factor.forward(b, halfway);
    factor.backward(halfway, expected);
    step.compliance.solve(factor, b, x);
    EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm());
    if (is_reduced) {
      EXPECT_NE(x, expected) << "two ways, two roundings";
    }
  }
}

}  // namespace
}  // namespace percuss
