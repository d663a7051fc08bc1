#include "percuss/collision/open_distance.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace percuss {
namespace {

/// From the vertices, edges and faces of a shape that the point is outside of.
double from_point(const Vector3& point, const ConvexShape& shape) {
  double closest = std::numeric_limits<double>::infinity();
  for (const Vector3& vertex : shape.vertices) closest = std::min(closest, (point - vertex).norm());
  for (const auto& edge : shape.edges) {
    const Vector3 away = point - shape.vertex(edge.from);
    const double s = edge.direction.dot(away);
    if (s > 0 && s < edge.length) closest = std::min(closest, (away - s * edge.direction).norm());
  }
  for (int f = 0; f < static_cast<int>(shape.faces.size()); ++f) {
    const auto& face = shape.faces[static_cast<std::size_t>(f)];
    const double height = face.normal.dot(point) - face.offset;
    if (height > 0 && height < closest && distance_outside(shape, f, point) <= 0) closest = height;
  }
  return closest;
}

/// Of two edges whose closest points are inside of both; else their ends tell more.
double between_edges(const ConvexShape& a, const ConvexShape::Edge& edge_a, const ConvexShape& b,
                     const ConvexShape::Edge& edge_b) {
  const Vector3 apart = b.vertex(edge_b.from) - a.vertex(edge_a.from);
  const double cosine = edge_a.direction.dot(edge_b.direction), sine2 = 1 - cosine * cosine;
  const double on_a = apart.dot(edge_a.direction), on_b = apart.dot(edge_b.direction);
  const double s = (on_a - cosine * on_b) / sine2, t = (cosine * on_a - on_b) / sine2;
  const bool is_inside = s > 0 && s < edge_a.length && t > 0 && t < edge_b.length;  // not if parallel
  return is_inside ? (apart + t * edge_b.direction - s * edge_a.direction).norm()
                   : std::numeric_limits<double>::infinity();
}

}  // namespace

double open_distance(const ConvexShape& a, const ConvexShape& b) {
  double closest = std::numeric_limits<double>::infinity();
  for (const Vector3& vertex : a.vertices) closest = std::min(closest, from_point(vertex, b));
  for (const Vector3& vertex : b.vertices) closest = std::min(closest, from_point(vertex, a));
  for (const auto& edge_a : a.edges)
    for (const auto& edge_b : b.edges) closest = std::min(closest, between_edges(a, edge_a, b, edge_b));
  return closest - a.radius - b.radius;
}

}  // namespace percuss
