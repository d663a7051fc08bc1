#include "percuss/contacts/contact_points.h"

#include <limits>

#include <fmt/format.h>

#include "percuss/geometry/convex_hull.h"

namespace percuss {
std::optional<ConvexPolyhedron> hull_of(const SimpleShape& shape) {
  const auto corners = corners_of(shape);
  return corners ? std::optional(convex_hull(*corners)) : std::nullopt;
}

std::optional<ConvexPolygon> hull_of(const PlanarShape& shape) {
  std::vector<Vector2> corners;
  if (shape.rectangle) {
    const auto [a, b] = *shape.rectangle;
    corners = {{-a / 2, -b / 2}, {a / 2, -b / 2}, {a / 2, b / 2}, {-a / 2, b / 2}};
  } else if (shape.polygon) {
    for (const auto& corner : *shape.polygon) corners.emplace_back(corner[0], corner[1]);
  } else {
    return std::nullopt;
  }
  return planar_convex_hull(corners);
}

namespace {

/// Collects points under names, or under the body's own name if there is only one.
std::vector<ContactPoint> named(const std::string& body, const char* word, const std::vector<Vector3>& places,
                                double radius) {
  std::vector<ContactPoint> points;
  for (size_t i = 0; i < places.size(); ++i)
    points.push_back(
        {places.size() == 1 ? body : fmt::format("{}.{}{}", body, word, i + 1), places[i], radius});
  return points;
}

std::vector<ContactPoint> points_on(const RigidBody& body, const Vector3& centre) {
  if (!body.shape) return {};
  const Shape& shape = *body.shape;
  if (shape.sphere) return named(body.name, "", {Vector3::Zero()}, *shape.sphere);
  if (shape.capsule) {
    const Vector3 end(0, 0, shape.capsule->length / 2);
    return named(body.name, "end", {-end, end}, shape.capsule->radius);
  }
  const auto hull = hull_of(shape);
  if (!hull) return {};
  std::vector<Vector3> corners = hull->vertices;
  for (auto& corner : corners) corner -= centre;
  return named(body.name, "corner", corners, 0);
}
std::vector<ContactPoint> points_on(const PlanarBody& body, const Vector3& centre) {
  if (!body.shape) return {};
  if (body.shape->disc) return named(body.name, "", {Vector3::Zero()}, *body.shape->disc);
  const auto hull = hull_of(*body.shape);
  if (!hull) return {};
  std::vector<Vector3> corners;
  for (const auto& corner : hull->vertices)
    corners.emplace_back(corner.x() - centre.x(), corner.y() - centre.y(), 0);
  return named(body.name, "corner", corners, 0);
}
std::vector<ContactPoint> points_on(const Particle& body, const Vector3&) {
  return {{body.name, Vector3::Zero(), 0}};
}
std::vector<ContactPoint> points_on(const Sphere& body, const Vector3&) {
  return {{body.name, Vector3::Zero(), body.radius}};
}

/// The nodes of a flexible body are found where the system is known.
std::vector<ContactPoint> points_on(const FlexibleBody&, const Vector3&) { return {}; }

}  // namespace

std::vector<ContactPoint> contact_points(const Body& body, const Vector3& centre) {
  return std::visit([&](const auto& given) { return points_on(given, centre); }, body);
}

std::vector<ConvexFace> convex_faces(const Body& body, const Vector3& centre) {
  std::vector<ConvexFace> faces;
  if (const auto* rigid = std::get_if<RigidBody>(&body); rigid && rigid->shape) {
    const auto hull = hull_of(*rigid->shape);
    if (!hull) return faces;
    for (const auto& face : hull->faces)
      faces.push_back({face.normal, face.offset - face.normal.dot(centre)});
  }
  if (const auto* planar = std::get_if<PlanarBody>(&body); planar && planar->shape) {
    const auto hull = hull_of(*planar->shape);
    if (!hull) return faces;
    const auto& corners = hull->vertices;
    for (size_t i = 0; i < corners.size(); ++i) {
      const Vector2 edge = corners[(i + 1) % corners.size()] - corners[i];
      const Vector3 normal = Vector3(edge.y(), -edge.x(), 0).normalized();
      faces.push_back({normal, normal.dot(Vector3(corners[i].x(), corners[i].y(), 0) - centre)});
    }
  }
  return faces;
}

double thickness(const Body& body, const Vector3& centre) {
  double least = std::numeric_limits<double>::infinity();
  if (flexible(body) || std::holds_alternative<Particle>(body)) return least;
  const auto points = contact_points(body, centre);
  for (const ContactPoint& point : points)
    if (point.radius > 0) least = std::min(least, 2 * point.radius);
  for (const ConvexFace& face : convex_faces(body, centre)) {
    double farthest = 0;
    for (const ContactPoint& point : points)
      farthest = std::max(farthest, face.offset - face.normal.dot(point.local));
    least = std::min(least, farthest);
  }
  return least;
}

}  // namespace percuss
