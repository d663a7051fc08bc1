#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "percuss/simulation/verdict.h"
#include "support/scenes.h"

/// Scenes that were wrong once: each with the number that is right, or the message with which it is refused.
namespace percuss {
namespace {

using testing::Overrides;

Scene repaired(const std::string& name, const Overrides& overrides = {}) {
  return load_scene(PERCUSS_SOURCE_DIR "/tests/reference/repairs/" + name + ".yaml", overrides);
}
Simulation finished_repair(const std::string& name, const Overrides& overrides = {}) {
  const Scene scene = repaired(name, overrides);
  Simulation simulation(scene.model, scene.run);
  const StepReport report = simulation.advance_to(1e9);
  EXPECT_EQ(report.status, SolveStatus::converged) << name << ": " << simulation.why_it_failed(report);
  return simulation;
}

TEST(Repairs, BodiesThatWouldPassThroughEachOtherAreRefused) {
  for (const char* name : {"box_on_box", "crossed_bars", "sphere_edge", "stack", "domino", "edge", "cam"}) {
    try {
      repaired(name);
      ADD_FAILURE() << name << " was accepted";
    } catch (const SceneError& error) {
      ASSERT_FALSE(error.faults().empty());
      EXPECT_NE(error.faults()[0].find("corners_only"), std::string::npos) << error.faults()[0];
    }
  }
}

/// The last flights of the nodes are lower than the rounding of a gap; events followed each other without
/// end.
TEST(Repairs, TwoSolidsComeToRestOnEachOtherEventByEvent) {
  const Simulation events = finished_repair("event_solid_solid", {"time.end=0.105"});
  for (int c = 0; c < events.contact_count(); ++c)
    EXPECT_EQ(events.state().contacts.status[static_cast<size_t>(c)], ContactStatus::stick) << c;
  EXPECT_LT(std::abs(events.energy().loss_algorithmic), 1e-9 * events.energy().initial);
  const Simulation steps = finished_repair(
      "event_solid_solid", {"time.end=0.105", "time.step=2e-5", "integrator={scheme: moreau-jean}"});
  const double way = events.probe("C.position.x") - 0.08;
  EXPECT_GT(way, 0.018);
  EXPECT_NEAR(steps.probe("C.position.x") - 0.08, way, 1e-3 * way);
}

/// With the turning of the joints in its matrix Newton's iteration is nearly quadratic: half the solves.
TEST(Repairs, NewtonsMatrixKnowsHowJointsTurn) {
  for (const auto& [splitting, most] : {std::pair{"decoupled", 4.0}, {"coupled", 8.0}}) {
    const Scene scene =
        load_scene(testing::scene_path("parallelepiped_natural"),
                   {"time.step=1e-3",
                    std::string("integrator={scheme: generalized-alpha, splitting: ") + splitting + "}"});
    Simulation s(scene.model, scene.run);
    ASSERT_EQ(s.advance_to(1e9).status, SolveStatus::converged);
    EXPECT_LT(static_cast<double>(s.statistics().by_level[0]),
              most * static_cast<double>(s.statistics().steps))
        << splitting;
  }
}

/// Sweeps of the coupled scheme settle though stiffness takes back what the corrections do.
TEST(Repairs, SolidsSlideWithTheCoupledScheme) {
  const auto final_place = [](const std::string& splitting) {
    const Simulation s = finished_repair(
        "event_solid_solid", {"time.end=0.08", "time.step=2e-4",
                              "integrator={scheme: generalized-alpha, splitting: " + splitting + "}"});
    return s.probe("C.position.x") - 0.08;
  };
  const double decoupled = final_place("decoupled");
  EXPECT_GT(decoupled, 0.015);
  EXPECT_NEAR(final_place("coupled"), decoupled, 0.01 * decoupled);
}

TEST(Repairs, WhereAdaptiveStepsBecomeVeryShortIsSaid) {
  const auto says = [](const Overrides& overrides, const char* words) {
    Overrides all = {"time.step=1e-4", "time.adaptive={tolerance: 1e-3}"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    const Scene scene = repaired("event_solid_solid", all);
    return std::ranges::any_of(
        Simulation(scene.model, scene.run).start_warnings(),
        [&](const std::string& warning) { return warning.find(words) != std::string::npos; });
  };
  const std::string alpha = "integrator={scheme: generalized-alpha}",
                    moreau = "integrator={scheme: moreau-jean}";
  EXPECT_TRUE(says({alpha}, "order 1 while flexible bodies touch"));
  EXPECT_FALSE(says({moreau}, "order 1 while flexible bodies touch"));
  EXPECT_TRUE(says({moreau, "bodies[C].damping={stiffness: 0}"}, "'C' has no damping"));
  EXPECT_FALSE(says({moreau}, "has no damping"));
}

TEST(Repairs, APointAgainstABoxNeedsNoWord) {
  EXPECT_NO_THROW(
      repaired("crossed_bars", {"contacts[1].body=B.tip", "bodies[1].points={tip: [0, 0, -0.05]}"}));
}

TEST(Repairs, AFloatingBodyThatSpinsFreelyKeepsItsEnergy) {
  double last = 0;
  for (const char* step : {"4e-4", "2e-4"}) {
    const Simulation s = finished_repair("floating_full", {std::string("time.step=") + step});
    const double lost = std::abs(s.energy().loss_algorithmic);
    EXPECT_LT(lost, 1e-6 * s.energy().initial);
    if (last > 0) {
      EXPECT_LT(lost, 0.3 * last);
    }  // order 2
    last = lost;
  }
  // Moreau-Jean on the same body is another method for the same motion.
  const Simulation a = finished_repair("floating_full"),
                   b = finished_repair("floating_full", {"integrator={scheme: moreau-jean}"});
  for (const char* probe : {"b.tip.position.x", "b.tip.position.y", "b.tip.position.z"})
    EXPECT_NEAR(a.probe(probe), b.probe(probe), 2e-4) << probe;
}

TEST(Repairs, MassMatricesThatDependOnTheCoordinatesInTheTrapezoidalScheme) {
  double last = 0;
  for (const char* step : {"1e-4", "5e-5"}) {
    const Simulation s = testing::finished(
        "slider_crank",
        {"integrator.scheme=floating-trapezoidal", "time.end=0.002", std::string("time.step=") + step});
    const double lost = std::abs(s.energy().loss_algorithmic);
    EXPECT_LT(lost, 1e-3 * s.energy().initial);
    if (last > 0) {
      EXPECT_LT(lost, 0.3 * last);
    }
    last = lost;
  }
}

TEST(Repairs, AHingedRodKeepsItsEnergy) {
  double last = 0;
  for (const char* step : {"2e-3", "1e-3"}) {
    const Simulation s = finished_repair("pendulum", {std::string("time.step=") + step});
    const double lost = std::abs(s.energy().loss_algorithmic);
    EXPECT_LT(lost, 1e-4);  // of 4.9 J; 0.555 J with reactions along G at the end of the step
    if (last > 0) {
      EXPECT_LT(lost, 0.3 * last);
    }
    last = lost;
    EXPECT_TRUE(judge_run(s).doubtful.empty());
  }
}

TEST(Repairs, TheDoublePendulumAtAWallEndsWhereItShould) {
  EXPECT_NEAR(finished_repair("double_pendulum").energy().total(), -9.7, 0.01);
}

TEST(Repairs, ABallThatPassesAWallInAStepIsReported) {
  const Simulation fast = finished_repair("tunnel", {"contacts[0].corners_only=true"});
  EXPECT_GT(fast.extremes().fast_steps, 0);
  const Verdict verdict = judge_run(fast);
  EXPECT_TRUE(std::ranges::any_of(verdict.doubtful, [](const std::string& finding) {
    return finding.find("passed through") != finding.npos;
  }));
  // At the step that the message names it bounces, and nothing is reported.
  const Simulation slow = finished_repair("tunnel", {"contacts[0].corners_only=true", "time.step=1.9e-4"});
  EXPECT_EQ(slow.extremes().fast_steps, 0);
  EXPECT_LT(slow.probe("ball.velocity.x"), 0);
}

TEST(Repairs, ProjectionsThatAreRoundingSettle) {
  for (const char* name : {"projection_gear", "projection_universal", "projection_scale"})
    finished_repair(name);
}

TEST(Repairs, TheSameSceneInMillimetresAndKilometres) {
  // Lengths, masses and gravity scaled such that times stay.
  for (const char* scale : {"1e-3", "1", "1e3"}) {
    const Simulation s = finished_repair("scaled_linkage", {std::string("parameters.l=") + scale});
    EXPECT_NEAR(s.probe("joint(pivot).coordinate"),
                finished_repair("scaled_linkage").probe("joint(pivot).coordinate"), 1e-9)
        << scale;
  }
}

TEST(Repairs, ImpactsOfJointedFlexibleBodiesInHalfExplicitSchemes) {
  for (const char* scheme : {"half-explicit-velocity", "half-explicit-acceleration", "explicit-velocity"})
    for (const char* name : {"he_clamp", "he_rod", "he_beam_impact"})
      finished_repair(name, {std::string("integrator={scheme: ") + scheme + "}"});
}

/// Four boxes stay where they are, whatever their masses and their friction; where reactions cancel down to
/// rounding the run says how far its contact problems are solved.
TEST(Repairs, StacksOfAllMassesAndFrictionsStand) {
  const auto stands = [](const Overrides& overrides) {
    SCOPED_TRACE(overrides[0]);
    Simulation s = finished_repair("heavy_on_light", overrides);
    EXPECT_NEAR(s.position("box3").z(), 0.35, 1e-9);
    EXPECT_LT(s.statistics().max_residual, 1e-6);
    const auto lines = verdict_lines(judge_run(s, RunEnd::finished));
    EXPECT_EQ(lines[0].find("rounding or less") != std::string::npos, s.statistics().max_residual > 1e-10)
        << lines[0];
  };
  for (const char* ratio : {"1e-6", "1e-4", "1e4", "1e6"}) stands({std::string("parameters.ratio=") + ratio});
  for (const char* mu : {"0", "1e-40", "1e-12", "1e6", "1e12", "1e40"})
    stands({std::string("parameters.mu=") + mu, "parameters.ratio=10"});
}

TEST(Repairs, TheArchStandsWhereNothingSlides) {
  for (const char* mu : {"1e6", "1e12", "1e40"}) {
    const Simulation s = testing::finished("arch", {std::string("pairs[0].friction=") + mu, "time.end=0.02"});
    EXPECT_LT(s.statistics().max_residual, 1e-9) << mu;
    EXPECT_NEAR(s.probe("stone15.displacement.y"), 0, 1e-9) << mu;
  }
}

TEST(Repairs, AMachineThatStandsStillForAMoment) {
  const Simulation s = finished_repair("gear_with_play");
  EXPECT_NEAR(s.probe("joint(h1).coordinate"), 0, 1e-9);  // 0.05 sin(10 pi t) at t = 1
}

TEST(Repairs, AFourBarLinkageWithClearance) {
  for (const char* scheme : {"generalized-alpha", "moreau-jean"}) {
    // The step that `percuss suggest` names: a tenth of the time in which the pin crosses its clearance.
    const Simulation s = finished_repair(
        "fourbar", {std::string("integrator={scheme: ") + scheme + "}", "time.step=1e-5", "time.end=0.1"});
    EXPECT_GT(s.probe("contacts.min_gap"), -1e-5) << scheme;
  }
}

}  // namespace
}  // namespace percuss
