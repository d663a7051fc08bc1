#pragma once

#include <vector>

#include "percuss/math/vector.h"

namespace percuss {

using Vector2 = Eigen::Vector2d;

/// Flat face in the plane { x : normal . x = offset } with the unit normal outwards.
struct Face {
  std::vector<int> vertices;  ///< counter-clockwise seen from outside
  Vector3 normal;
  double offset;  ///< the largest normal . vertex of the polyhedron, so that no vertex is outside
};

/// Every vertex belongs to three faces or more, every edge to two: V - E + F = 2.
struct ConvexPolyhedron {
  std::vector<Vector3> vertices;
  std::vector<Face> faces;
};

struct ConvexPolygon {
  std::vector<Vector2> vertices;  ///< counter-clockwise, no three on a line
};

/// Relative to the largest half side of the bounding box: what differs by less is the same point, line or
/// plane. A body must be ten times as thick.
inline constexpr double hull_tolerance = 1e-9;

/// Hull of points in any order; its vertices are points of the list, in the order of the list. Points inside
/// it, inside a face or inside an edge are left out. O(n^2). No point is outside by more than a few
/// tolerances, and faces are flat up to the tolerance. Only where points are noisy by about the tolerance,
/// slivers remain whose planes rounding leaves uncertain by 1e-6 of the extent. Throws std::invalid_argument
/// if a coordinate is not finite or the points do not span space.
ConvexPolyhedron convex_hull(const std::vector<Vector3>& points);

/// The same in the plane.
ConvexPolygon planar_convex_hull(const std::vector<Vector2>& points);

}  // namespace percuss
