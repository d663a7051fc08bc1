#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include <Eigen/Geometry>

#include "percuss/collision/feature.h"
#include "percuss/geometry/convex_hull.h"
#include "percuss/math/vector.h"

namespace percuss {

/// A convex surface in the axes of its body: a core and a radius around it. The core is a point (balls), a
/// segment (capsules), a polyhedron or, of bodies that move in the plane, a polygon; only points and segments
/// have a radius. Or it is curved: a cylinder has rims as curves, its ends as faces and its side as an edge
/// with a radius; a cone its rim and its side as curves, its base as a face and its apex as a vertex; an
/// ellipsoid is one curve. Vertices, edges, faces and curves keep their numbers: contacts are known by them.
struct ConvexShape {
  /// Between two vertices and, of a polyhedron, two faces; or the side of a cylinder.
  struct Edge {
    int from = -1, to = -1;
    Vector3 direction;  ///< of unit length, `from` -> `to`
    double length = 0;
    /// Across the edge into the face on its left and on its right, of unit length; zero for a segment. The
    /// edge touches in a direction n if n points into neither: n . into <= 0.
    Vector3 into_left = Vector3::Zero(), into_right = Vector3::Zero();
    double radius = 0;          ///< of the side of a cylinder around this line
    int left = -1, right = -1;  ///< faces of a polyhedron
  };
  struct Face {
    Vector3 normal;  ///< outwards, of unit length
    double offset;   ///< normal . x on the face
    int first,
        count;  ///< its corners in `corners`, counter-clockwise from outside; of a polygon the two of a side
    int rim = -1;  ///< the circle around the end of a cylinder or the base of a cone, which has no corners
  };

  std::vector<Vector3> vertices;
  std::vector<Edge> edges;
  std::vector<Face> faces;
  std::vector<int> corners;
  /// By places in `corners`: the edge from that corner to the next one of the face, and outwards across it.
  std::vector<int> sides;
  std::vector<Vector3> outwards;
  std::vector<Feature> curves;
  /// Of a curved shape the vertices before the first corner only carry its axis; those from the first mark on
  /// are points of its rims, on which it stands.
  int first_corner = 0, first_mark = std::numeric_limits<int>::max();
  double radius = 0;
  bool is_planar = false;
  double reach = 0;         ///< of its farthest point from the origin of the axes [m]
  double size = 0;          ///< of its largest extent [m]
  double thickness = 0;     ///< its smallest width [m]
  Eigen::AlignedBox3d box;  ///< around it, in its own axes; empty if nobody measured it
  /// If it is that box: its faces towards -x, +x, -y and so on, and its edges as BoxAxes counts them.
  struct OfBox {
    std::array<int, 6> faces;
    std::array<int, 12> edges;
  };
  std::optional<OfBox> of_box;
  bool is_point() const { return vertices.size() == 1; }
  bool is_segment() const { return faces.empty() && vertices.size() == 2; }
  bool has_faces() const { return !faces.empty(); }
  bool is_curved() const { return !curves.empty(); }
  /// A ball or capsule.
  bool is_rounded_core() const { return !has_faces() && !is_curved(); }
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
/// A line without width in that plane, as a polygon of two sides. What is on which of them depends on the
/// other shape alone, whose thickness counts: its own is endless.
ConvexShape segment_shape(const Vector2& from, const Vector2& to, const Vector3& centre);

/// Points of each rim that are vertices. Three carry what stands without a choice: rounding cannot unload
/// one.
inline constexpr int marks_of_rim = 3;

/// Their axis is z, and `centre` is where the origin of the body's axes stands in theirs, as in shape.h.
ConvexShape cylinder_shape(double radius, double length, const Vector3& centre);
ConvexShape cone_shape(double radius, double height, const Vector3& centre);
ConvexShape ellipsoid_shape(const Vector3& half_axes, const Vector3& centre);

int count_of(const ConvexShape& shape, FeatureType type);
/// One of its features; curves of all types are numbered together.
Feature feature_of(const ConvexShape& shape, FeatureType type, int number);
/// Support function: how far it reaches along a direction [m].
double extent(const ConvexShape& shape, const Vector3& n);
Eigen::AlignedBox3d box_around(const ConvexShape& shape);
/// Whether a point is in a shape with faces or curves, or outside by no more than a margin.
bool contains(const ConvexShape& shape, const Vector3& point, double margin);

/// The same shape in axes in which its own are turned by R and begin at x; uses the memory of `placed`.
/// Extents stay those in its own axes.
void place(const ConvexShape& shape, const Matrix3& R, const Vector3& x, ConvexShape& placed);
/// In two parts: what tells how far shapes are apart along normals of faces, and the rest.
void place_faces(const ConvexShape& shape, const Matrix3& R, const Vector3& x, ConvexShape& placed);
void place_edges(const ConvexShape& shape, const Matrix3& R, const Vector3& x, ConvexShape& placed);
ConvexShape::Edge turned(ConvexShape::Edge edge, const Matrix3& R);
/// The same with the extents from the origin of the new axes.
ConvexShape placed_shape(const ConvexShape& shape, const Matrix3& R, const Vector3& x);

/// How far a point of the plane of a face is outside of it; negative inside [m].
double distance_outside(const ConvexShape& shape, int face, const Vector3& point);

}  // namespace percuss
