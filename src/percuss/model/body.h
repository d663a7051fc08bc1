#pragma once

#include <optional>
#include <string>
#include <variant>

#include "percuss/math/vector.h"
#include "percuss/model/fields.h"

namespace percuss {

/// The directions in which a body may move; the other coordinates keep their initial value.
enum class Translations { x, y, z, xy, xz, yz, xyz };
template <>
struct EnumNames<Translations> {
  static constexpr std::array<std::pair<Translations, std::string_view>, 7> values = {
      {{Translations::x, "x"},
       {Translations::y, "y"},
       {Translations::z, "z"},
       {Translations::xy, "xy"},
       {Translations::xz, "xz"},
       {Translations::yz, "yz"},
       {Translations::xyz, "xyz"}}};
};
inline bool moves_along(Translations t, int axis) {
  return enum_name(t).find("xyz"[axis]) != std::string_view::npos;
}

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

using Body = std::variant<Particle, Sphere>;

inline const TranslatingBody& common(const Body& body) {
  return std::visit([](const auto& b) -> const TranslatingBody& { return b; }, body);
}
inline const std::string& name_of(const Body& body) { return common(body).name; }
/// 0 for a particle.
inline double radius_of(const Body& body) {
  const auto* sphere = std::get_if<Sphere>(&body);
  return sphere ? sphere->radius : 0.0;
}

}  // namespace percuss
