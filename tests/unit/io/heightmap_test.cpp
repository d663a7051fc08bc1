#include <random>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "percuss/io/heightmap_file.h"
#include "percuss/io/io_error.h"
#include "percuss/io/scene.h"
#include "percuss/io/shape_table.h"
#include "support/process.h"
#include "unit/io/png_file.h"

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

class HeightPicture : public Heightmap {
 protected:
  TriangleMesh read_picture(const std::string& bytes) {
    write_file(folder_ / "hill.png", bytes);
    return read_height_picture(folder_ / "hill.png", {2, 3}, {-1, 4});
  }
  void expect_picture_refused(const std::string& bytes, const std::string& reason) {
    try {
      read_picture(bytes);
      ADD_FAILURE() << "it was read; expected: " << reason;
    } catch (const IoError& e) {
      EXPECT_EQ(e.what(), "cannot read " + (folder_ / "hill.png").string() + ": " + reason);
    }
  }
};

/// Seen from above: the last row is the first one along y.
TEST_F(HeightPicture, GreyValuesAreHeights) {
  const TriangleMesh mesh = read_picture(testing::PngFile{.rows = {{0, 255, 51}, {102, 153, 204}}}.bytes());
  EXPECT_EQ(mesh.vertices,
            (std::vector<Vector3>{{0, 0, 1}, {2, 0, 2}, {4, 0, 3}, {0, 3, -1}, {2, 3, 4}, {4, 3, 0}}));
  EXPECT_EQ(open_mesh_defect(mesh), "");
  const TriangleMesh fine =
      read_picture(testing::PngFile{.bits = 16, .rows = {{0, 65535}, {13107, 1}}}.bytes());
  EXPECT_EQ(fine.vertices,
            (std::vector<Vector3>{{0, 0, 0}, {2, 0, -1 + 5.0 / 65535}, {0, 3, -1}, {2, 3, 4}}));
}

TEST_F(HeightPicture, FiltersChangeNothing) {
  std::mt19937 random(1);
  for (const int bits : {8, 16}) {
    testing::PngFile file{.bits = bits, .rows = std::vector(11, std::vector<int>(7))};
    for (auto& row : file.rows)
      for (int& value : row) value = static_cast<int>(random() & (bits == 16 ? 65535 : 255));
    const TriangleMesh plain = read_picture(file.bytes());
    for (const std::vector<int>& filters : {std::vector{1}, {2}, {3}, {4}, {0, 4, 3, 2, 1}}) {
      file.filters = filters;
      EXPECT_EQ(read_picture(file.bytes()).vertices, plain.vertices);
    }
  }
}

TEST_F(HeightPicture, WhatIsNoSurfaceIsRefused) {
  using testing::PngFile;
  const std::vector<std::vector<int>> rows(3, std::vector(4, 100));
  const std::string good = PngFile{.rows = rows}.bytes();
  const std::string advice = "; save it as grey with 8 or 16 bits";
  expect_picture_refused("0, 1\n2, 3\n", "it is no PNG picture");
  expect_picture_refused(PngFile{.colours = 3, .rows = rows}.bytes(),
                         "its colours are those of a palette" + advice);
  expect_picture_refused(PngFile{.colours = 4, .rows = rows}.bytes(),
                         "it has an alpha channel; a surface has no holes" + advice);
  expect_picture_refused(PngFile{.colours = 2, .rows = rows}.bytes(), "it is coloured" + advice);
  expect_picture_refused(PngFile{.bits = 4, .rows = rows}.bytes(), "its grey values have 4 bits" + advice);
  expect_picture_refused(PngFile{.interlace = 1, .rows = rows}.bytes(), "it is interlaced; save it without");
  expect_picture_refused(PngFile{.rows = rows, .extra_chunk = "tRNS"}.bytes(),
                         "it has transparent pixels; a surface has no holes; save it without transparency");
  expect_picture_refused(PngFile{.rows = {{1, 2, 3}}}.bytes(),
                         "it has 1 x 3 pixels; a surface needs two rows and two columns");
  expect_picture_refused(PngFile{.rows = rows, .filters = {0, 7}}.bytes(),
                         "it is damaged: row 2 has the unknown filter 7; copy it again");
  for (const size_t length : {8, 20, 40, 60})
    expect_picture_refused(good.substr(0, length),
                           "it is truncated: the picture does not end; copy it again");
  std::string changed = good;
  changed[45] = static_cast<char>(changed[45] ^ 1);
  expect_picture_refused(changed, "it is damaged: a checksum is wrong; copy it again");
}

/// A header that promises more than there is, or than can be held.
TEST_F(HeightPicture, RowsThatAreNotThereAreNamed) {
  const auto with_size = [](std::uint32_t columns, std::uint32_t rows) {
    std::string bytes = testing::PngFile{.rows = std::vector(3, std::vector(4, 100))}.bytes();
    for (int k = 0; k < 4; ++k) {
      bytes[static_cast<size_t>(16 + k)] = static_cast<char>(columns >> (24 - 8 * k) & 255);
      bytes[static_cast<size_t>(20 + k)] = static_cast<char>(rows >> (24 - 8 * k) & 255);
    }
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + 12), 17);
    for (int k = 0; k < 4; ++k)
      bytes[static_cast<size_t>(29 + k)] = static_cast<char>(sum >> (24 - 8 * k) & 255);
    return bytes;
  };
  EXPECT_EQ(read_picture(with_size(4, 3)).vertices.size(), 12u);
  expect_picture_refused(with_size(4, 5), "it is damaged: row 4 of 5 is not whole; copy it again");
  expect_picture_refused(
      with_size(100'000, 60),
      fmt::format("it has 60 x 100000 pixels, more than {}; make it smaller", most_heights));
}

TEST_F(Heightmap, ASceneKnowsTerrains) {
  write_file(folder_ / "hill.csv", "0,1,2\n3,4,5\n");
  write_file(folder_ / "slope.obj", "v 0 0 0\nv 1000 0 0\nv 0 1000 500\nf 1 2 3\n");
  write_file(folder_ / "hill.png", testing::PngFile{.rows = {{0, 255}, {51, 102}}}.bytes());
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
  - {heightmap: picture, file: hill.png, cell: 1, height: [-1, 4], material: rock}
  - {mesh: slope, file: slope.obj, scale: 0.001, orientation: {axis: [0, 0, 1], angle: 90 deg}, material: rock}
contacts: all
except: [[hill*, all], [long, all], [picture, all], [slope, all]]
time: {end: 1, step: 1e-3}
)";
  write_file(folder_ / "scene.yaml", text);
  const std::string path = (folder_ / "scene.yaml").string();
  const Scene scene = load_scene(path, {"obstacles[1].cell=7"});
  const auto cell_of = [&](size_t i) { return std::get<HeightmapObstacle>(scene.model.obstacles[i]).cell; };
  EXPECT_EQ(cell_of(0), (std::array<double, 2>{2, 2}));
  EXPECT_EQ(cell_of(1), (std::array<double, 2>{7, 7}));
  EXPECT_EQ(cell_of(2), (std::array<double, 2>{1, 4}));
  const auto& slope = std::get<MeshObstacle>(scene.model.obstacles[4]);
  EXPECT_EQ(slope.surface->vertices[2], Vector3(0, 1, 0.5));
  const auto shapes = drawn_shapes(scene.model, build_system(scene.model));
  ASSERT_EQ(shapes.size(), 6u);
  EXPECT_EQ(shapes[4].vertices[0], Vector3(0, 0, 0));
  EXPECT_LT((shapes[5].vertices[2] - Vector3(-1, 0, 0.5)).norm(), 1e-15);  // turned
  EXPECT_EQ(shapes[3].place, Vector3(0, 0, 3));
  write_file(folder_ / "again.yaml", resolved_text(scene));
  EXPECT_EQ(resolved_text(load_scene((folder_ / "again.yaml").string())), resolved_text(scene));
}

}  // namespace
}  // namespace percuss
