// A surface of triangles is what it looks like, however it is cut.
#include <array>
#include <cmath>
#include <random>

#include "percuss/contacts/assembly.h"
#include "worlds/surfaces.h"
#include "worlds/world_scene.h"

namespace percuss {
namespace {

using testing::block_cut_into_triangles;
using testing::mesh;
using testing::rigid;
using testing::WorldScene;

std::string cube_mesh(const Vector3& s) {
  std::vector<Vector3> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(0.5 * s.cwiseProduct(Vector3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return mesh(corners, {{0, 3, 1},
                        {0, 2, 3},
                        {4, 5, 7},
                        {4, 7, 6},
                        {0, 1, 5},
                        {0, 5, 4},
                        {1, 3, 7},
                        {1, 7, 5},
                        {3, 2, 6},
                        {3, 6, 7},
                        {2, 0, 4},
                        {2, 4, 6}});
}

std::vector<std::string> moving_bodies() {
  return {rigid("box", "{box: [0.2, 0.15, 0.1]}", {-0.7, 0.02, 0.05},
                "orientation: {axis: [0, 0, 1], angle: 0.3}, velocity: [2, 0, 0]"),
          rigid("ball", "{sphere: 0.1}", {-0.7, 0.5, 0.1}, "velocity: [1.1, 0.13, 0]"),
          rigid("pill", "{capsule: {radius: 0.05, length: 0.3}}", {-0.7, -0.5, 0.05},
                "orientation: {axis: [0, 1, 0], angle: 90 deg}, velocity: [1, 0.5, 0]"),
          rigid("tipped", "{box: [0.1, 0.1, 0.3]}", {0.5, 0.5, 0.18},
                "orientation: {axis: [0, 1, 0.3], angle: 0.25}")};
}

class Meshes : public ::testing::TestWithParam<std::string> {};

/// What slides, rolls and tips over a plane does the same on a mesh of it: the motion is equal to rounding,
/// seams do not act.
TEST_P(Meshes, OfAPlaneAreThePlane) {
  const auto end = [&](const std::string& floor) {
    WorldScene scene{.bodies = moving_bodies(), .obstacles = {floor}, .friction = 0.3};
    scene.scheme = GetParam();
    scene.end = 0.4;
    return scene.run().state();
  };
  const State on_plane = end("{half_space: floor, material: stone}");
  const State on_mesh =
      end("{obstacle: floor, material: stone, shape: " + block_cut_into_triangles(7, 1, 0.3) + "}");
  // The event-driven scheme chooses its steps by an error estimate that sees all candidates: the motions are
  // equal to its tolerance.
  const double bound = GetParam() == "event-driven" ? 1e-6 : 1e-9;
  EXPECT_LT((on_plane.q - on_mesh.q).lpNorm<Eigen::Infinity>(), bound);
  EXPECT_LT((on_plane.v - on_mesh.v).lpNorm<Eigen::Infinity>(), 10 * bound);
}

std::string scheme_of_case(const ::testing::TestParamInfo<std::string>& scheme) {
  std::string name = scheme.param;
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Schemes, Meshes, ::testing::ValuesIn(testing::friction_schemes()), scheme_of_case);

/// A body by its mesh moves as by its shape, and rests on others of its kind. Without friction: with it the
/// velocities after an impact are not unique, and those that the solver finds depend on the order of
/// contacts.
TEST(MeshBodies, AreTheBodies) {
  const auto end = [](const std::string& brick, const std::string& plate) {
    WorldScene scene{
        .bodies = {rigid("brick", brick, {0, 0.01, 0.32}, "orientation: {axis: [1, 0.3, 0.2], angle: 0.4}"),
                   rigid("plate", plate, {0.02, 0, 0.05})}};
    scene.friction = 0;
    scene.end = 0.6;
    return scene.run().state();
  };
  const Vector3 brick(0.2, 0.15, 0.1), plate(0.5, 0.4, 0.1);
  const State shapes = end("{box: [0.2, 0.15, 0.1]}", "{box: [0.5, 0.4, 0.1]}");
  for (const State& meshes :
       {end(cube_mesh(brick), cube_mesh(plate)), end("{box: [0.2, 0.15, 0.1]}", cube_mesh(plate)),
        end(cube_mesh(brick), "{box: [0.5, 0.4, 0.1]}")})
    EXPECT_LT((shapes.q - meshes.q).lpNorm<Eigen::Infinity>(), 1e-8);
}

/// A ball in a groove of two faces touches both; its weight is borne by 1 / (2 cos) each.
TEST(MeshBodies, ABallRestsInAValley) {
  const std::string groove =
      mesh({{-1, -1, 1}, {0, -1, 0}, {1, -1, 1}, {1, 1, 1}, {0, 1, 0}, {-1, 1, 1}, {0, -1, -1}, {0, 1, -1}},
           {{0, 1, 4},
            {0, 4, 5},
            {1, 2, 3},
            {1, 3, 4},
            {1, 0, 6},
            {2, 1, 6},
            {4, 3, 7},
            {5, 4, 7},
            {0, 5, 7},
            {0, 7, 6},
            {3, 2, 6},
            {3, 6, 7}});
  WorldScene scene{.bodies = {rigid("ball", "{sphere: 0.1}", {0, 0.2, 0.1 * std::sqrt(2.0)})},
                   .obstacles = {"{obstacle: groove, material: stone, shape: " + groove + "}"}};
  scene.friction = 0;
  scene.end = 0.2;
  Simulation simulation = scene.run();
  EXPECT_NEAR(simulation.state().q[2], 0.1 * std::sqrt(2.0), 1e-12);
  EXPECT_EQ(simulation.contact_list().count(), 2);
}

}  // namespace
}  // namespace percuss
