// Shapes in results files: what is written is read again, and bodies are found where the simulation had them.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/recording.h"
#include "percuss/io/results_reader.h"
#include "percuss/io/results_writer.h"
#include "percuss/io/shape_mesh.h"

namespace percuss {
namespace {

constexpr const char* scene_text = R"(percuss: 1
title: One of each
materials: {steel: {density: 1000}}
pairs: [{between: [steel, steel], restitution: 0}]
frames:
  - {frame: base, position: [0.1*t, 0, 0], axis: [0, 0, 1], angle: 2*t}
bodies:
  - {particle: dot, mass: 1, position: [1, 2, 3], velocity: [1, 0, 0]}
  - {sphere: ball, radius: 0.5, mass: 1, material: steel}
  - {rigid: brick, shape: {box: [1, 2, 3]}, material: steel, angular_velocity: [0, 0, 1]}
  - {rigid: rod, shape: {capsule: {radius: 0.1, length: 1}}, material: steel, coordinates: natural, angular_velocity: [1, 0, 0]}
  - {rigid: hat, shape: {cone: {radius: 1, length: 2}}, material: steel}
  - {rigid: egg, shape: {ellipsoid: [1, 2, 3]}, material: steel}
  - {rigid: wheel, shape: {cylinder: {radius: 1, length: 0.2}}, material: steel}
  - {rigid: tetra, shape: {polyhedron: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, material: steel}
  - {planar: card, shape: {polygon: [[0, 0], [2, 0], [0, 1]]}, material: steel, angular_velocity: 3}
  - {planar: arm, mass: 1, inertia: 1, points: {tip: [1, 0, 0]}}
obstacles:
  - {half_space: floor, normal: [0, 0, 2], material: steel}
  - {half_space: shovel, frame: base, point: [1, 0, 0], normal: [-1, 0, 0], material: steel}
  - {obstacle: ramp, frame: base, shape: {box: [1, 2, 3]}, position: [4, 5, 6], orientation: {w: sqrt(0.5), x: sqrt(0.5)}, material: steel}
  - {obstacle: post, shape: {cylinder: {radius: 1, length: 2}}, position: [7, 8, 9], material: steel}
integrator: {scheme: moreau-jean}
time: {end: 0.1, step: 0.01}
)";

class ShapesTest : public ::testing::Test {
 protected:
  ShapesTest() {
    std::string name = (std::filesystem::temp_directory_path() / "percuss_shapes_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::ofstream(folder_ / "scene.yaml") << scene_text;
    scene_ = load_scene((folder_ / "scene.yaml").string());
    run_to_file(scene_, path());
  }
  ~ShapesTest() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "run.h5").string(); }

  std::filesystem::path folder_;
  Scene scene_;
};

/// Six times the volume of the tetrahedra from the origin to outward triangles.
double volume(const ShapeMesh& mesh) {
  double six = 0;
  for (const auto& [a, b, c] : mesh.triangles)
    six += mesh.vertices[static_cast<size_t>(a)].dot(
        mesh.vertices[static_cast<size_t>(b)].cross(mesh.vertices[static_cast<size_t>(c)]));
  return six / 6;
}

TEST_F(ShapesTest, ObstaclesAreDrawnWhereTheyStandAndMoveWithTheirFrames) {
  const auto found = ResultsReader(path()).shapes();
  const DrawnShape &ramp = found[12], &post = found[13];
  EXPECT_EQ(ramp.carrier, "base");
  const ShapeMesh mesh = mesh_of(ramp, 0);
  EXPECT_NEAR(volume(mesh), 6, 1e-12);
  Vector3 low = mesh.vertices[0], high = low;
  for (const Vector3& vertex : mesh.vertices) low = low.cwiseMin(vertex), high = high.cwiseMax(vertex);
  EXPECT_LT((low - Vector3(3.5, 3.5, 5)).norm(), 1e-12) << low;  // a quarter turn about x
  EXPECT_LT((high - Vector3(4.5, 6.5, 7)).norm(), 1e-12) << high;
  EXPECT_EQ(post.kind, "cylinder");
  EXPECT_EQ(post.carrier, "ground");
  EXPECT_EQ(post.place, Vector3(7, 8, 9));
}

TEST_F(ShapesTest, AreReadAsTheyWereWritten) {
  const auto expected = drawn_shapes(scene_.model, build_system(scene_.model));
  const auto found = ResultsReader(path()).shapes();
  ASSERT_EQ(found.size(), expected.size());
  ASSERT_EQ(found.size(), 14u);
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].name, expected[i].name);
    EXPECT_EQ(found[i].carrier, expected[i].carrier);
    EXPECT_EQ(found[i].kind, expected[i].kind);
    EXPECT_EQ(found[i].size, expected[i].size);
    EXPECT_EQ(found[i].place, expected[i].place);
    EXPECT_EQ(found[i].axis, expected[i].axis);
    EXPECT_EQ(found[i].vertices, expected[i].vertices);
    EXPECT_EQ(found[i].triangles, expected[i].triangles);
  }
  EXPECT_EQ(found[10].axis, Vector3(0, 0, 1));
  EXPECT_EQ(found[11].carrier, "base");
}

/// Facets lie inside of round shapes, so their volumes are a little less; those of flat ones are exact.
TEST_F(ShapesTest, MeshesHaveTheVolumesOfTheShapes) {
  const auto shapes = drawn_shapes(scene_.model, build_system(scene_.model));
  const double pi = std::acos(-1.0);
  for (const auto& [index, exact, loss] :
       std::initializer_list<std::tuple<size_t, double, double>>{{1, 4 * pi / 3 * 0.125, 0.1},
                                                                 {2, 6, 1e-12},
                                                                 {3, pi * 0.01 * 1 + 4 * pi / 3 * 0.001, 0.1},
                                                                 {4, pi / 3 * 2, 0.04},
                                                                 {5, 4 * pi / 3 * 6, 0.1},
                                                                 {6, pi * 0.2, 0.04},
                                                                 {7, 1.0 / 6, 1e-12},
                                                                 {8, 1, 1e-12}}) {
    const double found = volume(mesh_of(shapes[index], 0.01));
    EXPECT_LE(found, exact * (1 + 1e-12)) << shapes[index].kind;
    EXPECT_GE(found, exact * (1 - loss)) << shapes[index].kind;
  }
}

/// The axes of a body start in its centre of mass.
TEST_F(ShapesTest, StandWhereTheirMassIs) {
  for (const DrawnShape& shape : drawn_shapes(scene_.model, build_system(scene_.model))) {
    if (shape.kind == "half_space" || shape.kind == "points") continue;
    if (shape.name == "ramp" || shape.name == "post") continue;  // obstacles
    const ShapeMesh mesh = mesh_of(shape, 0.01);
    Vector3 moment = Vector3::Zero();
    for (const auto& [a, b, c] : mesh.triangles) {
      const Vector3 &p = mesh.vertices[static_cast<size_t>(a)], &q = mesh.vertices[static_cast<size_t>(b)],
                    &r = mesh.vertices[static_cast<size_t>(c)];
      moment += p.dot(q.cross(r)) / 24 * (p + q + r);
    }
    EXPECT_LT((moment / volume(mesh)).norm(), 1e-12) << shape.name;
  }
}

TEST_F(ShapesTest, BodiesAreWhereTheSimulationHadThem) {
  const ResultsReader results(path());
  Simulation simulation(scene_.model, scene_.run);
  std::vector<std::vector<double>> heights;
  for (const auto& body : results.bodies()) heights.push_back(results.column(body.name + ".position.z"));
  for (std::int64_t frame = 0; frame < results.frames(); ++frame) {
    const auto poses = results.poses(frame);
    const auto& expected = simulation.kinematics().poses;
    for (size_t b = 0; b < poses.size(); ++b) {
      EXPECT_LT((poses[b].x - expected[b].x).norm(), 1e-14) << results.bodies()[b].name;
      EXPECT_EQ(poses[b].x.z(), heights[b][static_cast<size_t>(frame)]) << results.bodies()[b].name;
      EXPECT_LT((poses[b].R - expected[b].R).norm(), 1e-14) << results.bodies()[b].name;
    }
    simulation.step();
  }
}

}  // namespace
}  // namespace percuss
