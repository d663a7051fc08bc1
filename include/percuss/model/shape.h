#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "percuss/math/fields.h"
#include "percuss/math/vector.h"
#include "percuss/model/orientation.h"
#include "percuss/model/profile.h"

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

struct TriangleMesh;

/// The convex hull of points.
struct HullShape {
  std::optional<std::vector<Vector3>> points;
  std::optional<std::string> file;
  double scale = 1;
  std::shared_ptr<const std::vector<Vector3>> loaded;  ///< corners of the hull of the file, scaled [m]

  static void fields(auto& self, auto& visit) {
    visit("points", self.points,
          Field{.unit = "m", .help = "points in any order; those inside of others do nothing"});
    visit("file", self.file,
          Field{.help = "or: a .stl or .obj file next to the scene, whose points are taken"});
    visit(
        "scale", self.scale,
        Field{.help = "of a file: metres for a unit of its lengths, 0.001 for mm", .range = allow::positive});
  }
};

struct MeshShape {
  std::vector<Vector3> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::optional<std::string> file;
  double scale = 1;
  std::shared_ptr<const TriangleMesh> loaded;  ///< of the file, scaled [m]

  static void fields(auto& self, auto& visit) {
    visit("vertices", self.vertices, Field{.unit = "m", .help = "corners"});
    visit(
        "triangles", self.triangles,
        Field{.help = "three indices of vertices each, counted from 0, counter-clockwise seen from outside"});
    visit("file", self.file,
          Field{.help = "instead of both: a .stl or .obj file next to the scene; it must be closed"});
    visit(
        "scale", self.scale,
        Field{.help = "of a file: metres for a unit of its lengths, 0.001 for mm", .range = allow::positive});
  }
};
/// What `file` or `vertices` and `triangles` say; null before a file is loaded.
std::shared_ptr<const TriangleMesh> mesh_of(const MeshShape& shape);

/// A shape in one piece: exactly one of these.
struct SimpleShape {
  std::optional<Vector3> box;
  std::optional<double> sphere;
  std::optional<RadiusAndLength> cylinder, capsule, cone;
  std::optional<Vector3> ellipsoid;
  std::optional<std::vector<Vector3>> polyhedron;
  std::optional<HullShape> hull;
  std::optional<MeshShape> mesh;
  std::optional<ExtrudedProfile> profile;

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
    visit("hull", self.hull, Field{.help = "the convex hull of points, also of those of a file"});
    visit("mesh", self.mesh, Field{.help = "a closed surface of triangles, also from a file"});
    visit("profile", self.profile,
          Field{.help = "a plane figure along the body's z; it need not be convex: a cam, a gear"});
  }
};

/// A part of a compound.
struct ShapePart {
  SimpleShape shape;
  Vector3 position = Vector3::Zero();
  Orientation orientation;

  static void fields(auto& self, auto& visit) {
    visit("shape", self.shape, Field{.help = "of the part, in its own axes", .required = true});
    visit("position", self.position,
          Field{.unit = "m", .help = "where the origin of its axes stands in those of the compound"});
    visit("orientation", self.orientation,
          Field{.help = "the rotation from its axes to those of the compound"});
  }
};

/// The shape of a rigid body: exactly one of these. It gives the inertia and what touches.
struct Shape : SimpleShape {
  std::optional<std::vector<ShapePart>> compound;

  static void fields(auto& self, auto& visit) {
    SimpleShape::fields(self, visit);
    visit("compound", self.compound,
          Field{.help = "several shapes in one. Where parts overlap, mass and inertia count twice"});
  }
};

/// The surface of a mesh or of a profile without faults; null for other shapes, and before a file is loaded.
std::shared_ptr<const TriangleMesh> mesh_of(const SimpleShape& shape);

/// The corners of a shape that is the convex hull of some, in body axes [m]; nothing for the others. What has
/// corners has contacts, and mass, inertia and a picture unless more is known of it.
std::optional<std::vector<Vector3>> corners_of(const SimpleShape& shape);

/// A straight line without width: both of its sides touch, and its ends.
struct Segment {
  std::array<double, 2> from = {0, 0}, to = {0, 0};

  static void fields(auto& self, auto& visit) {
    visit("from", self.from, Field{.unit = "m", .help = "one end [x, y]", .required = true});
    visit("to", self.to, Field{.unit = "m", .help = "the other end [x, y]", .required = true});
  }
};

/// The shape of a planar body, in its x-y plane: exactly one of these.
struct PlanarShape {
  std::optional<std::array<double, 2>> rectangle;
  std::optional<double> disc;
  std::optional<std::vector<std::array<double, 2>>> polygon;
  std::optional<Profile> profile;
  std::optional<Segment> segment;

  static void fields(auto& self, auto& visit) {
    visit("rectangle", self.rectangle,
          Field{.unit = "m", .help = "side lengths along the body's x and y", .range = allow::positive});
    visit("disc", self.disc, Field{.unit = "m", .help = "radius", .range = allow::positive});
    visit("polygon", self.polygon, Field{.unit = "m", .help = "corners [x, y] of a convex polygon"});
    visit("profile", self.profile, Field{.help = "a figure that need not be convex"});
    visit(
        "segment", self.segment,
        Field{.help = "a straight line, both of whose sides touch; it has no mass of its own: give `mass`"});
  }
};

}  // namespace percuss
