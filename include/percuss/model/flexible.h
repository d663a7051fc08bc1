#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "percuss/geometry/mesh.h"
#include "percuss/math/fields.h"
#include "percuss/math/vector.h"
#include "percuss/model/model_reduction.h"
#include "percuss/model/orientation.h"
#include "percuss/model/translations.h"

/// Bodies that deform: bars, beams and solids. Each is a mesh of nodes and elements; to joints, springs,
/// loads and contacts a node is a body like any other.  docs/theory/flexible_bodies.md
namespace percuss {

constexpr int max_elements = 1'000'000;  ///< of a body that is meshed here; files may have more

enum class MassMatrix { consistent, lumped };
template <>
struct EnumNames<MassMatrix> {
  static constexpr std::array<std::pair<MassMatrix, std::string_view>, 2> values = {
      {{MassMatrix::consistent, "consistent"}, {MassMatrix::lumped, "lumped"}}};
};

/// C = mass M + stiffness K.
struct RayleighDamping {
  double mass = 0, stiffness = 0;

  static void fields(auto& self, auto& visit) {
    visit(
        "mass", self.mass,
        Field{
            .unit = "1/s", .help = "damping per mass; slows rigid motion too", .range = allow::nonnegative});
    visit("stiffness", self.stiffness,
          Field{.unit = "s",
                .help = "damping per stiffness; acts on the rates of strain, so rigid motion is not damped",
                .range = allow::nonnegative});
  }
};

struct FlexibleBody {
  std::string name;
  std::string material;
  MassMatrix mass_matrix = MassMatrix::consistent;
  RayleighDamping damping;
  Vector3 velocity = Vector3::Zero();
  Vector3 angular_velocity = Vector3::Zero();
  NamedMap<Translations> held;
  NamedMap<double> masses;
  NamedMap<Vector3> points;
  bool carries_points = false;  ///< points need not be nodes: the nearest node carries them, if it can turn

  static void fields(auto& self, auto& visit) {
    visit("material", self.material,
          Field{.help = "name of a material with density and young", .required = true});
    visit("mass_matrix", self.mass_matrix,
          Field{.help = "`consistent` with the shape functions, or `lumped` at the nodes"});
    visit("damping", self.damping, Field{.help = "Rayleigh damping"});
    visit("velocity", self.velocity, Field{.unit = "m/s", .help = "initial velocity of all nodes"});
    visit("angular_velocity", self.angular_velocity,
          Field{.unit = "rad/s",
                .help =
                    "initial angular velocity about the middle of the nodes, in space; added to `velocity`"});
    visit("held", self.held,
          Field{.help = "nodes that do not move, by the name of a node or set, with the directions: "
                        "`{first: xyz}`"});
    visit("masses", self.masses,
          Field{.unit = "kg",
                .help = "point masses by the name of a node; of a set every node gets the mass",
                .range = allow::positive});
    visit("points", self.points,
          Field{.unit = "m",
                .help = "names for nodes: the one that lies at this place at the start; `cube.corner` in "
                        "probes, joints, springs, forces and contacts. A point of a shaft may lie anywhere: "
                        "the nearest node carries it"});
  }
};

enum class BarLaw { linear, truss };
template <>
struct EnumNames<BarLaw> {
  static constexpr std::array<std::pair<BarLaw, std::string_view>, 2> values = {
      {{BarLaw::linear, "linear"}, {BarLaw::truss, "truss"}}};
};

/// What bars and beams have in common.
struct SlenderBody : FlexibleBody {
  Vector3 from = Vector3::Zero(), to = Vector3::Zero();
  int elements = 1;

  double length() const { return (to - from).norm(); }

  static void fields(auto& self, auto& visit) {
    visit("from", self.from, Field{.unit = "m", .help = "place of the node `first`", .required = true});
    visit("to", self.to, Field{.unit = "m", .help = "place of the node `last`", .required = true});
    visit("elements", self.elements,
          Field{.help = "number of elements of equal length; the nodes are `first`, `1`, `2`, ... `last`",
                .range = {.low = 1},
                .required = true});
    FlexibleBody::fields(self, visit);
  }
};

struct Bar : SlenderBody {
  static constexpr std::string_view kind = "bar";
  static constexpr std::string_view about = "an elastic bar that carries axial forces only";
  double area = 0;
  BarLaw law = BarLaw::linear;
  Translations translations = Translations::xyz;

  static void fields(auto& self, auto& visit) {
    visit("area", self.area,
          Field{.unit = "m^2", .help = "of its section", .range = allow::positive, .required = true});
    visit("law", self.law,
          Field{.help = "`linear`: the nodes move along the bar only, which lies along x, y or z; `truss`: "
                        "pin-jointed elements with large displacements"});
    visit("translations", self.translations,
          Field{.help = "directions in which the nodes of a truss can move"});
    SlenderBody::fields(self, visit);
  }
};

/// By its shape, or by area and moments of area.
struct BeamSection {
  std::optional<double> circle;
  std::optional<std::array<double, 2>> tube, rectangle;
  std::optional<double> area, inertia, second_inertia, torsion, shear_factor;

  static void fields(auto& self, auto& visit) {
    visit("circle", self.circle, Field{.unit = "m", .help = "its radius", .range = allow::positive});
    visit("tube", self.tube, Field{.unit = "m", .help = "[outer radius, inner radius]"});
    visit("rectangle", self.rectangle, Field{.unit = "m", .help = "[width, height], the height along `up`"});
    visit("area", self.area, Field{.unit = "m^2", .help = "instead of a shape", .range = allow::positive});
    visit("inertia", self.inertia,
          Field{.unit = "m^4",
                .help = "second moment of area for bending towards `up`; of a planar beam in its plane",
                .range = allow::positive});
    visit(
        "second_inertia", self.second_inertia,
        Field{
            .unit = "m^4", .help = "for bending to the side; default: `inertia`", .range = allow::positive});
    visit("torsion", self.torsion,
          Field{.unit = "m^4",
                .help = "torsion constant; default: `inertia` + `second_inertia`",
                .range = allow::positive});
    visit("shear_factor", self.shear_factor,
          Field{.help = "part of the area that carries shear; default: 5/6 for a rectangle and a given area, "
                        "9/10 for a circle, 1/2 for a tube",
                .range = {.low = 0, .high = 1, .low_open = true}});
  }
};
/// The numbers that follow from a section.
struct SectionProperties {
  double area = 0, shear_area = 0;
  double inertia = 0, second_inertia = 0, torsion = 0;  ///< [m^4]
  double edge = 0,
         second_edge = 0;  ///< farthest fibre of both bendings; without a shape that of a rectangle [m]
};
SectionProperties properties_of(const BeamSection& section);

struct Beam : SlenderBody {
  static constexpr std::string_view kind = "beam";
  static constexpr std::string_view about =
      "a geometrically exact beam: axial force, shear, bending and torsion with rotations of any size";
  BeamSection section;
  bool planar = false;
  std::optional<Vector3> up;

  static void fields(auto& self, auto& visit) {
    visit("section", self.section, Field{.help = "its cross section", .required = true});
    visit("in_plane", self.planar, Field{.help = "true: moves in a plane z = constant and turns about z"});
    visit(
        "up", self.up,
        Field{.help = "direction of the section's height at the start; default: z, or y for a beam along z; "
                      "in the plane for a planar beam"});
    SlenderBody::fields(self, visit);
  }
};
/// Columns: along the beam, the height of its section, and across both.
Matrix3 section_axes(const Beam& beam);

enum class SolidFormulation { small_strain, st_venant_kirchhoff, neo_hooke, floating };
template <>
struct EnumNames<SolidFormulation> {
  static constexpr std::array<std::pair<SolidFormulation, std::string_view>, 6> values = {
      {{SolidFormulation::small_strain, "small-strain"},
       {SolidFormulation::st_venant_kirchhoff, "st-venant-kirchhoff"},
       {SolidFormulation::neo_hooke, "neo-hooke"},
       {SolidFormulation::floating, "floating"},
       // The words of the literature on floating frames.
       {SolidFormulation::small_strain, "small"},
       {SolidFormulation::st_venant_kirchhoff, "total-lagrangian"}}};
};
/// What a floating frame does to the body in it: centrifugal, Euler and Coriolis forces of the deformed body,
/// or those of the undeformed one.
enum class RotationalForces { full, reduced };
template <>
struct EnumNames<RotationalForces> {
  static constexpr std::array<std::pair<RotationalForces, std::string_view>, 2> values = {
      {{RotationalForces::full, "full"}, {RotationalForces::reduced, "reduced"}}};
};
enum class PlaneAssumption { strain, stress };
template <>
struct EnumNames<PlaneAssumption> {
  static constexpr std::array<std::pair<PlaneAssumption, std::string_view>, 2> values = {
      {{PlaneAssumption::strain, "strain"}, {PlaneAssumption::stress, "stress"}}};
};
enum class MeshCell { hex8, hex20, tet4, tet10, quad4, tri3 };
template <>
struct EnumNames<MeshCell> {
  static constexpr std::array<std::pair<MeshCell, std::string_view>, 6> values = {{{MeshCell::hex8, "hex8"},
                                                                                   {MeshCell::hex20, "hex20"},
                                                                                   {MeshCell::tet4, "tet4"},
                                                                                   {MeshCell::tet10, "tet10"},
                                                                                   {MeshCell::quad4, "quad4"},
                                                                                   {MeshCell::tri3, "tri3"}}};
};

struct MeshBox {
  Vector3 corner = Vector3::Zero(), size = Vector3::Zero();
  std::array<int, 3> divisions = {1, 1, 1};
  MeshCell cells = MeshCell::hex8;

  static void fields(auto& self, auto& visit) {
    visit("corner", self.corner, Field{.unit = "m", .help = "the corner with the smallest coordinates"});
    visit(
        "size", self.size,
        Field{.unit = "m", .help = "its edges; a flat one (z = 0) is meshed in the plane", .required = true});
    visit("divisions", self.divisions, Field{.help = "cells along x, y and z", .required = true});
    visit("cells", self.cells, Field{.help = "hex8, hex20, tet4 or tet10; in the plane quad4 or tri3"});
  }
};

struct MeshSource {
  std::optional<MeshBox> box;
  std::optional<std::string> file;
  std::optional<std::string> unit;
  std::optional<double> cell_size;
  std::optional<MeshCell> cells;

  static void fields(auto& self, auto& visit) {
    visit("box", self.box,
          Field{.help = "a box of equal cells, with the node sets and surfaces x_min, x_max, ... z_max"});
    visit("file", self.file,
          Field{.help =
                    "a mesh next to the scene: .msh, .unv, .bdf, .inp, or .stl and .step, which are meshed"});
    visit("unit", self.unit, Field{.help = "length unit of the file: m, cm, mm, um, in, ft"});
    visit("cell_size", self.cell_size,
          Field{.unit = "m",
                .help = "size of the cells where a .stl or .step file is meshed",
                .range = allow::positive});
    visit(
        "cells", self.cells,
        Field{.help =
                  "where a .stl or .step file is meshed: `tet4` (if nothing is said), or `tet10`, which bend "
                  "well and have about seven times as many nodes"});
  }
};

struct Solid : FlexibleBody {
  static constexpr std::string_view kind = "solid";
  static constexpr std::string_view about = "a solid of finite elements, in space or in the x-y plane";
  MeshSource mesh;
  Vector3 position = Vector3::Zero();
  Orientation orientation;
  SolidFormulation formulation = SolidFormulation::st_venant_kirchhoff;
  std::optional<RotationalForces> rotational_forces;
  std::optional<ModelReduction> reduction;
  PlaneAssumption plane = PlaneAssumption::strain;
  double thickness = 1;
  std::optional<bool> incompatible_modes;  ///< where it is possible, if nothing is said
  std::shared_ptr<const Mesh> cells;       ///< read from the file, or made from the box when it is asked for

  static void fields(auto& self, auto& visit) {
    visit("mesh", self.mesh, Field{.help = "its nodes and elements", .required = true});
    visit(
        "position", self.position,
        Field{.unit = "m",
              .help = "of a mesh from a file: where its origin stands at the start; nodes, and `points`, are "
                      "in space"});
    visit("orientation", self.orientation,
          Field{.help = "of a mesh from a file: the rotation from its axes to space at the start"});
    visit("formulation", self.formulation,
          Field{.help = "`small-strain` (linear, no large rotations), Total Lagrangian with one of two "
                        "hyperelastic laws, or `floating`: small strain in a frame that moves with the "
                        "body, for stiff bodies with large motions; `small` and `total-lagrangian` are "
                        "other words for the first two"});
    visit("rotational_forces", self.rotational_forces,
          Field{.help = "with `formulation: floating`: `full`, or `reduced` to those of the undeformed body; "
                        "default: full, with the scheme floating-trapezoidal reduced"});
    visit("reduction", self.reduction,
          Field{.help = "with `formulation: floating`: fewer coordinates, some nodes and some modes; its "
                        "rotational forces are `reduced` always"});
    visit("plane", self.plane, Field{.help = "of a plane mesh: plane strain or plane stress"});
    visit("thickness", self.thickness,
          Field{.unit = "m", .help = "of a plane mesh", .range = allow::positive});
    visit("incompatible_modes", self.incompatible_modes,
          Field{.help = "of hex8 and quad4 in `small-strain` and `floating`, where they are true if nothing "
                        "is said: cures locking in bending"});
    FlexibleBody::fields(self, visit);
  }
};

/// Whether strains are small: in a body at rest, or in a frame that moves with it.
bool is_linear(SolidFormulation formulation);
bool can_have_incompatible_modes(CellShape shape);
bool has_incompatible_modes(const Solid& solid, CellShape shape);

/// The nodes and elements of a flexible body. Bars and beams have the node sets first, last and all.
/// Whether places at `edge` from each other differ by more than the rounding of their coordinates [m].
bool can_tell_apart(double edge, const Vector3& place);
/// The shortest distance between nodes of a mesh [m].
double finest_edge(const MeshBox& box);
double finest_edge(const SlenderBody& body);

std::shared_ptr<const Mesh> mesh_of(const SlenderBody& body);
std::shared_ptr<const Mesh> mesh_of(const Solid& body);

/// The nodes that `last`, `12`, `z_max` or the name of a point mean; empty if there are none.
std::vector<int> find_nodes(const FlexibleBody& body, const Mesh& mesh, const std::string& name);
/// Whether a name means nodes, and not a point beside them.
bool names_nodes(const FlexibleBody& body, const Mesh& mesh, const std::string& name);

}  // namespace percuss
