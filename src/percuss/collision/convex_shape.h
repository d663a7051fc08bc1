#pragma once

#include <vector>

#include <Eigen/Geometry>

#include "percuss/geometry/convex_hull.h"
#include "percuss/math/vector.h"

namespace percuss {

/// A convex surface in the axes of its body: a core and a radius around it. The core is a point (balls), a
/// segment (capsules), a polyhedron or, of bodies that move in the plane, a polygon; only points and segments
/// have a radius. Vertices, edges and faces keep their numbers: contacts are known by them.
struct ConvexShape {
  /// Between two vertices and, of a polyhedron, two faces.
  struct Edge {
    int from = -1, to = -1;
    Vector3 direction;  ///< of unit length, `from` -> `to`
    double length = 0;
    /// Across the edge into the face on its left and on its right, of unit length; zero for a segment. The
    /// edge touches in a direction n if n points into neither: n . into <= 0.
    Vector3 into_left = Vector3::Zero(), into_right = Vector3::Zero();
  };
  struct Face {
    Vector3 normal;  ///< outwards, of unit length
    double offset;   ///< normal . x on the face
    int first,
        count;  ///< its corners in `corners`, counter-clockwise from outside; of a polygon the two of a side
  };

  std::vector<Vector3> vertices;
  std::vector<Edge> edges;
  std::vector<Face> faces;
  std::vector<int> corners;
  /// By places in `corners`: the edge from that corner to the next one of the face, and outwards across it.
  std::vector<int> sides;
  std::vector<Vector3> outwards;
  double radius = 0;
  bool is_planar = false;
  double reach = 0;      ///< of its farthest point from the origin of the axes [m]
  double size = 0;       ///< of its largest extent [m]
  double thickness = 0;  ///< its smallest width [m]

  bool is_point() const { return vertices.size() == 1; }
  bool is_segment() const { return faces.empty() && vertices.size() == 2; }
  bool has_faces() const { return !faces.empty(); }
  const Vector3& vertex(int v) const { return vertices[static_cast<std::size_t>(v)]; }
};

/// The sum of the normals of its two faces. Where these are nearly of the same plane, a direction and its
/// opposite are both near those in which the edge touches: the right one has a part along this.
inline Vector3 outwards(const ConvexShape::Edge& edge) {
  return edge.direction.cross(edge.into_left - edge.into_right);
}

ConvexShape ball_shape(const Vector3& centre, double radius);
ConvexShape capsule_shape(const Vector3& from, const Vector3& to, double radius);
ConvexShape polyhedron_shape(const ConvexPolyhedron& hull, const Vector3& centre);
/// In the plane z = 0 of the axes.
ConvexShape polygon_shape(const ConvexPolygon& hull, const Vector3& centre);

/// The same shape in axes in which its own are turned by R and begin at x; uses the memory of `placed`.
/// Extents stay those in its own axes.
void place(const ConvexShape& shape, const Matrix3& R, const Vector3& x, ConvexShape& placed);
/// The same with the extents from the origin of the new axes.
ConvexShape placed_shape(const ConvexShape& shape, const Matrix3& R, const Vector3& x);

/// How far a point of the plane of a face is outside of it; negative inside [m].
double distance_outside(const ConvexShape& shape, int face, const Vector3& point);

}  // namespace percuss
