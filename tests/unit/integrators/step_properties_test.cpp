#include <cstring>

#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "support/count_allocations.h"
#include "support/effort.h"
#include "support/models.h"
#include "support/same_statistics.h"
#include "support/scenes.h"

/// Properties of every scheme that are no physics: no allocation, no hidden state, the same bits twice.
namespace percuss {
namespace {

/// Bodies on springs in a box, with several contacts, damping and a load in time.
Model busy_model(bool nonlinear) {
  Model model = testing::steel_model(0.5);
  model.gravity = {0.5, 0, -9.81};
  for (int i = 0; i < 6; ++i)
    model.bodies.push_back(testing::particle("p" + std::to_string(i), 1 + 0.1 * i, Translations::xz,
                                             {0.2 + 0.1 * i, 0, 0.1 + 0.05 * i}, {0.3, 0, -0.4}));
  for (int i = 0; i < 5; ++i) {
    Spring link = testing::spring("p" + std::to_string(i), "p" + std::to_string(i + 1), 300, 0.2);
    if (!nonlinear) link.axis = Vector3(1, 0, 1);
    model.springs.push_back(link);
  }
  model.forces = {testing::load("push", "p2", {"2*cos(5*t)", "0", "1"})};
  BoxObstacle box;
  box.name = "room";
  box.upper = {1, 1, 1};
  box.faces = {BoxFace::x_min, BoxFace::x_max, BoxFace::z_min, BoxFace::z_max};
  box.material = "steel";
  model.obstacles = {box};
  model.contacts = {{"all", "all"}};
  return model;
}

SchemeOptions half_explicit(HalfExplicitVariant variant) {
  HalfExplicitVelocityOptions options;
  options.variant = variant;
  return options;
}
SchemeOptions projected() {
  MoreauJeanOptions options;
  options.stabilisation = Stabilisation::combined_projection;
  return options;
}
SchemeOptions coupled() {
  GeneralizedAlphaOptions options;
  options.splitting = Splitting::coupled;
  return options;
}
const std::vector<SchemeOptions> schemes = {MoreauJeanOptions{},
                                            MoreauExplicitOptions{},
                                            projected(),
                                            SchatzmanPaoliOptions{},
                                            HhtOptions{},
                                            GeneralizedAlphaOptions{},
                                            coupled(),
                                            HalfExplicitVelocityOptions{},
                                            half_explicit(HalfExplicitVariant::brasey),
                                            half_explicit(HalfExplicitVariant::shortened),
                                            HalfExplicitAccelerationOptions{},
                                            ExplicitVelocityOptions{}};

/// SUNDIALS and the dense equations of its contacts allocate.
std::vector<SchemeOptions> with_event_driven() {
  std::vector<SchemeOptions> all = schemes;
  all.emplace_back(EventDrivenOptions{});
  return all;
}

void expect_same_bits(const State& a, const State& b) {
  ASSERT_EQ(a.q.size(), b.q.size());
  ASSERT_EQ(a.v.size(), b.v.size());
  ASSERT_EQ(a.contacts.reaction.size(), b.contacts.reaction.size());
  EXPECT_EQ(0, std::memcmp(a.q.data(), b.q.data(), sizeof(double) * a.q.size()));
  EXPECT_EQ(0, std::memcmp(a.v.data(), b.v.data(), sizeof(double) * a.v.size()));
  EXPECT_EQ(0, std::memcmp(a.contacts.reaction.data(), b.contacts.reaction.data(),
                           sizeof(double) * a.contacts.reaction.size()));
}

TEST(Step, AllocatesNothing) {
  for (const auto& scheme : schemes)
    for (const bool nonlinear : {false, true}) {
      Simulation simulation(busy_model(nonlinear),
                            testing::run_config(scheme, 2, 2.0 / testing::repetitions(2000)));
      simulation.step();
      const long before = allocation_count();
      while (!simulation.finished() && simulation.step().status == SolveStatus::converged) continue;
      ASSERT_TRUE(simulation.finished());
      EXPECT_EQ(allocation_count() - before, 0) << scheme_name(scheme) << (nonlinear ? ", nonlinear" : "");
      EXPECT_GT(simulation.statistics().impacts, 10) << "the test must meet contacts";
      EXPECT_GE(simulation.statistics().max_active_contacts, 2);
    }
}

/// A ball over a floor, away from the origin, that approaches it.
Model approaching_ball(double gap, double speed) {
  Model model = testing::steel_model(1);
  model.bodies = {testing::particle("ball", 1, Translations::z, {0, 0, 1 + gap}, {0, 0, -speed})};
  model.obstacles = {testing::plane("floor", {0, 0, 1}, {0, 0, 1})};
  model.contacts = {{"ball", "floor"}};
  return model;
}

TEST(Step, AnApproachThatNoCoordinateFeelsIsNoImpact) {
  for (const auto& scheme : schemes) {
    Simulation resting(approaching_ball(0, 1e-17), testing::run_config(scheme, 1e-2, 1e-3));
    Simulation moving(approaching_ball(4.5e-9, 1e-6), testing::run_config(scheme, 1e-2, 1e-3));
    for (int i = 0; i < 10; ++i) {
      ASSERT_EQ(resting.step().status, SolveStatus::converged) << scheme_name(scheme);
      ASSERT_EQ(moving.step().status, SolveStatus::converged) << scheme_name(scheme);
    }
    EXPECT_EQ(resting.statistics().impacts, 0) << scheme_name(scheme);
    EXPECT_EQ(moving.statistics().impacts, 1) << scheme_name(scheme);
  }
}

TEST(Step, AFreshWorkspaceChangesNoBit) {
  for (const auto& scheme : with_event_driven())
    for (const bool nonlinear : {false, true}) {
      Simulation kept(busy_model(nonlinear),
                      testing::run_config(scheme, 0.05 * testing::repetitions(10), 1e-3));
      Simulation renewed(busy_model(nonlinear),
                         testing::run_config(scheme, 0.05 * testing::repetitions(10), 1e-3));
      while (!kept.finished()) {
        ASSERT_EQ(kept.step().status, SolveStatus::converged);
        renewed.renew_workspace();
        ASSERT_EQ(renewed.step().status, SolveStatus::converged);
      }
      SCOPED_TRACE(scheme_name(scheme));
      EXPECT_TRUE(renewed.finished());
      expect_same_bits(kept.state(), renewed.state());
      testing::expect_same_statistics(kept.statistics(), renewed.statistics());
    }
}

TEST(Step, TwoRunsGiveTheSameBits) {
  for (const auto& scheme : with_event_driven()) {
    const RunConfig config = testing::run_config(scheme, 0.1 * testing::repetitions(10), 1e-3);
    Simulation first(busy_model(true), config), second(busy_model(true), config);
    SCOPED_TRACE(scheme_name(scheme));
    for (Simulation* each : {&first, &second}) {  // two runs that fail in their first step are equal too
      ASSERT_EQ(each->advance_to(config.time.end).status, SolveStatus::converged);
      ASSERT_TRUE(each->finished());
    }
    EXPECT_GT(first.statistics().impacts, 0) << "the test must meet contacts";
    expect_same_bits(first.state(), second.state());
    EXPECT_EQ(first.energy().loss_algorithmic, second.energy().loss_algorithmic);
  }
}

TEST(Step, ConstantMatricesAreFactorisedOnce) {
  Simulation simulation(busy_model(false), testing::run_config(MoreauJeanOptions{}, 1, 1e-3));
  ASSERT_EQ(simulation.advance_to(1).status, SolveStatus::converged);
  EXPECT_EQ(simulation.statistics().factorisations, 1);
  EXPECT_EQ(simulation.statistics().iterations, 1000);
}

TEST(Step, NewtonConvergesQuicklyOnNonlinearSprings) {
  Simulation simulation(busy_model(true), testing::run_config(MoreauJeanOptions{}, 1, 1e-3));
  ASSERT_EQ(simulation.advance_to(1).status, SolveStatus::converged);
  EXPECT_TRUE(simulation.finished());
  EXPECT_LE(simulation.statistics().max_iterations, 6);
}

TEST(Step, AFailedStepLeavesTheStateAsItWas) {
  Model model = testing::ball_model();
  model.forces = {testing::load("push", "ball", {"0", "0", "1/(0.1005 - t)*if(t > 0.1, 1/0, 1)"})};
  Simulation simulation(model, testing::run_config(MoreauJeanOptions{}, 1, 1e-3));
  const StepReport report = simulation.advance_to(1);
  EXPECT_EQ(report.status, SolveStatus::not_finite);
  EXPECT_NEAR(simulation.time(), 0.1, 1e-12);
  EXPECT_TRUE(simulation.state().q.allFinite() && simulation.state().v.allFinite());
  EXPECT_NE(simulation.why_it_failed(report).find("force 'push' is not finite at t = 0.1005"),
            std::string::npos)
      << simulation.why_it_failed(report);
}

TEST(Step, ARunThatBlowsUpEndsBeforeItsEnergiesOverflow) {
  Model model = testing::steel_model(0);
  model.bodies = {testing::particle("a", 1, Translations::x, {0, 0, 0}, {1, 0, 0})};
  Spring coil = testing::spring("a", "a", 1e8);
  coil.to = {.body = std::nullopt, .point = Vector3::Zero()};
  coil.axis = Vector3(1, 0, 0);
  model.springs = {coil};
  Simulation simulation(model, testing::run_config(MoreauExplicitOptions{}, 1, 1e-3));
  StepReport report;
  while (report.status == SolveStatus::converged) {
    ASSERT_FALSE(simulation.finished());
    report = simulation.step();
    ASSERT_TRUE(is_finite(simulation.energy()));
    ASSERT_TRUE(simulation.state().q.allFinite() && simulation.state().v.allFinite());
  }
  EXPECT_EQ(report.status, SolveStatus::not_finite);
  EXPECT_DOUBLE_EQ(simulation.time(), simulation.grid().time(simulation.state().step));
}

TEST(Step, ContradictingLawsAreReportedByName) {
  // A ball without clearance between two walls of different restitution, moving from the dull to the lively
  // one.
  Model model;
  model.materials = {{"steel", {}}, {"mud", {}}};
  model.pairs = {{{"steel", "steel"}, 0.9, 0}, {{"steel", "mud"}, 0.1, 0}};
  model.bodies = {testing::particle("ball", 1, Translations::x, {0, 0, 0}, {1, 0, 0})};
  model.obstacles = {testing::plane("left", {0, 0, 0}, {1, 0, 0}),
                     testing::plane("right", {0, 0, 0}, {-1, 0, 0})};
  std::get<HalfSpaceObstacle>(model.obstacles[0]).material = "mud";
  model.contacts = {{"ball", "left"}, {"ball", "right"}};
  MoreauJeanOptions options;
  options.activation = Activation::start_gap;
  Simulation simulation(model, testing::run_config(options, 1, 1e-2));
  const StepReport report = simulation.step();
  EXPECT_EQ(report.status, SolveStatus::infeasible);
  EXPECT_NE(simulation.why_it_failed(report).find("ball with left"), std::string::npos);
}

/// The sliding velocity over facets is reported from the motion of the nodes; with friction there are rows of
/// H for it as well.
TEST(ContactView, SlidingOverFacetsIsThatOfTheRows) {
  const Scene scene = load_scene(
      testing::scene_path("rubber_stack"),
      {"bodies[upper].mesh.box.corner=[-0.03, -0.02, 0.0501]", "bodies[upper].velocity=[0.3, 0.1, -0.1]"});
  Simulation simulation(scene.model, scene.run);
  for (int step = 0; step < 20; ++step) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
  const Assembly& assembly = simulation.assembly();
  ContactKinematics at = make_contact_kinematics(assembly.interactions, assembly.interactions.declared);
  Kinematics kinematics = simulation.kinematics();
  evaluate_contacts(assembly, assembly.interactions.declared, simulation.state().q, kinematics, at);
  int sliding = 0;
  for (int c = 0; c < simulation.contact_count(); ++c) {
    const Contact& contact = assembly.interactions.declared[static_cast<size_t>(c)];
    if (contact.kind != ContactKind::facets || contact.rows < 3) continue;
    const ContactView view = simulation.view_contact(c);
    for (int row = 1; row < 3; ++row)
      EXPECT_NEAR(view.velocity[row],
                  relative_velocity(assembly.interactions.declared, at, c, row, simulation.state().v), 1e-12);
    sliding += view.velocity.tail<2>().norm() > 0;
  }
  EXPECT_GT(sliding, 0);
}

}  // namespace
}  // namespace percuss
