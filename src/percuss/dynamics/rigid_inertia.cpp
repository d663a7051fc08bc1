#include "percuss/dynamics/rigid_inertia.h"

#include <algorithm>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "percuss/model/profile_corners.h"
#include "percuss/model/shape_properties.h"

namespace percuss {
namespace {

/// A polygon that is not convex would get the mass of its hull.
void refuse_inner_corners(const std::vector<Vector2>& corners, const ConvexPolygon& hull) {
  double size = 0;
  for (const auto& corner : corners) size = std::max(size, (corner - corners[0]).norm());
  for (size_t c = 0; c < corners.size(); ++c) {
    double depth = size;
    for (size_t i = 0; i < hull.vertices.size(); ++i) {
      const Vector2 edge = hull.vertices[(i + 1) % hull.vertices.size()] - hull.vertices[i];
      const Vector2 inwards = Vector2(-edge.y(), edge.x()).normalized();
      depth = std::min(depth, inwards.dot(corners[c] - hull.vertices[i]));
    }
    if (depth > 1e-9 * size)
      throw std::invalid_argument(
          fmt::format("the polygon is not convex: corner {} at [{}, {}] lies inside of the others", c,
                      corners[c].x(), corners[c].y()));
  }
}

MassProperties properties_of(const PlanarShape& shape, double thickness) {
  PlanarMassProperties plane{};
  if (shape.disc) {
    const double r2 = *shape.disc * *shape.disc;
    plane = {std::numbers::pi * r2, Vector2::Zero(), 0.5 * std::numbers::pi * r2 * r2};
  } else if (shape.rectangle) {
    const auto [a, b] = *shape.rectangle;
    require_thickness(std::min(a, b), std::max(a, b));
    plane = {a * b, Vector2::Zero(), a * b * (a * a + b * b) / 12};
  } else if (shape.profile) {
    plane = mass_properties_of_polygon(corners_of(*shape.profile));
  } else if (const auto& segment = shape.segment) {  // a mass evenly along it
    const Vector2 from(segment->from[0], segment->from[1]), to(segment->to[0], segment->to[1]);
    const double length = (to - from).norm();
    plane = {length, (from + to) / 2, length * length * length / 12};
  } else if (!shape.polygon) {
    throw std::invalid_argument("no shape is given");
  } else {
    std::vector<Vector2> corners;
    for (const auto& corner : *shape.polygon) corners.emplace_back(corner[0], corner[1]);
    const ConvexPolygon hull = planar_convex_hull(corners);
    refuse_inner_corners(corners, hull);
    plane = mass_properties_of_polygon(hull.vertices);
  }
  Matrix3 inertia = Matrix3::Zero();
  inertia(2, 2) = plane.polar_inertia * thickness;
  return {plane.area * thickness, {plane.centre.x(), plane.centre.y(), 0}, inertia};
}

std::optional<double> density_of(const Model& model, const std::string& material) {
  const Material* found = find_named(model.materials, material);
  return found ? found->density : std::nullopt;
}

/// Mass, inertia and centre from a shape; whatever is missing is complained about.
template <class BodyType>
RigidInertia combine(const BodyType& body, const Model& model, bool inertia_given,
                     const std::optional<MassProperties>& shape, std::vector<Complaint>& complaints,
                     const std::string& path) {
  RigidInertia result;
  const auto density = density_of(model, body.material);
  if (shape) result.centre = shape->centre;
  if (body.mass)
    result.mass = *body.mass;
  else if (shape && density)
    result.mass = *density * shape->volume;
  else if (shape && !body.material.empty())
    complaints.push_back({path + ".mass", fmt::format("'{}' has no mass; give `mass`, or the material '{}' a "
                                                      "density",
                                                      body.name, body.material)});
  else if (!shape && !inertia_given) {
    complaints.push_back(
        {path, fmt::format("'{}' has neither mass nor inertia; give `mass` and `inertia`, or "
                           "a shape and a material with a density",
                           body.name)});
    return result;
  } else
    complaints.push_back({path + ".mass", fmt::format("'{}' has no mass; give `mass`, or a shape and a "
                                                      "material with a density",
                                                      body.name)});
  if (!inertia_given && shape)
    result.tensor = result.mass / shape->volume * shape->inertia;
  else if (!inertia_given)
    complaints.push_back(
        {path + ".inertia", fmt::format("'{}' has no inertia; give `inertia`, or a shape", body.name)});
  return result;
}

Complaint complaint_about(const PlanarShape& shape, const std::string& path, const std::string& defect) {
  if (shape.polygon) return {path + ".polygon", defect + "; give the corners of a convex polygon"};
  return {shape.rectangle ? path + ".rectangle" : path, defect};
}

template <class ShapeType>
std::optional<MassProperties> try_shape(const std::optional<ShapeType>& shape, const std::string& path,
                                        std::vector<Complaint>& complaints, auto&& properties) {
  if (!shape) return std::nullopt;
  try {
    return properties(*shape);
  } catch (const std::invalid_argument& e) {
    complaints.push_back(complaint_about(*shape, path + ".shape", e.what()));
    return std::nullopt;
  }
}

}  // namespace

RigidInertia rigid_inertia(const RigidBody& body, const Model& model, std::vector<Complaint>& complaints,
                           const std::string& path) {
  const auto shape = try_shape(body.shape, path, complaints, mass_properties_of_shape);
  if (body.shape && !shape) return {};
  RigidInertia result = combine(body, model, body.inertia.has_value(), shape, complaints, path);
  if (body.inertia) {
    result.tensor = body.inertia->asDiagonal();
    const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 3; ++k)
      result.tensor(pairs[k][0], pairs[k][1]) = result.tensor(pairs[k][1], pairs[k][0]) = body.products[k];
    if (body.inertia->allFinite() && body.products.allFinite() &&
        !satisfies_triangle_inequality(result.tensor)) {
      const Vector3 moments = principal_axes(result.tensor).moments;
      complaints.push_back(
          {path + ".inertia",
           fmt::format("no body has the principal moments {:.6g}, {:.6g}, {:.6g} kg m^2{}; each must be at "
                       "least 0 and at most the sum of the two others",
                       moments[0], moments[1], moments[2],
                       body.products.isZero(0) ? "" : " that follow from `inertia` and `products`")});
    }
  }
  return result;
}

RigidInertia rigid_inertia(const PlanarBody& body, const Model& model, std::vector<Complaint>& complaints,
                           const std::string& path) {
  const auto shape = try_shape(body.shape, path, complaints,
                               [&](const PlanarShape& s) { return properties_of(s, body.thickness); });
  if (body.shape && !shape) return {};
  if (body.shape && body.shape->segment && !body.mass) {
    complaints.push_back(
        {path + ".mass", fmt::format("'{}' has no mass: a segment has no area; give `mass`", body.name)});
    return {};
  }
  RigidInertia result = combine(body, model, body.inertia.has_value(), shape, complaints, path);
  if (body.inertia) result.tensor(2, 2) = *body.inertia;
  return result;
}

}  // namespace percuss
