#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>

#include "percuss/collision/convex_shape.h"
#include "percuss/collision/curved_gap.h"

namespace percuss {
namespace {

/// A flat end: its rim, its face and points of the rim that belong to the body, unlike the lowest one.
void add_end(const Vector3& centre, const Vector3& outwards, double radius, ConvexShape& shape) {
  const int rim = static_cast<int>(shape.curves.size());
  shape.curves.push_back({FeatureType::circle, centre, outwards, radius});
  shape.faces.push_back({outwards, outwards.dot(centre), 0, 0, rim});
  for (int k = 0; k < marks_of_rim; ++k) {
    const double angle = 2 * std::numbers::pi * k / marks_of_rim;
    shape.vertices.push_back(centre + radius * Vector3(std::cos(angle), std::sin(angle), 0));
  }
}

/// In place; extents follow.
ConvexShape with_extents(const ConvexShape& shape) {
  return placed_shape(shape, Matrix3::Identity(), Vector3::Zero());
}

}  // namespace

ConvexShape cylinder_shape(double radius, double length, const Vector3& centre) {
  const Vector3 axis(0, 0, 1), top = 0.5 * length * axis - centre, bottom = top - length * axis;
  ConvexShape shape;
  shape.vertices = {bottom, top};
  shape.first_corner = shape.first_mark = 2;
  shape.edges.push_back({0, 1, axis, length});
  shape.edges[0].radius = radius;
  add_end(bottom, -axis, radius, shape);
  add_end(top, axis, radius, shape);
  shape.thickness = std::min(2 * radius, length);
  return with_extents(shape);
}

ConvexShape cone_shape(double radius, double height, const Vector3& centre) {
  const Vector3 axis(0, 0, 1), base = -centre, apex = base + height * axis;
  const double slant = std::hypot(radius, height);
  ConvexShape shape;
  shape.vertices = {apex};
  shape.first_mark = 1;
  add_end(base, -axis, radius, shape);
  Feature side{FeatureType::cone, apex, axis, radius};
  side.sine = radius / slant;
  shape.curves.push_back(side);
  shape.thickness = std::min(height, 2 * radius * height / slant);
  return with_extents(shape);
}

ConvexShape ellipsoid_shape(const Vector3& half_axes, const Vector3& centre) {
  ConvexShape shape;
  Feature surface{FeatureType::ellipsoid, -centre};
  surface.half_axes = half_axes.asDiagonal();
  shape.curves = {surface};
  shape.thickness = 2 * half_axes.minCoeff();
  return with_extents(shape);
}

int count_of(const ConvexShape& shape, FeatureType type) {
  switch (type) {
    case FeatureType::point: return static_cast<int>(shape.vertices.size());
    case FeatureType::line: return static_cast<int>(shape.edges.size());
    case FeatureType::face: return static_cast<int>(shape.faces.size());
    default: return static_cast<int>(shape.curves.size());
  }
}

Feature feature_of(const ConvexShape& shape, FeatureType type, int number) {
  const auto at = static_cast<std::size_t>(number);
  Feature feature;
  feature.type = type;
  feature.radius = shape.radius;
  switch (type) {
    case FeatureType::point: feature.point = shape.vertices[at]; return feature;
    case FeatureType::line:
      feature.point = shape.vertex(shape.edges[at].from);
      feature.direction = shape.edges[at].direction;
      feature.radius += shape.edges[at].radius;
      return feature;
    case FeatureType::face:
      feature.point = shape.faces[at].offset * shape.faces[at].normal;
      feature.direction = shape.faces[at].normal;
      return feature;
    default: return shape.curves[at];
  }
}

double extent(const ConvexShape& shape, const Vector3& n) {
  double farthest = -std::numeric_limits<double>::infinity();
  for (const Vector3& vertex : shape.vertices) farthest = std::max(farthest, n.dot(vertex) + shape.radius);
  for (const Feature& curve : shape.curves)
    if (curve.type != FeatureType::cone) farthest = std::max(farthest, n.dot(support_point(curve, n)));
  return farthest;
}

Eigen::AlignedBox3d box_around(const ConvexShape& shape) {
  Vector3 lower, upper;
  for (int i = 0; i < 3; ++i) {
    upper[i] = extent(shape, Vector3::Unit(i));
    lower[i] = -extent(shape, -Vector3::Unit(i));
  }
  return {lower, upper};
}

bool contains(const ConvexShape& shape, const Vector3& point, double margin) {
  for (const ConvexShape::Face& face : shape.faces)
    if (face.normal.dot(point) - face.offset > margin) return false;
  for (const Feature& curve : shape.curves) {
    const Vector3 away = point - curve.point;
    const double along = curve.direction.dot(away), across = (away - along * curve.direction).norm();
    if (curve.type == FeatureType::cone) {
      if (std::sqrt(1 - curve.sine * curve.sine) * across + curve.sine * along > margin) return false;
    } else if (curve.type == FeatureType::ellipsoid) {
      const Vector3 lengths = curve.half_axes.colwise().norm();
      const Vector3 own = (curve.half_axes.transpose() * away).cwiseQuotient(lengths.cwiseAbs2());
      if ((own.norm() - 1) * lengths.minCoeff() > margin) return false;
    } else if (across - curve.radius > margin) {
      return false;
    }
  }
  return true;
}

}  // namespace percuss
