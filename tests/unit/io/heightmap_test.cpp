#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "percuss/io/heightmap_file.h"
#include "percuss/io/io_error.h"
#include "percuss/io/scene.h"
#include "percuss/io/shape_table.h"
#include "support/process.h"

// Terrains: heights over a grid, and surfaces with borders.
namespace percuss {
namespace {

using testing::TemporaryDirectory;
using testing::write_file;

class Heightmap : public ::testing::Test {
 protected:
  TriangleMesh read(const std::string& content, const std::array<double, 2>& cell = {2, 3}) {
    write_file(folder_ / "hill.csv", content);
    return read_heightmap(folder_ / "hill.csv", cell);
  }
  void expect_refused(const std::string& content, const std::string& reason) {
    try {
      read(content);
      ADD_FAILURE() << "it was read; expected: " << reason;
    } catch (const IoError& e) {
      EXPECT_EQ(e.what(), "cannot read " + (folder_ / "hill.csv").string() + ": " + reason);
    }
  }
  TemporaryDirectory folder_;
};

TEST_F(Heightmap, StandsOverItsGridAndIsSeenFromAbove) {
  const TriangleMesh mesh = read("0, 1, 2\n3, 4, 5\n");
  EXPECT_EQ(mesh.vertices,
            (std::vector<Vector3>{{0, 0, 0}, {2, 0, 1}, {4, 0, 2}, {0, 3, 3}, {2, 3, 4}, {4, 3, 5}}));
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}}));
  EXPECT_EQ(open_mesh_defect(mesh), "");
  double area = 0;  // of the shadow
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vector3 &p = mesh.vertices[static_cast<size_t>(a)], &q = mesh.vertices[static_cast<size_t>(b)],
                  &r = mesh.vertices[static_cast<size_t>(c)];
    const Vector3 normal = (q - p).cross(r - p);
    EXPECT_GT(normal.z(), 0);
    area += normal.z() / 2;
  }
  EXPECT_DOUBLE_EQ(area, 12);
}

TEST_F(Heightmap, SeparatorsAndCommentsDoNotMatter) {
  const TriangleMesh expected = read("0,1\n2,3\n");
  for (const char* text : {"# heights\n0 1\n\n2 3\n", "0; 1\r\n2; 3\r\n", "0,1\n2,3,\n", " 0\t1 \n 2\t3"}) {
    const TriangleMesh mesh = read(text);
    EXPECT_EQ(mesh.vertices, expected.vertices) << text;
    EXPECT_EQ(mesh.triangles, expected.triangles) << text;
  }
}

TEST_F(Heightmap, HolesAndRaggedRowsAreRefusedWithTheirPlace) {
  expect_refused("0,1\n2,x\n", "line 2: 'x' is not a number (row 2, column 2)");
  expect_refused("# a\n0,1\n\n2,nan\n",
                 "line 4: row 2, column 2 is 'nan'; a surface has no holes: give it a height");
  expect_refused("0,1,2\n2,,3\n",
                 "line 2: row 2, column 2 is empty; a surface has no holes: give it a height");
  expect_refused("0,1\n2,3,4\n", "line 2: row 2 has 3 columns, the first has 2");
  expect_refused("0,1\n2\n", "line 2: row 2 has 1 columns, the first has 2");
  expect_refused("0,1\n", "line 1: it has 1 x 2 heights; a surface needs two rows and two columns");
  expect_refused("0\n1\n", "line 2: it has 2 x 1 heights; a surface needs two rows and two columns");
  expect_refused("# nothing\n", "line 1: it has 0 x 0 heights; a surface needs two rows and two columns");
}

TEST_F(Heightmap, ASceneKnowsTerrains) {
  write_file(folder_ / "hill.csv", "0,1,2\n3,4,5\n");
  write_file(folder_ / "slope.obj", "v 0 0 0\nv 1000 0 0\nv 0 1000 500\nf 1 2 3\n");
  const std::string text = R"(percuss: 1
materials: {rock: {}}
pairs: [{between: [rock, rock]}]
bodies:
  - {sphere: ball, radius: 1, mass: 1, material: rock}
obstacles:
  - repeat: {count: 2}
    heightmap: hill{i}
    file: hill.csv
    cell: i + 2
    material: rock
  - {heightmap: long, file: hill.csv, cell: [1, 4], position: [0, 0, 3], material: rock}
  - {mesh: slope, file: slope.obj, scale: 0.001, orientation: {axis: [0, 0, 1], angle: 90 deg}, material: rock}
contacts: all
except: [[hill*, all], [long, all], [slope, all]]
time: {end: 1, step: 1e-3}
)";
  write_file(folder_ / "scene.yaml", text);
  const std::string path = (folder_ / "scene.yaml").string();
  const Scene scene = load_scene(path, {"obstacles[1].cell=7"});
  const auto cell_of = [&](size_t i) { return std::get<HeightmapObstacle>(scene.model.obstacles[i]).cell; };
  EXPECT_EQ(cell_of(0), (std::array<double, 2>{2, 2}));
  EXPECT_EQ(cell_of(1), (std::array<double, 2>{7, 7}));
  EXPECT_EQ(cell_of(2), (std::array<double, 2>{1, 4}));
  const auto& slope = std::get<MeshObstacle>(scene.model.obstacles[3]);
  EXPECT_EQ(slope.surface->vertices[2], Vector3(0, 1, 0.5));
  const auto shapes = drawn_shapes(scene.model, build_system(scene.model));
  ASSERT_EQ(shapes.size(), 5u);
  EXPECT_LT((shapes[4].vertices[2] - Vector3(-1, 0, 0.5)).norm(), 1e-15);  // turned
  EXPECT_EQ(shapes[3].place, Vector3(0, 0, 3));
  write_file(folder_ / "again.yaml", resolved_text(scene));
  EXPECT_EQ(resolved_text(load_scene((folder_ / "again.yaml").string())), resolved_text(scene));
}

}  // namespace
}  // namespace percuss
