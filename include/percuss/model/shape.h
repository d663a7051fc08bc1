#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "percuss/math/fields.h"
#include "percuss/math/vector.h"

namespace percuss {

struct RadiusAndLength {
  double radius = 0, length = 0;
  static void fields(auto& self, auto& visit) {
    visit("radius", self.radius,
          Field{.unit = "m", .help = "radius", .range = allow::positive, .required = true});
    visit("length", self.length,
          Field{.unit = "m",
                .help = "length along z; of a capsule without its caps",
                .range = allow::positive,
                .required = true});
  }
};

struct MeshShape {
  std::vector<Vector3> vertices;
  std::vector<std::array<int, 3>> triangles;
  static void fields(auto& self, auto& visit) {
    visit("vertices", self.vertices, Field{.unit = "m", .help = "corners", .required = true});
    visit("triangles", self.triangles,
          Field{.help = "three indices of vertices each, counted from 0, counter-clockwise seen from outside",
                .required = true});
  }
};

/// The shape of a rigid body: exactly one of these. It gives the inertia and the points that touch.
struct Shape {
  std::optional<Vector3> box;
  std::optional<double> sphere;
  std::optional<RadiusAndLength> cylinder, capsule, cone;
  std::optional<Vector3> ellipsoid;
  std::optional<std::vector<Vector3>> polyhedron;
  std::optional<MeshShape> mesh;

  static void fields(auto& self, auto& visit) {
    visit("box", self.box,
          Field{.unit = "m", .help = "side lengths along the body's axes", .range = allow::positive});
    visit("sphere", self.sphere, Field{.unit = "m", .help = "radius", .range = allow::positive});
    visit("cylinder", self.cylinder, Field{.help = "axis along the body's z"});
    visit("capsule", self.capsule, Field{.help = "a cylinder along z with half spheres at both ends"});
    visit("cone", self.cone, Field{.help = "axis along z, apex up; `length` is its height"});
    visit("ellipsoid", self.ellipsoid,
          Field{.unit = "m", .help = "half axes along the body's axes", .range = allow::positive});
    visit("polyhedron", self.polyhedron, Field{.unit = "m", .help = "corners of a convex polyhedron"});
    visit("mesh", self.mesh, Field{.help = "a closed surface of triangles"});
  }
};

/// The corners of a shape that is the convex hull of some, in body axes [m]; nothing for the others. What has
/// corners has contacts, and mass, inertia and a picture unless more is known of it.
std::optional<std::vector<Vector3>> corners_of(const Shape& shape);

/// The shape of a planar body, in its x-y plane.
struct PlanarShape {
  std::optional<std::array<double, 2>> rectangle;
  std::optional<double> disc;
  std::optional<std::vector<std::array<double, 2>>> polygon;

  static void fields(auto& self, auto& visit) {
    visit("rectangle", self.rectangle,
          Field{.unit = "m", .help = "side lengths along the body's x and y", .range = allow::positive});
    visit("disc", self.disc, Field{.unit = "m", .help = "radius", .range = allow::positive});
    visit("polygon", self.polygon, Field{.unit = "m", .help = "corners [x, y] of a convex polygon"});
  }
};

}  // namespace percuss
