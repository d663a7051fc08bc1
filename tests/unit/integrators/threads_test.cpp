#include <algorithm>

#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/scene.h"
#include "percuss/nonsmooth/islands.h"
#include "support/effort.h"
#include "support/scenes.h"
#include "worlds/world_scene.h"

namespace percuss {
namespace {

/// The elements of a solid are shared among threads, their sums are not: the same bits for any number.
TEST(Threads, ChangeNoBit) {
  const int steps = testing::stride(5) == 1 ? 5 : 2;
  std::vector<State> ends;
  for (const int threads : {1, 2, 4}) {
    Scene scene = load_scene(testing::scene_path("flexible_cube"),
                             {"parameters.cells=7", "time.step=1e-3", "bodies[cube].points={}",
                              "bodies[cube].mesh.box.corner=[-0.05, -0.05, 1e-3]",
                              "bodies[cube].velocity=[0, 0, -2]", "record={}"});
    scene.run.threads = threads;
    Simulation simulation(scene.model, scene.run);
    EXPECT_EQ(simulation.assembly().system.workers != nullptr, threads > 1);
    for (int step = 0; step < steps; ++step) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    ASSERT_GT(simulation.statistics().max_active_contacts, 0);
    ends.push_back(simulation.state());
  }
  for (const State& end : ends) {
    EXPECT_TRUE(end.q == ends[0].q && end.v == ends[0].v);
    EXPECT_EQ(end.contacts.reaction, ends[0].contacts.reaction);
  }
}

/// Threads share the stacks, each of which slides on its own, its boxes on each other.
TEST(Threads, ShareContactsAndChangeNoBit) {
  testing::WorldScene scene;
  for (int stack = 0; stack < 8; ++stack)
    for (int box = 0; box < 3; ++box)
      scene.bodies.push_back(testing::rigid(fmt::format("box{}_{}", stack, box), "{box: [0.1, 0.08, 0.05]}",
                                            {0.3 * stack, 0, 0.025 + 0.05 * box},
                                            fmt::format("velocity: [{}, {}, 0]", 0.03 * box, 0.1 * stack)));
  const int steps = testing::stride(5) == 1 ? 50 : 5;
  std::vector<State> ends;
  for (const int threads : {1, 2, 8}) {
    Simulation simulation = parse_simulation(scene.text(), "world.yaml", {}, ".", {}, threads).simulation;
    int largest = 0;
    simulation.observe_problems([&](const LocalProblem& problem, const Solution&, const State&) {
      largest = std::max(largest, problem.W.cones());
    });
    for (int step = 0; step < steps; ++step) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    ASSERT_GE(largest, IslandSolver::shared_from);
    ends.push_back(simulation.state());
  }
  for (const State& end : ends) {
    EXPECT_TRUE(end.q == ends[0].q && end.v == ends[0].v);
    EXPECT_EQ(end.contacts.reaction, ends[0].contacts.reaction);
  }
}

}  // namespace
}  // namespace percuss
