#include "percuss/collision/convex_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <Eigen/Geometry>

namespace percuss {
namespace {

/// The thickness of a curved shape is known from the beginning.
ConvexShape measured_curved(ConvexShape shape) {
  for (const Vector3& vertex : shape.vertices) shape.reach = std::max(shape.reach, vertex.norm());
  for (const Feature& curve : shape.curves) {
    const double along = curve.point.dot(curve.direction);
    const Vector3 across = curve.point - along * curve.direction;
    if (curve.type == FeatureType::circle)
      shape.reach = std::max(shape.reach, std::hypot(along, across.norm() + curve.radius));
    if (curve.type == FeatureType::ellipsoid)
      shape.reach = curve.point.norm() + curve.half_axes.colwise().norm().maxCoeff();
  }
  Vector3 widths;
  for (int i = 0; i < 3; ++i) widths[i] = extent(shape, Vector3::Unit(i)) + extent(shape, -Vector3::Unit(i));
  shape.size = widths.norm();
  shape.box = box_around(shape);
  return shape;
}

/// Nothing if it is no box along its axes.
std::optional<ConvexShape::OfBox> features_of_box(const ConvexShape& shape) {
  if (shape.is_planar || shape.vertices.size() != 8 || shape.faces.size() != 6) return {};
  ConvexShape::OfBox box{};
  for (int f = 0; f < 6; ++f) {
    const Vector3& normal = shape.faces[static_cast<std::size_t>(f)].normal;
    int axis = 0;
    normal.cwiseAbs().maxCoeff(&axis);
    if (std::abs(normal[axis]) != 1) return {};
    box.faces[static_cast<std::size_t>(2 * axis + (normal[axis] > 0))] = f;
  }
  for (int e = 0; e < static_cast<int>(shape.edges.size()); ++e) {
    const auto& edge = shape.edges[static_cast<std::size_t>(e)];
    int axis = 0;
    edge.direction.cwiseAbs().maxCoeff(&axis);
    const Vector3 place = shape.vertex(edge.from) - shape.box.center();
    box.edges[static_cast<std::size_t>(4 * axis + (place[(axis + 1) % 3] > 0) +
                                       2 * (place[(axis + 2) % 3] > 0))] = e;
  }
  return box;
}

/// Extents follow from vertices and faces.
ConvexShape measured(ConvexShape shape) {
  shape.reach = 0;
  if (shape.is_curved()) return measured_curved(std::move(shape));
  Vector3 lower = shape.vertex(0), upper = lower;
  for (const Vector3& vertex : shape.vertices) {
    shape.reach = std::max(shape.reach, vertex.norm() + shape.radius);
    lower = lower.cwiseMin(vertex);
    upper = upper.cwiseMax(vertex);
  }
  shape.size = (upper - lower).norm() + 2 * shape.radius;
  const Vector3 around = Vector3::Constant(shape.radius);
  shape.box = {lower - around, upper + around};
  shape.of_box = features_of_box(shape);
  shape.thickness = shape.has_faces() ? std::numeric_limits<double>::infinity() : 2 * shape.radius;
  for (const auto& face : shape.faces) {
    double depth = 0;
    for (const Vector3& vertex : shape.vertices)
      depth = std::max(depth, face.offset - face.normal.dot(vertex));
    shape.thickness = std::min(shape.thickness, depth);
  }
  return shape;
}

ConvexShape::Edge edge_between(const ConvexShape& shape, int from, int to) {
  const Vector3 along = shape.vertex(to) - shape.vertex(from);
  ConvexShape::Edge edge;
  edge.from = from;
  edge.to = to;
  edge.length = along.norm();
  edge.direction = along / edge.length;
  return edge;
}

}  // namespace

ConvexShape ball_shape(const Vector3& centre, double radius) {
  ConvexShape shape;
  shape.vertices = {centre};
  shape.radius = radius;
  return measured(std::move(shape));
}

ConvexShape capsule_shape(const Vector3& from, const Vector3& to, double radius) {
  ConvexShape shape;
  shape.vertices = {from, to};
  shape.edges = {edge_between(shape, 0, 1)};
  shape.radius = radius;
  return measured(std::move(shape));
}

ConvexShape polyhedron_shape(const ConvexPolyhedron& hull, const Vector3& centre) {
  ConvexShape shape;
  for (const Vector3& vertex : hull.vertices) shape.vertices.push_back(vertex - centre);
  std::map<std::pair<int, int>, int> known;
  for (const auto& face : hull.faces) {
    const int first = static_cast<int>(shape.corners.size()), count = static_cast<int>(face.vertices.size());
    shape.faces.push_back({face.normal, face.offset - face.normal.dot(centre), first, count});
    for (int k = 0; k < count; ++k) {
      const int from = face.vertices[static_cast<std::size_t>(k)];
      const int to = face.vertices[static_cast<std::size_t>((k + 1) % count)];
      shape.corners.push_back(from);
      const auto [place, is_new] = known.emplace(std::minmax(from, to), static_cast<int>(shape.edges.size()));
      if (is_new) shape.edges.push_back(edge_between(shape, from, to));
      auto& edge = shape.edges[static_cast<std::size_t>(place->second)];
      // Seen from outside a face lies on the left of its own round.
      const bool is_left = edge.from == from;
      const Vector3 outward = (is_left ? 1.0 : -1.0) * edge.direction.cross(face.normal);
      (is_left ? edge.into_left : edge.into_right) = -outward;
      (is_left ? edge.left : edge.right) = static_cast<int>(shape.faces.size()) - 1;
      shape.sides.push_back(place->second);
      shape.outwards.push_back(outward);
    }
  }
  return measured(std::move(shape));
}

ConvexShape polygon_shape(const ConvexPolygon& hull, const Vector3& centre) {
  ConvexShape shape;
  shape.is_planar = true;
  const int count = static_cast<int>(hull.vertices.size());
  for (const Vector2& vertex : hull.vertices)
    shape.vertices.emplace_back(vertex.x() - centre.x(), vertex.y() - centre.y(), 0);
  for (int k = 0; k < count; ++k) {
    const int next = (k + 1) % count;
    const Vector3 along = (shape.vertex(next) - shape.vertex(k)).normalized();
    const Vector3 normal(along.y(), -along.x(), 0);
    shape.faces.push_back({normal, normal.dot(shape.vertex(k)), 2 * k, 2});
    shape.corners.insert(shape.corners.end(), {k, next});
    shape.sides.insert(shape.sides.end(), {-1, -1});
    shape.outwards.push_back(-along);
    shape.outwards.push_back(along);
  }
  return measured(std::move(shape));
}

ConvexShape segment_shape(const Vector2& from, const Vector2& to, const Vector3& centre) {
  ConvexShape shape = polygon_shape({{from, to}}, centre);
  shape.thickness = std::numeric_limits<double>::infinity();
  return shape;
}

void place(const ConvexShape& shape, const Matrix3& R, const Vector3& x, ConvexShape& placed) {
  place_faces(shape, R, x, placed);
  place_edges(shape, R, x, placed);
}

void place_faces(const ConvexShape& shape, const Matrix3& R, const Vector3& x, ConvexShape& placed) {
  placed.vertices.resize(shape.vertices.size());
  for (std::size_t v = 0; v < shape.vertices.size(); ++v)
    placed.vertices[v].noalias() = R * shape.vertices[v] + x;
  placed.faces.resize(shape.faces.size());
  for (std::size_t f = 0; f < shape.faces.size(); ++f) {
    const Vector3 normal = R * shape.faces[f].normal;
    placed.faces[f] = {normal, shape.faces[f].offset + normal.dot(x), shape.faces[f].first,
                       shape.faces[f].count, shape.faces[f].rim};
  }
  placed.first_corner = shape.first_corner;
  placed.first_mark = shape.first_mark;
  placed.radius = shape.radius;
  placed.is_planar = shape.is_planar;
  placed.reach = shape.reach;
  placed.size = shape.size;
  placed.thickness = shape.thickness;
}

void place_edges(const ConvexShape& shape, const Matrix3& R, const Vector3& x, ConvexShape& placed) {
  placed.edges = shape.edges;
  for (auto& edge : placed.edges) edge = turned(edge, R);
  placed.corners = shape.corners;
  placed.sides = shape.sides;
  placed.curves = shape.curves;
  for (Feature& curve : placed.curves) {
    curve.point = R * curve.point + x;
    curve.direction = R * curve.direction;
    curve.half_axes = R * curve.half_axes;
  }
  placed.outwards = shape.outwards;
  for (Vector3& outward : placed.outwards) outward = R * outward;
}

ConvexShape::Edge turned(ConvexShape::Edge edge, const Matrix3& R) {
  edge.direction = R * edge.direction;
  edge.into_left = R * edge.into_left;
  edge.into_right = R * edge.into_right;
  return edge;
}

ConvexShape placed_shape(const ConvexShape& shape, const Matrix3& R, const Vector3& x) {
  ConvexShape placed;
  place(shape, R, x, placed);
  return measured(std::move(placed));
}

double distance_outside(const ConvexShape& shape, int face, const Vector3& point) {
  const ConvexShape::Face& of = shape.faces[static_cast<std::size_t>(face)];
  if (of.rim >= 0) {
    const Feature& rim = shape.curves[static_cast<std::size_t>(of.rim)];
    const Vector3 away = point - rim.point;
    return (away - rim.direction.dot(away) * rim.direction).norm() - rim.radius;
  }
  double outside = -std::numeric_limits<double>::infinity();
  for (int k = of.first; k < of.first + of.count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    outside = std::max(outside, shape.outwards[at].dot(point - shape.vertex(shape.corners[at])));
  }
  return outside;
}

}  // namespace percuss
