#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "percuss/geometry/mass_properties.h"

// What is wrong with a surface is said with the numbers of its faces.
namespace percuss {
namespace {

TriangleMesh unit_cube() {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) mesh.vertices.emplace_back(i & 1, i >> 1 & 1, i >> 2 & 1);
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

/// n x n squares over the plane, each of two triangles.
TriangleMesh sheet(int n) {
  TriangleMesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) mesh.vertices.emplace_back(i, j, 0.1 * std::sin(i + 2 * j));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  return mesh;
}

void expect_defect(const TriangleMesh& mesh, const std::string& part) {
  EXPECT_NE(mesh_defect(mesh).find(part), std::string::npos) << "found instead: " << mesh_defect(mesh);
  EXPECT_THROW(mass_properties_of_mesh(mesh), std::invalid_argument);
}

TEST(MeshDefect, IsEmptyForAGoodMesh) {
  EXPECT_EQ(mesh_defect(unit_cube()), "");
  EXPECT_EQ(open_mesh_defect(unit_cube()), "");
  EXPECT_EQ(open_mesh_defect(sheet(20)), "");
}

TEST(MeshDefect, IsAMatterOfShapeNotOfSizeOrPlace) {
  for (const double size : {1e-6, 1.0, 1e6})
    for (const double offset : {0.0, 1e3}) {
      TriangleMesh mesh = unit_cube();
      for (Vector3& vertex : mesh.vertices) vertex = size * (vertex + Vector3::Constant(offset));
      EXPECT_EQ(mesh_defect(mesh), "") << size << " " << offset;
    }
}

TEST(MeshDefect, NamesVerticesThatAreNotThereOrNotFinite) {
  TriangleMesh bad = unit_cube();
  bad.triangles[3][1] = 8;
  expect_defect(bad, "face 3 names vertex 8, but there are 8 vertices");
  bad.triangles[3][1] = -1;
  expect_defect(bad, "vertex -1");
  bad.triangles[3][1] = bad.triangles[3][0];
  expect_defect(bad, "face 3 names the same vertex twice");
  bad = unit_cube();
  bad.vertices[2].y() = std::numeric_limits<double>::quiet_NaN();
  expect_defect(bad, "vertex 2 is not finite");
  expect_defect({}, "no triangles");
}

TEST(MeshDefect, NamesFacesWithoutArea) {
  TriangleMesh bad = unit_cube();
  bad.vertices.emplace_back(0.5, 0, 0);
  bad.triangles.push_back({0, 8, 1});
  expect_defect(bad, "face 12 has no area: its vertices 0, 8 and 1 lie on a line");
}

TEST(MeshDefect, NamesHoles) {
  TriangleMesh bad = unit_cube();
  bad.triangles.pop_back();
  expect_defect(bad, "not closed: it has a hole at the edge 1-5 of face 4 (3 edges belong to one face only)");
  EXPECT_EQ(open_mesh_defect(bad), "");
}

TEST(MeshDefect, NamesTheFlippedFaceAndNotItsNeighbours) {
  for (std::size_t flipped = 0; flipped < 12; ++flipped) {
    TriangleMesh bad = unit_cube();
    std::swap(bad.triangles[flipped][0], bad.triangles[flipped][1]);
    expect_defect(bad, "face " + std::to_string(flipped) + " is flipped against its neighbour");
  }
  TriangleMesh bad = sheet(5);
  std::swap(bad.triangles[23][0], bad.triangles[23][1]);
  EXPECT_EQ(open_mesh_defect(bad).find("face 23 is flipped against its neighbour"), 0u);
}

TEST(MeshDefect, NamesEdgesOfThreeFaces) {
  TriangleMesh bad = unit_cube();
  bad.vertices.emplace_back(-1, -1, 0.5);
  bad.triangles.push_back({0, 4, 8});
  expect_defect(bad, "the edge 0-4 belongs to 3 faces, among them 5, 8 and 12");
}

TEST(MeshDefect, NamesTJunctions) {
  TriangleMesh bad = unit_cube();  // face 11 is divided at the middle of its edge 7-5, face 2 is not
  bad.vertices.emplace_back(1, 0.5, 1);
  bad.triangles[11] = {1, 7, 8};
  bad.triangles.push_back({1, 8, 5});
  expect_defect(bad, "vertex 8 lies inside the edge 5-7 of face 2 (a T-junction)");
  EXPECT_NE(open_mesh_defect(bad).find("T-junction"), std::string::npos);
}

TEST(MeshDefect, FindsOneTJunctionAmongManyEdges) {
  TriangleMesh coarse = sheet(1), fine;
  constexpr int n = 200;  // a strip of small faces along the long edge from (0, 0) to (0, 1)
  for (Vector3& vertex : coarse.vertices) vertex.z() = 0;
  TriangleMesh mesh = coarse;
  const int first = static_cast<int>(mesh.vertices.size());
  for (int i = 0; i <= n; ++i) {
    mesh.vertices.emplace_back(0, static_cast<double>(i) / n, 0);
    mesh.vertices.emplace_back(-1.0 / n, static_cast<double>(i) / n, 0);
  }
  for (int i = 0; i < n; ++i) mesh.triangles.push_back({first + 2 * i, first + 2 * i + 2, first + 2 * i + 1});
  EXPECT_NE(open_mesh_defect(mesh).find("(a T-junction)"), std::string::npos) << open_mesh_defect(mesh);
}

TEST(MeshDefect, NamesWhatEnclosesNothingOrIsInsideOut) {
  TriangleMesh bad = unit_cube();
  for (auto& triangle : bad.triangles) std::swap(triangle[0], triangle[1]);
  expect_defect(bad, "all faces are flipped, they are oriented inwards");
  expect_defect({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}}, "no volume");
}

}  // namespace
}  // namespace percuss
