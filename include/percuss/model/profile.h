#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "percuss/math/fields.h"

namespace percuss {

/// An arc from where the piece before it ends.
struct ProfileArc {
  std::array<double, 2> to = {0, 0}, centre = {0, 0};
  bool clockwise = false;

  static void fields(auto& self, auto& visit) {
    visit(
        "to", self.to,
        Field{.unit = "m", .help = "its end [x, y]; a full circle if it is its beginning", .required = true});
    visit("centre", self.centre, Field{.unit = "m", .help = "of its circle [x, y]", .required = true});
    visit("clockwise", self.clockwise, Field{.help = "whether it turns clockwise round its centre"});
  }
};

/// A piece of an outline: exactly one of these.
struct ProfilePiece {
  std::optional<std::array<double, 2>> line;
  std::optional<ProfileArc> arc;

  static void fields(auto& self, auto& visit) {
    visit("line", self.line, Field{.unit = "m", .help = "a straight line to [x, y]"});
    visit("arc", self.arc, Field{.help = "a circular arc"});
  }
};

/// A region of the plane without holes that need not be convex. Exactly one of polygon, outline and table.
struct Profile {
  static constexpr double default_tolerance = 1e-5;

  std::optional<std::vector<std::array<double, 2>>> polygon;
  std::optional<std::vector<ProfilePiece>> outline;
  double tolerance = default_tolerance;
  std::optional<std::string> table;
  double scale = 1;
  std::shared_ptr<const std::vector<std::array<double, 2>>> loaded;  ///< points of the table, scaled [m]

  static void fields(auto& self, auto& visit) {
    visit("polygon", self.polygon,
          Field{.unit = "m", .help = "corners [x, y] in their order, in either direction"});
    visit("outline", self.outline,
          Field{.help = "or: lines and arcs; each begins where the one before ends, the first one where the "
                        "last one ends"});
    visit("tolerance", self.tolerance,
          Field{.unit = "m",
                .help = "of an outline: arcs become chords that are nowhere farther from them than this",
                .range = allow::positive});
    visit("table", self.table,
          Field{.help = "or: a .csv file next to the scene, a line with x and y for each corner; the outline "
                        "closes by itself"});
    visit("scale", self.scale,
          Field{.help = "of a table: metres for a unit of its lengths, 0.001 for mm",
                .range = allow::positive});
  }
};

/// A profile along z, from -depth / 2 to depth / 2.
struct ExtrudedProfile : Profile {
  double depth = 0;

  static void fields(auto& self, auto& visit) {
    Profile::fields(self, visit);
    visit("depth", self.depth,
          Field{.unit = "m",
                .help = "along z, half of it below z = 0",
                .range = allow::positive,
                .required = true});
  }
};

struct TriangleMesh;
/// Its surface. Of a profile without faults whose table has been loaded.
std::shared_ptr<const TriangleMesh> mesh_of(const ExtrudedProfile& profile);

}  // namespace percuss
