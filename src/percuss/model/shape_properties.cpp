#include "percuss/model/shape_properties.h"

#include <stdexcept>

#include <fmt/format.h>

namespace percuss {

void require_thickness(double thinnest, double longest) {
  constexpr double least = 1e-7;
  if (thinnest < least * longest)
    throw std::invalid_argument(fmt::format(
        "{:.3g} m is too thin for a length of {:.3g} m; the shortest side must be at least {} of the longest",
        thinnest, longest, least));
}

MassProperties mass_properties_of_shape(const Shape& shape) {
  if (shape.box) {
    require_thickness(shape.box->minCoeff(), shape.box->maxCoeff());
    return mass_properties_of_box(*shape.box);
  }
  if (shape.sphere) return mass_properties_of_sphere(*shape.sphere);
  if (shape.cylinder) return mass_properties_of_cylinder(shape.cylinder->radius, shape.cylinder->length);
  if (shape.capsule) return mass_properties_of_capsule(shape.capsule->radius, shape.capsule->length);
  if (shape.cone) return mass_properties_of_cone(shape.cone->radius, shape.cone->length);
  if (shape.ellipsoid) return mass_properties_of_ellipsoid(*shape.ellipsoid);
  if (shape.mesh) return mass_properties_of_mesh({shape.mesh->vertices, shape.mesh->triangles});
  if (const auto corners = corners_of(shape)) return mass_properties_of_polyhedron(convex_hull(*corners));
  throw std::invalid_argument("no shape is given");
}

Complaint complaint_about(const Shape& shape, const std::string& path, const std::string& defect) {
  if (shape.polyhedron) return {path + ".polyhedron", defect + "; give corners that enclose a volume"};
  if (shape.mesh)
    return {path + ".mesh",
            defect + "; give a closed surface, its triangles counter-clockwise seen from outside"};
  return {shape.box ? path + ".box" : path, defect};
}

}  // namespace percuss
