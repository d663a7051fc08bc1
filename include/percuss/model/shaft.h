#pragma once

#include <optional>

#include "percuss/model/flexible.h"

/// A shaft that spins about a line: five coordinates for each node.  docs/theory/shaft.md
namespace percuss {

/// A rigid part that sits on a node and turns with it: a flywheel, half of a coupling, the rotor of a drive.
struct ShaftDisc {
  double mass = 0, polar = 0;
  std::optional<double> transverse;

  /// That of a thin disc, unless given.
  double transverse_inertia() const { return transverse.value_or(0.5 * polar); }

  static void fields(auto& self, auto& visit) {
    visit("mass", self.mass, Field{.unit = "kg", .help = "its mass", .range = allow::nonnegative});
    visit("polar", self.polar,
          Field{.unit = "kg m^2",
                .help = "moment of inertia about the axis of the shaft",
                .range = allow::nonnegative});
    visit("transverse", self.transverse,
          Field{.unit = "kg m^2",
                .help = "moment of inertia about a diameter; default: half of `polar`, as of a thin disc",
                .range = allow::nonnegative});
  }
};

struct Shaft : SlenderBody {
  static constexpr std::string_view kind = "shaft";
  static constexpr std::string_view about =
      "a round shaft that spins about a line: bending and torsion with small deflections and slopes and a "
      "spin "
      "of any size, gyroscopic forces, no motion along the line";
  BeamSection section;
  double torsional_damping = 0;
  std::vector<double> stations;
  NamedMap<ShaftDisc> discs;

  Shaft() { carries_points = true; }

  static void fields(auto& self, auto& visit) {
    visit("section", self.section,
          Field{.help = "its cross section: `circle`, `tube`, or `area` with `inertia`", .required = true});
    visit("torsional_damping", self.torsional_damping,
          Field{.unit = "N m s/rad",
                .help = "torque between the ends of the shaft per difference of their rates of spin",
                .range = allow::nonnegative});
    visit("stations", self.stations,
          Field{.unit = "m",
                .help = "distances from `from` at which there are nodes; the parts between them are divided "
                        "into elements of equal length, not longer than length/`elements`"});
    visit("discs", self.discs, Field{.help = "rigid parts by the name of the node they sit on"});
    SlenderBody::fields(self, visit);
  }
};

/// With nodes at the stations.
double finest_edge(const Shaft& shaft);
std::shared_ptr<const Mesh> mesh_of(const Shaft& shaft);

/// Columns: along the shaft, and two directions across; x, y, z for a shaft along x.
Matrix3 shaft_axes(const Shaft& shaft);

}  // namespace percuss
