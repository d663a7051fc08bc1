#pragma once

#include <array>

#include "percuss/math/vector.h"

namespace percuss {

// A facet is a triangle, a quadrangle that is bilinear between its corners, or in the plane z = const a
// straight line; it has as many corners. Corners are counter-clockwise seen from outside; the outside of a
// line is on its right.

/// The point of a facet that is closest to another point p. gap = normal . (p - closest point) is the
/// distance, negative behind the surface, and normal is its derivative with respect to p.
struct FacetProjection {
  int facet = -1;  ///< -1: none
  std::array<double, 4>
      weights{};   ///< of the corners, not negative, with sum 1; the closest point is their mean
  double gap = 0;  ///< m
  Vector3 normal = Vector3::Zero();  ///< unit, outwards
  double distance = 0;               ///< of a search: no facet within its reach is closer to p [m]
};

/// Of one facet. Beyond its edges the sign of the gap tells the side of the facet's tangent plane. The z of p
/// does not matter for a line.
FacetProjection project_on_facet(const Vector3& p, const Vector3* corners, int corner_count);

/// The closest point of p, and where on the facet it is.
struct FacetPoint {
  std::array<double, 4> weights{};
  Vector3 point = Vector3::Zero();
  int edge = -1;           ///< from this corner to the next one, without its ends; -1: not on an edge
  int corner = -1;         ///< -1: not in a corner
  bool is_certain = true;  ///< no other point can be closer; strongly warped quadrangles are not searched

  bool is_inside() const { return edge < 0 && corner < 0; }
};
FacetPoint find_closest_point(const Vector3& p, const Vector3* corners, int corner_count);

/// Normal outwards at a point of the facet, as long as the facet is large there; zero where corners coincide
/// so that there is none.
Vector3 facet_area(const Vector3* corners, int corner_count, const std::array<double, 4>& weights);
/// The same with unit length.
Vector3 facet_normal(const Vector3* corners, int corner_count, const std::array<double, 4>& weights);

/// Gap and normal from the closest point. `side` points outwards there; beyond a border the gap is positive.
FacetProjection signed_projection(const Vector3& p, const FacetPoint& closest, const Vector3& side,
                                  bool beyond_border);

}  // namespace percuss
