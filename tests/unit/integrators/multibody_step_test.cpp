#include <cstring>

#include <gtest/gtest.h>

#include "support/count_allocations.h"
#include "support/same_statistics.h"
#include "support/scenes.h"

/// What holds for every step, on systems with rotations, joints, clearances and users' equations.
namespace percuss {
namespace {

struct SceneRun {
  std::string scene;
  std::vector<std::string> overrides;
};
const std::vector<SceneRun> scene_runs = {
    {"double_pendulum", {"time.end=0.3"}},
    {"four_bar", {"time.end=0.06"}},
    {"spinning_top", {"time.end=0.02"}},
    {"parallelepiped", {"time.end=0.45", "time.step=3e-3"}},
    {"parallelepiped_natural", {"time.end=0.45", "time.step=3e-3"}},
    {"slider_crank", {"time.end=0.01"}},
    {"slider_crank_joints", {"time.end=0.01"}},
    {"slider_crank", {"time.end=0.01", "integrator.scheme=moreau-jean"}},
    {"slider_crank_joints", {"time.end=0.01", "integrator.scheme=moreau-jean"}},
    {"earthquake", {"time.end=0.06"}},
    {"four_bar", {"time.end=0.06", "integrator.stabilisation=combined-projection"}},
    {"slider_crank_joints", {"time.end=0.01", "integrator.scheme=hht"}},
    {"slider_crank_joints", {"time.end=0.01", "integrator.scheme=generalized-alpha"}},
    {"slider_crank", {"time.end=0.01", "integrator.scheme=generalized-alpha"}},
    {"parallelepiped_natural", {"time.end=0.45", "time.step=3e-3", "integrator.scheme=generalized-alpha"}},
    {"double_pendulum", {"time.end=0.3", "integrator.scheme=schatzman-paoli"}},
    {"double_pendulum", {"time.end=0.3", "integrator.scheme=half-explicit-velocity"}},
    {"four_bar", {"time.end=0.06", "integrator.scheme=half-explicit-velocity"}},
    {"parallelepiped", {"time.end=0.45", "time.step=3e-3", "integrator.scheme=half-explicit-velocity"}},
    {"slider_crank", {"time.end=0.01", "integrator.scheme=half-explicit-velocity"}},
    {"slider_crank",
     {"time.end=0.01", "integrator.scheme=half-explicit-velocity", "integrator.variant=shortened"}},
    {"slider_crank", {"time.end=0.01", "integrator.scheme=half-explicit-acceleration"}},
    {"slider_crank", {"time.end=0.01", "integrator.scheme=explicit-velocity"}},
    {"slider_crank_joints", {"time.end=0.01", "integrator.scheme=half-explicit-velocity"}},
    {"slider_crank_joints", {"time.end=0.01", "integrator.scheme=half-explicit-acceleration"}},
    {"earthquake", {"time.end=0.06", "integrator.scheme=half-explicit-velocity"}},
    {"two_bars", {"time.end=3e-4", "time.step=1e-5", "parameters.elements=8"}},
    {"flexible_pendulum", {"time.end=0.34", "time.step=5e-3"}},
    {"flexible_cube", {"time.end=0.26", "time.step=4e-3", "parameters.cells=1"}},
    {"flexible_cube",
     {"time.end=0.26", "time.step=4e-3", "parameters.cells=1", "integrator.scheme=moreau-jean"}},
    {"rubber_stack",
     {"time.end=0.015", "time.step=1e-3", "bodies[lower].mesh.box.divisions=[2, 2, 1]",
      "bodies[upper].mesh.box.divisions=[1, 1, 1]", "bodies[upper].mesh.box.corner=[-0.03, -0.02, 0.0501]"}},
};

void expect_same_bits(const VectorX& a, const VectorX& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(0, std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<size_t>(a.size())));
}

class MultibodyStep : public ::testing::TestWithParam<SceneRun> {};

TEST_P(MultibodyStep, AllocatesNothingOnceItsMemoryHasGrown) {
  Simulation s = testing::scene_simulation(GetParam().scene, GetParam().overrides);
  const Checkpoint start = s.checkpoint();
  while (!s.finished()) ASSERT_EQ(s.step().status, SolveStatus::converged);
  s.restore(start);
  const long before = allocation_count();
  while (!s.finished() && s.step().status == SolveStatus::converged) continue;
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_TRUE(s.finished());
}

TEST_P(MultibodyStep, AFreshWorkspaceChangesNoBit) {
  Simulation kept = testing::scene_simulation(GetParam().scene, GetParam().overrides);
  Simulation renewed = testing::scene_simulation(GetParam().scene, GetParam().overrides);
  while (!kept.finished()) {
    ASSERT_EQ(kept.step().status, SolveStatus::converged);
    renewed.renew_workspace();
    ASSERT_EQ(renewed.step().status, SolveStatus::converged);
  }
  EXPECT_TRUE(renewed.finished());
  expect_same_bits(kept.state().q, renewed.state().q);
  expect_same_bits(kept.state().v, renewed.state().v);
  testing::expect_same_statistics(kept.statistics(), renewed.statistics());
}

TEST_P(MultibodyStep, ARestoredCheckpointGoesOnBitForBit) {
  Simulation whole = testing::scene_simulation(GetParam().scene, GetParam().overrides);
  const double half = 0.5 * whole.config().time.end;
  ASSERT_EQ(whole.advance_to(half).status, SolveStatus::converged);
  Simulation resumed = testing::scene_simulation(GetParam().scene, GetParam().overrides);
  resumed.restore(whole.checkpoint());
  for (Simulation* each : {&whole, &resumed}) {
    ASSERT_EQ(each->advance_to(1e9).status, SolveStatus::converged);
    ASSERT_TRUE(each->finished());
  }
  expect_same_bits(whole.state().q, resumed.state().q);
  expect_same_bits(whole.state().v, resumed.state().v);
  EXPECT_EQ(whole.state().angles, resumed.state().angles);
  EXPECT_EQ(whole.energy().loss_algorithmic, resumed.energy().loss_algorithmic);
  testing::expect_same_statistics(whole.statistics(), resumed.statistics());
}

INSTANTIATE_TEST_SUITE_P(Scenes, MultibodyStep, ::testing::ValuesIn(scene_runs), [](const auto& given) {
  return given.param.scene + "_" + std::to_string(given.index);
});

}  // namespace
}  // namespace percuss
