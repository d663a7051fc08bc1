#include "percuss/collision/facet_projection.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "support/effort.h"
#include "unit/collision/random_surfaces.h"

namespace percuss {
namespace {

using testing::RandomPlaces;

/// A square, warped and skewed so that it stays bilinear and not too crooked; or part of it.
std::vector<Vector3> random_corners(int count, RandomPlaces& random) {
  std::vector<Vector3> corners = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  for (Vector3& corner : corners) corner += random.in_cube(0.25);
  corners.resize(static_cast<std::size_t>(count));
  const Matrix3 R = Eigen::AngleAxisd(random.uniform(0, 3), random.in_cube().normalized()).toRotationMatrix();
  for (Vector3& corner : corners) {
    corner = (R * corner).eval();
    if (count == 2) corner.z() = 0.5;
  }
  return corners;
}

Vector3 closest_point_of(const std::vector<Vector3>& corners, const FacetProjection& projection) {
  Vector3 closest = Vector3::Zero();
  for (std::size_t i = 0; i < corners.size(); ++i) closest += projection.weights[i] * corners[i];
  return closest;
}

FacetProjection project(const Vector3& p, const std::vector<Vector3>& corners) {
  return project_on_facet(p, corners.data(), static_cast<int>(corners.size()));
}

/// A point of the facet; u and v in [0, 1].
Vector3 point_at(const std::vector<Vector3>& corners, double u, double v) {
  if (corners.size() == 2) return (1 - u) * corners[0] + u * corners[1];
  if (corners.size() == 3)
    return corners[0] + u * (1 - v) * (corners[1] - corners[0]) + u * v * (corners[2] - corners[0]);
  return (1 - u) * (1 - v) * corners[0] + u * (1 - v) * corners[1] + u * v * corners[2] +
         (1 - u) * v * corners[3];
}

TEST(FacetProjection, NoPointOfTheFacetIsCloser) {
  RandomPlaces random(1);
  for (const int count : {2, 3, 4})
    for (int trial = 0; trial < testing::repetitions(500); ++trial) {
      const auto corners = random_corners(count, random);
      Vector3 p = corners[0] + random.in_cube(trial % 2 ? 2 : 0.3);
      if (count == 2) p.z() = 0.5;
      const FacetProjection projection = project(p, corners);
      double sum = 0;
      for (const double weight : projection.weights) {
        EXPECT_GE(weight, 0);
        sum += weight;
      }
      EXPECT_NEAR(sum, 1, 1e-14);
      const Vector3 closest = closest_point_of(corners, projection);
      EXPECT_NEAR(std::abs(projection.gap), (p - closest).norm(), 1e-13) << count;
      EXPECT_NEAR(projection.normal.norm(), 1, 1e-14);
      EXPECT_NEAR(projection.gap, projection.normal.dot(p - closest), 1e-13);
      double least = 1e9;
      for (int i = 0; i <= 20; ++i)
        for (int j = 0; j <= 20; ++j)
          least = std::min(least, (point_at(corners, i / 20.0, j / 20.0) - p).norm());
      EXPECT_LE(std::abs(projection.gap), least + 1e-13) << count << " corners, trial " << trial;
    }
}

TEST(FacetProjection, PointsOnTheNormalReturnToTheClosestPoint) {
  RandomPlaces random(2);
  for (const int count : {2, 3, 4})
    for (int trial = 0; trial < testing::repetitions(1000); ++trial) {
      const auto corners = random_corners(count, random);
      const double u = random.uniform(0.01, 0.99), v = random.uniform(0.01, 0.99),
                   gap = random.uniform(-0.2, 0.2);
      const FacetProjection on_it = project(point_at(corners, u, v), corners);
      EXPECT_NEAR(on_it.gap, 0, 1e-14);
      const FacetProjection above = project(point_at(corners, u, v) + gap * on_it.normal, corners);
      EXPECT_NEAR(above.gap, gap, 1e-13);
      EXPECT_LT((above.normal - on_it.normal).norm(), 1e-7);
      for (int i = 0; i < 4; ++i) EXPECT_NEAR(above.weights[i], on_it.weights[i], 1e-7);
    }
}

TEST(FacetProjection, NormalIsTheDerivativeOfTheGap) {
  RandomPlaces random(3);
  const double step = 1e-6;
  for (const int count : {2, 3, 4})
    for (int trial = 0; trial < testing::repetitions(1000); ++trial) {
      const auto corners = random_corners(count, random);
      const Vector3 inside = point_at(corners, random.uniform(0.1, 0.9), random.uniform(0.1, 0.9));
      const Vector3 p = inside + random.uniform(-0.05, 0.05) * project(inside, corners).normal;
      const FacetProjection projection = project(p, corners);
      for (int axis = 0; axis < (count == 2 ? 2 : 3); ++axis) {
        const Vector3 shift = step * Vector3::Unit(axis);
        const double difference =
            (project(p + shift, corners).gap - project(p - shift, corners).gap) / (2 * step);
        EXPECT_NEAR(difference, projection.normal[axis], 1e-8) << count;
      }
    }
}

TEST(FacetProjection, SideIsThatOfTheOrder) {
  const std::vector<Vector3> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  EXPECT_EQ(project({0.5, 0.25, 2}, square).gap, 2);
  EXPECT_EQ(project({0.5, 0.25, -2}, square).gap, -2);
  EXPECT_EQ(project({0.5, 0.25, -2}, square).normal, Vector3(0, 0, 1));
  const std::vector<Vector3> triangle = {square[0], square[1], square[2]};
  EXPECT_EQ(project({0.75, 0.25, -1}, triangle).gap, -1);
  const std::vector<Vector3> line = {{0, 0, 7}, {0, 2, 7}};
  EXPECT_EQ(project({0.5, 1, -3}, line).gap, 0.5);  // on the right
  EXPECT_EQ(project({-0.5, 1, 7}, line).gap, -0.5);
  EXPECT_EQ(project({-0.5, 1, 7}, line).normal, Vector3(1, 0, 0));
}

TEST(FacetProjection, FacetsWithoutAreaHaveAClosestPointToo) {
  const Vector3 p(0.25, 1, 0);
  const std::vector<Vector3> needle = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}}, speck(4, Vector3(1, 1, 1));
  EXPECT_NEAR(project(p, needle).gap, 1, 1e-15);
  EXPECT_NEAR(project(p, speck).gap, (p - speck[0]).norm(), 1e-15);
  EXPECT_NEAR(project(speck[0], speck).normal.norm(), 1, 1e-15);
  const std::vector<Vector3> folded = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 0}};
  EXPECT_NEAR(project({0.75, 0.25, 0.5}, folded).gap, 0.5, 1e-12);
}

}  // namespace
}  // namespace percuss
