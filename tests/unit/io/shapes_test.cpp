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

constexpr const char* profile_text = R"(percuss: 1
materials: {steel: {density: 1000}}
bodies:
  - {rigid: round, shape: {profile: {outline: [{arc: {to: [1, 0], centre: [0, 0]}}], depth: 2, tolerance: 1e-3}}, material: steel}
  - rigid: hollow      # a square without a quarter of a circle
    material: steel
    shape:
      profile:
        outline:
          - {line: [1, 0]}
          - {arc: {to: [0, 1], centre: [1, 1], clockwise: true}}
          - {line: [0, 0]}
        depth: 2
  - {rigid: cam, shape: {profile: {table: cam.csv, scale: 0.001, depth: 2}}, material: steel}
  - {planar: notch, shape: {profile: {polygon: [[0, 0], [3, 0], [3, 1], [2, 0.5], [0, 1]]}}, thickness: 2, material: steel}
  - {planar: line, shape: {segment: {from: [0, 0], to: [3, 4]}}, mass: 12, material: steel}
time: {end: 0.1, step: 0.01}
)";

class ProfilesTest : public ::testing::Test {
 protected:
  ProfilesTest() {
    std::string name = (std::filesystem::temp_directory_path() / "percuss_profiles_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::ofstream(folder_ / "cam.csv") << "# clockwise, in mm\n0, 0\n0; 1000\n\n2000 1000\n2000, 0\n";
    std::ofstream(folder_ / "scene.yaml") << profile_text;
    scene_ = load_scene((folder_ / "scene.yaml").string());
    system_ = build_system(scene_.model);
  }
  ~ProfilesTest() override { std::filesystem::remove_all(folder_); }
  double drawn_volume(size_t body) const {
    return volume(mesh_of(drawn_shapes(scene_.model, system_)[body], 0));
  }

  std::filesystem::path folder_;
  Scene scene_;
  System system_;
};

/// The corners are on the arc, and no fewer chords would do.
TEST_F(ProfilesTest, ArcsAreChordsWithinTheTolerance) {
  const auto drawn = drawn_shapes(scene_.model, system_)[0];
  const double chords = static_cast<double>(drawn.vertices.size()) / 2, pi = std::acos(-1.0);
  for (const Vector3& vertex : drawn.vertices) EXPECT_NEAR(vertex.head<2>().norm(), 1, 1e-14);
  EXPECT_LE(1 - std::cos(pi / chords), 1e-3);
  EXPECT_GT(1 - std::cos(pi / (chords - 1)), 1e-3);
  EXPECT_NEAR(drawn_volume(0), chords * std::sin(2 * pi / chords), 1e-13);
  EXPECT_NEAR(drawn_volume(1), 2 * (1 - pi / 4), 2e-5 * pi);  // to the tolerance times the length
  EXPECT_GT(drawn_volume(1), 2 * (1 - pi / 4));               // the hollow is smaller by its chords
}

TEST_F(ProfilesTest, MassAndCentreAreThoseOfWhatIsDrawn) {
  for (size_t body = 0; body < 4; ++body)
    EXPECT_NEAR(system_.bodies[body].mass, 1000 * drawn_volume(body), 1e-9) << body;
  EXPECT_NEAR(system_.bodies[2].mass, 4000, 1e-9);
  EXPECT_LT((system_.bodies[2].shape_centre - Vector3(1, 0.5, 0)).norm(), 1e-14);
  EXPECT_NEAR(system_.bodies[2].inertia(2, 2), 4000 * 5.0 / 12, 1e-9);
  EXPECT_NEAR(system_.bodies[3].mass, 1000 * 2 * 2.25, 1e-9);
  EXPECT_EQ(system_.bodies[4].shape_centre, Vector3(1.5, 2, 0));
  EXPECT_DOUBLE_EQ(system_.bodies[4].inertia(2, 2), 25);  // m l^2 / 12
}

TEST_F(ProfilesTest, AreWrittenAsTheyWereRead) {
  const std::string text = resolved_text(scene_);
  std::ofstream(folder_ / "again.yaml") << text;
  EXPECT_EQ(resolved_text(load_scene((folder_ / "again.yaml").string())), text);
}

}  // namespace
}  // namespace percuss
