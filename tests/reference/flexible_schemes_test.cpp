#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/scenes.h"

/// Every scheme moves every flexible body, and keeps what the equations keep.
namespace percuss {
namespace {

using testing::scene_simulation;

struct SchemeStep {
  const char* scheme;
  bool is_explicit;
};
constexpr SchemeStep schemes[] = {{"moreau-jean", false},
                                  {"moreau-explicit", true},
                                  {"schatzman-paoli", false},
                                  {"generalized-alpha", false},
                                  {"hht", false},
                                  {"half-explicit-velocity", true},
                                  {"half-explicit-acceleration", true},
                                  {"explicit-velocity", true}};

/// moreau-explicit lets undamped oscillations grow by sqrt(1 + (h omega)^2/2) in each step, at any h; damping
/// per stiffness of at least h/2 stops that.
testing::Overrides run_options(const SchemeStep& given, const std::string& end, double step,
                               double explicit_step) {
  const double h = given.is_explicit ? explicit_step : step;
  testing::Overrides options = {std::string("integrator.scheme=") + given.scheme, "time.end=" + end,
                                fmt::format("time.step={}", h)};
  if (given.scheme == std::string("moreau-explicit"))
    options.push_back(fmt::format("bodies[0].damping.stiffness={}", h));
  if (given.scheme ==
      std::string("explicit-velocity"))  // without them the bar sinks into the wall: see below
    options.emplace_back("integrator.projection=with-forces");
  return options;
}

std::string with_scheme(const SchemeStep& given) { return std::string("integrator.scheme=") + given.scheme; }

TEST(FlexibleSchemes, TheBarIsPushedBackByItsWaves) {
  for (const auto& given : schemes) {
    Simulation s = scene_simulation("elastic_bar", run_options(given, "1.4", 5e-4, 2e-4));
    ASSERT_EQ(s.advance_to(2).status, SolveStatus::converged) << given.scheme;
    // The limit of small steps on this mesh (200 N s of the continuous bar), and the wall's 300 N for up to
    // half a step more or less. schatzman-paoli loses 1.1 % at this step.
    const double late = 0.5 * 300 * (given.is_explicit ? 2e-4 : 5e-4);
    const bool has_means = given.scheme == std::string("schatzman-paoli");
    EXPECT_NEAR(s.probe("contacts.impulse"), 199.178, has_means ? 2.5 : late) << given.scheme;
    // 10 kg that came with 10 m/s.
    EXPECT_NEAR(s.probe("bar.velocity.x"), s.probe("contacts.impulse") / 10 - 10, 1e-9) << given.scheme;
  }
}

TEST(FlexibleSchemes, AProjectionWithoutForcesLosesMuchOfTheRebound) {
  double previous = 200;
  for (const char* step : {"time.step=2e-4", "time.step=5e-5"}) {
    Simulation s =
        scene_simulation("elastic_bar", {"integrator.scheme=explicit-velocity", "time.end=1.4", step});
    ASSERT_EQ(s.advance_to(2).status, SolveStatus::converged);
    const double missing = 200 - s.probe("contacts.impulse");
    EXPECT_LT(missing, 0.5 * previous) << "it tends to the others, slowly";
    EXPECT_GT(missing, 10);
    previous = missing;
  }
}

TEST(FlexibleSchemes, ThePendulumFallsTheSameWay) {
  // An explicit scheme must resolve the turning of sections in shear: sqrt(3 G A_s / (rho I)) = 1.7e6 rad/s.
  for (const auto& given : schemes) {
    Simulation s = scene_simulation("flexible_pendulum", run_options(given, "0.005", 2e-5, 4e-7));
    ASSERT_EQ(s.advance_to(1).status, SolveStatus::converged) << given.scheme;
    EXPECT_NEAR(s.probe("rod.last.displacement.y"), -1.1072377e-4,
                given.scheme == std::string("schatzman-paoli") ? 2e-7 : 1e-8)
        << given.scheme;
  }
}

TEST(FlexibleSchemes, ABlockThatFallsKeepsItsMomentumAndItsBalance) {
  // Without gravity and without a touch: what the forces inside do to each other.
  for (const auto& given : schemes) {
    Simulation s = scene_simulation(
        "rubber_block_drop",
        {with_scheme(given), "parameters.cells=1", "gravity=[0, 0, 0]", "pairs[0].friction=0",
         "bodies[block].velocity=[0.3, 0.2, 0.1]", "bodies[block].angular_velocity=[5, -3, 8]",
         "time.end=0.02", given.is_explicit ? "time.step=2e-5" : "time.step=2e-4"});
    ASSERT_EQ(s.advance_to(1).status, SolveStatus::converged) << given.scheme;
    EXPECT_NEAR(s.probe("block.velocity.x"), 0.3, 1e-11) << given.scheme;
    EXPECT_NEAR(s.probe("block.velocity.y"), 0.2, 1e-11) << given.scheme;
    EXPECT_NEAR(s.probe("block.velocity.z"), 0.1, 1e-11) << given.scheme;
    EXPECT_NEAR(s.energy().loss_algorithmic, 0, 2e-4 * s.energy().initial) << given.scheme;
  }
}

TEST(FlexibleSchemes, AShaftSpinsUpAndFallsIntoItsBearing) {
  // Before the journal touches: the same motion by all schemes, at steps that explicit ones allow.
  for (const auto& given : schemes) {
    testing::Overrides options = {with_scheme(given), "time.end=0.003", "time.step=2e-6",
                                  "parameters.friction=0"};
    if (given.scheme == std::string("moreau-explicit")) options.emplace_back("integrator.forces=end");
    Simulation s = scene_simulation("rotor", options);
    ASSERT_EQ(s.advance_to(1).status, SolveStatus::converged) << given.scheme;
    // The velocities of schatzman-paoli are means over steps and miss some of the fast vibrations.
    const bool has_means = given.scheme == std::string("schatzman-paoli");
    // The limit of small steps (h = 1e-7).
    EXPECT_NEAR(s.probe("axle.wheel.spin"), 29.66267, has_means ? 0.05 : 0.01) << given.scheme;
    EXPECT_NEAR(s.probe("axle.journal.position.y"), 2.900657e-5, 5e-8) << given.scheme;
    EXPECT_NEAR(s.probe("axle.journal.position.z"), -5.195951e-5, 5e-8) << given.scheme;
    EXPECT_GT(s.probe("contacts.min_gap"), 6e-5) << given.scheme;
    const EnergyLedger& energy = s.energy();
    EXPECT_NEAR(energy.loss_algorithmic, 0, (has_means ? 0.07 : 1.5e-4) * energy.kinetic) << given.scheme;
  }
}

/// A point that presses a face of a solid in: reactions act on the nodes of the facet that is touched.
TEST(FlexibleSchemes, ContactsWithFacetsAgree) {
  double first = 0;
  for (const SchemeStep& given : schemes) {
    const Scene scene = load_scene(PERCUSS_SOURCE_DIR "/tests/matrix/scenes/facets.yaml",
                                   {std::string("integrator.scheme=") + given.scheme, "time.step=1e-3"});
    Simulation s(scene.model, scene.run);
    ASSERT_EQ(s.advance_to(1).status, SolveStatus::converged) << given.scheme;
    if (first == 0) first = s.probe("tip.position.z");
    EXPECT_NEAR(s.probe("tip.position.z"), first, 5e-4 * first) << given.scheme;
  }
}

}  // namespace
}  // namespace percuss
