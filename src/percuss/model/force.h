#pragma once

#include <array>
#include <optional>
#include <string>

#include "percuss/math/expression.h"
#include "percuss/math/vector.h"
#include "percuss/model/fields.h"

namespace percuss {

/// Where a spring ends: at a body, or at a point fixed in space.
struct Attachment {
  static constexpr std::string_view scalar_field = "body";  ///< `from: ball` means `from: {body: ball}`
  std::optional<std::string> body;
  std::optional<Vector3> point;

  static void fields(auto& self, auto& visit) {
    visit("body", self.body, Field{.help = "name of a body; `from: ball` is short for `from: {body: ball}`"});
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
                        "the force is then linear in the coordinates"});
  }
};

struct AppliedForce {
  static constexpr std::string_view kind = "force";
  static constexpr std::string_view about = "a given force on a body, constant or a function of time";
  std::string name;
  std::string body;
  std::array<Expression, 3> value;

  static void fields(auto& self, auto& visit) {
    visit("body", self.body, Field{.help = "name of the body it acts on", .required = true});
    visit("value", self.value,
          Field{.unit = "N", .help = "three numbers or expressions in t", .required = true});
  }
};

}  // namespace percuss
