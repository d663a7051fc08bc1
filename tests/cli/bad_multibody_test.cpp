#include "cli/bad_input.h"

// The same for rigid bodies, joints, springs, frames and clearances.
namespace percuss {
namespace {

using namespace percuss::testing;

/// A scene without a fault. The cases name its lines.
constexpr const char* linkage_scene = R"(percuss: 1
title: Linkage
gravity: [0, 0, -10]
materials:
  steel: {density: 8000}
  wood: {}
pairs:
  - {between: [steel, wood], restitution: 0.5}
bodies:
  - rigid: rod
    mass: 2
    inertia: [0.1, 0.2, 0.3]
    position: [1, 0, 2]
    points: {tip: [1, 0, 0]}
  - rigid: block
    material: steel
    shape: {box: [1, 1, 1]}
    position: [0, 3, 5]
    orientation: {w: 1}
  - planar: plate
    mass: 1
    inertia: 0.1
    position: [4, 0, 0]
    velocity: [0, 1, 0]
    points: {edge: [1, 0, 0]}
  - planar: wheel
    mass: 3
    inertia: 0.5
    position: [6, 0, 0]
  - particle: bob
    mass: 1
    position: [0, 0, -3]
frames:
  - frame: table
    position: [0, 0, 0.1*sin(t)]
joints:
  - hinge: pivot
    body: rod
    at: [0, 0, 2]
    axis: [0, 1, 0]
  - {hinge: axle, body: plate, at: [3, 0, 0]}
  - {hinge: bearing, body: wheel, at: [6, 0, 0]}
  - {ball: socket, body: bob, at: [0, 0, -3]}
springs:
  - {joint_spring: twist, joint: bearing, stiffness: 1}
  - bushing: mount
    body: block
    at: [0, 3, 5]
    stiffness: [10, 10, 10]
obstacles:
  - half_space: floor
    normal: [0, 0, 1]
    material: wood
    frame: table
contacts:
  - {body: block, against: floor}
clearances:
  - {pin_in_hole: pin, pin: plate.edge, hole: table, pin_radius: 0.1, hole_radius: 9}
  - {slot: guide, points: [plate.edge], width: 1}
integrator: {scheme: moreau-jean}
time: {end: 0.1, step: 0.01}
record:
  probes:
    angle: joint(pivot).coordinate
)";

class LinkageFault : public BadInputTest, public ::testing::WithParamInterface<SceneCase> {};

TEST_P(LinkageFault, IsReportedAndLeavesOldResultsAlone) {
  const SceneCase& c = GetParam();
  write_file(folder_ / "scene.yaml",
             c.part.empty() ? linkage_scene : with_change(c.part, c.replacement, linkage_scene));
  std::vector<std::string> arguments = {"run", "scene.yaml", "-o", "old.h5"};
  if (!c.set.empty()) arguments.insert(arguments.end(), {"--set", c.set});
  expect_refused(arguments, c.messages, c.faults);
}

using Messages = std::vector<std::string>;

/// More lines of the hinge `pivot`, or items behind it.
SceneCase behind_pivot(std::string name, const std::string& lines, Messages messages) {
  const std::string pivot = "    at: [0, 0, 2]\n    axis: [0, 1, 0]\n";
  return change(std::move(name), pivot, pivot + lines, std::move(messages));
}
SceneCase with_gear(std::string name, const std::string& items, Messages messages) {
  const std::string bearing = "  - {hinge: bearing, body: wheel, at: [6, 0, 0]}\n";
  return change(std::move(name), bearing, bearing + "  - " + items + "\n", std::move(messages));
}
SceneCase with_shape(std::string name, const std::string& shape, Messages messages) {
  return change(std::move(name), "shape: {box: [1, 1, 1]}", "shape: " + shape, std::move(messages));
}
SceneCase with_bushing(std::string name, const std::string& line, Messages messages) {
  return change(std::move(name), "stiffness: [10, 10, 10]", line, std::move(messages));
}
SceneCase with_spring(std::string name, const std::string& item, Messages messages) {
  const std::string bushing = "    stiffness: [10, 10, 10]";
  return change(std::move(name), bushing, bushing + "\n  - " + item, std::move(messages));
}
SceneCase with_probe(std::string name, const std::string& probe, Messages messages) {
  return change(std::move(name), "joint(pivot).coordinate", probe, std::move(messages));
}

const std::vector<SceneCase> wrong_inertia = {
    change("WorldForGround", "{hinge: axle, body: plate, at:", "{hinge: axle, body: plate, to: world, at:",
           {"joints[1].to: unknown body 'world'; what stands still is called `ground`"}),
    change(
        "QuaternionAsList", "orientation: {w: 1}", "orientation: [1, 0, 0, 0]",
        {"bodies[1].orientation: expected a mapping such as {w: ..., x: ..., y: ..., z: ...}, found a list"}),
    change(
        "MasslessFree", "- particle: bob",
        "- rigid: ghost\n    mass: 0\n    inertia: [0, 0, 0]\n  - particle: bob",
        {"scene.yaml:31:11: bodies[4].mass: 0 is not allowed: no joint determines how 'ghost' moves along x",
         "give it mass, or hold it by a joint"}),
    change(
        "InertialessFree", "- particle: bob",
        "- rigid: ghost\n    mass: 1\n    inertia: [0, 0, 0]\n  - particle: bob",
        {"scene.yaml:32:14: bodies[4].inertia: 'ghost' can turn about an axis without inertia and no joint",
         "give it inertia, or hold it by a joint"}),
    change(
        "InertialessFreeNatural", "- particle: bob",
        "- rigid: ghost\n    mass: 1\n    coordinates: natural\n    inertia: [0, 0, 0]\n  - particle: bob",
        {"scene.yaml:33:14: bodies[4].inertia: 'ghost' can turn about an axis without inertia and no joint",
         "give it inertia, or hold it by a joint"}),
    change(
        "PlanarMasslessFree", "- particle: bob",
        "- planar: ghost\n    mass: 0\n    inertia: 0\n  - particle: bob",
        {"scene.yaml:31:11: bodies[4].mass: 0 is not allowed: no joint determines how 'ghost' moves along x",
         "give it mass, or hold it by a joint"}),
    change("Triangle", "inertia: [0.1, 0.2, 0.3]", "inertia: [0.1, 0.2, 0.4]",
           {"scene.yaml:12:14: bodies[0].inertia: no body has the principal moments 0.1, 0.2, 0.4 kg m^2",
            "each must be at least 0 and at most the sum of the two others"}),
    change("NegativeInertia", "inertia: [0.1, 0.2, 0.3]", "inertia: [-0.1, 0.2, 0.3]",
           {"scene.yaml:12:14: bodies[0].inertia: [-0.1, 0.2, 0.3] is not allowed",
            "each number of inertia must be >= 0"}),
    change(
        "BigProducts", "inertia: [0.1, 0.2, 0.3]", "inertia: [0.1, 0.2, 0.3]\n    products: [-1, 0, 0]",
        {"scene.yaml:12:14: bodies[0].inertia: no body has the principal moments -0.851249, 0.3, 1.15125 kg",
         "each must be at least 0 and at most the sum of the two others"}),
    change(
        "ProductsWithoutInertia", "shape: {box: [1, 1, 1]}",
        "shape: {box: [1, 1, 1]}\n    products: [1, 0, 0]",
        {"scene.yaml:18:15: bodies[1].products: [1, 0, 0] is not used: products belong to a given `inertia`",
         "give both, or leave both to the shape"}),
    change("ProductsWithoutInertia2", "    inertia: [0.1, 0.2, 0.3]\n", "    products: [0.01, 0, 0]\n",
           {"scene.yaml:12:15: bodies[0].products: [0.01, 0, 0] is not used: products belong to a given",
            "give both, or leave both to the shape"}),
    change("InertiaNaN", "inertia: [0.1, 0.2, 0.3]", "inertia: [.nan, 0.2, 0.3]",
           {"scene.yaml:12:15: bodies[0].inertia[0]: '.nan' is not a number: a number must be finite, not "
            ".nan"}),
    change("NoMass", "    mass: 2\n    inertia: [0.1", "    inertia: [0.1",
           {"scene.yaml:10:5: bodies[0].mass: 'rod' has no mass",
            "give `mass`, or a shape and a material with a density"}),
    change("NoInertia", "    inertia: [0.1, 0.2, 0.3]\n", "",
           {"scene.yaml:10:5: bodies[0].inertia: 'rod' has no inertia", "give `inertia`, or a shape"}),
    change("NoMassNoInertia", "    mass: 2\n    inertia: [0.1, 0.2, 0.3]\n", "",
           {"scene.yaml:10:5: bodies[0]: 'rod' has neither mass nor inertia",
            "give `mass` and `inertia`, or a shape and a material with a density"}),
    change("DensityMissing", "- particle: bob",
           "- rigid: w2\n    material: wood\n    shape: {sphere: 1}\n  - particle: bob",
           {"scene.yaml:30:5: bodies[4].mass: 'w2' has no mass",
            "give `mass`, or the material 'wood' a density"}),
    change("ShapeWithoutMaterial", "- particle: bob",
           "- rigid: w2\n    shape: {sphere: 1}\n  - particle: bob",
           {"scene.yaml:30:5: bodies[4].mass: 'w2' has no mass",
            "give `mass`, or a shape and a material with a density"}),
};

const std::vector<SceneCase> wrong_shapes = {
    with_shape("TwoShapes", "{box: [1, 1, 1], sphere: 1}",
               {"scene.yaml:17:12: bodies[1].shape: 2 shapes are given",
                "give exactly one of box, sphere, cylinder, capsule, cone, ellipsoid, polyhedron"}),
    with_shape("EmptyShape", "{}",
               {"scene.yaml:17:12: bodies[1].shape: 0 shapes are given",
                "give exactly one of box, sphere, cylinder, capsule, cone, ellipsoid, polyhedron"}),
    with_shape("ShapeWord", "box",
               {"scene.yaml:17:12: bodies[1].shape: expected a mapping such as {box: ..., sphere: ..., "
                "cylinder: ..., capsule: ...}, found a single value"}),
    with_shape("ShapeMisspelt", "{bx: [1, 1, 1]}",
               {"scene.yaml:17:13: bodies[1].shape.bx: unknown key", "did you mean 'box'?"}),
    with_shape("BoxNegative", "{box: [1, -1, 1]}",
               {"scene.yaml:17:18: bodies[1].shape.box: [1, -1, 1] is not allowed",
                "each number of box must be > 0"}),
    with_shape("CylinderContact", "{cylinder: {radius: 1, length: 1}}",
               {"scene.yaml:56:12: contacts[0].body: pairs with `body` and `against` know spheres, capsules "
                "and corners",
                "the shape of 'block' has none; write {between: [block, "}),
    with_shape(
        "MeshContact",
        "{mesh: {vertices: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], triangles: [[0,2,1],[0,1,3],[0,3,2],[1,2,3]]}}",
        {"scene.yaml:56:12: contacts[0].body: pairs with `body` and `against` know spheres, capsules and "
         "corners",
         "the shape of 'block' has none; write {between: [block, "}),
    with_shape("Polyhedron3", "{polyhedron: [[0,0,0],[1,0,0],[0,1,0]]}",
               {"scene.yaml:17:25: bodies[1].shape.polyhedron: convex hull needs at least 4 points, got 3",
                "give corners that enclose a volume"}),
    with_shape("PolyhedronFlat", "{polyhedron: [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}",
               {"scene.yaml:17:25: bodies[1].shape.polyhedron: convex hull: all points lie in one plane",
                "give corners that enclose a volume"}),
    with_shape("PolyhedronSame", "{polyhedron: [[0,0,0],[0,0,0],[0,0,0],[0,0,0]]}",
               {"scene.yaml:17:25: bodies[1].shape.polyhedron: convex hull: all points coincide",
                "give corners that enclose a volume"}),
    with_shape("MeshOpen",
               "{mesh: {vertices: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], triangles: [[0,2,1],[0,1,3],[0,3,2]]}}",
               {"scene.yaml:17:19: bodies[1].shape.mesh: the mesh is not closed: it has a hole at the edge "
                "1-2 of face 0 (3 edges",
                "give a closed surface, its triangles counter-clockwise seen from outside"}),
    with_shape(
        "MeshInward",
        "{mesh: {vertices: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], triangles: [[0,1,2],[0,3,1],[0,2,3],[1,3,2]]}}",
        {"scene.yaml:17:19: bodies[1].shape.mesh: the volume -0.166667 is negative: all faces are flipped",
         "give a closed surface, its triangles counter-clockwise seen from outside"}),
    with_shape(
        "MeshIndex",
        "{mesh: {vertices: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], triangles: [[0,2,1],[0,1,3],[0,3,2],[1,2,4]]}}",
        {"scene.yaml:17:19: bodies[1].shape.mesh: face 3 names vertex 4, but there are 4 vertices",
         "give a closed surface, its triangles counter-clockwise seen from outside"}),
    with_shape("MeshIndexFraction",
               "{mesh: {vertices: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], triangles: "
               "[[0,2,1],[0,1,3],[0,3,2],[1,2,1.5]]}}",
               {"scene.yaml:17:106: bodies[1].shape.mesh.triangles[3][2]: 1.5 is not allowed",
                "it must be a whole number"}),
    change("RectangleNegative", "    mass: 3\n", "    mass: 3\n    shape: {rectangle: [1, -1]}\n",
           {"scene.yaml:28:24: bodies[3].shape.rectangle: [1, -1] is not allowed",
            "each number of rectangle must be > 0"}),
    change("PolygonLine", "    mass: 3\n", "    mass: 3\n    shape: {polygon: [[0,0],[1,1],[2,2]]}\n",
           {"scene.yaml:28:22: bodies[3].shape.polygon: convex hull: all points lie on one line",
            "give the corners of a convex polygon"}),
    change("PolygonNonconvex", "    mass: 3\n",
           "    mass: 3\n    shape: {polygon: [[0,0],[2,0],[2,2],[1,0.5],[0,2]]}\n",
           {"scene.yaml:28:22: bodies[3].shape.polygon: the polygon is not convex: corner 3 at [1, 0.5] lies",
            "give the corners of a convex polygon"}),
    change("Thickness0", "    mass: 3\n", "    mass: 3\n    thickness: 0\n",
           {"scene.yaml:28:16: bodies[3].thickness: 0 is not allowed", "thickness must be > 0"}),
};

const std::vector<SceneCase> wrong_poses = {
    change("QuaternionOff", "orientation: {w: 1}", "orientation: {w: 1.001}",
           {"scene.yaml:19:18: bodies[1].orientation: the norm of {w: 1.001, x: 0, y: 0, z: 0} is 1.001",
            "it must be 1 (within 1e-06; w is 1 where it is left out)"}),
    change("QuaternionZeros", "orientation: {w: 1}", "orientation: {w: 0}",
           {"scene.yaml:19:18: bodies[1].orientation: the norm of {w: 0, x: 0, y: 0, z: 0} is 0",
            "it must be 1 (within 1e-06; w is 1 where it is left out)"}),
    change("QuaternionXOnly", "orientation: {w: 1}", "orientation: {x: 1}",
           {"scene.yaml:19:18: bodies[1].orientation: the norm of {w: 1, x: 1, y: 0, z: 0} is 1.41421356",
            "it must be 1 (within 1e-06; w is 1 where it is left out)"}),
    change(
        "PlanarAlongZ", "velocity: [0, 1, 0]", "velocity: [0, 1, 2]",
        {"scene.yaml:24:22: bodies[2].velocity[2]: 2 is not allowed", "a planar body cannot move along z"}),
    change(
        "NotFinitePoint", "points: {tip: [1, 0, 0]}", "points: {tip: [1, 0, .nan]}",
        {"scene.yaml:14:26: bodies[0].points.tip[2]: '.nan' is not a number: a number must be finite, not"}),
    change("PointName", "points: {tip: [1, 0, 0]}", "points: {\"a.b\": [1, 0, 0]}",
           {"scene.yaml:14:21: bodies[0].points.a.b: 'a.b' is not allowed as a name",
            "use letters, digits, _ and -"}),
    change("PointNamedPosition", "points: {tip: [1, 0, 0]}", "points: {position: [1, 0, 0]}",
           {"scene.yaml:14:24: bodies[0].points.position: 'position' is not allowed as a name",
            "it has a meaning of its own in probes"}),
    change("PointNamedOmega", "points: {tip: [1, 0, 0]}", "points: {omega: [1, 0, 0]}",
           {"scene.yaml:14:21: bodies[0].points.omega: 'omega' is not allowed as a name",
            "it has a meaning of its own in probes"}),
};

const std::vector<SceneCase> wrong_joints = {
    change("JointWithItself", "    body: rod\n", "    body: rod\n    to: rod\n",
           {"scene.yaml:39:9: joints[0].to: a hinge between 'rod' and itself holds nothing",
            "name another body or `ground`"}),
    change("JointOfUnknownBody", "    body: rod\n", "    body: rd\n",
           {"scene.yaml:38:11: joints[0].body: unknown body 'rd'", "did you mean 'rod'?"}),
    change("JointToUnknownBody", "    body: rod\n", "    body: rod\n    to: tabel\n",
           {"scene.yaml:39:9: joints[0].to: unknown body 'tabel'", "did you mean 'table'?"}),
    change("JointOfAFrame", "    body: rod\n", "    body: table\n",
           {"scene.yaml:38:11: joints[0].body: 'table' is a frame and moves as prescribed",
            "name a body here (the ground or a frame can stand in `to`)"}),
    change("JointOfTheGround", "    body: rod\n", "    body: ground\n",
           {"scene.yaml:38:11: joints[0].body: 'ground' is not a body",
            "name a body here (the ground or a frame can stand in `to`)"}),
    change("JointOfAPoint", "    body: rod\n", "    body: rod.tip\n",
           {"scene.yaml:38:11: joints[0].body: 'rod.tip' is a point", "name the body 'rod' here"}),
    change("MisspeltKind", "- hinge: pivot", "- hing: pivot",
           {"scene.yaml:37:5: joints[0].hing: unknown kind", "did you mean 'hinge'?"}),
    change("MisspeltKey", "    axis: [0, 1, 0]", "    axes: [0, 1, 0]",
           {"scene.yaml:40:5: joints[0].axes: unknown key", "did you mean 'axis'?"}),
    change("MissingBody", "    body: rod\n    at", "    at",
           {"scene.yaml:37:5: joints[0]: the key 'body' is missing: name of a body"}),
    change("MissingPlace", "    at: [0, 0, 2]\n", "",
           {"scene.yaml:37:5: joints[0]: give its place: `at`, or `body_point` and `to_point`"}),
    change("HingeFarAway", "    at: [0, 0, 2]\n", "    body_point: [-1, 0, 0]\n    to_point: [0, 0, 9]\n",
           {"scene.yaml:37:5: joints[0]: z of hinge 'pivot' does not fit the start: closing the joints would",
            "place the bodies closer to where they belong"}),
    change("RodTooShortForItsHinges", "    at: [0, 0, 2]\n    axis: [0, 1, 0]\n",
           "    body_point: [-1, 0, 0]\n    to_point: [0, 0, 2]\n    axis: [0, 1, 0]\n  - {hinge: second, "
           "body: rod, body_point: [1, 0, 0], to_point: [2.1, 0, 2], axis: [0, 1, 0]}\n",
           {"scene.yaml:37:5: joints[0]: the joint cannot be closed: x of hinge 'pivot' stays open by 0.05",
            "bring its points together, or take away the joint or drive that contradicts it"}),
    behind_pivot("Distance", "  - {distance: link, body: rod, body_point: [1, 0, 0]}\n",
                 {"scene.yaml:41:5: joints[1].to_point: a distance needs both points"}),
    behind_pivot("DistanceAtOnly", "  - {distance: link, body: rod, at: [1, 0, 0]}\n",
                 {"scene.yaml:41:37: joints[1].at: a distance between a place and itself is 0",
                  "give `body_point` and `to_point`"}),
    behind_pivot("DistanceZero",
                 "  - {distance: link, body: block, body_point: [0, 0, 0], to_point: [0, 3, 5]}\n",
                 {"scene.yaml:41:5: joints[1]: both points of distance 'link' are at the same place, so that "
                  "it has no",
                  "move one of them, or use a ball joint"}),
    behind_pivot(
        "DistanceNegative",
        "  - {distance: link, body: block, body_point: [0, 0, 0], to_point: [0, 0, 5], length: -3}\n",
        {"scene.yaml:41:87: joints[1].length: -3 is not allowed",
         "length must be > 0 (a ball joint holds two points together)"}),
    behind_pivot("DistanceLength0",
                 "  - {distance: link, body: block, body_point: [0, 0, 0], to_point: [0, 0, 5], length: 0}\n",
                 {"scene.yaml:41:87: joints[1].length: 0 is not allowed",
                  "length must be > 0 (a ball joint holds two points together)"}),
    behind_pivot(
        "DistanceWrongLength",
        "  - {distance: link, body: block, body_point: [0, 0, 0], to_point: [0, 0, 5], length: 30}\n",
        {"scene.yaml:41:5: joints[1]: length of distance 'link' does not fit the start: closing the joints",
         "place the bodies closer to where they belong"}),
    change("ZeroAxis", "    axis: [0, 1, 0]", "    axis: [0, 0, 0]",
           {"scene.yaml:40:11: joints[0].axis: [0, 0, 0] is not allowed", "it must have a direction"}),
    change("TiltedPlanar", "{hinge: axle, body: plate, at: [3, 0, 0]}",
           "{hinge: axle, body: plate, at: [3, 0, 0], axis: [0, 1, 1]}",
           {"scene.yaml:41:53: joints[1].axis: [0, 1, 1] is not allowed",
            "a hinge of planar bodies turns about [0, 0, 1]"}),
    change("SliderPlanarZ", "{hinge: axle, body: plate, at: [3, 0, 0]}",
           "{slider: axle, body: plate, at: [3, 0, 0]}",
           {"scene.yaml:41:5: joints[1].axis: [0, 0, 1] is not allowed",
            "it must lie in the x-y plane of planar bodies"}),
    change("UniversalPlanar", "{hinge: axle, body: plate, at: [3, 0, 0]}",
           "{universal: axle, body: plate, at: [3, 0, 0]}",
           {"scene.yaml:41:5: joints[1]: a universal joint does not fit planar bodies",
            "use hinge, slider, fixed, ball, distance, point_on_line or point_on_plane"}),
    change("Screw0", "- hinge: pivot\n    body: rod\n", "- screw: pivot\n    body: rod\n    pitch: 0\n",
           {"scene.yaml:39:12: joints[0].pitch: 0 is not allowed", "a screw without pitch is a hinge"}),
    change("UniversalParallel", "- hinge: pivot\n    body: rod\n",
           "- universal: pivot\n    body: rod\n    second_axis: [0, 2, 0]\n",
           {"scene.yaml:39:18: joints[0].second_axis: [0, 2, 0] is not allowed",
            "it must be perpendicular to `axis`, which is [0, 1, 0]"}),
    with_gear("GearUnknown", "{gear: g, joints: [axle, bering], ratio: 2}",
              {"scene.yaml:43:30: joints[3].joints[1]: unknown joint 'bering'", "did you mean 'bearing'?"}),
    with_gear("GearUnk2", "{gear: g, joints: [axle, xx], ratio: 2}",
              {"scene.yaml:43:30: joints[3].joints[1]: unknown joint 'xx'", "known: axle, bearing, pivot"}),
    with_gear(
        "GearBall", "{gear: g, joints: [axle, socket], ratio: 2}",
        {"scene.yaml:43:30: joints[3].joints[1]: 'socket' has no coordinate", "name a hinge or a slider"}),
    with_gear("GearSame", "{gear: g, joints: [axle, axle], ratio: 2}",
              {"scene.yaml:43:23: joints[3].joints: 'axle' stands twice", "name two different joints"}),
    with_gear("GearRatio0", "{gear: g, joints: [axle, bearing], ratio: 0}",
              {"scene.yaml:43:47: joints[3].ratio: 0 is not allowed", "it would hold the first joint"}),
    with_gear("GearOne", "{gear: g, joints: [axle], ratio: 1}",
              {"scene.yaml:43:23: joints[3].joints: expected a list of two names, found a list of 1"}),
    change("BallBody", "{ball: socket, body: bob, at: [0, 0, -3]}",
           "{ball: socket, body: rod, to: bob.x, at: [0, 0, -3]}",
           {"scene.yaml:43:35: joints[3].to: 'bob.x' is a point", "name 'bob' here"}),
};

const std::vector<SceneCase> wrong_drives = {
    behind_pivot(
        "Limits", "    limits: {lower: 1, upper: -1}\n",
        {"scene.yaml:41:31: joints[0].limits.upper: -1 is not allowed", "it must be at least lower = 1"}),
    behind_pivot("LimitsEmpty", "    limits: {}\n",
                 {"scene.yaml:41:13: joints[0].limits: it holds nothing", "give `lower`, `upper` or both"}),
    change("LimitsBall", "{ball: socket, body: bob, at: [0, 0, -3]}",
           "{ball: socket, body: bob, at: [0, 0, -3], limits: {lower: 0}}",
           {"scene.yaml:43:47: joints[3].limits: unknown key",
            "known: ball, body, node, to, to_node, at, body_point, to_point"}),
    behind_pivot("DriveTwo", "    drive: {coordinate: 0, speed: 1}\n",
                 {"scene.yaml:41:12: joints[0].drive: 2 of them are given",
                  "give exactly one of coordinate, speed and load"}),
    behind_pivot("DriveNone", "    drive: {}\n",
                 {"scene.yaml:41:12: joints[0].drive: 0 of them are given",
                  "give exactly one of coordinate, speed and load"}),
    behind_pivot("DriveTypo", "    drive: {sped: 1}\n",
                 {"scene.yaml:41:13: joints[0].drive.sped: unknown key", "did you mean 'speed'?"}),
    change("DriveBall", "{ball: socket, body: bob, at: [0, 0, -3]}",
           "{ball: socket, body: bob, at: [0, 0, -3], drive: {speed: 1}}",
           {"scene.yaml:43:47: joints[3].drive: unknown key",
            "known: ball, body, node, to, to_node, at, body_point, to_point"}),
    behind_pivot(
        "DriveAndFixed", "    drive: {speed: 1}\n  - {fixed: weld, body: rod, at: [0,0,2]}\n",
        {"scene.yaml:42:5: joints[1]: no velocity satisfies it: tilt about y of fixed 'weld' is left with a",
         "take away the joint or drive that contradicts it"}),
    behind_pivot(
        "DriveCoordinateAndFixed",
        "    drive: {coordinate: 0.2}\n  - {fixed: weld, body: rod, at: [0,0,2]}\n",
        {"scene.yaml:42:5: joints[1]: the joint cannot be closed: tilt about y of fixed 'weld' stays open by",
         "bring its points together, or take away the joint or drive that contradicts it"}),
    behind_pivot(
        "DriveSquareAndFixed", "    drive: {coordinate: t^2}\n  - {fixed: weld, body: rod, at: [0,0,2]}\n",
        {"scene.yaml:37:5: joints[0]: no acceleration satisfies it: drive of hinge 'pivot' is left with -1",
         "take away the joint or drive that contradicts it"}),
    behind_pivot(
        "TwoDrives",
        "    drive: {speed: 1}\n  - {hinge: pivot2, body: rod, at: [0,0,2], axis: [0,1,0], drive: {speed: "
        "2}}\n",
        {"scene.yaml:42:5: joints[1]: no velocity satisfies it: drive of hinge 'pivot2' is left with a rate",
         "take away the joint or drive that contradicts it"}),
    behind_pivot("DriveFar", "    drive: {coordinate: 3}\n",
                 {"scene.yaml:37:5: joints[0]: drive of hinge 'pivot' does not fit the start: closing the "
                  "joints would",
                  "place the bodies closer to where they belong"}),
    behind_pivot("DriveNotFiniteAt0", "    drive: {coordinate: \"log(t)\"}\n",
                 {"scene.yaml:41:25: joints[0].drive.coordinate: hinge 'pivot' is not finite at t = 0 s: "
                  "coordinate ="}),
    behind_pivot(
        "Friction", "    friction: 0.1\n    drive: {speed: 1}\n",
        {"scene.yaml:41:15: joints[0].friction: 0.1 has no effect where a drive prescribes the motion",
         "leave one of them out"}),
    behind_pivot("FrictionNegative", "    friction: -0.1\n",
                 {"scene.yaml:41:15: joints[0].friction: -0.1 is not allowed", "friction must be >= 0"}),
    change("DuplicateJoint", "{hinge: axle", "{hinge: pivot",
           {"scene.yaml:41:13: joints[1].hinge: the name 'pivot' is used twice"}),
    change("DuplicateJointClearance", "pin_in_hole: pin,", "pin_in_hole: pivot,",
           {"scene.yaml:58:19: clearances[0].pin_in_hole: the name 'pivot' is used twice"}),
    change("JointBobHinge", "{ball: socket", "{hinge: socket",
           {"scene.yaml:43:5: joints[3]: 'bob' cannot turn: a hinge needs rigid or planar bodies",
            "a ball joint holds a particle"}),
    change("NamedGround", "- particle: bob", "- particle: ground",
           {"scene.yaml:30:15: bodies[4].particle: 'ground' is not allowed as a name",
            "it has a meaning of its own"}),
    behind_pivot(
        "DriveSqrt", "    drive: {coordinate: sqrt(t)}\n",
        {"scene.yaml:37:5: joints[0]: drive of hinge 'pivot' has no finite rate at t = 0 s: it follows",
         "begin the motion with a finite velocity"}),
};

const std::vector<SceneCase> wrong_frames = {
    change("FrameNotFiniteAtStart", "0.1*sin(t)", "\"0.1*log(t)\"",
           {"scene.yaml:35:22: frames[0].position[2]: frame 'table' is not finite at t = 0 s: component z = "
            "0.1"}),
    change("FrameAxis0", "0.1*sin(t)]", "0]\n    axis: [0,0,0]",
           {"scene.yaml:36:11: frames[0].axis: [0, 0, 0] is not allowed", "it must have a direction"}),
    change("ObstacleFrame", "    frame: table\n", "    frame: tabel\n",
           {"scene.yaml:54:12: obstacles[0].frame: unknown frame or body 'tabel'", "did you mean 'table'?"}),
};

const std::vector<SceneCase> wrong_contacts = {
    change("ContactOfUnknownPoint", "{body: block, against: floor}", "{body: rod.tp, against: floor}",
           {"scene.yaml:56:12: contacts[0].body: 'rod' has no point 'tp'", "did you mean 'tip'?"}),
    change("ContactPointOfUnknown", "{body: block, against: floor}", "{body: rd.tip, against: floor}",
           {"scene.yaml:56:12: contacts[0].body: unknown body 'rd'", "did you mean 'rod'?"}),
    change("ContactSelf", "{body: block, against: floor}", "{body: block, against: block}",
           {"scene.yaml:56:28: contacts[0].against: 'block' cannot touch itself"}),
    change("ContactSelfPoint", "{body: block, against: floor}", "{body: rod.tip, against: rod}",
           {"scene.yaml:56:30: contacts[0].against: 'rod' cannot touch itself"}),
    change("ContactAgainstPoint", "{body: block, against: floor}", "{body: block, against: rod.tip}",
           {"scene.yaml:56:28: contacts[0].against: 'rod.tip' is not an obstacle or body",
            "a point can stand in `body` only"}),
    change("ContactAgainstFrame", "{body: block, against: floor}", "{body: block, against: table}",
           {"scene.yaml:56:28: contacts[0].against: 'table' is a frame and has no surface",
            "name an obstacle with `frame: table`"}),
    change("ContactCorner", "{body: block, against: floor}", "{body: block.corner1, against: floor}",
           {"scene.yaml:56:12: contacts[0].body: 'block' has no point 'corner1'", "its `points` are: none"}),
    change("PinBig", "pin_radius: 0.1", "pin_radius: 10",
           {"scene.yaml:58:66: clearances[0].pin_radius: 10 is not allowed",
            "the pin must fit into the hole of radius 9"}),
    change("PinUnknown", "pin: plate.edge,", "pin: plate.edg,",
           {"scene.yaml:58:29: clearances[0].pin: 'plate' has no point 'edg'", "did you mean 'edge'?"}),
    change("PinItself", "hole: table", "hole: plate",
           {"scene.yaml:58:47: clearances[0].hole: pin and hole both belong to 'plate'",
            "name another body, a frame or `ground`"}),
    change("PinSame", "hole: table", "hole: plate.edge",
           {"scene.yaml:58:47: clearances[0].hole: pin and hole both belong to 'plate'",
            "name another body, a frame or `ground`"}),
    change("PinFrame", "pin: plate.edge,", "pin: table,",
           {"scene.yaml:58:29: clearances[0].pin: 'table' is a frame and moves as prescribed",
            "name a body here"}),
    change("PinAxis0", "hole_radius: 9", "hole_radius: 9, axis: [0,0,0]",
           {"scene.yaml:58:93: clearances[0].axis: [0, 0, 0] is not allowed", "it must have a direction"}),
    change("PinAxisTilt", "hole_radius: 9", "hole_radius: 9, axis: [1,0,0]",
           {"scene.yaml:58:93: clearances[0].axis: [1, 0, 0] is not allowed",
            "the hole of planar bodies has the axis [0, 0, 1]"}),
    change("PinFriction", "hole_radius: 9", "hole_radius: 9, friction: -0.2",
           {"scene.yaml:58:97: clearances[0].friction: -0.2 is not allowed", "friction must be >= 0"}),
    change("SlotWithoutPoints", "points: [plate.edge], width: 1", "points: [], width: 1",
           {"scene.yaml:59:27: clearances[1].points: the list is empty", "name at least one point"}),
    change("SlotWidth", "width: 1}", "width: -1}",
           {"scene.yaml:59:48: clearances[1].width: -1 is not allowed", "width must be >= 0"}),
    change("SlotInUnknown", "width: 1}", "width: 1, in: tabel}",
           {"scene.yaml:59:55: clearances[1].in: unknown body 'tabel'", "did you mean 'table'?"}),
    change("SlotInItself", "width: 1}", "width: 1, in: plate}",
           {"scene.yaml:59:28: clearances[1].points[0]: 'plate.edge' belongs to 'plate', which has the slot",
            "name a point of another body"}),
    change("SlotNormal0", "width: 1}", "width: 1, normal: [0,0,0]}",
           {"scene.yaml:59:59: clearances[1].normal: [0, 0, 0] is not allowed", "it must have a direction"}),
    change("SlotNormalZ", "width: 1}", "width: 1, normal: [0,0,1]}",
           {"scene.yaml:59:59: clearances[1].normal: [0, 0, 1] is not allowed",
            "it must lie in the x-y plane of planar bodies"}),
    change("SlotFriction", "width: 1}", "width: 1, friction: -1}",
           {"scene.yaml:59:61: clearances[1].friction: -1 is not allowed", "friction must be >= 0"}),
    change("SlotDuplicatePoint", "points: [plate.edge]", "points: [plate.edge, plate.edge]",
           {"scene.yaml:59:40: clearances[1].points[1]: 'plate.edge' stands twice", "name each point once"}),
    change("SlotUnknownPoint", "points: [plate.edge]", "points: [plate.corner1]",
           {"scene.yaml:59:28: clearances[1].points[0]: 'plate' has no point 'corner1'",
            "its `points` are: edge"}),
    change("ObstacleAsBody", "{body: block, against: floor}", "{body: floor, against: block}",
           {"scene.yaml:56:12: contacts[0].body: 'floor' is an obstacle", "name it in `against`"}),
    change("BetweenOne", "between: [steel, wood]", "between: [steel]",
           {"scene.yaml:8:15: pairs[0].between: expected a list of two names, found a list of 1"}),
};

const std::vector<SceneCase> wrong_springs = {
    change("JointSpringOnABall", "joint: bearing,", "joint: socket,",
           {"scene.yaml:45:34: springs[0].joint: 'socket' has no coordinate", "name a hinge or a slider"}),
    change("JointSpringOnUnknownJoint", "joint: bearing,", "joint: pivt,",
           {"scene.yaml:45:34: springs[0].joint: unknown joint 'pivt'", "did you mean 'pivot'?"}),
    with_bushing(
        "Bushing3x3", "stiffness_matrix: [[1,0,0],[0,1,0],[0,0,1]]",
        {"scene.yaml:49:23: springs[1].stiffness_matrix: it has 3 rows", "it must have 6 rows of 6 numbers"}),
    with_bushing("BushingNotSymmetric",
                 "stiffness_matrix: "
                 "[[1,2,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,0,0,0,1]]",
                 {"scene.yaml:49:39: springs[1].stiffness_matrix[1][0]: 0 is not allowed",
                  "the matrix must be symmetric, and [0][1] is 2"}),
    with_bushing("BushingIndefinite",
                 "stiffness_matrix: "
                 "[[-1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,0,0,0,1]]",
                 {"scene.yaml:49:23: springs[1].stiffness_matrix: its smallest eigenvalue is -1",
                  "it must be at least 0: a negative stiffness feeds energy in"}),
    with_bushing("BushingDampingIndefinite",
                 "damping_matrix: "
                 "[[-1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,0,0,0,1]]",
                 {"scene.yaml:49:21: springs[1].damping_matrix: its smallest eigenvalue is -1",
                  "it must be at least 0: a negative damping feeds energy in"}),
    with_bushing(
        "BushingBoth",
        "stiffness: [10, 10, 10]\n    stiffness_matrix: "
        "[[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,0,0,0,1]]",
        {"scene.yaml:50:23: springs[1].stiffness_matrix: `stiffness` or `rotational_stiffness` is given too",
         "give either these or the matrix"}),
    with_bushing("BushingNegative", "stiffness: [10, -10, 10]",
                 {"scene.yaml:49:16: springs[1].stiffness: [10, -10, 10] is not allowed",
                  "each number of stiffness must be >= 0"}),
    change("BushingSelf", "    body: block\n    at", "    body: block\n    to: block\n    at",
           {"scene.yaml:48:9: springs[1].to: a bushing between 'block' and itself holds nothing",
            "name another body or `ground`"}),
    change("BushingBob", "    body: block\n    at", "    body: bob\n    at",
           {"scene.yaml:47:11: springs[1].body: 'bob' cannot turn: a bushing needs a rigid or planar body"}),
    change("BushingToBob", "    body: block\n    at", "    body: block\n    to: bob\n    at",
           {"scene.yaml:48:9: springs[1].to: 'bob' cannot turn: a bushing needs a rigid or planar body"}),
    with_spring(
        "SpringSameBody", "{spring: s, from: rod.tip, to: rod, stiffness: 1}",
        {"scene.yaml:50:36: springs[2].to: 'rod' is at both ends", "a spring needs two different ends"}),
    with_spring("SpringFrameGround", "{spring: s, from: table, to: {point: [1,1,1]}, stiffness: 1}",
                {"scene.yaml:50:34: springs[2].to: both ends move as prescribed",
                 "a spring needs at least one body"}),
    with_spring(
        "SpringCoincide", "{spring: s, from: rod.tip, to: {point: [2,0,2]}, stiffness: 1, rest_length: 1}",
        {"scene.yaml:50:5: springs[2]: both ends start at the same place, so the spring has no direction",
         "move an end, or give `axis`"}),
    with_spring("SpringToGround", "{spring: s, from: rod.tip, to: ground, stiffness: 1}",
                {"scene.yaml:50:36: springs[2].to.body: 'ground' is no place",
                 "give a point fixed in space as `{point: [x, y, z]}`"}),
    change("TorquePoint", "obstacles:", "forces:\n  - {torque: m, body: rod.tip, value: [0,0,1]}\nobstacles:",
           {"scene.yaml:51:23: forces[0].body: 'rod.tip' is a point", "name the body 'rod' here"}),
    change("ForcePointUnknown",
           "obstacles:", "forces:\n  - {force: m, body: rod.tp, value: [0,0,1]}\nobstacles:",
           {"scene.yaml:51:22: forces[0].body: 'rod' has no point 'tp'", "did you mean 'tip'?"}),
    change(
        "ForceFrame", "obstacles:", "forces:\n  - {force: m, body: table, value: [0,0,1]}\nobstacles:",
        {"scene.yaml:51:22: forces[0].body: 'table' is a frame and moves as prescribed", "name a body here"}),
    with_spring("SpringBobX", "{spring: s, from: bob.x, to: {point: [0,0,0]}, stiffness: 1}",
                {"scene.yaml:50:23: springs[2].from.body: 'bob' has no point 'x'",
                 "only rigid, planar and flexible bodies and frames have points"}),
};

const std::vector<SceneCase> wrong_probes = {
    with_probe(
        "ProbeJointSocketCoordinate", "joint(socket).coordinate",
        {"scene.yaml:64:12: record.probes.angle: 'joint(socket).coordinate': 'socket' has no coordinate",
         "only hinges and sliders have one"}),
    with_probe("ProbeJointPivtCoordinate", "joint(pivt).coordinate",
               {"scene.yaml:64:12: record.probes.angle: 'joint(pivt).coordinate': unknown joint 'pivt'",
                "did you mean 'pivot'?"}),
    with_probe("ProbeRodTpPositionX", "rod.tp.position.x",
               {"scene.yaml:64:12: record.probes.angle: 'rod.tp.position.x': unknown quantity of a body 'tp'",
                "did you mean 'tip'?"}),
    with_probe("ProbeRodOrientationQ", "rod.orientation.q",
               {"scene.yaml:64:12: record.probes.angle: 'rod.orientation.q': unknown component 'q'",
                "it must be w, x, y or z"}),
    with_probe("ProbePlateOmegaX", "plate.omega.x",
               {"scene.yaml:64:12: record.probes.angle: 'plate.omega.x': unknown quantity of a body 'omega'",
                "known: angle, angular_velocity, displacement, edge, position, speed, velocity"}),
    with_probe("ProbeBobOmegaX", "bob.omega.x",
               {"scene.yaml:64:12: record.probes.angle: 'bob.omega.x': unknown quantity of a body 'omega'",
                "known: displacement, position, speed, velocity"}),
    with_probe(
        "ProbeJointsMisspelt", "joints.dirft",
        {"scene.yaml:64:12: record.probes.angle: 'joints.dirft': unknown quantity of the joints 'dirft'",
         "did you mean 'drift'?"}),
};

const std::vector<SceneCase> wrong_linkage_overrides = {
    override_with(
        "SetInertia0", "bodies[rod].inertia=0",
        {"--set bodies[rod].inertia=0: bodies[0].inertia: expected a list of three numbers, found a single"}),
    override_with(
        "SetWheelInertia0", "bodies[wheel].inertia=0",
        {"--set bodies[wheel].inertia=0: bodies[3].inertia: 'wheel' can turn about an axis without inertia",
         "give it inertia, or hold it by a joint"}),
    override_with(
        "SetJoints0Word", "joints[0].at=here",
        {"--set joints[0].at=here: joints[0].at: expected a list of three numbers, found a single value"}),
    override_with("SetSecondPlace", "joints[0].body_point=[0, 0, 7]",
                  {"scene.yaml:39:9: joints[0].at: give either `at`, or `body_point` and `to_point`"}),
    override_with(
        "SetJointsUndamped", "integrator={scheme: hht, alpha_f: 0}",
        {"integrator.alpha_f: without damping (alpha_f = 0, gamma = 1/2) the reactions of joints grow",
         "take alpha_f: 0.05"}),
};

INSTANTIATE_TEST_SUITE_P(Inertia, LinkageFault, ::testing::ValuesIn(wrong_inertia), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Shapes, LinkageFault, ::testing::ValuesIn(wrong_shapes), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Placements, LinkageFault, ::testing::ValuesIn(wrong_poses), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Joints, LinkageFault, ::testing::ValuesIn(wrong_joints), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Drives, LinkageFault, ::testing::ValuesIn(wrong_drives), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Frames, LinkageFault, ::testing::ValuesIn(wrong_frames), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Contacts, LinkageFault, ::testing::ValuesIn(wrong_contacts), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Springs, LinkageFault, ::testing::ValuesIn(wrong_springs), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Probes, LinkageFault, ::testing::ValuesIn(wrong_probes), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Overrides, LinkageFault, ::testing::ValuesIn(wrong_linkage_overrides),
                         case_name<SceneCase>);

class LinkageTest : public BadInputTest {};

TEST_F(LinkageTest, WithoutAFaultRuns) {
  write_file(folder_ / "scene.yaml", linkage_scene);
  expect_exit(percuss({"check", "scene.yaml"}), 0);
  expect_exit(percuss({"run", "scene.yaml", "-q", "-o", "new.h5"}), 0);
}

TEST_F(LinkageTest, WithAQuaternionThatIsSlightlyOffSaysSo) {
  write_file(folder_ / "scene.yaml",
             with_change("orientation: {w: 1}", "orientation: {w: 1.00000001}", linkage_scene));
  const ProcessResult result = percuss({"run", "scene.yaml", "-q", "-o", "new.h5"});
  expect_exit(result, 0);
  expect_messages(result, {"the orientation of 'block' had norm 1.00000001 and was normalised"});
}

TEST_F(LinkageTest, WithAFrameThatEndsInNothingFailsThere) {
  write_file(folder_ / "scene.yaml", with_change("0.1*sin(t)", "\"0.1*sqrt(0.05 - t)\"", linkage_scene));
  const ProcessResult result = percuss({"run", "scene.yaml", "-q", "-o", "new.h5"});
  expect_exit(result, numerical_failure);
  expect_messages(result, {"step 6 from t = 0.05 s",
                           "frame 'table' is not finite at t = 0.05 s: the rate of component z"});
}

TEST_F(LinkageTest, OfAMassOnAMasslessRodRuns) {
  write_file(folder_ / "scene.yaml", linkage_scene);
  for (const char* set : {"bodies[rod].inertia=[0, 0, 0]", "bodies[rod].mass=0", "bodies[plate].inertia=0"})
    expect_exit(percuss({"run", "scene.yaml", "-q", "-o", "new.h5", "--set", set}), 0);
}

}  // namespace
}  // namespace percuss
