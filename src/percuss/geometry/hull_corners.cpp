#include "percuss/geometry/hull_corners.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "percuss/geometry/convex_hull.h"

namespace percuss {
namespace {

/// Of the point that is farthest in each of many directions, all over the sphere.
std::vector<Vector3> extreme_points(const std::vector<Vector3>& points) {
  constexpr int directions = 150;
  std::vector<Vector3> extremes;
  for (int i = 0; i < directions; ++i) {
    const double z = 1 - (2 * i + 1.0) / directions, r = std::sqrt(1 - z * z), turn = i * std::numbers::phi;
    const double angle = 2 * std::numbers::pi * (turn - std::floor(turn));
    const Vector3 direction(r * std::cos(angle), r * std::sin(angle), z);
    extremes.push_back(
        *std::ranges::max_element(points, {}, [&](const Vector3& p) { return direction.dot(p); }));
  }
  return extremes;
}

/// What is not well inside of the hull of a few of the points.
std::vector<Vector3> possible_corners(const std::vector<Vector3>& points) {
  ConvexPolyhedron inner;
  try {
    inner = convex_hull(extreme_points(points));
  } catch (const std::invalid_argument&) {  // flat: let the hull of all of them say so
    return points;
  }
  double extent = 0;
  for (const Vector3& vertex : inner.vertices)
    extent = std::max(extent, (vertex - inner.vertices[0]).lpNorm<Eigen::Infinity>());
  std::vector<Vector3> outer;
  for (const Vector3& point : points)
    if (std::ranges::any_of(inner.faces, [&](const Face& face) {
          return face.normal.dot(point) > face.offset - 1e-6 * extent;
        }))
      outer.push_back(point);
  return outer;
}

}  // namespace

std::vector<Vector3> hull_corners(const std::vector<Vector3>& points) {
  constexpr std::size_t few = 1000;
  if (!std::ranges::all_of(points, [](const Vector3& p) { return p.allFinite(); }) || points.size() <= few)
    return convex_hull(points).vertices;
  const auto outer = possible_corners(points);
  if (outer.size() > most_hull_points)
    throw std::invalid_argument(
        fmt::format("convex hull: {} points may be corners, at most {} can be; give fewer points",
                    outer.size(), most_hull_points));
  return convex_hull(outer).vertices;
}

}  // namespace percuss
