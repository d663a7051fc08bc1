#pragma once

#include <optional>
#include <vector>

#include "percuss/contacts/assembly.h"
#include "percuss/geometry/convex_hull.h"

namespace percuss {

/// A point of a body that can touch, with the sphere around it.
struct ContactPoint {
  std::string name;  ///< `brick.corner1`; the body's own name if it has only one
  Vector3 local;     ///< in body axes, from the centre of mass
  double radius;
  int body = -1;  ///< of the system: a node of a flexible body
};

/// What of a body touches: corners of boxes and polyhedra, centres of spheres and capsule ends. Empty for a
/// body without shape, or with a shape whose contact is not available. `centre` is BodyData::shape_centre.
std::vector<ContactPoint> contact_points(const Body& body, const Vector3& centre);
/// Of a shape with corners.
std::optional<ConvexPolyhedron> hull_of(const SimpleShape& shape);
std::optional<ConvexPolygon> hull_of(const PlanarShape& shape);
/// The faces of a convex body; of a planar one the edges. Empty if it is round or has no shape.
std::vector<ConvexFace> convex_faces(const Body& body, const Vector3& centre);

/// The smallest width of a rigid shape [m]; infinite for a body without shape.
double thickness(const Body& body, const Vector3& centre);

}  // namespace percuss
