#include "percuss/model/shape_properties.h"

#include <optional>
#include <stdexcept>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace percuss {

void require_thickness(double thinnest, double longest) {
  constexpr double least = 1e-7;
  if (thinnest < least * longest)
    throw std::invalid_argument(fmt::format(
        "{:.3g} m is too thin for a length of {:.3g} m; the shortest side must be at least {} of the longest",
        thinnest, longest, least));
}

namespace {

void require_thickness_of(const ExtrudedProfile& profile, const TriangleMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vector3& vertex : mesh.vertices) box.extend(vertex);
  require_thickness(profile.depth, box.sizes().maxCoeff());
}

/// Sides of a box around a round or square shape; of others nothing.
std::optional<Vector3> sides_of(const SimpleShape& shape) {
  const auto along_z = [](double radius, double length) { return Vector3(2 * radius, 2 * radius, length); };
  if (shape.box) return *shape.box;
  if (shape.cylinder) return along_z(shape.cylinder->radius, shape.cylinder->length);
  if (shape.cone) return along_z(shape.cone->radius, shape.cone->length);
  if (shape.capsule) return along_z(shape.capsule->radius, shape.capsule->length + 2 * shape.capsule->radius);
  if (shape.ellipsoid) return 2 * *shape.ellipsoid;
  return std::nullopt;
}

MassProperties properties_of_piece(const SimpleShape& shape) {
  if (const auto sides = sides_of(shape)) require_thickness(sides->minCoeff(), sides->maxCoeff());
  if (shape.box) return mass_properties_of_box(*shape.box);
  if (shape.sphere) return mass_properties_of_sphere(*shape.sphere);
  if (shape.cylinder) return mass_properties_of_cylinder(shape.cylinder->radius, shape.cylinder->length);
  if (shape.capsule) return mass_properties_of_capsule(shape.capsule->radius, shape.capsule->length);
  if (shape.cone) return mass_properties_of_cone(shape.cone->radius, shape.cone->length);
  if (shape.ellipsoid) return mass_properties_of_ellipsoid(*shape.ellipsoid);
  if (const auto mesh = mesh_of(shape)) {
    if (shape.profile) require_thickness_of(*shape.profile, *mesh);
    return mass_properties_of_mesh(*mesh);
  }
  if (const auto corners = corners_of(shape)) return mass_properties_of_polyhedron(convex_hull(*corners));
  throw std::invalid_argument("no shape is given");
}

/// Huygens and Steiner: about another point the inertia grows by volume (|a|^2 1 - a a^T).
Matrix3 inertia_of_shift(double volume, const Vector3& arm) {
  return volume * (arm.squaredNorm() * Matrix3::Identity() - arm * arm.transpose());
}

MassProperties properties_of_parts(const std::vector<ShapePart>& parts) {
  std::vector<MassProperties> placed;
  MassProperties whole{0, Vector3::Zero(), Matrix3::Zero()};
  for (const ShapePart& part : parts) {
    const Matrix3 R = part.orientation.matrix();
    const MassProperties own = properties_of_piece(part.shape);
    placed.push_back({own.volume, part.position + R * own.centre, R * own.inertia * R.transpose()});
    whole.volume += own.volume;
    whole.centre += own.volume * placed.back().centre;
  }
  if (parts.empty()) throw std::invalid_argument("the compound has no parts");
  whole.centre /= whole.volume;
  for (const MassProperties& part : placed)
    whole.inertia += part.inertia + inertia_of_shift(part.volume, part.centre - whole.centre);
  return whole;
}

Complaint complaint_about_piece(const SimpleShape& shape, const std::string& path,
                                const std::string& defect) {
  if (shape.polyhedron) return {path + ".polyhedron", defect + "; give corners that enclose a volume"};
  if (shape.hull) return {path + ".hull", defect + "; give points that enclose a volume"};
  if (shape.mesh)
    return {path + ".mesh",
            defect + "; give a closed surface, its triangles counter-clockwise seen from outside"};
  if (shape.profile) return {path + ".profile", defect};
  if (shape.box) return {path + ".box", defect};
  if (shape.cylinder) return {path + ".cylinder", defect};
  if (shape.cone) return {path + ".cone", defect};
  if (shape.capsule) return {path + ".capsule", defect};
  if (shape.ellipsoid) return {path + ".ellipsoid", defect};
  return {path, defect};
}

}  // namespace

MassProperties mass_properties_of_shape(const Shape& shape) {
  return shape.compound ? properties_of_parts(*shape.compound) : properties_of_piece(shape);
}

Complaint complaint_about(const Shape& shape, const std::string& path, const std::string& defect) {
  for (size_t i = 0; shape.compound && i < shape.compound->size(); ++i) {
    const SimpleShape& part = (*shape.compound)[i].shape;
    try {
      properties_of_piece(part);
    } catch (const std::invalid_argument&) {
      return complaint_about_piece(part, fmt::format("{}.compound[{}].shape", path, i), defect);
    }
  }
  return complaint_about_piece(shape, path, defect);
}

}  // namespace percuss
