#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <Eigen/Geometry>

#include "percuss/collision/mesh_features.h"

// Balls and capsules before a mesh: every feature that is closer than what is around it.
namespace percuss {
namespace {

/// Sine of the angle by which the normal of a capsule's axis and an edge may be outside of its faces.
constexpr double axis_tilt = 0.05;

}  // namespace

void MeshFeatureFinder::point_on_mesh(int vertex) {
  const Vector3& point = other_.shape.vertex(vertex);
  const double range = reach_ + other_.shape.radius;
  const std::size_t before = out_->size();
  double nearest_before = std::numeric_limits<double>::infinity(), nearest_beneath = nearest_before;
  for (const int t : near_) {
    take_triangle(own_, t, Matrix3::Identity(), Vector3::Zero());
    const auto& triangle = mesh_->triangle(t);
    const auto& plane = own_.shape.faces[0];
    const double height = plane.normal.dot(point) - plane.offset;
    if (std::abs(height) > range) continue;
    if (height < 0) {
      nearest_beneath = std::min(nearest_beneath, mesh_->distance_to_triangle(t, point));
    } else if (distance_outside(own_.shape, 0, point) <= tolerance_) {
      nearest_before = std::min(nearest_before, height);
      add(FeatureKind::face_point, triangle.face, vertex);
    }
    for (size_t k = 0; k < own_.shape.edges.size(); ++k) {
      const auto& edge = own_.shape.edges[k];
      const double s = edge.direction.dot(point - own_.shape.vertex(edge.from));
      if (s <= 0 || s >= edge.length) continue;
      const Vector3 away = point - own_.shape.vertex(edge.from) - s * edge.direction;
      if (away.dot(edge.into_left) >= -tolerance_ || away.dot(edge.into_right) >= -tolerance_) continue;
      nearest_before = std::min(nearest_before, away.norm());
      if (away.norm() <= range) add(FeatureKind::line_point, own_.edges[k], vertex);
    }
    for (int k = 0; k < 3; ++k) {
      const int corner = triangle.vertices[static_cast<size_t>(k)];
      const Vector3 away = point - own_.shape.vertex(k);
      const double distance = away.norm();
      if (distance > range || distance == 0 || !mesh_->points_along(corner, away / distance, 0)) continue;
      nearest_before = std::min(nearest_before, distance);
      add(FeatureKind::point_point, corner, vertex);
    }
  }
  // Before a sharp edge a point is beneath one of its faces and as far from it as from the edge.
  if (nearest_before <= nearest_beneath + tolerance_) return;
  out_->resize(before);
  point_inside(vertex);
}

/// A centre beneath the surface: the nearest face, and those that form a valley with it.
void MeshFeatureFinder::point_inside(int vertex) {
  const Vector3& point = other_.shape.vertex(vertex);
  struct Below {
    int face;
    double distance;
    Vector3 normal, middle;
  };
  std::optional<Below> nearest;
  const auto visit_below = [&](const auto& visit) {
    for (const int t : near_) {
      take_triangle(own_, t, Matrix3::Identity(), Vector3::Zero());
      const auto& plane = own_.shape.faces[0];
      const double depth = plane.offset - plane.normal.dot(point);
      if (depth < 0 || depth > reach_ + other_.shape.radius) continue;
      // Beneath a valley a point is beside the faces by up to its depth.
      const double distance = mesh_->distance_to_triangle(t, point);
      if (distance > std::numbers::sqrt2 * depth + tolerance_) continue;
      const Vector3 middle = (own_.shape.vertex(0) + own_.shape.vertex(1) + own_.shape.vertex(2)) / 3;
      visit(Below{mesh_->triangle(t).face, distance, plane.normal, middle});
    }
  };
  visit_below([&](const Below& below) {
    if (!nearest || below.distance < nearest->distance) nearest = below;
  });
  if (!nearest) return;
  visit_below([&](const Below& below) {
    if (below.face == nearest->face || nearest->normal.dot(below.middle - nearest->middle) > tolerance_)
      add(FeatureKind::face_point, below.face, vertex);
  });
}

/// The ends of a capsule as balls, its axis across edges and over corners.
void MeshFeatureFinder::segment_on_mesh() {
  point_on_mesh(0);
  point_on_mesh(1);
  const auto& axis = other_.shape.edges[0];
  const Vector3& start = other_.shape.vertex(axis.from);
  const double radius = other_.shape.radius;
  for (const int t : near_) {
    take_triangle(own_, t, Matrix3::Identity(), Vector3::Zero());
    for (size_t k = 0; k < own_.shape.edges.size(); ++k) {
      const auto& edge = own_.shape.edges[k];
      const Vector3 across = edge.direction.cross(axis.direction),
                    offset = start - own_.shape.vertex(edge.from);
      const double sine = across.norm();
      if (sine < 1e-4) continue;
      const double cosine = edge.direction.dot(axis.direction), sine2 = sine * sine;
      const double on_edge = offset.dot(edge.direction), on_axis = offset.dot(axis.direction);
      const double s = (on_edge - cosine * on_axis) / sine2, r = (cosine * on_edge - on_axis) / sine2;
      if (s <= tolerance_ || s >= edge.length - tolerance_ || r <= tolerance_ ||
          r >= axis.length - tolerance_)
        continue;
      for (const double sign : {1.0, -1.0}) {
        const Vector3 n = sign / sine * across;  // out of the mesh
        const double distance = n.dot(offset);
        if (n.dot(outwards(edge)) <= 0) continue;
        if (n.dot(edge.into_left) > axis_tilt || n.dot(edge.into_right) > axis_tilt) continue;
        if (distance - radius > reach_ || distance <= -radius) continue;
        add(sign > 0 ? FeatureKind::line_line_reversed : FeatureKind::line_line, own_.edges[k], 0);
      }
    }
    for (int k = 0; k < 3; ++k) {
      const Vector3& corner = own_.shape.vertex(k);
      const double s = axis.direction.dot(corner - start);
      if (s <= 0 || s >= axis.length) continue;
      const Vector3 away = start + s * axis.direction - corner;
      const double distance = away.norm();
      const int number = mesh_->triangle(t).vertices[static_cast<size_t>(k)];
      if (distance > 0 && distance - radius <= reach_ &&
          mesh_->points_along(number, away / distance, feature_tolerance))
        add(FeatureKind::point_line, number, 0);
    }
  }
}

}  // namespace percuss
