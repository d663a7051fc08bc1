#include "percuss/collision/facet_tree.h"

#include <limits>
#include <stdexcept>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "support/count_allocations.h"
#include "support/effort.h"
#include "unit/collision/random_surfaces.h"

namespace percuss {
namespace {

using enum CellShape;
using testing::boundary_of;
using testing::bumpy_cube;
using testing::MovingSurface;
using testing::RandomPlaces;
using testing::wavy_polygon;

/// Least distance over all facets, and the facet.
std::pair<double, int> closest_of_all(const MovingSurface& surface, const Vector3& p) {
  std::pair<double, int> best(std::numeric_limits<double>::infinity(), -1);
  for (int facet = 0; facet < std::ssize(surface.facets.nodes); ++facet) {
    const auto corners = surface.corners_of(facet);
    const double gap = project_on_facet(p, corners.data(), static_cast<int>(corners.size())).gap;
    best = std::min(best, std::pair(std::abs(gap), facet));
  }
  return best;
}

FacetTree tree_of(const MovingSurface& surface, double margin = 0.05) {
  FacetTree tree(surface.facets, margin);
  tree.update(surface.points);
  return tree;
}

TEST(FacetTree, FindsWhatATrialOfAllFacetsFinds) {
  for (const CellShape shape : {tet4, hex8}) {
    MovingSurface surface = bumpy_cube(shape, 5, 0.2, 1);
    FacetTree tree = tree_of(surface);
    RandomPlaces random(2);
    for (int trial = 0; trial < testing::repetitions(1000); ++trial) {
      if (trial % 10 == 0) {
        for (Vector3& point : surface.points) point += random.in_cube(0.01);
        tree.update(surface.points);
      }
      const Vector3 p = random.in_cube(1.5);
      const auto [distance, facet] = closest_of_all(surface, p);
      const FacetProjection found = tree.closest(p, 10);
      EXPECT_NEAR(std::abs(found.gap), distance, 1e-14);
      const FacetProjection within = tree.closest(p, 0.3);
      EXPECT_EQ(within.facet >= 0, distance <= 0.3);
      if (within.facet >= 0) {
        EXPECT_EQ(within.facet, found.facet);
      }
    }
    EXPECT_GT(tree.rebuild_count(), 1);
    EXPECT_LT(tree.rebuild_count(), testing::repetitions(1000) / 10);
  }
}

/// Also where facets are left out, and where none is found. For triangles it is the distance itself; the
/// quadrangles here are warped.
TEST(FacetTree, DistanceIsThatOfAllFacetsOrLess) {
  for (const CellShape shape : {tet4, hex8}) {
    const MovingSurface surface = bumpy_cube(shape, 5, 0.2, 3);
    const FacetTree tree = tree_of(surface);
    RandomPlaces random(4);
    for (int trial = 0; trial < testing::repetitions(1000); ++trial) {
      const Vector3 p = random.in_cube(1.5);
      const double reach = random.uniform(0.1, 2), least = std::min(closest_of_all(surface, p).first, reach);
      const double distance = tree.closest(p, reach).distance;
      EXPECT_LE(distance, least + 1e-14);
      if (shape == tet4) {
        EXPECT_NEAR(distance, least, 1e-14);
      }
      const int left_out = random.number(3);
      EXPECT_LE(tree.closest(p, reach, [&](int facet) { return facet % 3 != left_out; }).distance,
                least + 1e-14);
    }
  }
}

/// Newton's method may end at a point that is not the closest of a strongly warped facet: from the first
/// of these places it does.
TEST(FacetTree, DistanceIsNotTooLargeOnAWarpedFacet) {
  const std::vector<Vector3> points = {{-0.0707108, 0.15562, -0.501259},
                                       {1.13786, 0.278614, 1.91772},
                                       {0.760189, 1.17729, -0.168577},
                                       {-0.0383228, 0.931248, 1.63369}};
  FacetTree tree({{{0, 1, 2, 3}}}, 0.05);
  tree.update(points);
  const auto least_on_grid = [&](const Vector3& p) {
    double least = 10;
    constexpr int divisions = 40;
    for (int i = 0; i <= divisions; ++i)
      for (int j = 0; j <= divisions; ++j) {
        const double u = double(i) / divisions, v = double(j) / divisions;
        const Vector3 x = (1 - u) * (1 - v) * points[0] + u * (1 - v) * points[1] + u * v * points[2] +
                          (1 - u) * v * points[3];
        least = std::min(least, (x - p).norm());
      }
    return least;
  };
  const Vector3 misleading(0.353276, 0.650107, 1.26988);
  EXPECT_GT(std::abs(tree.closest(misleading, 10).gap), least_on_grid(misleading) + 0.04);
  RandomPlaces random(5);
  for (int trial = 0; trial < testing::repetitions(300); ++trial) {
    const Vector3 p = misleading + random.in_cube(trial == 0 ? 0 : 1);
    EXPECT_LE(tree.closest(p, 10).distance, least_on_grid(p) + 1e-14);
  }
}

/// Inside or outside of a bumpy body, from the solid angle of its surface as triangles.
bool is_inside(const MovingSurface& surface, const Vector3& p) {
  double angle = 0;
  for (int facet = 0; facet < std::ssize(surface.facets.nodes); ++facet) {
    const auto corners = surface.corners_of(facet);
    for (std::size_t i = 2; i < corners.size(); ++i) {
      const Vector3 a = (corners[0] - p).normalized(), b = (corners[i - 1] - p).normalized(),
                    c = (corners[i] - p).normalized();
      angle += 2 * std::atan2(a.dot(b.cross(c)), 1 + a.dot(b) + b.dot(c) + c.dot(a));
    }
  }
  return angle > 2 * M_PI;
}

TEST(FacetTree, GapIsNegativeInsideAClosedSurface) {
  const MovingSurface surface = bumpy_cube(tet4, 4, 0.3, 3);  // its edges are sharp to both sides
  const FacetTree tree = tree_of(surface);
  RandomPlaces random(4);
  for (int trial = 0; trial < testing::repetitions(1000); ++trial) {
    const Vector3 p = random.in_cube(1.3);
    EXPECT_EQ(tree.closest(p, 10).gap < 0, is_inside(surface, p)) << p.transpose();
  }
}

TEST(FacetTree, GapIsPositiveBesideASharpEdge) {
  // A wedge of 20 degrees: beyond its edge the point is behind the plane of the upper face.
  const double height = std::tan(M_PI / 18);
  Mesh mesh;
  mesh.nodes = {{0, -1, 0},      {0, 1, 0},         {-1, -1, height},
                {-1, 1, height}, {-1, -1, -height}, {-1, 1, -height}};
  MovingSurface wedge{{{{0, 1, 3, 2}, {0, 4, 5, 1}, {2, 3, 5, 4}, {0, 2, 4, -1}, {1, 5, 3, -1}}}, mesh.nodes};
  const FacetTree tree = tree_of(wedge);
  EXPECT_NEAR(tree.closest({0.1, 0, 0}, 1).gap, 0.1, 1e-15);
  EXPECT_NEAR(tree.closest({0.1, 0, 0.001}, 1).gap, std::hypot(0.1, 0.001), 1e-15);
  EXPECT_NEAR(tree.closest({0.1, 0, -0.001}, 1).gap, std::hypot(0.1, 0.001), 1e-15);
  EXPECT_LT(tree.closest({-0.1, 0, 0.001}, 1).gap, 0);
  EXPECT_NEAR(tree.closest({0.1, 1.1, 0}, 1).gap, std::hypot(0.1, 0.1), 1e-15);  // beside its tip
}

TEST(FacetTree, GapIsContinuousAcrossEdges) {
  const double step = 2e-3;
  for (const CellShape shape : {tet4, hex8}) {
    const MovingSurface surface = bumpy_cube(shape, 4, 0.1, 5);
    const FacetTree tree = tree_of(surface);
    for (const double height : {-0.02, -1e-6, 1e-6, 0.02, 0.2}) {
      double before = tree.closest({-1.2, 0.13, 1 + height}, 1).gap;
      for (double x = -1.2 + step; x < 1.2; x += step) {
        const double gap = tree.closest({x, 0.13, 1 + height}, 1).gap;
        ASSERT_LE(std::abs(gap - before), step * (1 + 1e-9)) << name_of(shape) << " " << height << " " << x;
        before = gap;
      }
    }
  }
}

TEST(FacetTree, NormalIsTheDerivativeOfTheGap) {
  const double step = 1e-6;
  for (const CellShape shape : {tet4, hex8}) {
    const MovingSurface surface = bumpy_cube(shape, 3, 0.1, 6);
    const FacetTree tree = tree_of(surface);
    RandomPlaces random(7);
    int checked = 0;
    for (int trial = 0; trial < testing::repetitions(1000); ++trial) {
      const Vector3 p = random.in_cube(1.4);
      const FacetProjection found = tree.closest(p, 10);
      if (std::abs(found.gap) < 0.01 || found.gap < -0.2)
        continue;  // deep inside another facet may be as close
      Vector3 difference;
      bool one_facet = true;
      for (int axis = 0; axis < 3; ++axis) {
        const Vector3 shift = step * Vector3::Unit(axis);
        const FacetProjection right = tree.closest(p + shift, 10), left = tree.closest(p - shift, 10);
        one_facet = one_facet && (found.gap > 0 || (right.facet == found.facet && left.facet == found.facet));
        difference[axis] = (right.gap - left.gap) / (2 * step);
      }
      if (!one_facet) continue;
      EXPECT_LT((difference - found.normal).norm(), 1e-4) << p.transpose();
      ++checked;
    }
    EXPECT_GT(checked, testing::repetitions(1000) / 3);
  }
}

TEST(FacetTree, LinesOfThePlaneAreFoundForAnyZ) {
  const MovingSurface surface = wavy_polygon(60);
  const FacetTree tree = tree_of(surface);
  RandomPlaces random(8);
  for (int trial = 0; trial < testing::repetitions(1000); ++trial) {
    const Vector3 p = random.in_cube(1.5);
    const double angle = std::atan2(p.y(), p.x()), turn = 2 * M_PI / 60;
    const int side = (static_cast<int>(std::floor(angle / turn)) + 60) % 60;
    const auto corners = surface.corners_of(side);
    const Vector3 along = corners[1] - corners[0], to_p = p - corners[0];
    const bool outside = along.x() * to_p.y() - along.y() * to_p.x() < 0;
    const FacetProjection found = tree.closest(p, 10);
    EXPECT_EQ(found.gap > 0, outside);
    EXPECT_EQ(found.normal.z(), 0);
    EXPECT_NEAR(std::abs(found.gap), closest_of_all(surface, p).first, 1e-14);
  }
}

TEST(FacetTree, BeyondTheBorderOfAnOpenSurfaceIsOutside) {
  const Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1}, {3, 3, 1}, hex8);
  MovingSurface top{{}, mesh.nodes};
  for (const Facet& facet : mesh.surfaces.at("z_max"))
    top.facets.nodes.push_back({facet.nodes[0], facet.nodes[1], facet.nodes[2], facet.nodes[3]});
  const FacetTree tree = tree_of(top);
  EXPECT_NEAR(tree.closest({0.5, 0.4, 0.9}, 1).gap, -0.1, 1e-14);
  EXPECT_NEAR(tree.closest({1.0 / 3, 1.0 / 3, 0.9}, 1).gap, -0.1, 1e-14);  // below a node
  EXPECT_NEAR(tree.closest({1.3, 0.4, 0.9}, 1).gap, std::hypot(0.3, 0.1), 1e-14);
  EXPECT_NEAR(tree.closest({1.3, 1.4, 0.9}, 1).gap, std::sqrt(0.09 + 0.16 + 0.01), 1e-14);
  EXPECT_NEAR(tree.closest({1.3, 0.4, 1.1}, 1).gap, std::hypot(0.3, 0.1), 1e-14);
}

TEST(FacetTree, AnswersDoNotDependOnWhenTheTreeWasBuilt) {
  MovingSurface surface = bumpy_cube(hex8, 4, 0, 9);
  FacetTree kept(surface.facets, 10);
  kept.update(surface.points);
  RandomPlaces random(10);
  for (Vector3& point : surface.points) point += 0.1 * random.in_cube() + Vector3(0.3, 0, 0);
  kept.update(surface.points);
  const FacetTree fresh = tree_of(surface, 0);
  EXPECT_EQ(kept.rebuild_count(), 1);
  for (int trial = 0; trial < testing::repetitions(300); ++trial) {
    const Vector3 p = random.in_cube(1.5);
    const FacetProjection a = kept.closest(p, 5), b = fresh.closest(p, 5);
    EXPECT_EQ(a.facet, b.facet);
    EXPECT_EQ(a.gap, b.gap);
    EXPECT_EQ(a.normal, b.normal);
  }
}

/// Points over shared edges and corners, where rounding decides which facet is nearest.
TEST(FacetTree, TiesDoNotDependOnWhenTheTreeWasBuilt) {
  MovingSurface surface = boundary_of(box_mesh({0, 0, 0}, {0.7, 0.7, 0.7}, {7, 7, 7}, hex8));
  const FacetTree fresh = tree_of(surface, 0.01);
  FacetTree kept(surface.facets, 10);
  std::vector<Vector3> elsewhere = surface.points;
  for (Vector3& point : elsewhere) point = Vector3(-point.y(), point.z(), 2 * point.x());
  kept.update(elsewhere);
  kept.update(surface.points);
  EXPECT_EQ(kept.rebuild_count(), 1);
  for (int i = 0; i <= 14; ++i)
    for (int j = 0; j <= 14; ++j)
      for (const double height : {0.7, 0.7 + 1e-9, 0.9}) {
        const Vector3 p(0.05 * i, 0.05 * j, height);
        const FacetProjection a = kept.closest(p, 5), b = fresh.closest(p, 5);
        EXPECT_EQ(a.facet, b.facet) << p.transpose();
        EXPECT_EQ(a.gap, b.gap) << p.transpose();
        for (int likely = (i + j) % 7; likely < 294; likely += 7)
          EXPECT_EQ(fresh
                        .closest(
                            p, 5, [](int) { return true; }, likely)
                        .facet,
                    b.facet)
              << p.transpose();
      }
}

TEST(FacetTree, ALikelyFacetThatIsNotAllowedOrTooFarIsNotFound) {
  const MovingSurface surface = boundary_of(box_mesh({0, 0, 0}, {1, 1, 1}, {4, 4, 4}, hex8));
  const FacetTree tree = tree_of(surface);
  const Vector3 p(0.4, 0.4, 1.1);
  const auto any = [](int) { return true; };
  const int nearest = tree.closest(p, 1).facet;
  const auto but_nearest = [&](int facet) { return facet != nearest; };
  EXPECT_EQ(tree.closest(p, 0.05, any, nearest).facet, -1);
  EXPECT_NE(tree.closest(p, 1, but_nearest, nearest).facet, nearest);
  EXPECT_EQ(tree.closest(p, 1, but_nearest, nearest).facet, tree.closest(p, 1, but_nearest).facet);
}

TEST(FacetTree, BeforeAFacetIsWhatIsNotDeepBehindItsPlane) {
  const MovingSurface surface = boundary_of(box_mesh({0, 0, 0}, {1, 1, 1}, {2, 2, 2}, hex8));
  const FacetTree tree = tree_of(surface);
  const int top = tree.closest({0.3, 0.3, 1.1}, 1).facet;
  EXPECT_TRUE(tree.is_before(top, {5, 5, 1.001}, 0));
  EXPECT_TRUE(tree.is_before(top, {0.3, 0.3, 0.95}, 0.0501));
  EXPECT_FALSE(tree.is_before(top, {0.3, 0.3, 0.95}, 0.0499));
}

TEST(FacetTree, ASurfaceFindsItsOtherSide) {
  // Two plates, 0.1 apart, in one surface: a node of the lower one sees the upper one and not itself.
  MovingSurface plates = boundary_of(box_mesh({0, 0, 0}, {1, 1, 0.2}, {3, 3, 1}, hex8));
  const MovingSurface upper = boundary_of(box_mesh({0, 0, 0.3}, {1, 1, 0.2}, {3, 3, 1}, hex8));
  const int shift = static_cast<int>(plates.points.size());
  for (auto nodes : upper.facets.nodes) {
    for (int& node : nodes) node += shift;
    plates.facets.nodes.push_back(nodes);
  }
  plates.points.insert(plates.points.end(), upper.points.begin(), upper.points.end());
  const FacetTree tree = tree_of(plates);
  for (int node = 0; node < shift; ++node) {
    const Vector3& p = plates.points[static_cast<std::size_t>(node)];
    if (p.z() < 0.1) continue;
    EXPECT_EQ(tree.closest(p, 0.15).gap, 0);
    EXPECT_FALSE(tree.has_node(tree.closest_apart_from(node, p, 0.15).facet, node));
    // Only facets that look at the node can touch it.
    const auto opposite = [&](int facet) {
      std::array<Vector3, 4> corners;
      for (std::size_t k = 0; k < 4; ++k)
        corners[k] = plates.points[static_cast<std::size_t>(plates.facets.nodes[facet][k])];
      return !tree.has_node(facet, node) &&
             facet_normal(corners.data(), 4, {0.25, 0.25, 0.25, 0.25}).z() < -0.5;
    };
    const FacetProjection found = tree.closest(p, 0.15, opposite);
    ASSERT_GE(found.facet, 0);
    EXPECT_NEAR(found.gap, 0.1, 1e-15);
    EXPECT_NEAR((found.normal - Vector3(0, 0, -1)).norm(), 0, 1e-12);
  }
}

TEST(FacetTree, SearchingAllocatesNothing) {
  const MovingSurface surface = bumpy_cube(hex8, 6, 0.1, 11);
  const FacetTree tree = tree_of(surface);
  RandomPlaces random(12);
  const long before = allocation_count();
  double sum = 0;
  for (int trial = 0; trial < 100; ++trial) sum += tree.closest_apart_from(3, random.in_cube(1.3), 2).gap;
  EXPECT_EQ(allocation_count(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(FacetTree, OfOneFacetOrNone) {
  const MovingSurface one{{{{0, 1, 2, -1}}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  EXPECT_EQ(tree_of(one).closest({0.25, 0.25, -0.5}, 1).gap, -0.5);
  EXPECT_EQ(tree_of(one).closest({0.25, 0.25, -0.5}, 0.4).facet, -1);
  EXPECT_EQ(tree_of(MovingSurface()).closest({0, 0, 0}, 1).facet, -1);
  EXPECT_EQ(FacetTree(one.facets, 0).closest({0, 0, 0}, 1).facet,
            -1);  // nobody has said where the points are
}

TEST(FacetTree, RefusesFacetsThatAreNone) {
  using Nodes = std::vector<std::array<int, 4>>;
  for (const Nodes& nodes : {Nodes{{0, -1, -1, -1}}, Nodes{{0, 1, -1, 2}}, Nodes{{0, -2, 1, 2}},
                             Nodes{{0, 1, 2, -1}, {0, 1, -1, -1}}})
    EXPECT_THROW(FacetTree({nodes}, 0), std::invalid_argument);
  EXPECT_THROW(FacetTree({{{0, 1, 2, -1}}}, -1), std::invalid_argument);
  FacetTree tree({{{0, 1, 2, -1}}}, 0);
  EXPECT_THROW(tree.update({{0, 0, 0}, {1, 0, 0}}), std::invalid_argument);
  EXPECT_THROW(tree.update({{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}}), std::invalid_argument);
}

}  // namespace
}  // namespace percuss
