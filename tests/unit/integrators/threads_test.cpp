#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/contacts/found_contacts.h"
#include "percuss/io/scene.h"
#include "percuss/nonsmooth/islands.h"
#include "support/count_allocations.h"
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

/// Boxes, balls and tetrahedra as meshes, close to each other, over a mesh.
testing::WorldScene heap() {
  testing::WorldScene scene;
  const std::string tetrahedron =
      "{mesh: {vertices: [[0.06, 0, -0.03], [-0.04, 0.04, -0.03], [-0.04, -0.04, -0.03], [0, 0, 0.08]], "
      "triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]}}";
  const std::string shapes[] = {"{box: [0.1, 0.11, 0.09]}", "{sphere: 0.05}", tetrahedron};
  for (int i = 0; i < 48; ++i) {
    const Vector3 cell(i % 4, i / 4 % 4, i / 16);
    scene.bodies.push_back(
        testing::rigid(fmt::format("b{}", i), shapes[i % 3], 0.1 * cell + Vector3(0, 0, 0.06),
                       fmt::format("orientation: {{axis: [{}, 1, 2], angle: {}}}", i % 5, 0.1 * (i % 7))));
  }
  scene.obstacles = {
      "{obstacle: ground, shape: {mesh: {vertices: [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, 0, "
      "-1]], "
      "triangles: [[0, 1, 2], [0, 2, 3], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]]}}, material: stone}"};
  return scene;
}

/// So is the search for contacts.
TEST(Threads, FindTheSameContacts) {
  const int steps = testing::stride(5) == 1 ? 20 : 3;
  Scene scene = parse_scene(heap().text(), "heap.yaml");
  std::vector<State> ends;
  for (const int threads : {1, 2, 8}) {
    scene.run.threads = threads;
    Simulation simulation(scene.model, scene.run);
    EXPECT_EQ(simulation.assembly().system.workers != nullptr, threads > 1);
    for (int step = 0; step < steps; ++step) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    ASSERT_GT(simulation.contact_count(), 100);
    ends.push_back(simulation.state());
  }
  for (const State& end : ends) {
    EXPECT_TRUE(end.q == ends[0].q && end.v == ends[0].v);
    EXPECT_EQ(end.contacts.entries(), ends[0].contacts.entries());
    EXPECT_EQ(end.contacts.reaction, ends[0].contacts.reaction);
  }
}

TEST(Threads, SearchForContactsWithoutAllocations) {
  Assembly assembly = build_assembly(parse_scene(heap().text(), "heap.yaml").model);
  assembly.system.workers = std::make_shared<Workers>(2);
  ThingSearch search(assembly);
  Kinematics at = make_kinematics(assembly.system);
  const State& start = assembly.system.initial;
  update(assembly.system, start.q, start.v, 0, at);
  ContactList list;
  const auto find = [&] {
    list.clear();
    search.find(assembly, at, 1e-3, list);
  };
  find();
  ASSERT_GT(list.count(), 100);
  const long before = allocation_count();
  find();
  EXPECT_EQ(allocation_count() - before, 0);
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
