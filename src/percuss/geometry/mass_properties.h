#pragma once

#include <array>
#include <string>
#include <vector>

#include "percuss/geometry/convex_hull.h"
#include "percuss/geometry/triangle_mesh.h"

namespace percuss {

/// Of a solid with unit density: times the density, `volume` is its mass and `inertia` its inertia.
struct MassProperties {
  double volume;    ///< m^3
  Vector3 centre;   ///< m
  Matrix3 inertia;  ///< about the centre, in the axes of the shape; m^5
};

// The functions below throw std::invalid_argument for sizes that are not positive and finite and for meshes
// with a defect. Shapes are centred at the origin, with the axis z, unless said otherwise.

MassProperties mass_properties_of_box(const Vector3& side_lengths);
MassProperties mass_properties_of_sphere(double radius);
MassProperties mass_properties_of_ellipsoid(const Vector3& half_axes);
MassProperties mass_properties_of_cylinder(double radius, double length);
/// `length` is that of the cylindrical part and may be zero.
MassProperties mass_properties_of_capsule(double radius, double length);
/// The base lies in the plane z = 0, the apex at z = height, the centre at z = height / 4.
MassProperties mass_properties_of_cone(double base_radius, double height);
MassProperties mass_properties_of_mesh(const TriangleMesh& mesh);
MassProperties mass_properties_of_polyhedron(const ConvexPolyhedron& polyhedron);

/// Of a plate with unit mass per area.
struct PlanarMassProperties {
  double area;           ///< m^2
  Vector2 centre;        ///< m
  double polar_inertia;  ///< integral of |x - centre|^2; m^4
};
/// Of a polygon that need not be convex, its corners counter-clockwise.
PlanarMassProperties mass_properties_of_polygon(const std::vector<Vector2>& corners);

/// inertia = axes * diag(moments) * axes^T.
struct PrincipalAxes {
  Vector3 moments;  ///< ascending
  Matrix3 axes;     ///< columns, right-handed
};
PrincipalAxes principal_axes(const Matrix3& inertia);

/// Whether some solid has this (symmetric) inertia: no principal moment is negative or larger than the sum of
/// the two others, up to 1e-9 of the largest.
bool satisfies_triangle_inequality(const Matrix3& inertia);

}  // namespace percuss
