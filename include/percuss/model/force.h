#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "percuss/math/expression.h"
#include "percuss/math/fields.h"
#include "percuss/math/vector.h"

namespace percuss {

/// Where a spring ends: at a body, at a point of a body, or at a point fixed in space.
struct Attachment {
  static constexpr std::string_view scalar_field = "body";  ///< `from: ball` means `from: {body: ball}`
  std::optional<std::string> body;
  std::optional<Vector3> point;

  static void fields(auto& self, auto& visit) {
    visit("body", self.body,
          Field{.help = "name of a body or frame, or of one of its points as in `arm.tip`; `from: ball` is "
                        "short for `from: {body: ball}`"});
    visit("point", self.point, Field{.unit = "m", .help = "a point fixed in space, instead of a body"});
  }
};

struct Spring {
  static constexpr std::string_view kind = "spring";
  static constexpr std::string_view about =
      "a linear spring with a damper in parallel, along the line between its ends or along a fixed axis";
  std::string name;
  Attachment from, to;
  double stiffness = 0;
  double damping = 0;
  std::optional<double> rest_length;
  std::optional<Vector3> axis;

  static void fields(auto& self, auto& visit) {
    visit("from", self.from, Field{.help = "first end", .required = true});
    visit("to", self.to, Field{.help = "second end", .required = true});
    visit("stiffness", self.stiffness,
          Field{.unit = "N/m", .help = "force per elongation", .range = allow::nonnegative});
    visit("damping", self.damping,
          Field{.unit = "N s/m", .help = "force per rate of elongation", .range = allow::nonnegative});
    visit("rest_length", self.rest_length,
          Field{.unit = "m", .help = "length without force; default: the length at the start"});
    visit("axis", self.axis,
          Field{.help = "acts only along this direction: length = axis . (to - from), which may be negative; "
                        "the force is then linear in the coordinates of particles"});
  }
};

struct JointSpring {
  static constexpr std::string_view kind = "joint_spring";
  static constexpr std::string_view about =
      "a spring with a damper on the coordinate of a hinge (torsional) or of a slider";
  std::string name;
  std::string joint;
  double stiffness = 0, damping = 0, preload = 0;
  double rest = 0;

  static void fields(auto& self, auto& visit) {
    visit("joint", self.joint, Field{.help = "name of a hinge or slider", .required = true});
    visit("stiffness", self.stiffness,
          Field{.unit = "N m/rad or N/m", .help = "torque per angle", .range = allow::nonnegative});
    visit("damping", self.damping,
          Field{.unit = "N m s/rad or N s/m", .help = "torque per rate", .range = allow::nonnegative});
    visit("rest", self.rest, Field{.unit = "rad or m", .help = "coordinate without torque; 0 is the start"});
    visit("preload", self.preload,
          Field{.unit = "N m or N", .help = "torque at rest, in the direction of falling coordinates"});
  }
};

struct Bushing {
  static constexpr std::string_view kind = "bushing";
  static constexpr std::string_view about =
      "an elastic joint: springs and dampers along and about the three axes of `to`";
  std::string name;
  std::string body, to = "ground";
  Vector3 at = Vector3::Zero();
  Vector3 stiffness = Vector3::Zero(), rotational_stiffness = Vector3::Zero();
  Vector3 damping = Vector3::Zero(), rotational_damping = Vector3::Zero();
  Vector3 preload = Vector3::Zero();
  std::optional<std::vector<std::vector<double>>> stiffness_matrix, damping_matrix;

  static void fields(auto& self, auto& visit) {
    visit("body", self.body, Field{.help = "name of a body", .required = true});
    visit("to", self.to, Field{.help = "name of the other body or frame, or `ground`"});
    visit("at", self.at, Field{.unit = "m", .help = "its place at the start"});
    visit("stiffness", self.stiffness,
          Field{.unit = "N/m", .help = "along the axes of `to`", .range = allow::nonnegative});
    visit("rotational_stiffness", self.rotational_stiffness,
          Field{.unit = "N m/rad",
                .help = "about these axes; for small rotations (the sine of the angle counts)",
                .range = allow::nonnegative});
    visit("damping", self.damping,
          Field{.unit = "N s/m", .help = "along the axes", .range = allow::nonnegative});
    visit("rotational_damping", self.rotational_damping,
          Field{.unit = "N m s/rad", .help = "about the axes", .range = allow::nonnegative});
    visit("preload", self.preload,
          Field{.unit = "N", .help = "force on `body` at the start, against the axes of `to`"});
    visit("stiffness_matrix", self.stiffness_matrix,
          Field{.help = "a symmetric 6 x 6 matrix instead: three translations, three rotations"});
    visit("damping_matrix", self.damping_matrix, Field{.help = "a symmetric 6 x 6 matrix instead"});
  }
};

using SpringElement = std::variant<Spring, JointSpring, Bushing>;
inline const std::string& name_of(const SpringElement& spring) {
  return std::visit([](const auto& s) -> const std::string& { return s.name; }, spring);
}

enum class Axes { space, body };
template <>
struct EnumNames<Axes> {
  static constexpr std::array<std::pair<Axes, std::string_view>, 2> values = {
      {{Axes::space, "space"}, {Axes::body, "body"}}};
};

struct AppliedForce {
  static constexpr std::string_view kind = "force";
  static constexpr std::string_view about = "a given force on a body, constant or a function of time";
  std::string name;
  std::string body;
  std::array<Expression, 3> value;
  Axes axes = Axes::space;

  static void fields(auto& self, auto& visit) {
    visit("body", self.body,
          Field{.help = "name of the body it acts on (at its centre), or of one of its points: `arm.tip`",
                .required = true});
    visit("value", self.value,
          Field{.unit = "N", .help = "three numbers or expressions in t", .required = true});
    visit("axes", self.axes, Field{.help = "`space`: fixed directions; `body`: turns with the body"});
  }
};

struct AppliedTorque {
  static constexpr std::string_view kind = "torque";
  static constexpr std::string_view about = "a given torque on a rigid body, constant or a function of time";
  std::string name;
  std::string body;
  std::array<Expression, 3> value;
  Axes axes = Axes::space;

  static void fields(auto& self, auto& visit) {
    visit("body", self.body, Field{.help = "name of a rigid or planar body", .required = true});
    visit("value", self.value,
          Field{.unit = "N m", .help = "three numbers or expressions in t", .required = true});
    visit("axes", self.axes, Field{.help = "`space`: fixed directions; `body`: turns with the body"});
  }
};

struct DistributedLoad {
  static constexpr std::string_view kind = "distributed";
  static constexpr std::string_view about =
      "a given load spread over a flexible body or one of its surfaces, constant or a function of time";
  std::string name;
  std::string on;
  std::array<Expression, 3> value;

  static void fields(auto& self, auto& visit) {
    visit(
        "on", self.on,
        Field{.help = "a bar, beam or solid, or a surface of a solid as in `cube.z_max`", .required = true});
    visit("value", self.value,
          Field{.unit = "N/m on a bar or beam, N/m^2 on a surface, N/m^3 on a solid",
                .help = "three numbers or expressions in t; the directions stay fixed in space",
                .required = true});
  }
};

using Load = std::variant<AppliedForce, AppliedTorque, DistributedLoad>;
inline const std::string& name_of(const Load& load) {
  return std::visit([](const auto& l) -> const std::string& { return l.name; }, load);
}

}  // namespace percuss
