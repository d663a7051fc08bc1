#include "percuss/geometry/polygon.h"

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "percuss/geometry/mass_properties.h"

namespace percuss {
namespace {

/// Random radii at rising angles: few corners are convex.
std::vector<Vector2> star(std::mt19937& random, int corners) {
  std::uniform_real_distribution<double> radius(0.2, 1);
  std::vector<Vector2> points;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    points.emplace_back(radius(random) * Vector2(std::cos(angle), std::sin(angle)) + Vector2(3, -2));
  }
  return points;
}

/// A snake of two spirals with `turns` turns.
std::vector<Vector2> spiral(int turns) {
  std::vector<Vector2> there, back;
  for (int i = 0; i <= 16 * turns; ++i) {
    const double angle = std::numbers::pi / 8 * i;
    there.emplace_back((1 + 0.1 * angle) * Vector2(std::cos(angle), std::sin(angle)));
    back.emplace_back((1.3 + 0.1 * angle) * Vector2(std::cos(angle), std::sin(angle)));
  }
  back.insert(back.end(), there.rbegin(), there.rend());
  return back;
}

void expect_covered(const std::vector<Vector2>& corners) {
  ASSERT_EQ(polygon_defect(corners), "");
  const auto triangles = triangulate(corners);
  ASSERT_EQ(triangles.size(), corners.size() - 2);
  double area = 0;
  for (const auto& [a, b, c] : triangles) {
    const double part = signed_area(
        {corners[static_cast<size_t>(a)], corners[static_cast<size_t>(b)], corners[static_cast<size_t>(c)]});
    EXPECT_GT(part, 0);
    area += part;
  }
  EXPECT_NEAR(area, signed_area(corners), 1e-14 * static_cast<double>(corners.size()));
}

/// Triangles that turn the right way and sum to the area cover a polygon once.
TEST(Polygon, IsCutIntoTriangles) {
  std::mt19937 random(1);
  for (int corners = 3; corners < 60; ++corners) expect_covered(star(random, corners));
  expect_covered(star(random, 1000));
  expect_covered(tidy_polygon(spiral(2)));
}

/// The solid over a region: mass, centre and inertia by Green's formulas of the region and of a rod.
TEST(Polygon, MakesAPrismWithTheMassOfItsRegion) {
  std::mt19937 random(2);
  constexpr double depth = 0.3;
  for (int k = 0; k < 20; ++k) {
    const auto corners = star(random, 10 + k);
    const PlanarMassProperties plane = mass_properties_of_polygon(corners);
    const MassProperties solid = mass_properties_of_mesh(prism_mesh(corners, depth));  // no defect
    EXPECT_NEAR(solid.volume, depth * plane.area, 1e-14);
    EXPECT_LT((solid.centre - Vector3(plane.centre.x(), plane.centre.y(), 0)).norm(), 1e-14);
    EXPECT_NEAR(solid.inertia(2, 2), depth * plane.polar_inertia, 1e-14);
    EXPECT_NEAR(solid.inertia(0, 0) + solid.inertia(1, 1) - solid.inertia(2, 2),
                solid.volume * depth * depth / 6, 1e-14);
  }
}

TEST(Polygon, TidyingChangesNoRegion) {
  const std::vector<Vector2> square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  EXPECT_EQ(tidy_polygon(square), square);
  EXPECT_EQ(tidy_polygon({{0, 0}, {0.5, 0}, {1, 0}, {1, 0.2}, {1, 0.7}, {1, 1}, {0, 1}, {0, 0.4}}), square);
  EXPECT_EQ(tidy_polygon({{0, 1}, {1, 1}, {1, 0}, {0, 0}}), square);  // clockwise
}

TEST(Polygon, DefectsAreNamedWithTheirCorners) {
  EXPECT_EQ(polygon_defect({{0, 0}, {1, 0}}), "2 corners bound no area; give at least 3");
  EXPECT_EQ(polygon_defect({{0, 0}, {1, 0}, {2, 0}, {0.5, 0}}), "it has no area: its corners lie on a line");
  EXPECT_EQ(polygon_defect({{0, 0}, {1, 0}, {1, 0}, {0, 1}}),
            "the corners 1 and 2 are both at [1, 0]; leave one out");
  EXPECT_EQ(polygon_defect({{0, 0}, {1, 0}, {0, 1}, {0, 0}}),
            "the corners 3 and 0 are both at [0, 0]; leave one out: the outline closes by itself");
  EXPECT_EQ(polygon_defect({{0, 0}, {2, 0}, {1, 0}, {1, 1}}),
            "at corner 1 at [2, 0] the outline turns back onto itself");
  EXPECT_EQ(polygon_defect({{0, 0}, {1, 1}, {1, 0}, {0, 1}}),
            "the edges from corner 0 at [0, 0] to 1 and from corner 2 at [1, 0] to 3 cross or touch");
  EXPECT_EQ(polygon_defect({{0, 0}, {2, 0}, {2, 1}, {1, 0}, {0, 1}}),  // a corner on an edge
            "the edges from corner 0 at [0, 0] to 1 and from corner 2 at [2, 1] to 3 cross or touch");
  std::mt19937 random(3);
  EXPECT_EQ(polygon_defect(star(random, 10'001)), "10001 corners are too many; give at most 10000");
  EXPECT_EQ(polygon_defect({{0, 0}, {1, 0}, {0, std::nan("")}}), "corner 2 is not finite");
}

}  // namespace
}  // namespace percuss
