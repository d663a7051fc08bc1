#include "percuss/geometry/mesh.h"

#include <cmath>
#include <random>
#include <stdexcept>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "percuss/geometry/box_mesh.h"
#include "percuss/geometry/mesh_facets.h"
#include "percuss/geometry/mesh_report.h"

namespace percuss {
namespace {

using enum CellShape;

const Vector3 box_lower(-1, 2, 0.5), box_size(2, 3, 1.5);

/// Corners of straight cells may be moved and its edges bent as far as no cell folds.
Mesh bent_box(CellShape shape) {
  Mesh mesh = box_mesh(box_lower, box_size, {3, 2, 2}, shape);
  for (Vector3& x : mesh.nodes)
    x += 0.05 * Vector3(std::sin(2 * x.y()), std::cos(3 * x.z() + x.x()), std::sin(x.x() * x.y()));
  return mesh;
}

/// Integral of n over a facet with straight edges, and of x . n / 3.
Vector3 area_vector(const Mesh& mesh, const Facet& facet) {
  Vector3 area = Vector3::Zero();
  for (int i = 0; i < corner_count(facet.shape); ++i)
    area +=
        mesh.nodes[facet.nodes[i]].cross(mesh.nodes[facet.nodes[(i + 1) % corner_count(facet.shape)]]) / 2;
  return area;
}

class BoxMesh : public ::testing::TestWithParam<CellShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, BoxMesh, ::testing::Values(tet4, tet10, hex8, hex20),
                         [](const auto& shape) { return std::string(name_of(shape.param)); });

TEST_P(BoxMesh, FillsTheBox) {
  const Mesh mesh = box_mesh(box_lower, box_size, {3, 2, 4}, GetParam());
  const MeshReport report = mesh_report(mesh);
  EXPECT_NEAR(report.volume, box_size.prod(), 1e-13);
  EXPECT_EQ(report.lower, box_lower);
  EXPECT_EQ(report.upper, Vector3(box_lower + box_size));
  const bool tetrahedra = corner_count(GetParam()) == 4;
  EXPECT_EQ(report.cell_counts, (std::map<CellShape, int>{{GetParam(), tetrahedra ? 144 : 24}}));
  EXPECT_TRUE(report.inverted_cells.empty());
  EXPECT_TRUE(report.unused_nodes.empty());
  EXPECT_TRUE(report.cells_with_repeated_nodes.empty());
  EXPECT_TRUE(report.mixed_orders.empty());
  EXPECT_EQ(report.part_count, 1);
  if (!tetrahedra) {
    EXPECT_NEAR(report.worst_quality, 1, 1e-14);
  }
  const std::map<CellShape, int> nodes = {{tet4, 60}, {hex8, 60}, {tet10, 7 * 5 * 9}, {hex20, 60 + 133}};
  EXPECT_EQ(report.node_count, nodes.at(GetParam()));
  EXPECT_EQ(mesh.node_sets.at("all").size(), mesh.nodes.size());
}

TEST_P(BoxMesh, HasItsSixFacesOutwards) {
  const Mesh mesh = box_mesh(box_lower, box_size, {3, 2, 4}, GetParam());
  std::size_t facets = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (const int sign : {-1, 1}) {
      const std::string name = std::string(1, "xyz"[axis]) + (sign < 0 ? "_min" : "_max");
      Vector3 area = Vector3::Zero();
      for (const Facet& facet : mesh.surfaces.at(name)) {
        EXPECT_GT(sign * area_vector(mesh, facet)[axis], 0) << name;
        EXPECT_GE(facet.cell, 0);
        area += area_vector(mesh, facet);
      }
      EXPECT_NEAR((area - sign * box_size.prod() / box_size[axis] * Vector3::Unit(axis)).norm(), 0, 1e-13);
      const double place = sign < 0 ? box_lower[axis] : box_lower[axis] + box_size[axis];
      for (const int node : mesh.node_sets.at(name)) EXPECT_EQ(mesh.nodes[node][axis], place);
      facets += mesh.surfaces.at(name).size();
    }
  EXPECT_EQ(facets, boundary_facets(mesh).size());
}

TEST_P(BoxMesh, MiddleNodesAreOnTheEdges) {
  const Mesh mesh = box_mesh(box_lower, box_size, {2, 1, 1}, GetParam());
  if (!is_quadratic(GetParam())) return;
  const auto check = [&](CellShape shape, auto node) {
    const auto edges = cell_edges(shape);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Vector3 middle = (mesh.nodes[node(edges[i][0])] + mesh.nodes[node(edges[i][1])]) / 2;
      EXPECT_LT((mesh.nodes[node(corner_count(shape) + static_cast<int>(i))] - middle).norm(), 1e-14);
    }
  };
  for_each_cell(mesh, [&](int, CellShape shape, std::span<const int> nodes) {
    check(shape, [&](int i) { return nodes[static_cast<std::size_t>(i)]; });
  });
  for (const Facet& facet : boundary_facets(mesh)) check(facet.shape, [&](int i) { return facet.nodes[i]; });
}

/// Volumes of curved cells are exact: those of all cells are that of the whole, whose surface is bent as
/// well. The divergence theorem is applied with a fine subdivision of the boundary.
TEST_P(BoxMesh, BentCellsFillTheBentBox) {
  const Mesh mesh = bent_box(GetParam());
  const MeshReport report = mesh_report(mesh);
  EXPECT_TRUE(report.inverted_cells.empty());
  EXPECT_GT(report.worst_quality, 0);
  EXPECT_LT(report.worst_quality, 1);
  double sum = 0;
  for_each_cell(mesh, [&](int, CellShape shape, std::span<const int> nodes) {
    const double volume = cell_volume(mesh, shape, nodes);
    EXPECT_GT(volume, 0);
    sum += volume;
  });
  EXPECT_NEAR(sum, report.volume, 1e-13);
  // A motion of the whole changes nothing, a stretch multiplies the volume.
  Mesh moved = mesh;
  const Matrix3 stretched = Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix() * 2;
  for (Vector3& node : moved.nodes) node = stretched * node + Vector3(5, -7, 9);
  EXPECT_NEAR(mesh_report(moved).volume, 8 * report.volume, 1e-11);
}

/// Straight hexahedra as tetrahedra: a hexahedron with plane faces is the sum of the tetrahedra in it.
TEST(MeshVolume, OfSkewHexahedraIsThatOfTheirTetrahedra) {
  Matrix3 shear;
  shear << 1, 0.3, -0.2, 0.1, 1.5, 0.4, 0, -0.3, 0.8;
  double expected = 0;
  for (const CellShape shape : {tet4, hex8, hex20, tet10}) {
    Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1}, {1, 1, 1}, shape);
    for (Vector3& x : mesh.nodes) {
      x.z() *= 1 + 0.5 * x.x();  // a trapezoid; middle nodes stay in the middle
      x = shear * x;
    }
    const double volume = mesh_report(mesh).volume;
    if (shape == tet4) expected = volume;
    EXPECT_NEAR(volume, expected, 1e-14) << name_of(shape);
  }
  EXPECT_NEAR(expected, 1.25 * shear.determinant(), 1e-14);
}

TEST(MeshVolume, OfAQuadraticBallTendsToThatOfTheBall) {
  for (const CellShape shape : {tet10, hex20}) {
    double previous = 0;
    for (const int divisions : {2, 4, 8}) {
      Mesh mesh = box_mesh({-1, -1, -1}, {2, 2, 2}, {divisions, divisions, divisions}, shape);
      for (Vector3& x : mesh.nodes) {  // each cube around the centre becomes a sphere
        const double radius = x.lpNorm<Eigen::Infinity>();
        if (radius > 0) x *= radius / x.norm();
      }
      const double error = std::abs(mesh_report(mesh).volume - 4 * M_PI / 3);
      if (previous > 0) {
        EXPECT_LT(error, previous / 10) << name_of(shape) << divisions;
      }
      previous = error;
    }
    EXPECT_LT(previous, 3e-3);
  }
}

TEST(RectangleMesh, FillsTheRectangleWithEdgesOutwards) {
  for (const CellShape shape : {quad4, tri3}) {
    const Mesh mesh = rectangle_mesh({1, -2}, {3, 0.5}, {4, 3}, shape);
    const MeshReport report = mesh_report(mesh);
    EXPECT_NEAR(report.volume, 1.5, 1e-14);
    EXPECT_EQ(report.node_count, 20);
    EXPECT_EQ(mesh.cell_count(), shape == quad4 ? 12 : 24);
    EXPECT_TRUE(report.inverted_cells.empty());
    EXPECT_EQ(boundary_facets(mesh).size(), 14u);
    for (const Facet& edge : mesh.surfaces.at("x_max")) {
      const Vector3 along = mesh.nodes[edge.nodes[1]] - mesh.nodes[edge.nodes[0]];
      EXPECT_GT(along.cross(Vector3::UnitZ()).x(), 0);
    }
    EXPECT_FALSE(mesh.surfaces.contains("z_min"));
    EXPECT_EQ(mesh.node_sets.at("y_min").size(), 5u);
  }
}

TEST(GridMeshes, RefuseWhatMakesNoCells) {
  EXPECT_THROW(box_mesh({0, 0, 0}, {1, 0, 1}, {1, 1, 1}, hex8), std::invalid_argument);
  EXPECT_THROW(box_mesh({0, 0, 0}, {1, 1, 1}, {1, 0, 1}, hex8), std::invalid_argument);
  EXPECT_THROW(box_mesh({1e20, 0, 0}, {1, 1, 1}, {1, 1, 1}, hex8), std::invalid_argument);
  EXPECT_THROW(box_mesh({0, 0, 0}, {1, 1, 1}, {100000, 100000, 1}, hex8), std::invalid_argument);
  EXPECT_THROW(box_mesh({0, 0, 0}, {1, 1, NAN}, {1, 1, 1}, hex8), std::invalid_argument);
  EXPECT_THROW(box_mesh({0, 0, 0}, {1, 1, 1}, {1, 1, 1}, quad4), std::invalid_argument);
  EXPECT_THROW(rectangle_mesh({0, 0}, {1, 1}, {1, 1}, hex8), std::invalid_argument);
}

TEST(MeshReport, OfAPerfectTetrahedronAndOneInsideOut) {
  Mesh mesh;
  mesh.nodes = {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}};
  mesh.blocks = {{tet4, {0, 1, 2, 3}}};
  const double quality = mesh_report(mesh).worst_quality;
  EXPECT_NEAR(std::abs(quality), 1, 1e-14);
  std::swap(mesh.blocks[0].nodes[0], mesh.blocks[0].nodes[1]);
  EXPECT_NEAR(mesh_report(mesh).worst_quality, -quality, 1e-14);
  mesh.blocks[0].nodes.insert(mesh.blocks[0].nodes.end(), {0, 1, 2, 3});
  const MeshReport both = mesh_report(mesh);
  EXPECT_EQ(both.inverted_cells.size(), 1u);
  EXPECT_EQ(both.worst_cell, both.inverted_cells[0]);
  EXPECT_NEAR(both.volume, 0, 1e-14);
}

TEST(MeshReport, FindsEachDefect) {
  Mesh mesh = box_mesh({0, 0, 0}, {2, 1, 1}, {2, 1, 1}, hex8);
  const int shift = static_cast<int>(mesh.nodes.size());
  const Mesh far = box_mesh({0, 0, 5}, {1, 1, 1}, {1, 1, 1}, hex8);
  mesh.nodes.insert(mesh.nodes.end(), far.nodes.begin(), far.nodes.end());
  for (const int node : far.blocks[0].nodes) mesh.blocks[0].nodes.push_back(node + shift);
  mesh.nodes.emplace_back(9, 9, 9);
  EXPECT_EQ(mesh_report(mesh).part_count, 2);
  EXPECT_EQ(mesh_report(mesh).unused_nodes, (std::vector<int>{shift + 8}));
  EXPECT_EQ(mesh_report(mesh).upper, Vector3(9, 9, 9));
  std::swap(mesh.blocks[0].nodes[8], mesh.blocks[0].nodes[9]);  // folds the second cell
  mesh.blocks[0].nodes[16] = mesh.blocks[0].nodes[17];
  const MeshReport report = mesh_report(mesh);
  EXPECT_EQ(report.inverted_cells, (std::vector<int>{1, 2}));
  EXPECT_EQ(report.cells_with_repeated_nodes, (std::vector<int>{2}));
  EXPECT_EQ(report.worst_cell, 1);
}

TEST(MeshReport, FindsCellsOnTheSameNodes) {
  Mesh mesh = box_mesh({0, 0, 0}, {3, 1, 1}, {3, 1, 1}, hex8);
  EXPECT_TRUE(mesh_report(mesh).duplicates.empty());
  auto& nodes = mesh.blocks[0].nodes;
  const std::vector<int> turned = {nodes[9],  nodes[10], nodes[11], nodes[8],
                                   nodes[13], nodes[14], nodes[15], nodes[12]};  // of the second cell
  nodes.insert(nodes.end(), turned.begin(), turned.end());
  EXPECT_EQ(mesh_report(mesh).duplicates, (std::vector<std::pair<int, int>>{{1, 3}}));
}

TEST(MeshReport, FindsALinearCellAtAQuadraticOne) {
  Mesh mesh = box_mesh({0, 0, 0}, {2, 1, 1}, {2, 1, 1}, hex20);
  const auto first = mesh.blocks[0].cell(0);
  mesh.blocks.push_back({hex8, {first.begin(), first.begin() + 8}});
  mesh.blocks[0].nodes.erase(mesh.blocks[0].nodes.begin(), mesh.blocks[0].nodes.begin() + 20);
  const MeshReport report = mesh_report(mesh);
  EXPECT_EQ(report.mixed_orders, (std::vector<std::pair<int, int>>{{1, 0}}));
  EXPECT_EQ(report.part_count, 1);
  EXPECT_NEAR(report.volume, 2, 1e-14);
}

TEST(MeshReport, OfNothingIsEmpty) {
  const MeshReport report = mesh_report({});
  EXPECT_EQ(report.worst_cell, -1);
  EXPECT_TRUE(std::isnan(report.worst_quality));
  EXPECT_EQ(report.volume, 0);
}

TEST(MeshFacets, AreTurnedOutwardsAndFoundFromAnyCorner) {
  for (const CellShape shape : {tet4, tet10, hex8, hex20}) {
    const Mesh mesh = box_mesh(box_lower, box_size, {2, 2, 2}, shape);
    const CellSides sides(mesh);
    for (const Facet& facet : boundary_facets(mesh)) {
      Facet turned = facet;
      std::reverse(turned.nodes.begin(), turned.nodes.begin() + corner_count(facet.shape));
      std::rotate(turned.nodes.begin(), turned.nodes.begin() + 1,
                  turned.nodes.begin() + corner_count(facet.shape));
      turned.cell = -1;
      ASSERT_TRUE(attach_to_cell(mesh, sides, turned));
      EXPECT_EQ(turned.nodes, facet.nodes);
      EXPECT_EQ(turned.cell, facet.cell);
    }
    Facet other{tri3, {0, 1, 2}, -1};  // three nodes in a row
    EXPECT_FALSE(attach_to_cell(mesh, sides, other));
    EXPECT_EQ(other.cell, -1);
  }
}

TEST(MeshFacets, CellsOutOfRangeAreRefused) {
  const Mesh mesh = rectangle_mesh({0, 0}, {1, 1}, {1, 1}, quad4);
  EXPECT_THROW(locate_cell(mesh, 1), std::out_of_range);
  EXPECT_THROW(locate_cell(mesh, -1), std::out_of_range);
}

}  // namespace
}  // namespace percuss
