#include "cli/bad_input.h"

// The same for bars, beams, solids and what names their nodes and surfaces.
namespace percuss {
namespace {

using namespace percuss::testing;

/// A scene without a fault. The cases name its lines.
constexpr const char* flexible_scene = R"(percuss: 1
title: Flexible
materials:
  steel: {density: 8000, young: 2e11, poisson: 0.3}
  rubber: {density: 1000, young: 1e6, poisson: 0.4}
  wood: {}
pairs:
  - {between: [rubber, wood], restitution: 0}
  - {between: [rubber, rubber], restitution: 0}
bodies:
  - bar: rod
    from: [0, 0, 5]
    to: [1, 0, 5]
    elements: 4
    area: 1e-4
    material: steel
    held: {first: xyz}
  - beam: leaf
    from: [0, 1, 0]
    to: [0.3, 1, 0]
    elements: 3
    section: {rectangle: [0.02, 0.01]}
    material: steel
  - solid: block
    mesh: {box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}
    formulation: neo-hooke
    material: rubber
    points: {corner: [0, 0, 0.1]}
  - solid: cap
    mesh: {box: {corner: [0, 0, 0.11], size: [0.2, 0.2, 0.1], divisions: [1, 1, 1]}}
    material: rubber
  - solid: part
    mesh: {file: part.inp, unit: mm}
    material: rubber
  - rigid: weight
    mass: 2
    inertia: [0.1, 0.1, 0.1]
    position: [0.3, 1, 0]
frames:
  - {frame: table, position: [0, 0, 0.01*sin(t)]}
joints:
  - {fixed: clamp, body: leaf.first}
  - {tie: foot, nodes: part.bottom, to: table}
  - {ball: eye, body: weight, to: leaf.last, at: [0.3, 1, 0]}
springs:
  - {spring: coil, from: rod.last, to: {point: [2, 0, 5]}, stiffness: 10}
forces:
  - {force: push, body: leaf.2, value: [0, 0, 1]}
  - {torque: turn, body: leaf.last, value: [0, 0, 1]}
  - {distributed: wind, on: cap.z_max, value: [0, 0, -1]}
obstacles:
  - {half_space: floor, normal: [0, 0, 1], material: wood}
contacts:
  - {nodes: block.z_min, against: floor}
  - {nodes: cap.z_min, against: block.z_max}
integrator: {scheme: moreau-jean}
time: {end: 0.002, step: 0.001}
record:
  probes:
    tip: leaf.last.position.z
)";

/// The mesh that it names.
constexpr const char* part_inp = R"(*NODE
1, 1000, 1000, 0
2, 1010, 1000, 0
3, 1010, 1010, 0
4, 1000, 1010, 0
5, 1000, 1000, 10
6, 1010, 1000, 10
7, 1010, 1010, 10
8, 1000, 1010, 10
*ELEMENT, TYPE=C3D8, ELSET=all
1, 1, 2, 3, 4, 5, 6, 7, 8
*NSET, NSET=bottom
1, 2, 3, 4
*SURFACE, NAME=top
1, S2
)";

class FlexibleFault : public BadInputTest, public ::testing::WithParamInterface<SceneCase> {};

TEST_P(FlexibleFault, IsReportedAndLeavesOldResultsAlone) {
  const SceneCase& c = GetParam();
  write_file(folder_ / "scene.yaml",
             c.part.empty() ? flexible_scene : with_change(c.part, c.replacement, flexible_scene));
  for (const char* name : {"part", "part.inp", "part.obj", "part.stl", "part.msh", "part.unv", "part.bdf"})
    write_file(folder_ / name, part_inp);
  std::vector<std::string> arguments = {"run", "scene.yaml", "-o", "old.h5"};
  if (!c.set.empty()) arguments.insert(arguments.end(), {"--set", c.set});
  expect_refused(arguments, c.messages, c.faults);
}

using Messages = std::vector<std::string>;

/// A mesh file with a fault.
struct MeshCase {
  std::string name, file, text;
  Messages messages;
};
std::ostream& operator<<(std::ostream& stream, const MeshCase& c) { return stream << c.name; }

class MeshFault : public BadInputTest, public ::testing::WithParamInterface<MeshCase> {};

TEST_P(MeshFault, IsReportedAndLeavesOldResultsAlone) {
  const MeshCase& c = GetParam();
  write_file(folder_ / "scene.yaml", flexible_scene);
  write_file(folder_ / c.file, c.text);
  expect_refused({"run", "scene.yaml", "-o", "old.h5"}, c.messages);
}

/// One more item at the beginning of a list.
SceneCase with_item(std::string name, const std::string& list, const std::string& item, Messages messages,
                    int faults = 1) {
  const std::string head = "\n" + list + ":\n";
  return change(std::move(name), head, head + "  - " + item + "\n", std::move(messages), faults);
}
SceneCase with_node_probe(std::string name, const std::string& probe, Messages messages) {
  return change(std::move(name), "leaf.last.position.z", probe, std::move(messages));
}
MeshCase mesh_with(std::string name, const std::string& part, const std::string& replacement,
                   Messages messages) {
  return {std::move(name), "part.inp", with_change(part, replacement, part_inp), std::move(messages)};
}
std::string binary_rubbish() {
  std::string bytes;
  for (int i = 0; i < 5000; ++i) bytes += static_cast<char>(i % 256);
  return bytes;
}

const std::vector<SceneCase> wrong_flexible_lines = {
    change("BeamPlanar", "    from: [0, 1, 0]\n", "    planar: true\n    from: [0, 1, 0]\n",
           {"scene.yaml:19:5: bodies[1].planar: unknown key; did you mean 'in_plane'?"}),
    change("BeamPlane", "    from: [0, 1, 0]\n", "    plane: true\n    from: [0, 1, 0]\n",
           {"scene.yaml:19:5: bodies[1].plane: unknown key; did you mean 'in_plane'?"}),
    change("BeamInPlaneOff", "    to: [0.3, 1, 0]", "    to: [0.3, 1, 0.1]\n    in_plane: true",
           {"scene.yaml:20:9: bodies[1].to: [0.3, 1, 0.1] is not allowed; a beam with `in_plane: true` lies "
            "in a plane z = constant, and `from` has z = 0"}),
    change("BeamInPlaneUp", "    from: [0, 1, 0]\n",
           "    from: [0, 1, 0]\n    in_plane: true\n    up: [0, 1, 0]\n",
           {"scene.yaml:21:9: bodies[1].up: it has no meaning for a planar beam; leave it out"}),
    change("BeamUpAlong", "    from: [0, 1, 0]\n", "    from: [0, 1, 0]\n    up: [1, 0, 0]\n",
           {"scene.yaml:20:9: bodies[1].up: [1, 0, 0] is not allowed; it must not lie along the beam"}),
    change("BeamUpZero", "    from: [0, 1, 0]\n", "    from: [0, 1, 0]\n    up: [0, 0, 0]\n",
           {"scene.yaml:20:9: bodies[1].up: [0, 0, 0] is not allowed; it must have a direction"}),
    change("BeamZeroLength", "    to: [0.3, 1, 0]", "    to: [0, 1, 0]",
           {"scene.yaml:20:9: bodies[1].to: it is the same place as `from`; a bar or beam needs a length"}),
    change("BeamNoTo", "    to: [0.3, 1, 0]\n", "",
           {"scene.yaml:18:5: bodies[1]: the key 'to' is missing: place of the node `last`"}),
    change("Elements0", "    elements: 3", "    elements: 0",
           {"scene.yaml:21:15: bodies[1].elements: 0 is not allowed; elements must be >= 1"}),
    change("ElementsMinus", "    elements: 3", "    elements: -3",
           {"scene.yaml:21:15: bodies[1].elements: -3 is not allowed; elements must be >= 1"}),
    change("Elements1e9", "    elements: 3", "    elements: 1e9",
           {"scene.yaml:21:15: bodies[1].elements: 1000000000 is not allowed; it must be a whole number >= 1 "
            "and below 1e9"}),
    change("Elements999999999", "    elements: 3", "    elements: 999999999",
           {"scene.yaml:21:15: bodies[1].elements: 999999999 is not allowed; at most 1000000"}),
    change("Elements2_5", "    elements: 3", "    elements: 2.5",
           {"scene.yaml:21:15: bodies[1].elements: 2.5 is not allowed; it must be a whole number >= 1"}),
    change("ElementsWord", "    elements: 3", "    elements: many",
           {"scene.yaml:21:15: bodies[1].elements: 'many' is not a number: unknown name 'many'"}),
    change("ElementsMissing", "    elements: 3\n", "",
           {"scene.yaml:18:5: bodies[1]: the key 'elements' is missing: number of elements of equal length; "
            "the nodes are `first`, `1`, `2`, ... `last`"}),
    change("RodElements0", "    elements: 4", "    elements: 0",
           {"scene.yaml:14:15: bodies[0].elements: 0 is not allowed; elements must be >= 1"}),
    change("RodElementsBig", "    elements: 4", "    elements: 2000000",
           {"scene.yaml:14:15: bodies[0].elements: 2000000 is not allowed; at most 1000000"}),
    change("RodArea0", "area: 1e-4", "area: 0",
           {"scene.yaml:15:11: bodies[0].area: 0 is not allowed; area must be > 0"}),
    change("RodAreaMissing", "    area: 1e-4\n", "",
           {"scene.yaml:11:5: bodies[0]: the key 'area' is missing: of its section"}),
    change("RodSection", "area: 1e-4", "section: {circle: 0.01}",
           {"scene.yaml:15:5: bodies[0].section: unknown key; known: bar, area, law, translations, from, to, "
            "elements, material, mass_matrix, damping, velocity, angular_velocity, held, masses, points",
            "scene.yaml:11:5: bodies[0]: the key 'area' is missing: of its section"},
           2),
    change("RodOblique", "    to: [1, 0, 5]", "    to: [1, 1, 5]",
           {"scene.yaml:13:9: bodies[0].to: the direction [0.7071067811865475, 0.7071067811865475, 0] is not "
            "allowed; a linear bar lies along x, y or z (`law: truss` moves in all directions)"}),
    change("RodTransBad", "area: 1e-4", "area: 1e-4\n    law: truss\n    translations: xx",
           {"scene.yaml:17:19: bodies[0].translations: 'xx' is not allowed; did you mean 'x'? it must be one "
            "of x, y, z, xy, xz, yz, xyz"}),
    change("RodLaw", "area: 1e-4", "area: 1e-4\n    law: pinned",
           {"scene.yaml:16:10: bodies[0].law: 'pinned' is not allowed; it must be one of linear, truss"}),
};

const std::vector<SceneCase> wrong_flexible_sections = {
    change("SectionNone", "    section: {rectangle: [0.02, 0.01]}\n", "",
           {"scene.yaml:18:5: bodies[1]: the key 'section' is missing: its cross section"}),
    change("SectionEmpty", "{rectangle: [0.02, 0.01]}", "{}",
           {"scene.yaml:22:14: bodies[1].section: give exactly one of circle, tube, rectangle, or `area` "
            "with `inertia`"}),
    change("SectionTwo", "{rectangle: [0.02, 0.01]}", "{rectangle: [0.02, 0.01], circle: 0.1}",
           {"scene.yaml:22:14: bodies[1].section: give exactly one of circle, tube, rectangle, or `area` "
            "with `inertia`"}),
    change("SectionBoth", "{rectangle: [0.02, 0.01]}", "{rectangle: [0.02, 0.01], area: 0.1}",
           {"scene.yaml:22:14: bodies[1].section: give exactly one of circle, tube, rectangle, or `area` "
            "with `inertia`"}),
    change("SectionHalf", "{rectangle: [0.02, 0.01]}", "{area: 0.1}",
           {"scene.yaml:22:14: bodies[1].section: `inertia` is missing: give both `area` and `inertia`, or a "
            "shape instead (circle, tube or rectangle)"}),
    change("SectionHalf2", "{rectangle: [0.02, 0.01]}", "{inertia: 0.1}",
           {"scene.yaml:22:14: bodies[1].section: `area` is missing: give both `area` and `inertia`, or a "
            "shape instead (circle, tube or rectangle)"}),
    change("SectionRect0", "{rectangle: [0.02, 0.01]}", "{rectangle: [0.02, 0]}",
           {"scene.yaml:22:26: bodies[1].section.rectangle: [0.02, 0] is not allowed; each number of "
            "rectangle must be > 0"}),
    change("SectionRect1", "{rectangle: [0.02, 0.01]}", "{rectangle: 0.02}",
           {"scene.yaml:22:26: bodies[1].section.rectangle: expected a list of two numbers, found a single "
            "value"}),
    change("SectionTube", "{rectangle: [0.02, 0.01]}", "{tube: [0.01, 0.02]}",
           {"scene.yaml:22:21: bodies[1].section.tube: [0.01, 0.02] is not allowed; the outer radius comes "
            "first and is larger than the inner one, which is > 0"}),
    change("SectionCircleNeg", "{rectangle: [0.02, 0.01]}", "{circle: -1}",
           {"scene.yaml:22:23: bodies[1].section.circle: -1 is not allowed; circle must be > 0"}),
    change("SectionShear", "{rectangle: [0.02, 0.01]}", "{circle: 1, shear_factor: 1.5}",
           {"scene.yaml:22:40: bodies[1].section.shear_factor: 1.5 is not allowed; shear_factor must be in "
            "(0, 1]"}),
    change("SectionWord", "{rectangle: [0.02, 0.01]}", "circle",
           {"scene.yaml:22:14: bodies[1].section: expected a mapping such as {circle: ..., tube: ..., "
            "rectangle: ..., area: ...}, found a single value"}),
    change("SectionUnknown", "{rectangle: [0.02, 0.01]}", "{radius: 0.1}",
           {"scene.yaml:22:15: bodies[1].section.radius: unknown key; known: circle, tube, rectangle, area, "
            "inertia, second_inertia, torsion, shear_factor"}),
    change("SectionRadiusOnly", "{rectangle: [0.02, 0.01]}", "{second_inertia: 0.1}",
           {"scene.yaml:22:14: bodies[1].section: give exactly one of circle, tube, rectangle, or `area` "
            "with `inertia`"}),
    change("SectionRectTorsion", "{rectangle: [0.02, 0.01]}", "{rectangle: [0.02, 0.01], inertia: 1e-9}",
           {"scene.yaml:22:14: bodies[1].section: give exactly one of circle, tube, rectangle, or `area` "
            "with `inertia`"}),
};

const std::vector<SceneCase> wrong_flexible_materials = {
    change("NoYoung", "rubber: {density: 1000, young: 1e6, poisson: 0.4}",
           "rubber: {density: 1000, poisson: 0.4}",
           {"scene.yaml:27:15: bodies[2].material: 'rubber' has no `young`, which the flexible body 'block' "
            "needs"}),
    change("NoDensity", "rubber: {density: 1000, young: 1e6, poisson: 0.4}",
           "rubber: {young: 1e6, poisson: 0.4}",
           {"scene.yaml:27:15: bodies[2].material: 'rubber' has no `density`, which the flexible body "
            "'block' needs"}),
    change("NoBoth", "rubber: {density: 1000, young: 1e6, poisson: 0.4}", "rubber: {}",
           {"scene.yaml:27:15: bodies[2].material: 'rubber' has no `density` and no `young`, which the "
            "flexible body 'block' needs"}),
    change("Poisson05", "poisson: 0.4", "poisson: 0.5",
           {"scene.yaml:5:48: materials.rubber.poisson: 0.5 is not allowed; poisson must be in [-0.99, "
            "0.4999]"}),
    change(
        "Poisson1", "poisson: 0.4", "poisson: -1",
        {"scene.yaml:5:48: materials.rubber.poisson: -1 is not allowed; poisson must be in [-0.99, 0.4999]"}),
    change("Young0", "young: 1e6", "young: 0",
           {"scene.yaml:5:34: materials.rubber.young: 0 is not allowed; young must be > 0"}),
    change("MatUnknown", "    formulation: neo-hooke\n    material: rubber",
           "    formulation: neo-hooke\n    material: ruber",
           {"scene.yaml:27:15: bodies[2].material: unknown material 'ruber'; did you mean 'rubber'?"}),
    change("MatMissing", "    formulation: neo-hooke\n    material: rubber", "    formulation: neo-hooke",
           {"scene.yaml:24:5: bodies[2]: the key 'material' is missing: name of a material with density and "
            "young"}),
    change("FormulationBad", "formulation: neo-hooke", "formulation: neohooke",
           {"scene.yaml:26:18: bodies[2].formulation: 'neohooke' is not allowed; did you mean 'neo-hooke'? "
            "it must be one of small-strain, st-venant-kirchhoff, neo-hooke"}),
    change(
        "RotationalForcesOfOthers", "formulation: neo-hooke", "rotational_forces: reduced",
        {"scene.yaml:26:24: bodies[2].rotational_forces: it has a meaning for `formulation: floating` only"}),
    change("Incompatible", "formulation: neo-hooke", "incompatible_modes: true",
           {"scene.yaml:26:25: bodies[2].incompatible_modes: it needs `formulation: small-strain` or "
            "`floating`; with large strains use hex20 or tet10 cells"}),
    change("PositionOfBox", "    formulation: neo-hooke\n", "    position: [0, 0, 1]\n",
           {"bodies[2].position: it belongs to a mesh from a `file`; a box stands at "
            "`mesh.box.corner`"}),
    change("OrientationOfBox", "    formulation: neo-hooke\n",
           "    orientation: {axis: [0, 0, 1], angle: 90 deg}\n",
           {"bodies[2].orientation: it belongs to a mesh from a `file`"}),
    change("IncompatTet10", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1], cells: tet10}}\n    incompatible_modes: true",
           {"scene.yaml:26:25: bodies[2].incompatible_modes: it needs `formulation: small-strain` or "
            "`floating`; with large strains use hex20 or tet10 cells"}),
    change(
        "IncompatSmallTet10",
        "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}\n    formulation: neo-hooke",
        "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1], cells: tet10}}\n    formulation: small-strain\n "
        "   "
        "incompatible_modes: true",
        {"scene.yaml:27:25: bodies[2].incompatible_modes: it is for hex8 and quad4 cells, and the mesh has "
         "none; leave it out"}),
};

const std::vector<SceneCase> wrong_flexible_boxes = {
    change("MeshNone", "    mesh: {box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}\n", "",
           {"scene.yaml:24:5: bodies[2]: the key 'mesh' is missing: its nodes and elements"}),
    change("MeshEmpty", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}", "{}",
           {"scene.yaml:25:11: bodies[2].mesh: give either `box` or `file`"}),
    change("MeshBoth", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}, file: part.inp, unit: mm}",
           {"scene.yaml:25:11: bodies[2].mesh: give either `box` or `file`"}),
    change("MeshWord", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}", "part.inp",
           {"scene.yaml:25:11: bodies[2].mesh: expected a mapping such as {box: ..., file: ..., unit: ..., "
            "cell_size: ...}, found a single value"}),
    change("BoxNoDiv", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, 0.2, 0.1]}}",
           {"scene.yaml:25:17: bodies[2].mesh.box: the key 'divisions' is missing: cells along x, y and z"}),
    change("BoxDiv0", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 0, 1]}}",
           {"scene.yaml:25:52: bodies[2].mesh.box.divisions: [2, 0, 1] is not allowed; each number must be "
            "at least 1"}),
    change("BoxDivNeg", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, 0.2, 0.1], divisions: [-2, -2, 1]}}",
           {"scene.yaml:25:52: bodies[2].mesh.box.divisions: [-2, -2, 1] is not allowed; each number must be "
            "at least 1"}),
    change(
        "BoxDivFrac", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
        "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2.5, 1]}}",
        {"scene.yaml:25:56: bodies[2].mesh.box.divisions[1]: 2.5 is not allowed; it must be a whole number"}),
    change("BoxDivBig", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, 0.2, 0.1], divisions: [2000, 2000, 1000]}}",
           {"scene.yaml:25:52: bodies[2].mesh.box.divisions: [2000, 2000, 1000] is not allowed; these are "
            "4e+09 cells, at most 1000000 are"}),
    change("BoxDiv1e9", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, 0.2, 0.1], divisions: [1e9, 1, 1]}}",
           {"scene.yaml:25:53: bodies[2].mesh.box.divisions[0]: 1000000000 is not allowed; it must be a "
            "whole number and below 1e9"}),
    change("BoxDivTwo", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2]}}",
           {"scene.yaml:25:52: bodies[2].mesh.box.divisions: expected a list of three whole numbers, found a "
            "list of 2"}),
    change("BoxSizeNeg", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, -0.2, 0.1], divisions: [2, 2, 1]}}",
           {"scene.yaml:25:24: bodies[2].mesh.box.size: [0.2, -0.2, 0.1] is not allowed; each edge must be > "
            "0 (only z may be 0, for a plane mesh)"}),
    change("BoxSizeZero", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0, 0, 0.1], divisions: [2, 2, 1]}}",
           {"scene.yaml:25:24: bodies[2].mesh.box.size: [0, 0, 0.1] is not allowed; each edge must be > 0 "
            "(only z may be 0, for a plane mesh)"}),
    change("BoxSizeZNeg", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, 0.2, -0.1], divisions: [2, 2, 1]}}",
           {"scene.yaml:25:24: bodies[2].mesh.box.size: [0.2, 0.2, -0.1] is not allowed; each edge must be > "
            "0 (only z may be 0, for a plane mesh)"}),
    change(
        "BoxFlatHex", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
        "{box: {size: [0.2, 0.2, 0], divisions: [2, 2, 1], cells: hex20}}",
        {"scene.yaml:25:68: bodies[2].mesh.box.cells: 'hex20' does not fit; a plane mesh has quad4 or tri3"}),
    change(
        "BoxFlatDefault", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
        "{box: {size: [0.2, 0.2, 0], divisions: [2, 2, 1]}}",
        {"scene.yaml:25:17: bodies[2].mesh.box.cells: 'hex8' does not fit; a plane mesh has quad4 or tri3"}),
    change("BoxQuad", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1], cells: quad4}}",
           {"scene.yaml:25:70: bodies[2].mesh.box.cells: 'quad4' does not fit; a box has hex8, hex20, tet4 "
            "or tet10"}),
    change("BoxCellsBad", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1], cells: tet}}",
           {"scene.yaml:25:70: bodies[2].mesh.box.cells: 'tet' is not allowed; did you mean 'tet4'? it must "
            "be one of hex8, hex20, tet4, tet10, quad4, tri3"}),
    change("BoxUnit", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}, unit: mm}",
           {"scene.yaml:25:70: bodies[2].mesh.unit: it belongs to a `file`; the lengths of a box are in m: "
            "leave it out"}),
    change("BoxCellSize", "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}}",
           "{box: {size: [0.2, 0.2, 0.1], divisions: [2, 2, 1]}, cell_size: 0.1}",
           {"scene.yaml:25:75: bodies[2].mesh.cell_size: it belongs to a `file`; a box has `divisions`: "
            "leave it out"}),
    change("ThicknessSolid", "formulation: neo-hooke", "formulation: neo-hooke\n    thickness: 0.1",
           {"scene.yaml:27:16: bodies[2].thickness: 0.1 has no meaning for a mesh in space; leave it out"}),
    change("PlaneSolid", "formulation: neo-hooke", "formulation: neo-hooke\n    plane: stress",
           {"scene.yaml:27:12: bodies[2].plane: 'stress' has no meaning for a mesh in space; leave it out"}),
};

const std::vector<SceneCase> wrong_flexible_files = {
    change("FileMissing", "{file: part.inp, unit: mm}", "{file: parts.inp, unit: mm}",
           {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./parts.inp: No such file or directory"}),
    change("FileDir", "{file: part.inp, unit: mm}", "{file: ., unit: mm}",
           {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./.: its name has no extension"}),
    change("FileUnknownExt", "{file: part.inp, unit: mm}", "{file: part.obj, unit: mm}",
           {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.obj: '.obj' is no extension of a mesh "
            "file"}),
    change("FileNoExt", "{file: part.inp, unit: mm}", "{file: part, unit: mm}",
           {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part: its name has no extension"}),
    change("FileUnitMissing", "{file: part.inp, unit: mm}", "{file: part.inp}",
           {"scene.yaml:33:11: bodies[4].mesh: the key 'unit' is missing: the length unit of the file, such "
            "as mm; a mesh file does not say it"}),
    change("FileUnitBad", "{file: part.inp, unit: mm}", "{file: part.inp, unit: km}",
           {"scene.yaml:33:34: bodies[4].mesh.unit: 'km' is not allowed; it must be one of m, cm, mm, um, "
            "in, ft"}),
    change("FileUnitMM", "{file: part.inp, unit: mm}", "{file: part.inp, unit: MM}",
           {"scene.yaml:33:34: bodies[4].mesh.unit: 'MM' is not allowed; it must be one of m, cm, mm, um, "
            "in, ft"}),
    change("FileUnitNum", "{file: part.inp, unit: mm}", "{file: part.inp, unit: 0.001}",
           {"scene.yaml:33:34: bodies[4].mesh.unit: '0.001' is not allowed; it must be one of m, cm, mm, um, "
            "in, ft"}),
    change("UnitOnly", "{file: part.inp, unit: mm}", "{unit: mm}",
           {"scene.yaml:33:11: bodies[4].mesh: give either `box` or `file`"}),
    change("FileMissingUnitMissing", "{file: part.inp, unit: mm}", "{file: parts.inp}",
           {"scene.yaml:33:11: bodies[4].mesh: the key 'unit' is missing: the length unit of the file, such "
            "as mm; a mesh file does not say it"}),
    change(
        "FileCells", "{file: part.inp, unit: mm}", "{file: part.inp, unit: mm, cells: tet10}",
        {"scene.yaml:33:45: bodies[4].mesh.cells: it belongs to .stl and .step files; this file has its own "
         "cells: leave it out"}),
    change("FileCellSize", "{file: part.inp, unit: mm}", "{file: part.inp, unit: mm, cell_size: 0.1}",
           {"scene.yaml:33:49: bodies[4].mesh.cell_size: it belongs to .stl and .step files; this file has "
            "its own cells: leave it out"}),
    change("StlNoSize", "{file: part.inp, unit: mm}", "{file: part.stl, unit: mm}",
           {"scene.yaml:33:11: bodies[4].mesh: the key 'cell_size' is missing: the file has surfaces only, "
            "which are filled with cells of this size"}),
    change("StlRubbish", "{file: part.inp, unit: mm}", "{file: part.stl, unit: mm, cell_size: 0.1}",
           {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.stl"}),
    change("MshRubbish", "{file: part.inp, unit: mm}", "{file: part.msh, unit: mm}",
           {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.msh"}),
    change("UnvRubbish", "{file: part.inp, unit: mm}", "{file: part.unv, unit: mm}",
           {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.unv: line 1: a dataset must begin "
            "with a line -1"}),
    change("BdfRubbish", "{file: part.inp, unit: mm}", "{file: part.bdf, unit: mm}",
           {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.bdf: it has no nodes"}),
};

const std::vector<MeshCase> wrong_flexible_meshes = {
    {"InpEmpty",
     "part.inp",
     "",
     {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.inp: it is empty"}},
    {"InpBinary",
     "part.inp",
     binary_rubbish(),
     {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.inp: it is not a text file"}},
    mesh_with("InpNoElements", "*ELEMENT, TYPE=C3D8, ELSET=all\n1, 1, 2, 3, 4, 5, 6, 7, 8\n", "",
              {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.inp: it has no cells; tetrahedra, "
               "hexahedra, plane triangles and quadrangles, and lines are read"}),
    mesh_with("InpInverted", "1, 1, 2, 3, 4, 5, 6, 7, 8", "1, 5, 6, 7, 8, 1, 2, 3, 4",
              {"scene.yaml:33:18: bodies[4].mesh.file: 1 element is inside out or folded: 0; mesh it again, "
               "or turn the nodes of these elements around (numbers from 0, in the order of the file)"}),
    mesh_with("InpUnused", "*ELEMENT", "9, 0, 0, 50\n*ELEMENT",
              {"scene.yaml:33:18: bodies[4].mesh.file: 1 node belongs to no element: 8; take them out of the "
               "file (numbers from 0, in the order of the file)"}),
    mesh_with(
        "InpUnusedInSet",
        "*ELEMENT, TYPE=C3D8, ELSET=all\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*NSET, NSET=bottom\n1, 2, 3, 4",
        "9, 0, 0, 50\n*ELEMENT, TYPE=C3D8\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*NSET, NSET=bottom\n1, 2, 3, 4, 9",
        {"scene.yaml:33:18: bodies[4].mesh.file: 1 node belongs to no element: 8; take them out of the file "
         "(numbers from 0, in the order of the file)"}),
    mesh_with("InpEmptySet", "1, 2, 3, 4\n*SURFACE", "*SURFACE",
              {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.inp: line 12: node set 'bottom' is "
               "empty"}),
    mesh_with("InpDupNode", "8, 1000", "7, 1000",
              {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.inp: line 9: node 7 is there "
               "twice; if several parts have numbers of their own, write one part or a flat file"}),
    mesh_with("InpRepeated", "1, 1, 2, 3, 4, 5, 6, 7, 8", "1, 1, 2, 3, 4, 5, 6, 7, 7",
              {"scene.yaml:33:18: bodies[4].mesh.file: an element has the same node twice: 0 (numbers from "
               "0, in the order of the file)"}),
    mesh_with("InpDupElement", "8\n*NSET", "8\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*NSET",
              {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.inp: line 12: element 1 is there "
               "twice; if several parts have numbers of their own, write one part or a flat file"}),
    mesh_with("InpUnknownType", "C3D8", "C3D27",
              {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.inp: line 10: unknown type 'C3D27' "
               "of *ELEMENT; C3D4, C3D10, C3D8, C3D20, CPE3, CPE4, CPS3, CPS4 and B31 are read, and shells "
               "as surfaces"}),
    mesh_with("InpShells",
              "TYPE=C3D8, ELSET=all\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*NSET, NSET=bottom\n1, 2, 3, 4\n*SURFACE, "
              "NAME=top\n1, S2",
              "TYPE=S4, ELSET=all\n1, 1, 2, 3, 4\n*NSET, NSET=bottom\n1, 2",
              {"scene.yaml:33:18: bodies[4].mesh.file: 4 nodes belong to no element: 4, 5, 6, 7; take them "
               "out of the file (numbers from 0, in the order of the file)"}),
    mesh_with(
        "InpLines",
        "TYPE=C3D8, ELSET=all\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*NSET, NSET=bottom\n1, 2, 3, 4\n*SURFACE, "
        "NAME=top\n1, S2",
        "TYPE=B31, ELSET=all\n1, 1, 2\n*NSET, NSET=bottom\n1, 2",
        {"scene.yaml:33:18: bodies[4].mesh.file: it has lines only; a solid needs tetrahedra, hexahedra, or "
         "triangles and quadrilaterals in the x-y plane (bars and beams are made from `from` and `to`)"}),
    mesh_with("InpMissingNode", "7, 8\n", "7, 88\n",
              {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.inp: line 11: element 1 names node "
               "88, which does not exist"}),
    mesh_with("InpSetNode", "1, 2, 3, 4\n*S", "1, 2, 3, 44\n*S",
              {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.inp: line 13: node set 'bottom' "
               "names node 44, which does not exist"}),
    mesh_with("InpShort", "5, 6, 7, 8\n*NSET", "5, 6, 7\n*NSET",
              {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.inp: line 11: element 1 has 7 "
               "nodes; a hex8 has 8"}),
    mesh_with("InpWord", "2, 1010", "2, ten",
              {"scene.yaml:33:18: bodies[4].mesh.file: cannot read ./part.inp: line 3: 'ten' is not a number "
               "(coordinate)"}),
    mesh_with("InpNoSet", "NSET=bottom", "NSET=lower",
              {"scene.yaml:43:24: joints[1].nodes: 'part' has no node or node set 'bottom'; it has the nodes "
               "0 to 7 and all, lower"}),
};

const std::vector<SceneCase> wrong_flexible_nodes = {
    change("HeldUnknown", "    held: {first: xyz}", "    held: {frst: xyz}",
           {"scene.yaml:17:18: bodies[0].held.frst: 'rod' has no node or node set 'frst'; did you mean "
            "'first'?"}),
    change("HeldWord", "    held: {first: xyz}", "    held: {first: all}",
           {"scene.yaml:17:19: bodies[0].held.first: 'all' is not allowed; it must be one of x, y, z, xy, "
            "xz, yz, xyz"}),
    change("HeldZyx", "    held: {first: xyz}", "    held: {first: zyx}",
           {"scene.yaml:17:19: bodies[0].held.first: 'zyx' is not allowed; it must be one of x, y, z, xy, "
            "xz, yz, xyz"}),
    change("HeldList", "    held: {first: xyz}", "    held: [first]",
           {"scene.yaml:17:11: bodies[0].held: expected a mapping from names, found a list"}),
    change("HeldText", "    held: {first: xyz}", "    held: first",
           {"scene.yaml:17:11: bodies[0].held: expected a mapping from names, found a single value"}),
    change("HeldTwice", "    held: {first: xyz}", "    held: {first: xyz, first: x}",
           {"scene.yaml:17:24: the key 'first' stands twice in the same mapping"}),
    change("HeldLinearZ", "    held: {first: xyz}", "    held: {first: y}",
           {"scene.yaml:17:19: bodies[0].held.first: 'y' holds nothing; a linear bar along x moves in no "
            "other direction"}),
    change("MassUnknown", "    held: {first: xyz}", "    masses: {lst: 1}",
           {"scene.yaml:17:19: bodies[0].masses.lst: 'rod' has no node or node set 'lst'; did you mean "
            "'last'?"}),
    change("MassNeg", "    held: {first: xyz}", "    masses: {last: -1}",
           {"scene.yaml:17:20: bodies[0].masses.last: -1 is not allowed; masses must be > 0"}),
    change("MassZero", "    held: {first: xyz}", "    masses: {last: 0}",
           {"scene.yaml:17:20: bodies[0].masses.last: 0 is not allowed; masses must be > 0"}),
    change("MassWord", "    held: {first: xyz}", "    masses: {last: heavy}",
           {"scene.yaml:17:20: bodies[0].masses.last: 'heavy' is not a number: unknown name 'heavy'"}),
    change("PointOff", "corner: [0, 0, 0.1]", "corner: [0, 0, 0.2]",
           {"scene.yaml:28:22: bodies[2].points.corner: there is no node of 'block' at the point 'corner' = "
            "[0, 0, 0.2]; the nearest is '9' at [0, 0, 0.1]"}),
    change(
        "PointTwo", "corner: [0, 0, 0.1]", "corner: [0, 0]",
        {"scene.yaml:28:22: bodies[2].points.corner: expected a list of three numbers, found a list of 2"}),
    change(
        "PointNumber", "corner: [0, 0, 0.1]", "\"3\": [0, 0, 0.1]",
        {"scene.yaml:28:19: bodies[2].points.3: '3' is not allowed as a name; it is the number of a node"}),
    change("PointSet", "corner: [0, 0, 0.1]", "x_min: [0, 0, 0.1]",
           {"scene.yaml:28:21: bodies[2].points.x_min: 'x_min' is not allowed as a name; the mesh has a node "
            "set of that name"}),
    change("PointBadName", "corner: [0, 0, 0.1]", "a.b: [0, 0, 0.1]",
           {"scene.yaml:28:19: bodies[2].points.a.b: 'a.b' is not allowed as a name; use letters, digits, _ "
            "and -"}),
    change("PointQuantity", "corner: [0, 0, 0.1]", "position: [0, 0, 0.1]",
           {"scene.yaml:28:24: bodies[2].points.position: 'position' is not allowed as a name; it has a "
            "meaning of its own in probes"}),
    change("PointTwice", "corner: [0, 0, 0.1]", "corner: [0, 0, 0.1], corner: [0, 0, 0]",
           {"scene.yaml:28:35: the key 'corner' stands twice in the same mapping"}),
};

const std::vector<SceneCase> wrong_flexible_joints = {
    with_item(
        "TieRigid", "joints", "{tie: t, nodes: weight, to: table}",
        {"scene.yaml:42:21: joints[0].nodes: 'weight' is not flexible; a `fixed` joint holds other bodies"}),
    with_item("TieUnknown", "joints", "{tie: t, nodes: blok.z_min, to: table}",
              {"scene.yaml:42:21: joints[0].nodes: unknown body 'blok'; did you mean 'block'?"}),
    with_item("TieBody", "joints", "{tie: t, nodes: block, to: table}",
              {"scene.yaml:42:21: joints[0].nodes: 'block' is flexible; name one of its nodes here, as in "
               "'block.0'"}),
    with_item("TieSelf", "joints", "{tie: t, nodes: block.z_min, to: block}",
              {"scene.yaml:42:38: joints[0].to: nodes of 'block' cannot be tied to their own body; name "
               "another body, a node of one, a frame or `ground`"}),
    with_item("TieSelfNode", "joints", "{tie: t, nodes: block.z_min, to: block.corner}",
              {"scene.yaml:42:38: joints[0].to: nodes of 'block' cannot be tied to their own body; name "
               "another body, a node of one, a frame or `ground`"}),
    with_item(
        "TieToFlex", "joints", "{tie: t, nodes: block.z_min, to: cap}",
        {"scene.yaml:42:38: joints[0].to: 'cap' is flexible; name one of its nodes here, as in 'cap.0'"}),
    with_item("TieToSet", "joints", "{tie: t, nodes: block.z_min, to: cap.z_max}",
              {"scene.yaml:42:38: joints[0].to: 'cap.z_max' is a set of 4 nodes; name a single node here"}),
    with_item("TieToUnknown", "joints", "{tie: t, nodes: block.z_min, to: tabel}",
              {"scene.yaml:42:38: joints[0].to: unknown body 'tabel'; did you mean 'table'?"}),
    with_item("TieToPoint", "joints", "{tie: t, nodes: block.z_min, to: weight.tip}",
              {"scene.yaml:42:38: joints[0].to: 'weight.tip' is a point; name 'weight' here"}),
    with_item("TieToObstacle", "joints", "{tie: t, nodes: block.z_min, to: floor}",
              {"scene.yaml:42:38: joints[0].to: 'floor' is an obstacle; name `ground`, or the frame or body "
               "that carries it"}),
    with_item(
        "TieNodeUnknown", "joints", "{tie: t, nodes: block.zmin, to: table}",
        {"scene.yaml:42:21: joints[0].nodes: 'block' has no node or node set 'zmin'; did you mean 'z_min'?"}),
    with_item("TieNodeNumber", "joints", "{tie: t, nodes: block.999, to: table}",
              {"scene.yaml:42:21: joints[0].nodes: 'block' has no node or node set '999'; it has the nodes 0 "
               "to 17 and all, x_max, x_min, y_max, y_min, z_max, z_min, corner"}),
    with_item(
        "TieNoNodes", "joints", "{tie: t, to: table}",
        {"scene.yaml:42:5: joints[0]: the key 'nodes' is missing: a node or node set, as in `cube.z_min`"}),
    with_item(
        "TieBodyKey", "joints", "{tie: t, body: block.z_min, to: table}",
        {"scene.yaml:42:14: joints[0].body: unknown key; known: tie, nodes, to",
         "scene.yaml:42:5: joints[0]: the key 'nodes' is missing: a node or node set, as in `cube.z_min`"},
        2),
    with_item(
        "TieFrame", "joints", "{tie: t, nodes: table, to: ground}",
        {"scene.yaml:42:21: joints[0].nodes: 'table' is a frame and moves as prescribed; name a body here"}),
    with_item("HingeSolid", "joints", "{hinge: h, body: block.0}",
              {"scene.yaml:42:5: joints[0]: 'block.0' cannot turn: a hinge needs rigid or planar bodies or "
               "beams; a ball joint holds a particle or a node"}),
    with_item("HingeFlex", "joints", "{hinge: h, body: leaf}",
              {"scene.yaml:42:22: joints[0].body: 'leaf' is flexible; name one of its nodes here, as in "
               "'leaf.last'"}),
    with_item("HingeSet", "joints", "{hinge: h, body: leaf.all}",
              {"scene.yaml:42:22: joints[0].body: 'leaf.all' is a set of 4 nodes; name a single node here"}),
    with_item(
        "HingeUnknownNode", "joints", "{hinge: h, body: leaf.lst}",
        {"scene.yaml:42:22: joints[0].body: 'leaf' has no node or node set 'lst'; did you mean 'last'?"}),
    with_item("HingeNode7", "joints", "{hinge: h, body: leaf.7}",
              {"scene.yaml:42:22: joints[0].body: 'leaf' has no node or node set '7'; it has the nodes 0 to "
               "3 and all, first, last"}),
    with_item(
        "FixedSolidSet", "joints", "{fixed: h, body: block.z_min}",
        {"scene.yaml:42:22: joints[0].body: 'block.z_min' is a set of 9 nodes; name a single node here"}),
    with_item("FixedRigidToSolid", "joints", "{fixed: h, body: weight, to: block.corner, at: [0, 0, 0.1]}",
              {"scene.yaml:42:5: joints[0]: 'block.corner' cannot turn: a fixed needs rigid or planar bodies "
               "or beams; a ball joint holds a particle or a node"}),
    with_item("BallSelf", "joints", "{ball: h, body: leaf.first, to: leaf.first}",
              {"scene.yaml:42:37: joints[0].to: a ball between 'leaf.first' and itself holds nothing; name "
               "another body or `ground`"}),
    change("ClampNoDot", "body: leaf.first}", "body: leaf, at: [0, 1, 0]}",
           {"scene.yaml:42:26: joints[0].body: 'leaf' is flexible; name one of its nodes here, as in "
            "'leaf.last'"}),
    change("EyeTo", "to: leaf.last, at", "to: leaf, at",
           {"scene.yaml:44:35: joints[2].to: 'leaf' is flexible; name one of its nodes here, as in "
            "'leaf.last'"}),
};

const std::vector<SceneCase> wrong_flexible_loads = {
    with_item("SpringFlex", "springs", "{spring: s, from: block, to: {point: [2, 0, 5]}, stiffness: 10}",
              {"scene.yaml:46:23: springs[0].from.body: 'block' is flexible; name one of its nodes here, as "
               "in 'block.0'"}),
    with_item("SpringSet", "springs", "{spring: s, from: block.z_max, to: {point: [2, 0, 5]}, stiffness: 10}",
              {"scene.yaml:46:23: springs[0].from.body: 'block.z_max' is a set of 9 nodes; name a single "
               "node here"}),
    with_item(
        "SpringSameNode", "springs", "{spring: s, from: block.0, to: block.0, stiffness: 10}",
        {"scene.yaml:46:36: springs[0].to: 'block.0' is at both ends; a spring needs two different ends"}),
    with_item("SpringUnknownNode", "springs", "{spring: s, from: block.cornr, to: weight, stiffness: 10}",
              {"scene.yaml:46:23: springs[0].from.body: 'block' has no node or node set 'cornr'; did you "
               "mean 'corner'?"}),
    with_item("BushingSolid", "springs", "{bushing: s, body: block.0, stiffness: [1, 1, 1]}",
              {"scene.yaml:46:24: springs[0].body: 'block.0' cannot turn: a bushing needs a rigid or planar "
               "body or a beam"}),
    with_item("ForceFlex", "forces", "{force: f, body: block, value: [0, 0, 1]}",
              {"scene.yaml:48:22: forces[0].body: 'block' is flexible; name one of its nodes here, as in "
               "'block.0'"}),
    with_item(
        "ForceSet", "forces", "{force: f, body: block.z_max, value: [0, 0, 1]}",
        {"scene.yaml:48:22: forces[0].body: 'block.z_max' is a set of 9 nodes; name a single node here"}),
    with_item("TorqueSolid", "forces", "{torque: f, body: block.0, value: [0, 0, 1]}",
              {"scene.yaml:48:23: forces[0].body: 'block.0' cannot turn: a torque needs a rigid or planar "
               "body or a beam"}),
    with_item("TorqueBar", "forces", "{torque: f, body: rod.last, value: [0, 0, 1]}",
              {"scene.yaml:48:23: forces[0].body: 'rod.last' cannot turn: a torque needs a rigid or planar "
               "body or a beam"}),
    with_item("TorqueBeam", "forces", "{torque: f, body: leaf, value: [0, 0, 1]}",
              {"scene.yaml:48:23: forces[0].body: 'leaf' is flexible; name one of its nodes here, as in "
               "'leaf.last'"}),
    with_item("DistRigid", "forces", "{distributed: f, on: weight, value: [0, 0, 1]}",
              {"scene.yaml:48:26: forces[0].on: 'weight' is not flexible; give a `force` or `torque`"}),
    with_item("DistUnknown", "forces", "{distributed: f, on: weigt, value: [0, 0, 1]}",
              {"scene.yaml:48:26: forces[0].on: unknown body 'weigt'; did you mean 'weight'?"}),
    with_item("DistUnknownFlex", "forces", "{distributed: f, on: blok.z_max, value: [0, 0, 1]}",
              {"scene.yaml:48:26: forces[0].on: unknown body 'blok'; did you mean 'block'?"}),
    with_item("DistSurf", "forces", "{distributed: f, on: block.zmax, value: [0, 0, 1]}",
              {"scene.yaml:48:26: forces[0].on: 'block' has no surface 'zmax'; known: x_max, x_min, y_max, "
               "y_min, z_max, z_min"}),
    with_item("DistNode", "forces", "{distributed: f, on: block.0, value: [0, 0, 1]}",
              {"scene.yaml:48:26: forces[0].on: 'block' has no surface '0'; known: x_max, x_min, y_max, "
               "y_min, z_max, z_min"}),
    with_item("DistBeamNode", "forces", "{distributed: f, on: leaf.last, value: [0, 0, 1]}",
              {"scene.yaml:48:26: forces[0].on: 'leaf' is a bar or beam: name 'leaf' alone, or give a "
               "`force` for a node"}),
    with_item(
        "DistFrame", "forces", "{distributed: f, on: table, value: [0, 0, 1]}",
        {"scene.yaml:48:26: forces[0].on: unknown body 'table'; known: block, cap, leaf, part, rod, weight"}),
    with_item("DistBody", "forces", "{distributed: f, body: block, value: [0, 0, 1]}",
              {"scene.yaml:48:22: forces[0].body: unknown key; known: distributed, on, value",
               "scene.yaml:48:5: forces[0]: the key 'on' is missing: a bar, beam or solid, or a surface of a "
               "solid as in `cube.z_max`"},
              2),
    with_item("DistNodeSet", "forces", "{distributed: f, on: part.bottom, value: [0, 0, 1]}",
              {"scene.yaml:48:26: forces[0].on: 'part' has no surface 'bottom'; known: top"}),
    with_item("DistInf", "forces", "{distributed: f, on: block, value: [0, 0, 1/t]}",
              {"scene.yaml:48:47: forces[0].value[2]: distributed 'f' is not finite at t = 0 s: component z "
               "= 1 / t is infinite"}),
};

const std::vector<SceneCase> wrong_flexible_contacts = {
    with_item("ContactList", "contacts", "{nodes: block.zmin, against: floor}",
              {"scene.yaml:54:13: contacts[0].nodes: 'block' has no node or node set 'zmin'; did you mean "
               "'z_min'?"}),
    with_item("ContactBodyOfFlex", "contacts", "{body: block, against: floor}",
              {"scene.yaml:55:5: contacts[1]: the contact of 'block' and 'floor' is declared twice"}),
    with_item("ContactNodesFlex", "contacts", "{nodes: block, against: floor}",
              {"scene.yaml:55:5: contacts[1]: the contact of 'block' and 'floor' is declared twice"}),
    with_item("ContactNodesRigid", "contacts", "{nodes: weight, against: floor}",
              {"scene.yaml:54:13: contacts[0].nodes: 'weight' is not flexible; write `body: weight`"}),
    with_item("ContactBoth", "contacts", "{body: block, nodes: cap.z_min, against: floor}",
              {"scene.yaml:54:5: contacts[0]: give either `body` or `nodes`"}),
    with_item("ContactNone", "contacts", "{against: floor}",
              {"scene.yaml:54:5: contacts[0]: give either `body` or `nodes`"}),
    with_item("ContactBeamSurf", "contacts", "{nodes: block.z_max, against: leaf}",
              {"scene.yaml:54:35: contacts[0].against: 'leaf' is a bar or beam and has no surface; let a "
               "half_space move with one of its nodes: `frame: leaf.last`"}),
    with_item("ContactBeamSurf2", "contacts", "{nodes: block.z_max, against: leaf.all}",
              {"scene.yaml:54:35: contacts[0].against: 'leaf' is a bar or beam and has no surface; let a "
               "half_space move with one of its nodes: `frame: leaf.last`"}),
    with_item("ContactSurf", "contacts", "{nodes: block.z_max, against: cap.bottom}",
              {"scene.yaml:54:35: contacts[0].against: 'cap' has no surface 'bottom'; known: x_max, x_min, "
               "y_max, y_min, z_max, z_min"}),
    with_item("ContactNodeAgainst", "contacts", "{nodes: block.z_max, against: cap.0}",
              {"scene.yaml:54:35: contacts[0].against: 'cap' has no surface '0'; known: x_max, x_min, y_max, "
               "y_min, z_max, z_min"}),
    with_item("ContactNoLaw", "contacts", "{nodes: leaf.last, against: floor}",
              {"scene.yaml:8:3: pairs: no law between 'steel' (of 'leaf') and 'wood' (of 'floor'); add "
               "{between: [steel, wood], restitution: ...}"}),
    with_item("ContactTwice", "contacts", "{nodes: block.z_min, against: floor}",
              {"scene.yaml:55:5: contacts[1]: the contact of 'block' and 'floor' is declared twice"}),
    with_item("ContactSubset", "contacts", "{nodes: block.0, against: floor}",
              {"scene.yaml:55:5: contacts[1]: the contact of 'block' and 'floor' is declared twice"}),
    with_item("ContactAllOverlap", "contacts", "{body: all, against: floor}",
              {"scene.yaml:55:5: contacts[1]: the contact of 'block' and 'floor' is declared twice",
               "scene.yaml:8:3: pairs: no law between 'steel' (of 'rod') and 'wood' (of 'floor'); add "
               "{between: [steel, wood], restitution: ...}",
               "scene.yaml:35:5: bodies[5].material: 'weight' can touch 'floor' and needs a material, so "
               "that a pair law can be found"},
              3),
    with_item("ContactRigidVsSolid", "contacts", "{body: weight, against: block}",
              {"scene.yaml:35:5: bodies[5].material: 'weight' can touch 'block' and needs a material, so "
               "that a pair law can be found"}),
    with_item(
        "ContactAgainstUnknown", "contacts", "{nodes: block.z_max, against: capp.z_min}",
        {"scene.yaml:54:35: contacts[0].against: unknown obstacle or body 'capp'; did you mean 'cap'?"}),
    change(
        "ContactOfHeld", "    points: {corner: [0, 0, 0.1]}", "    held: {z_min: z}",
        {"contacts[0].nodes: 'block.z_min' cannot touch 'floor': `held: {z_min: z}` keeps its distance from "
         "it; leave the contact out, or name other nodes"}),
    with_item("ContactOfTied", "joints", "{tie: glue, nodes: block.z_min, to: ground}",
              {"contacts[0].nodes: 'block.z_min' cannot touch 'floor': the tie 'glue' fixes it to 'ground'; "
               "leave the contact out, or name other nodes"}),
    with_item("ContactPartTop", "contacts", "{nodes: block.z_max, against: part.tp}",
              {"scene.yaml:54:35: contacts[0].against: 'part' has no surface 'tp'; known: top"}),
    with_item("ContactPartBottom", "contacts", "{nodes: block.z_max, against: part.bottom}",
              {"scene.yaml:54:35: contacts[0].against: 'part' has no surface 'bottom'; known: top"}),
    with_item("ContactNodesObstacle", "contacts", "{nodes: floor, against: block}",
              {"scene.yaml:54:13: contacts[0].nodes: 'floor' is an obstacle; name it in `against`"}),
    with_item("WallOnFlex", "obstacles", "{half_space: w, normal: [0, 0, 1], material: wood, frame: block}",
              {"scene.yaml:52:63: obstacles[0].frame: 'block' is flexible; name one of its nodes here, as in "
               "'block.0'"}),
    with_item(
        "WallOnSet", "obstacles", "{half_space: w, normal: [0, 0, 1], material: wood, frame: block.z_max}",
        {"scene.yaml:52:63: obstacles[0].frame: 'block.z_max' is a set of 9 nodes; name a single node here"}),
    with_item("WallOnUnknown", "obstacles",
              "{half_space: w, normal: [0, 0, 1], material: wood, frame: block.zz}",
              {"scene.yaml:52:63: obstacles[0].frame: 'block' has no node or node set 'zz'; it has the nodes "
               "0 to 17 and all, x_max, x_min, y_max, y_min, z_max, z_min, corner"}),
};

const std::vector<SceneCase> wrong_flexible_probes = {
    with_node_probe("ProbeBody", "leaf.position",
                    {"scene.yaml:60:10: record.probes.tip: 'leaf.position': 'leaf.position' is a vector; add "
                     ".x, .y or .z"}),
    with_node_probe("ProbeBodyZ", "leaf.position.q",
                    {"scene.yaml:60:10: record.probes.tip: 'leaf.position.q': unknown component 'q'; it must "
                     "be x, y or z"}),
    with_node_probe("ProbeStressNode", "leaf.last.stress",
                    {"scene.yaml:60:10: record.probes.tip: 'leaf.last.stress': unknown quantity of a body "
                     "'stress'; known: displacement, omega, orientation, position, speed, velocity"}),
    with_node_probe("ProbeStressX", "leaf.stress.x",
                    {"scene.yaml:60:10: record.probes.tip: 'leaf.stress.x': a stress has no components; it "
                     "is the largest of all elements"}),
    with_node_probe("ProbeUnknownNode", "leaf.lst.position.z",
                    {"scene.yaml:60:10: record.probes.tip: 'leaf.lst.position.z': 'leaf' has no node or node "
                     "set 'lst'; did you mean 'last'?"}),
    with_node_probe("ProbeNode9", "leaf.9.position.z",
                    {"scene.yaml:60:10: record.probes.tip: 'leaf.9.position.z': 'leaf' has no node or node "
                     "set '9'; it has the nodes 0 to 3 and all, first, last"}),
    with_node_probe("ProbeSet", "block.z_max.position",
                    {"scene.yaml:60:10: record.probes.tip: 'block.z_max.position': 'block.z_max' is a set "
                     "of 9 nodes; name a single node, or ask for the mean of a component"}),
    with_node_probe(
        "ProbeSetQuantity", "block.z_max.omega.z",
        {"scene.yaml:60:10: record.probes.tip: 'block.z_max.omega.z': 'omega' is not known of a set "
         "of nodes; ask for position, velocity or displacement"}),
    with_node_probe("ProbeNodeQuantity", "leaf.last.positon.z",
                    {"scene.yaml:60:10: record.probes.tip: 'leaf.last.positon.z': unknown quantity of a body "
                     "'positon'; did you mean 'position'?"}),
    with_node_probe("ProbeNodeAxis", "leaf.last.position",
                    {"scene.yaml:60:10: record.probes.tip: 'leaf.last.position': 'leaf.last.position' is a "
                     "vector; add .x, .y or .z"}),
    with_node_probe("ProbeNodeOmega", "block.0.omega.x",
                    {"scene.yaml:60:10: record.probes.tip: 'block.0.omega.x': unknown quantity of a body "
                     "'omega'; known: displacement, position, speed, velocity"}),
    with_node_probe("ProbeNodeOnly", "leaf.last",
                    {"scene.yaml:60:10: record.probes.tip: 'leaf.last': 'leaf.last' needs a quantity, for "
                     "example leaf.last.position.x"}),
    with_node_probe("ProbeFlexOnly", "leaf",
                    {"scene.yaml:60:10: record.probes.tip: 'leaf': no quantity of the flexible body 'leaf'; "
                     "ask for position, velocity or displacement of its centre of mass, for rotation, "
                     "deformation or stress, or name a node as in 'leaf.last.position.x'"}),
    with_node_probe("ProbeFlexSpeed", "leaf.speed",
                    {"scene.yaml:60:10: record.probes.tip: 'leaf.speed': 'speed' is not known of the "
                     "flexible body 'leaf'; ask for position, velocity or displacement of its centre of "
                     "mass, for rotation, deformation or stress, or name a node as in "
                     "'leaf.last.position.x'"}),
    with_node_probe("ProbeUnknownFlex", "laef.last.position.z",
                    {"scene.yaml:60:10: record.probes.tip: 'laef.last.position.z': unknown name 'laef'; did "
                     "you mean 'leaf'?"}),
    with_node_probe("ProbeContact", "contact(block.z_mx, floor).force",
                    {"scene.yaml:60:10: record.probes.tip: 'contact(block.z_mx, floor).force': 'block' has "
                     "no node or node set 'z_mx'; did you mean 'z_max'?"}),
    with_node_probe("ProbeContactSet", "contact(block.z_max, floor).force",
                    {"scene.yaml:60:10: record.probes.tip: 'contact(block.z_max, floor).force': unknown "
                     "contact '(block.z_max, floor)'; did you mean '(block, floor)'?"}),
    with_node_probe(
        "ProbeContactQuantity", "contact(block.z_min, floor).friction",
        {"scene.yaml:60:10: record.probes.tip: 'contact(block.z_min, floor).friction': unknown quantity "
         "'friction' of the contacts of a node set; known: closed, force, gap, impacts"}),
    with_node_probe("ProbeContactNode", "contact(block.12, floor).force",
                    {"scene.yaml:60:10: record.probes.tip: 'contact(block.12, floor).force': unknown contact "
                     "'(block.12, floor)'; did you mean '(block, floor)'?"}),
    with_node_probe("ProbeContactObst", "contact(block.z_min, flor).force",
                    {"scene.yaml:60:10: record.probes.tip: 'contact(block.z_min, flor).force': unknown "
                     "contact '(block.z_min, flor)'; known: (block, floor), (cap, block.z_max)"}),
    with_node_probe("ProbeContactSurf", "contact(cap.z_min, block).force",
                    {"scene.yaml:60:10: record.probes.tip: 'contact(cap.z_min, block).force': unknown "
                     "contact '(cap.z_min, block)'; known: (block, floor), (cap, block.z_max)"}),
    with_node_probe("ProbeTie", "joint(foot).coordinate",
                    {"scene.yaml:60:10: record.probes.tip: 'joint(foot).coordinate': 'foot' has no "
                     "coordinate; only hinges and sliders have one"}),
    with_node_probe("ProbePartSet", "part.bottom.speed",
                    {"scene.yaml:60:10: record.probes.tip: 'part.bottom.speed': 'part.bottom' is a set "
                     "of 4 nodes; name a single node"}),
};

const std::vector<SceneCase> wrong_flexible_overrides = {
    override_with(
        "SetElements", "bodies[leaf].elements=0",
        {"--set bodies[leaf].elements=0: bodies[1].elements: 0 is not allowed; elements must be >= 1"}),
    override_with("SetElementsHalf", "bodies[leaf].elements=0.5",
                  {"--set bodies[leaf].elements=0.5: bodies[1].elements: 0.5 is not allowed; it must be a "
                   "whole number >= 1"}),
    override_with("SetMesh", "bodies[block].mesh.box.divisions=[0, 1, 1]",
                  {"--set bodies[block].mesh.box.divisions=[0, 1, 1]: bodies[2].mesh.box.divisions: [0, 1, "
                   "1] is not allowed; each number must be at least 1"}),
    override_with("SetMeshDeep", "bodies[block].mesh.box.divisions[0]=0",
                  {"scene.yaml:25:52: bodies[2].mesh.box.divisions: [0, 2, 1] is not allowed; each number "
                   "must be at least 1"}),
    override_with("SetMeshFile", "bodies[part].mesh.file=none.inp",
                  {"--set bodies[part].mesh.file=none.inp: bodies[4].mesh.file: cannot read ./none.inp: No "
                   "such file or directory"}),
    override_with("SetMeshUnit", "bodies[part].mesh.unit=parsec",
                  {"--set bodies[part].mesh.unit=parsec: bodies[4].mesh.unit: 'parsec' is not allowed; it "
                   "must be one of m, cm, mm, um, in, ft"}),
    override_with("SetMeshBoxFile", "bodies[part].mesh.box.size=[1,1,1]",
                  {"--set bodies[part].mesh.box.size=[1,1,1]: bodies[4].mesh.box: the key 'divisions' is "
                   "missing: cells along x, y and z"}),
    override_with("SetFormulation", "bodies[block].formulation=linear",
                  {"--set bodies[block].formulation=linear: bodies[2].formulation: 'linear' is not allowed; "
                   "it must be one of small-strain, st-venant-kirchhoff, neo-hooke"}),
    override_with("SetSection", "bodies[leaf].section.circle=0.1",
                  {"scene.yaml:22:14: bodies[1].section: give exactly one of circle, tube, rectangle, or "
                   "`area` with `inertia`"}),
    override_with("SetHeld", "bodies[rod].held.frst=xyz",
                  {"--set bodies[rod].held.frst=xyz: bodies[0].held.frst: 'rod' has no node or node set "
                   "'frst'; did you mean 'first'?"}),
    override_with(
        "SetYoung", "materials.rubber.young=-1",
        {"--set materials.rubber.young=-1: materials.rubber.young: -1 is not allowed; young must be > 0"}),
    override_with("SetDamping", "bodies[rod].damping.stifness=1",
                  {"--set bodies[rod].damping.stifness=1: bodies[0].damping.stifness: unknown key; did you "
                   "mean 'stiffness'?"}),
    override_with("SetDampingNeg", "bodies[rod].damping.stiffness=-1",
                  {"--set bodies[rod].damping.stiffness=-1: bodies[0].damping.stiffness: -1 is not allowed; "
                   "stiffness must be >= 0"}),
    override_with("SetDampingNum", "bodies[rod].damping=1",
                  {"--set bodies[rod].damping=1: bodies[0].damping: expected a mapping such as {mass: ..., "
                   "stiffness: ...}, found a single value"}),
    override_with(
        "SetNoBody", "bodies[laef].elements=3",
        {"--set bodies[laef].elements=3: bodies[laef]: there is no item named 'laef'; did you mean 'leaf'?"}),
    override_with(
        "SetPlanar", "bodies[leaf].planar=true",
        {"--set bodies[leaf].planar=true: bodies[1].planar: unknown key; did you mean 'in_plane'?"}),
    override_with("SetInPlane", "bodies[leaf].in_plane=yes",
                  {"--set bodies[leaf].in_plane=yes: bodies[1].in_plane: 'yes' is not allowed; it must be "
                   "true or false"}),
    override_with(
        "SetMass", "bodies[leaf].mass=1",
        {"--set bodies[leaf].mass=1: bodies[1].mass: unknown key; known: beam, section, in_plane, up, from, "
         "to, elements, material, mass_matrix, damping, velocity, angular_velocity, held, masses, points"}),
    override_with("SetPosition", "bodies[leaf].position=[0,0,0]",
                  {"--set bodies[leaf].position=[0,0,0]: bodies[1].position: unknown key; known: beam, "
                   "section, in_plane, up, from, to, elements, material, mass_matrix, damping, velocity, "
                   "angular_velocity, held, masses, points"}),
    override_with("SetMassMatrix", "bodies[leaf].mass_matrix=lump",
                  {"--set bodies[leaf].mass_matrix=lump: bodies[1].mass_matrix: 'lump' is not allowed; it "
                   "must be one of consistent, lumped"}),
    override_with("SetTie", "joints[foot].to=tabel",
                  {"--set joints[foot].to=tabel: joints[1].to: unknown body 'tabel'; did you mean 'table'?"}),
};

INSTANTIATE_TEST_SUITE_P(Lines, FlexibleFault, ::testing::ValuesIn(wrong_flexible_lines),
                         case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Sections, FlexibleFault, ::testing::ValuesIn(wrong_flexible_sections),
                         case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Materials, FlexibleFault, ::testing::ValuesIn(wrong_flexible_materials),
                         case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Boxes, FlexibleFault, ::testing::ValuesIn(wrong_flexible_boxes),
                         case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Files, FlexibleFault, ::testing::ValuesIn(wrong_flexible_files),
                         case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Meshes, MeshFault, ::testing::ValuesIn(wrong_flexible_meshes), case_name<MeshCase>);
INSTANTIATE_TEST_SUITE_P(Nodes, FlexibleFault, ::testing::ValuesIn(wrong_flexible_nodes),
                         case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Joints, FlexibleFault, ::testing::ValuesIn(wrong_flexible_joints),
                         case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Loads, FlexibleFault, ::testing::ValuesIn(wrong_flexible_loads),
                         case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Contacts, FlexibleFault, ::testing::ValuesIn(wrong_flexible_contacts),
                         case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Probes, FlexibleFault, ::testing::ValuesIn(wrong_flexible_probes),
                         case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Overrides, FlexibleFault, ::testing::ValuesIn(wrong_flexible_overrides),
                         case_name<SceneCase>);

class FlexibleTest : public BadInputTest {
 protected:
  void SetUp() override {
    BadInputTest::SetUp();
    write_file(folder_ / "scene.yaml", flexible_scene);
    write_file(folder_ / "part.inp", part_inp);
  }
};

TEST_F(FlexibleTest, WithoutAFaultRuns) {
  expect_exit(percuss({"check", "scene.yaml"}), 0);
  expect_exit(percuss({"run", "scene.yaml", "-q", "-o", "new.h5"}), 0);
}

TEST_F(FlexibleTest, ASpringJoinsTwoNodesOfOneBody) {
  expect_exit(percuss({"run", "scene.yaml", "-q", "-o", "new.h5", "--set", "springs[0].to=rod.1"}), 0);
}

TEST_F(FlexibleTest, ABodyIsFoundByItsNameIfALaterKeyIsAKindToo) {
  write_file(folder_ / "scene.yaml",
             with_change("material: wood}\n", "material: wood, frame: table}\n", flexible_scene));
  expect_exit(percuss({"check", "scene.yaml", "--set", "obstacles[floor].normal=[0, 0, 2]"}), 0);
}

}  // namespace
}  // namespace percuss
