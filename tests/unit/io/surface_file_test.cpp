#include "percuss/io/surface_file.h"

#include <cstdint>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "percuss/dynamics/rigid_inertia.h"
#include "percuss/geometry/mass_properties.h"
#include "percuss/io/io_error.h"
#include "percuss/io/scene.h"
#include "percuss/math/rotation.h"
#include "support/process.h"

// Surfaces from files, and the shapes made of them.
namespace percuss {
namespace {

using testing::TemporaryDirectory;
using testing::write_file;

const std::vector<Vector3> tetra_corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const std::vector<std::array<int, 3>> tetra_faces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

const std::string obj_of_tetra = R"(# a tetrahedron
mtllib nothing.mtl
v 0 0 0
v 1 0 0 0.5 0.5 0.5
v 0 1.0 0
v 0 0 1e0
vn 0 0 1
f 1 3 2
f 1/1/1 2/2/2 4/3/3
f -4 -1 -2   # counted from the end
f 2//1 3//1 4//1
)";

std::string text_stl() {
  std::string text = "solid tetra\n";
  for (const auto& face : tetra_faces) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const int corner : face) {
      const Vector3& x = tetra_corners[static_cast<size_t>(corner)];
      text += fmt::format("   vertex {} {} {}\n", x[0], x[1], x[2]);
    }
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid tetra\n";
}
template <class T>
void append_bytes(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
std::string binary_stl(const char* header = "solid, although it is not a text") {
  std::string bytes = header;
  bytes.resize(80, ' ');
  append_bytes(bytes, static_cast<std::uint32_t>(tetra_faces.size()));
  for (const auto& face : tetra_faces) {
    for (int i = 0; i < 3; ++i) append_bytes(bytes, 0.0f);
    for (const int corner : face)
      for (const double x : tetra_corners[static_cast<size_t>(corner)])
        append_bytes(bytes, static_cast<float>(x));
    append_bytes(bytes, std::uint16_t{0});
  }
  return bytes;
}
std::string with_part(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

class SurfaceFile : public ::testing::Test {
 protected:
  TriangleMesh read(const std::string& name, const std::string& content) {
    write_file(folder_ / name, content);
    return read_surface(folder_ / name);
  }
  void expect_refused(const std::string& name, const std::string& content, const std::string& reason) {
    try {
      read(name, content);
      ADD_FAILURE() << "it was read; expected: " << reason;
    } catch (const IoError& e) {
      EXPECT_EQ(e.what(), "cannot read " + (folder_ / name).string() + ": " + reason);
    }
  }
  /// The rigid body of a scene in the folder.
  RigidInertia inertia_of(const std::string& shape) {
    write_file(folder_ / "scene.yaml", fmt::format(R"(percuss: 1
materials: {{m: {{density: 3}}}}
time: {{end: 1, step: 1e-3}}
bodies: [{{rigid: body, material: m, shape: {}}}]
)",
                                                   shape));
    const Scene scene = load_scene((folder_ / "scene.yaml").string());
    std::vector<Complaint> complaints;
    return rigid_inertia(std::get<RigidBody>(scene.model.bodies[0]), scene.model, complaints, "");
  }
  static void expect_same(const RigidInertia& a, const RigidInertia& b) {
    EXPECT_NEAR(a.mass, b.mass, 1e-13 * b.mass);
    EXPECT_LT((a.centre - b.centre).norm(), 1e-13);
    EXPECT_LT((a.tensor - b.tensor).norm(), 1e-13 * b.tensor.norm());
  }

  TemporaryDirectory folder_;
};

TEST_F(SurfaceFile, FormatsGiveTheSameMesh) {
  for (const auto& [name, content] :
       std::vector<std::pair<std::string, std::string>>{{"a.obj", obj_of_tetra},
                                                        {"b.stl", text_stl()},
                                                        {"c.STL", binary_stl()},
                                                        {"d.stl", binary_stl("exported")}}) {
    const TriangleMesh mesh = read(name, content);
    EXPECT_EQ(mesh.vertices.size(), 4u) << name;
    ASSERT_EQ(mesh.triangles.size(), 4u) << name;
    EXPECT_EQ(mesh_defect(mesh), "") << name;
    EXPECT_NEAR(mass_properties_of_mesh(mesh).volume, 1.0 / 6, 1e-15) << name;
  }
}

TEST_F(SurfaceFile, PolygonsAreDividedAndZerosHaveNoSign) {
  const TriangleMesh mesh =
      read("a.obj", "v 0 0 0\nv 1 0 -0.0\nv 1 1 0\nv 0.5 2 0\nv -0 1 0\nv 0 -0 0\nf 1 2 3 4 5\nf 6 3 2\n");
  EXPECT_EQ(mesh.vertices.size(), 5u);
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 2, 1}}));
}

TEST_F(SurfaceFile, TextsAreRefusedWithTheLine) {
  const auto change = [&](const std::string& from, const std::string& to, const std::string& reason) {
    expect_refused("a.obj", with_part(obj_of_tetra, from, to), reason);
  };
  change("v 0 0 0", "v 0 0", "line 3: a vertex has 2 numbers; it needs three");
  change("v 0 0 0", "v 0 0 x", "line 3: 'x' is not a number (a coordinate)");
  change("v 0 0 0", "v 0 0 nan", "line 3: 'nan' is not allowed; a coordinate must be finite");
  change("v 0 0 0", "v 0 0 inf", "line 3: 'inf' is not allowed; a coordinate must be finite");
  change("f 1 3 2", "f 1 3", "line 8: a face has 2 vertices; it needs three");
  change("f 1 3 2", "f 1 3 5", "line 8: a face names vertex 5, but there are 4 so far");
  change("f 1 3 2", "f 1 3 0", "line 8: a face names vertex 0, but there are 4 so far");
  change("f 1 3 2", "f 1 3 -5", "line 8: a face names vertex -5, but there are 4 so far");
  change("f 1 3 2", "f 1 3 2.5", "line 8: '2.5' is not an integer (a vertex of a face)");
  change("f 1 3 2", "f 1 3 \\\n2", "line 8: lines that go on in the next line are not read");
  const auto change_stl = [&](const std::string& from, const std::string& to, const std::string& reason) {
    expect_refused("a.stl", with_part(text_stl(), from, to), reason);
  };
  change_stl("   vertex 0 0 0\n", "", "line 7: a facet has 2 vertices; it must have 3");
  change_stl("vertex 0 1 0", "vertex 0 1", "line 5: a vertex has 2 numbers; it needs three");
  change_stl("vertex 0 1 0", "vertex 0 1 NaN", "line 5: 'NaN' is not allowed; a coordinate must be finite");
  change_stl("  outer loop", "  inner loop", "line 3: 'inner' is no word of an STL file");
  change_stl(" endfacet\n", "", "line 8: a facet begins before the one before it has ended");
  expect_refused("a.stl", text_stl().substr(0, 120), "line 9: the file ends within a facet");
}

TEST_F(SurfaceFile, BinaryFilesAreRefusedBeforeMemoryIsAskedFor) {
  std::string huge = binary_stl("exported");
  for (size_t i = 80; i < 84; ++i) huge[i] = '\xff';
  expect_refused(
      "a.stl", huge,
      "it does not begin with `solid`, and as a binary STL file of 4294967295 triangles it should have "
      "214748364834 bytes, not 284");
  expect_refused("a.stl", "nothing",
                 "it is neither a text, which begins with `solid`, nor long enough for a binary "
                 "STL file");
  std::string bad = binary_stl();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(bad.data() + 84 + 50 + 12, &nan, sizeof nan);
  expect_refused("a.stl", bad, "triangle 1 has a corner that is not finite");
}

TEST_F(SurfaceFile, OtherFilesAreRefused) {
  expect_refused("a.ply", "ply\n", "'.ply' is no extension of a file of a surface; .stl and .obj are read");
  expect_refused("a", "x", "its name has no extension; .stl and .obj are read");
  expect_refused("a.obj", "", "it is empty");
  EXPECT_THROW(read_surface(folder_ / "missing.stl"), IoError);
  EXPECT_THROW(read_surface(folder_ / "missing.obj"), IoError);
}

TEST_F(SurfaceFile, AShapeFromAFileIsThatOfItsNumbers) {
  write_file(folder_ / "t.obj", obj_of_tetra);
  write_file(folder_ / "t.stl", binary_stl());
  const RigidInertia expected =
      inertia_of("{polyhedron: [[0, 0, 0], [0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]]}");
  for (const char* shape :
       {"{mesh: {file: t.obj, scale: 0.01}}", "{mesh: {file: t.stl, scale: 0.01}}",
        "{hull: {file: t.stl, scale: 0.01}}",
        "{hull: {points: [[0, 0, 0], [0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01], [0.001, 0.001, 0.001]]}}"})
    expect_same(inertia_of(shape), expected);
}

TEST_F(SurfaceFile, ACompoundAddsUpItsParts) {
  expect_same(
      inertia_of(
          "{compound: [{shape: {box: [1, 2, 1]}, position: [0, 0, 1]}, "
          "{shape: {box: [2, 1, 1]}, position: [0, 0, 2], orientation: {axis: [0, 0, 1], angle: 90 deg}}]}"),
      [&] {
        RigidInertia box = inertia_of("{box: [1, 2, 2]}");
        box.centre = {0, 0, 1.5};
        return box;
      }());
  // A dumb-bell: 2 (2/5 m r^2 + m a^2) across, 4/5 m r^2 along its axis.
  const RigidInertia bell = inertia_of(
      "{compound: [{shape: {sphere: 1}, position: [3, 0, 0]}, {shape: {sphere: 1}, position: [-3, 0, 0]}]}");
  const double m = bell.mass / 2;
  EXPECT_LT((bell.tensor.diagonal() - m * Vector3(0.8, 18.8, 18.8)).norm(), 1e-12 * bell.mass);
}

}  // namespace
}  // namespace percuss
