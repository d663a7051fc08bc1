#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <variant>

#include "percuss/math/expression.h"
#include "percuss/math/fields.h"
#include "percuss/math/vector.h"
#include "percuss/model/flexible.h"
#include "percuss/model/orientation.h"
#include "percuss/model/shaft.h"
#include "percuss/model/shape.h"

namespace percuss {

/// What a point mass and a sphere have in common.
struct TranslatingBody {
  std::string name;
  std::string material;
  Translations translations = Translations::xyz;
  Vector3 position = Vector3::Zero();
  Vector3 velocity = Vector3::Zero();

  static void fields(auto& self, auto& visit) {
    visit("material", self.material,
          Field{.help = "name of a material; needed by bodies that touch something"});
    visit("translations", self.translations,
          Field{.help = "directions in which the body can move; the others are held at `position`"});
    visit("position", self.position, Field{.unit = "m", .help = "initial position of the centre"});
    visit("velocity", self.velocity, Field{.unit = "m/s", .help = "initial velocity"});
  }
};

struct Particle : TranslatingBody {
  static constexpr std::string_view kind = "particle";
  static constexpr std::string_view about = "a point mass with one, two or three translations";
  double mass = 0;

  static void fields(auto& self, auto& visit) {
    visit("mass", self.mass, Field{.unit = "kg", .help = "mass", .range = allow::positive, .required = true});
    TranslatingBody::fields(self, visit);
  }
};

/// Frictionless contact cannot turn a sphere, so its rotation is not a coordinate in this version.
struct Sphere : TranslatingBody {
  static constexpr std::string_view kind = "sphere";
  static constexpr std::string_view about = "a sphere with one, two or three translations";
  double radius = 0;
  std::optional<double> mass;

  static void fields(auto& self, auto& visit) {
    visit("radius", self.radius,
          Field{.unit = "m", .help = "radius", .range = allow::positive, .required = true});
    visit("mass", self.mass,
          Field{.unit = "kg",
                .help = "mass; default: volume times the material's density",
                .range = allow::positive});
    TranslatingBody::fields(self, visit);
  }
};

/// How the configuration of a spatial body is described.
enum class Coordinates { manifold, natural };
template <>
struct EnumNames<Coordinates> {
  static constexpr std::array<std::pair<Coordinates, std::string_view>, 2> values = {
      {{Coordinates::manifold, "manifold"}, {Coordinates::natural, "natural"}}};
};

struct RigidBody {
  static constexpr std::string_view kind = "rigid";
  static constexpr std::string_view about = "a rigid body in space; its axes start in the centre of mass";
  std::string name;
  std::string material;
  std::optional<double> mass;
  std::optional<Vector3> inertia;
  Vector3 products = Vector3::Zero();
  std::optional<Shape> shape;
  Vector3 position = Vector3::Zero();
  Orientation orientation;
  Vector3 velocity = Vector3::Zero();
  Vector3 angular_velocity = Vector3::Zero();
  NamedMap<Vector3> points;
  Coordinates coordinates = Coordinates::manifold;

  static void fields(auto& self, auto& visit) {
    visit("material", self.material,
          Field{.help = "name of a material; needed for contact and for inertia from a shape"});
    visit(
        "shape", self.shape,
        Field{.help = "gives mass and inertia (with the density of the material) and the points that touch"});
    visit("mass", self.mass,
          Field{.unit = "kg", .help = "mass; default: from shape and density", .range = allow::nonnegative});
    visit("inertia", self.inertia,
          Field{.unit = "kg m^2",
                .help = "moments of inertia about the body's axes; default: from the shape",
                .range = allow::nonnegative});
    visit("products", self.products,
          Field{.unit = "kg m^2", .help = "off-diagonal entries [Jxy, Jxz, Jyz] of the inertia tensor"});
    visit("position", self.position, Field{.unit = "m", .help = "initial position of the centre of mass"});
    visit("orientation", self.orientation,
          Field{.help = "initial attitude: the rotation from body axes to space, a unit quaternion"});
    visit("velocity", self.velocity, Field{.unit = "m/s", .help = "initial velocity of the centre of mass"});
    visit("angular_velocity", self.angular_velocity,
          Field{.unit = "rad/s", .help = "initial angular velocity in body axes"});
    visit("points", self.points,
          Field{.unit = "m",
                .help = "named points in body axes, from the centre of mass: `arm.tip` in springs, forces, "
                        "contacts, clearances and probes"});
    visit("coordinates", self.coordinates,
          Field{.help = "`manifold`: position and quaternion; `natural`: a point and three directors, 12 "
                        "coordinates with 6 constraints"});
  }
};

struct PlanarBody {
  static constexpr std::string_view kind = "planar";
  static constexpr std::string_view about = "a rigid body that moves in the x-y plane and turns about z";
  std::string name;
  std::string material;
  std::optional<double> mass;
  std::optional<double> inertia;
  std::optional<PlanarShape> shape;
  double thickness = 1;
  Vector3 position = Vector3::Zero();
  double angle = 0;
  Vector3 velocity = Vector3::Zero();
  double angular_velocity = 0;
  NamedMap<Vector3> points;

  static void fields(auto& self, auto& visit) {
    visit("material", self.material,
          Field{.help = "name of a material; needed for contact and for inertia from a shape"});
    visit("shape", self.shape,
          Field{.help = "gives mass and inertia (with density and thickness) and the points that touch"});
    visit("thickness", self.thickness,
          Field{.unit = "m", .help = "of the shape along z", .range = allow::positive});
    visit("mass", self.mass,
          Field{.unit = "kg", .help = "mass; default: from shape and density", .range = allow::nonnegative});
    visit("inertia", self.inertia,
          Field{.unit = "kg m^2",
                .help = "moment of inertia about the centre of mass; default: from the shape",
                .range = allow::nonnegative});
    visit("position", self.position, Field{.unit = "m", .help = "initial position of the centre of mass"});
    visit("angle", self.angle, Field{.unit = "rad", .help = "initial angle about z"});
    visit("velocity", self.velocity,
          Field{.unit = "m/s", .help = "initial velocity of the centre of mass; its z is 0"});
    visit("angular_velocity", self.angular_velocity,
          Field{.unit = "rad/s", .help = "initial angular velocity about z"});
    visit("points", self.points,
          Field{.unit = "m", .help = "named points in body axes, from the centre of mass"});
  }
};

using Body = std::variant<Particle, Sphere, RigidBody, PlanarBody, Bar, Beam, Shaft, Solid>;

/// What moves as prescribed: the base of an earthquake test.
struct MovingFrame {
  static constexpr std::string_view kind = "frame";
  static constexpr std::string_view about =
      "moves as prescribed; joints, springs and obstacles can be attached to it";
  std::string name;
  std::array<Expression, 3> position;
  Vector3 axis = Vector3::UnitZ();
  Expression angle;
  NamedMap<Vector3> points;

  static void fields(auto& self, auto& visit) {
    visit("position", self.position, Field{.unit = "m", .help = "three numbers or expressions in t"});
    visit("axis", self.axis, Field{.help = "axis of the rotation"});
    visit("angle", self.angle, Field{.unit = "rad", .help = "a number or an expression in t"});
    visit("points", self.points, Field{.unit = "m", .help = "named points in the axes of the frame"});
  }
};

inline const std::string& name_of(const Body& body) {
  return std::visit([](const auto& b) -> const std::string& { return b.name; }, body);
}
inline const std::string& material_of(const Body& body) {
  return std::visit([](const auto& b) -> const std::string& { return b.material; }, body);
}
/// Null for a body that does not deform.
inline const FlexibleBody* flexible(const Body& body) {
  return std::visit(
      [](const auto& b) -> const FlexibleBody* {
        if constexpr (std::is_base_of_v<FlexibleBody, std::decay_t<decltype(b)>>) return &b;
        return nullptr;
      },
      body);
}
/// The nodes and elements of a flexible body; null for others.
inline std::shared_ptr<const Mesh> mesh_of(const Body& body) {
  return std::visit(
      [](const auto& b) -> std::shared_ptr<const Mesh> {
        if constexpr (std::is_base_of_v<FlexibleBody, std::decay_t<decltype(b)>>) return mesh_of(b);
        return nullptr;
      },
      body);
}
/// Of rigid and planar bodies, in body axes; others have none.
inline const NamedMap<Vector3>* points_of(const Body& body) {
  if (const auto* rigid = std::get_if<RigidBody>(&body)) return &rigid->points;
  if (const auto* planar = std::get_if<PlanarBody>(&body)) return &planar->points;
  return nullptr;
}

}  // namespace percuss
