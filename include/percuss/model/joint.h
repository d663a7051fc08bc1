#pragma once

#include <optional>
#include <string>
#include <variant>

#include "percuss/laws/joint_friction.h"
#include "percuss/math/expression.h"
#include "percuss/math/vector.h"

namespace percuss {

/// Stops at both ends of the motion of a hinge or slider: unilateral constraints with restitution.
struct Limits {
  std::optional<double> lower, upper;
  double restitution = 0;

  static void fields(auto& self, auto& visit) {
    visit("lower", self.lower, Field{.unit = "rad or m", .help = "smallest coordinate; 0 is the start"});
    visit("upper", self.upper, Field{.unit = "rad or m", .help = "largest coordinate"});
    visit("restitution", self.restitution,
          Field{.help = "Newton's e of the stops", .range = allow::unit_interval});
  }
};

/// What moves a hinge or slider: exactly one of these.
struct Drive {
  std::optional<Expression> coordinate, speed, load;

  static void fields(auto& self, auto& visit) {
    visit("coordinate", self.coordinate,
          Field{.unit = "rad or m", .help = "prescribed angle or position, a number or an expression in t"});
    visit("speed", self.speed, Field{.unit = "rad/s or m/s", .help = "prescribed speed"});
    visit("load", self.load, Field{.unit = "N m or N", .help = "given torque or force"});
  }
};

enum class JointKind {
  fixed,
  hinge,
  slider,
  cylindrical,
  ball,
  universal,
  planar_joint,
  distance,
  point_on_line,
  point_on_plane,
  screw,
  tie,
};

/// Between two bodies, or a body and the ground.
template <JointKind joint_kind>
struct JointOf;

/// The fields that joints share; which of them a kind uses, its field list says.
struct JointBase {
  // What validation has to know; a kind hides what is not so.
  static constexpr bool has_place = true;    ///< it is not the same wherever it is
  static constexpr bool holds_turns = true;  ///< both ends must be able to turn
  static constexpr bool fits_plane = true;   ///< planar bodies can have it

  std::string name;
  std::string body, to = "ground";
  std::string node, to_node;
  std::optional<Vector3> at, body_point, to_point;
  Vector3 axis = Vector3::UnitZ();
  Vector3 second_axis = Vector3::UnitX();
  std::optional<Expression> length;
  double pitch = 0;
  double friction = 0;
  std::optional<Limits> limits;
  std::optional<Drive> drive;

  /// What it holds: `arm`, or a node of a flexible body such as `rod.first`.
  std::string carrier() const { return node.empty() ? body : body + "." + node; }
  std::string to_carrier() const { return to_node.empty() ? to : to + "." + to_node; }

  static void ends(auto& self, auto& visit) {
    visit("body", self.body,
          Field{.help = "name of a body, or of a node of a flexible one: `rod.first`", .required = true});
    visit("node", self.node, Field{.help = "node of a flexible `body`, if it is not named there: `first`"});
    visit("to", self.to, Field{.help = "name of the other body, node or frame, or `ground`"});
    visit("to_node", self.to_node, Field{.help = "node of a flexible `to`"});
    visit("at", self.at,
          Field{.unit = "m",
                .help =
                    "its place in space at the start; default: the places of `body_point` and `to_point`, or "
                    "of the node"});
    visit("body_point", self.body_point,
          Field{.unit = "m",
                .help = "instead of `at`: its place in the axes of `body`; the bodies are moved together at "
                        "the start"});
    visit("to_point", self.to_point,
          Field{.unit = "m", .help = "likewise in the axes of `to` (in space for the ground)"});
  }
  static void with_axis(auto& self, auto& visit) {
    ends(self, visit);
    visit("axis", self.axis, Field{.help = "its direction in space at the start"});
  }
  static void with_coordinate(auto& self, auto& visit) {
    with_axis(self, visit);
    visit("limits", self.limits, Field{.help = "stops at the ends of its motion"});
    visit("drive", self.drive, Field{.help = "a prescribed motion or a given load"});
    JointFriction::fields(self, visit);
  }
};

template <>
struct JointOf<JointKind::fixed> : JointBase {
  static constexpr bool has_place = false;
  static constexpr std::string_view kind = "fixed";
  static constexpr std::string_view about = "no relative motion";
  static void fields(auto& self, auto& visit) { JointBase::ends(self, visit); }
};
template <>
struct JointOf<JointKind::hinge> : JointBase {
  static constexpr std::string_view kind = "hinge";
  static constexpr std::string_view about = "a common point and axis; one rotation is free";
  static void fields(auto& self, auto& visit) { JointBase::with_coordinate(self, visit); }
};
template <>
struct JointOf<JointKind::slider> : JointBase {
  static constexpr std::string_view kind = "slider";
  static constexpr std::string_view about = "one translation along the axis is free";
  static void fields(auto& self, auto& visit) { JointBase::with_coordinate(self, visit); }
};
template <>
struct JointOf<JointKind::cylindrical> : JointBase {
  static constexpr bool fits_plane = false;
  static constexpr std::string_view kind = "cylindrical";
  static constexpr std::string_view about = "translation along and rotation about the axis are free";
  static void fields(auto& self, auto& visit) { JointBase::with_axis(self, visit); }
};
template <>
struct JointOf<JointKind::ball> : JointBase {
  static constexpr bool holds_turns = false;
  static constexpr std::string_view kind = "ball";
  static constexpr std::string_view about = "a common point; all rotations are free";
  static void fields(auto& self, auto& visit) { JointBase::ends(self, visit); }
};
template <>
struct JointOf<JointKind::universal> : JointBase {
  static constexpr bool fits_plane = false;
  static constexpr std::string_view kind = "universal";
  static constexpr std::string_view about =
      "a common point; the axis of `body` stays perpendicular to the second axis, which belongs to `to`";
  static void fields(auto& self, auto& visit) {
    JointBase::with_axis(self, visit);
    visit("second_axis", self.second_axis,
          Field{.help = "direction in space at the start, perpendicular to `axis`"});
  }
};
template <>
struct JointOf<JointKind::planar_joint> : JointBase {
  static constexpr bool fits_plane = false;
  static constexpr std::string_view kind = "plane";
  static constexpr std::string_view about =
      "the body slides and turns on a plane of the other; the axis is normal to it";
  static void fields(auto& self, auto& visit) { JointBase::with_axis(self, visit); }
};
template <>
struct JointOf<JointKind::distance> : JointBase {
  static constexpr bool holds_turns = false;
  static constexpr std::string_view kind = "distance";
  static constexpr std::string_view about = "a massless rod between `body_point` and `to_point`";
  static void fields(auto& self, auto& visit) {
    JointBase::ends(self, visit);
    visit("length", self.length,
          Field{.unit = "m", .help = "a number or an expression in t; default: the length at the start"});
  }
};
template <>
struct JointOf<JointKind::point_on_line> : JointBase {
  static constexpr bool holds_turns = false;
  static constexpr std::string_view kind = "point_on_line";
  static constexpr std::string_view about = "a point of the body stays on a line of the other";
  static void fields(auto& self, auto& visit) { JointBase::with_axis(self, visit); }
};
template <>
struct JointOf<JointKind::point_on_plane> : JointBase {
  static constexpr bool holds_turns = false;
  static constexpr std::string_view kind = "point_on_plane";
  static constexpr std::string_view about =
      "a point of the body stays on a plane of the other; the axis is normal to it";
  static void fields(auto& self, auto& visit) { JointBase::with_axis(self, visit); }
};
template <>
struct JointOf<JointKind::screw> : JointBase {
  static constexpr bool fits_plane = false;
  static constexpr std::string_view kind = "screw";
  static constexpr std::string_view about = "rotation about the axis and translation along it are coupled";
  static void fields(auto& self, auto& visit) {
    JointBase::with_axis(self, visit);
    visit(
        "pitch", self.pitch,
        Field{
            .unit = "m", .help = "translation per turn; negative for a left-hand thread", .required = true});
  }
};

template <>
struct JointOf<JointKind::tie> : JointBase {
  static constexpr std::string_view kind = "tie";
  static constexpr std::string_view about =
      "fixes nodes of a flexible body to another body, a frame or the ground";
  static void fields(auto& self, auto& visit) {
    visit("nodes", self.body, Field{.help = "a node or node set, as in `cube.z_min`", .required = true});
    visit("to", self.to, Field{.help = "name of a body, node or frame, or `ground`"});
  }
};

/// Couples the coordinates of two hinges or sliders: first + ratio * second = const.
struct Gear {
  static constexpr std::string_view kind = "gear";
  static constexpr std::string_view about =
      "couples the coordinates of two joints: first + ratio * second stays constant";
  std::string name;
  std::array<std::string, 2> joints;
  double ratio = 1;

  static void fields(auto& self, auto& visit) {
    visit("joints", self.joints, Field{.help = "names of two hinges or sliders", .required = true});
    visit("ratio", self.ratio,
          Field{.help = "positive: opposite sense, as of two wheels; z_2/z_1 for a pair of gears",
                .required = true});
  }
};

using Joint =
    std::variant<JointOf<JointKind::fixed>, JointOf<JointKind::hinge>, JointOf<JointKind::slider>,
                 JointOf<JointKind::cylindrical>, JointOf<JointKind::ball>, JointOf<JointKind::universal>,
                 JointOf<JointKind::planar_joint>, JointOf<JointKind::distance>,
                 JointOf<JointKind::point_on_line>, JointOf<JointKind::point_on_plane>,
                 JointOf<JointKind::screw>, JointOf<JointKind::tie>, Gear>;

inline const std::string& name_of(const Joint& joint) {
  return std::visit([](const auto& j) -> const std::string& { return j.name; }, joint);
}
inline std::string_view kind_name(const Joint& joint) {
  return std::visit([](const auto& j) { return j.kind; }, joint);
}
/// Null for a gear.
inline const JointBase* base_of(const Joint& joint) {
  return std::visit(
      [](const auto& j) -> const JointBase* {
        if constexpr (std::is_base_of_v<JointBase, std::decay_t<decltype(j)>>)
          return &j;
        else
          return nullptr;
      },
      joint);
}
/// Hinges and sliders have a coordinate that can be driven, limited, sprung and geared.
inline bool has_coordinate(const Joint& joint) {
  return std::holds_alternative<JointOf<JointKind::hinge>>(joint) ||
         std::holds_alternative<JointOf<JointKind::slider>>(joint);
}

}  // namespace percuss
