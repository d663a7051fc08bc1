#include "cli/bad_input.h"

// Shapes of points, of files, and of parts.
namespace percuss {
namespace {

using namespace percuss::testing;

constexpr const char* shape_scene = R"(percuss: 1
materials: {rock: {density: 1}}
bodies:
  - rigid: stone
    material: rock
    shape: {box: [1, 1, 1]}
time: {end: 1, step: 0.01}
)";

class ShapeFault : public BadInputTest, public ::testing::WithParamInterface<SceneCase> {};

TEST_P(ShapeFault, IsReportedWithItsPlace) {
  const SceneCase& c = GetParam();
  write_file(folder_ / "open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
  write_file(folder_ / "flipped.obj",
             "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 4 3\n");
  write_file(folder_ / "points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
  write_file(folder_ / "bad.obj", "v 0 0 0\nv 1 x 0\n");
  write_file(folder_ / "nan.obj", "v 0 0 0\nv 1 0 0\nv 0 1 nan\nf 1 2 3\n");
  write_file(folder_ / "hill.csv", "0,1\n1,2,3\n");
  write_file(folder_ / "hole.csv", "0,1\n1,\n");
  write_file(folder_ / "hill.png", "no picture");
  write_file(folder_ / "wide.csv", "# a cam\n0, 0\n1, 0, 2\n0, 1\n");
  write_file(folder_ / "words.csv", "0, 0\n1, zero\n0, 1\n");
  write_file(folder_ / "closed.csv", "0, 0\n1, 0\n0, 1\n0, 0\n");
  write_file(folder_ / "scene.yaml", with_change(c.part, c.replacement, shape_scene));
  expect_refused({"run", "scene.yaml", "-o", "old.h5"}, c.messages, c.faults);
}

SceneCase shape(std::string name, const std::string& given, std::vector<std::string> messages,
                int faults = 1) {
  return change(std::move(name), "{box: [1, 1, 1]}", given, std::move(messages), faults);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, ShapeFault,
    ::testing::Values(
        shape("EmptyHull", "{hull: {}}",
              {"scene.yaml:6:19: bodies[0].shape.hull: give either `file` or `points`"}),
        shape("HullOfBoth", "{hull: {file: open.obj, points: [[0, 0, 0]]}}",
              {"give either `file` or `points`"}),
        shape("ScaleOfPoints", "{hull: {scale: 2, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}",
              {"scene.yaml:6:27: bodies[0].shape.hull.scale: it belongs to a `file`"}),
        shape("FlatHull", "{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}",
              {"bodies[0].shape.hull: convex hull needs at least 4 points, got 3; give points that enclose a "
               "volume"}),
        shape("HullInAPlane", "{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}}",
              {"scene.yaml:6:19: bodies[0].shape.hull: convex hull: all points lie in one plane; give points "
               "that enclose a volume"}),
        shape("HullOnALine", "{hull: {points: [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]}}",
              {"bodies[0].shape.hull: convex hull: all points lie on one line"}),
        shape("CylinderWithoutLength", "{cylinder: {radius: 1, length: 0}}",
              {"scene.yaml:6:43: bodies[0].shape.cylinder.length: 0 is not allowed; length must be > 0"}),
        shape("ThinCylinder", "{cylinder: {radius: 1, length: 1e-9}}",
              {"bodies[0].shape.cylinder: 1e-09 m is too thin for a length of 2 m; the shortest side must be "
               "at least 1e-07 of the longest"}),
        shape("ThinCone", "{cone: {radius: 1e-9, length: 1}}",
              {"bodies[0].shape.cone: 2e-09 m is too thin for a length of 1 m"}),
        shape("ThinCapsule", "{capsule: {radius: 1e-9, length: 1}}",
              {"bodies[0].shape.capsule: 2e-09 m is too thin for a length of 1 m"}),
        shape("ThinEllipsoid", "{ellipsoid: [1, 1e-9, 1]}",
              {"bodies[0].shape.ellipsoid: 2e-09 m is too thin for a length of 2 m"}),
        shape("MeshOfNoNumber", "{mesh: {file: nan.obj}}",
              {"scene.yaml:6:26: bodies[0].shape.mesh.file: cannot read ./nan.obj: line 3: 'nan' is not "
               "allowed; "
               "a coordinate must be finite"}),
        shape("HullOfThreePoints", "{hull: {file: points.obj}}",
              {"scene.yaml:6:26: bodies[0].shape.hull.file: points.obj: convex hull needs at least 4 points, "
               "got 3"}),
        shape("NoSuchFile", "{hull: {file: open.ob}}",
              {"bodies[0].shape.hull.file: cannot read ./open.ob: '.ob' is no extension",
               ".stl and .obj are read"}),
        shape("MissingFile", "{mesh: {file: opne.obj}}",
              {"bodies[0].shape.mesh.file: cannot read ./opne.obj"}),
        shape("FaultInFile", "{mesh: {file: bad.obj}}",
              {"scene.yaml:6:26: bodies[0].shape.mesh.file: cannot read ./bad.obj: line 2: 'x' is not a "
               "number"}),
        shape("NegativeScale", "{mesh: {file: open.obj, scale: -1}}",
              {"bodies[0].shape.mesh.scale: -1 is not allowed; scale must be > 0"}),
        shape("OpenFile", "{mesh: {file: open.obj}}",
              {"scene.yaml:6:19: bodies[0].shape.mesh: the mesh is not closed: it has a hole at the edge 1-2 "
               "of face 0",
               "give a closed surface"}),
        shape("FlippedFile", "{mesh: {file: flipped.obj}}", {"face 3 is flipped against its neighbour"}),
        shape("PointsOnly", "{mesh: {file: points.obj}}",
              {"bodies[0].shape.mesh: the mesh has no triangles"}),
        shape("MeshOfBoth", "{mesh: {file: open.obj, vertices: [[0, 0, 0]], triangles: [[0, 0, 0]]}}",
              {"bodies[0].shape.mesh: give either `file` or `vertices` and `triangles`"}),
        shape("EmptyMesh", "{mesh: {}}",
              {"bodies[0].shape.mesh: give either `file` or `vertices` and `triangles`"}),
        shape("EmptyCompound", "{compound: []}", {"bodies[0].shape.compound: the list is empty"}),
        shape("PartWithoutShape", "{compound: [{position: [0, 0, 0]}]}",
              {"scene.yaml:6:24: bodies[0].shape.compound[0]: the key 'shape' is missing"}),
        shape("PartWithTwoShapes", "{compound: [{shape: {sphere: 1, box: [1, 1, 1]}}]}",
              {"bodies[0].shape.compound[0].shape: 2 shapes are given; give exactly one"}),
        shape("CompoundInCompound", "{compound: [{shape: {compound: []}}]}",
              {"bodies[0].shape.compound[0].shape.compound: unknown key"}),
        shape("FlatPart",
              "{compound: [{shape: {sphere: 1}}, {shape: {polyhedron: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}]}",
              {"bodies[0].shape.compound[1].shape.polyhedron: convex hull needs at least 4 points"}),
        shape("TurnedPart", "{compound: [{shape: {sphere: 1}, orientation: {w: 2}}]}",
              {"bodies[0].shape.compound[0].orientation: the norm of {w: 2, x: 0, y: 0, z: 0} is 2"})),
    case_name<SceneCase>);

SceneCase profile(std::string name, const std::string& given, std::vector<std::string> messages,
                  int faults = 1) {
  return shape(std::move(name), "{profile: {" + given + ", depth: 1}}", std::move(messages), faults);
}
SceneCase arc(std::string name, const std::string& given, std::vector<std::string> messages) {
  return profile(std::move(name), "outline: [{line: [0, 0]}, {line: [2, 0]}, {arc: " + given + "}]",
                 std::move(messages));
}

INSTANTIATE_TEST_SUITE_P(
    Profiles, ShapeFault,
    ::testing::Values(
        shape("EmptyProfile", "{profile: {depth: 1}}",
              {"scene.yaml:6:22: bodies[0].shape.profile: give exactly one of `polygon`, `outline` and "
               "`table`"}),
        profile("ProfileOfTwo", "table: wide.csv, polygon: [[0, 0], [1, 0], [0, 1]]",
                {"bodies[0].shape.profile"}),
        shape("NoDepth", "{profile: {polygon: [[0, 0], [1, 0], [0, 1]]}}",
              {"bodies[0].shape.profile: the key 'depth' is missing: along z"}),
        shape("NegativeDepth", "{profile: {polygon: [[0, 0], [1, 0], [0, 1]], depth: -2}}",
              {"bodies[0].shape.profile.depth: -2 is not allowed; depth must be > 0"}),
        shape("ThinProfile", "{profile: {polygon: [[0, 0], [1, 0], [0, 1]], depth: 1e-9}}",
              {"bodies[0].shape.profile: 1e-09 m is too thin for a length of 1 m"}),
        profile("TwoCorners", "polygon: [[0, 0], [1, 0]]",
                {"bodies[0].shape.profile.polygon: 2 corners bound no area; give at least 3"}),
        profile("FlatPolygon", "polygon: [[0, 0], [1, 0], [3, 0]]",
                {"bodies[0].shape.profile.polygon: it has no area: its corners lie on a line"}),
        profile("EqualCorners", "polygon: [[0, 0], [1, 0], [1, 0], [0, 1]]",
                {"bodies[0].shape.profile.polygon: the corners 1 and 2 are both at [1, 0]; leave one out"}),
        profile(
            "CrossedPolygon", "polygon: [[0, 0], [1, 1], [1, 0], [0, 1]]",
            {"bodies[0].shape.profile.polygon: the edges from corner 0 at [0, 0] to 1 and from corner 2 at "
             "[1, 0] to 3 cross or touch"}),
        profile("ScaleOfPolygon", "scale: 2, polygon: [[0, 0], [1, 0], [0, 1]]",
                {"bodies[0].shape.profile.scale: it belongs to a `table`"}),
        profile("ToleranceOfPolygon", "tolerance: 0.1, polygon: [[0, 0], [1, 0], [0, 1]]",
                {"bodies[0].shape.profile.tolerance: it belongs to the arcs of an `outline`"}),
        profile("PieceOfTwo", "outline: [{line: [0, 0]}, {line: [1, 0], arc: {to: [0, 1], centre: [0, 0]}}]",
                {"bodies[0].shape.profile.outline[1]: give either `line` or `arc`"}),
        arc("ArcBesideItsCentre", "{to: [0, 2.1], centre: [0, 0]}",
            {"bodies[0].shape.profile.outline[2].arc: it begins at [2, 0], 2 m from its centre [0, 0], and "
             "ends at "
             "[0, 2.1], 2.1 m from it; the distances may differ by the tolerance of 1e-05 m"}),
        arc("ArcRoundItsBeginning", "{to: [0, 2], centre: [2, 0]}",
            {"bodies[0].shape.profile.outline[2].arc: its centre is where it begins"}),
        profile(
            "ManyChords",
            "tolerance: 1e-9, outline: [{line: [0, 0]}, {line: [2, 0]}, {arc: {to: [0, 2], centre: [0, 0]}}]",
            {"bodies[0].shape.profile.outline[2].arc: a tolerance of 1e-09 m makes 24837 chords of a radius "
             "of 2 m; at most 10000 are allowed"}),
        profile("MissingTable", "table: cam.csv",
                {"scene.yaml:6:30: bodies[0].shape.profile.table: cannot read ./cam.csv"}),
        profile(
            "TableOfThreeColumns", "table: wide.csv",
            {"bodies[0].shape.profile.table: cannot read ./wide.csv: line 3: it has 3 columns; a profile has "
             "two, x and y"}),
        profile(
            "TableOfWords", "table: words.csv",
            {"bodies[0].shape.profile.table: cannot read ./words.csv: line 2: 'zero' is not a number (y)"}),
        profile(
            "ClosedTable", "table: closed.csv",
            {"bodies[0].shape.profile.table: closed.csv: the corners 3 and 0 are both at [0, 0]; leave one "
             "out: the outline closes by itself"}),
        profile("ScaleOfTable", "table: closed.csv, scale: 0",
                {"bodies[0].shape.profile.scale: 0 is not allowed; scale must be > 0"}),
        shape("ProfileInCompound", "{compound: [{shape: {profile: {polygon: [[0, 0], [1, 0]], depth: 1}}}]}",
              {"bodies[0].shape.compound[0].shape.profile.polygon: 2 corners"})),
    case_name<SceneCase>);

/// The planar body takes the place of the rigid one.
SceneCase planar(std::string name, const std::string& given, std::vector<std::string> messages,
                 int faults = 1) {
  return change(std::move(name), "rigid: stone\n    material: rock\n    shape: {box: [1, 1, 1]}",
                "planar: stone\n    material: rock\n    shape: " + given, std::move(messages), faults);
}

INSTANTIATE_TEST_SUITE_P(
    PlanarShapes, ShapeFault,
    ::testing::Values(planar("SegmentWithoutLength", "{segment: {from: [1, 2], to: [1, 2]}}\n    mass: 1",
                             {"bodies[0].shape.segment: it begins and ends at [1, 2]; give it a length"}),
                      planar("SegmentWithoutMass", "{segment: {from: [1, 2], to: [1, 3]}}",
                             {"bodies[0].mass: 'stone' has no mass: a segment has no area; give `mass`"}),
                      planar("SegmentWithoutEnd", "{segment: {from: [1, 2]}}\n    mass: 1",
                             {"bodies[0].shape.segment: the key 'to' is missing: the other end"}),
                      planar("CrossedProfile", "{profile: {polygon: [[0, 0], [1, 1], [1, 0], [0, 1]]}}",
                             {"bodies[0].shape.profile.polygon: the edges from corner 0"}),
                      planar("DepthOfPlanarProfile",
                             "{profile: {polygon: [[0, 0], [1, 0], [0, 1]], depth: 1}}",
                             {"bodies[0].shape.profile.depth: unknown key"}),
                      planar("MissingPlanarTable", "{profile: {table: cam.csv}}",
                             {"bodies[0].shape.profile.table: cannot read ./cam.csv"})),
    case_name<SceneCase>);

SceneCase terrain(std::string name, const std::string& given, std::vector<std::string> messages,
                  int faults = 1) {
  return change(std::move(name), "time: {", "obstacles: [{" + given + "}]\ntime: {", std::move(messages),
                faults);
}

INSTANTIATE_TEST_SUITE_P(
    Terrains, ShapeFault,
    ::testing::Values(
        terrain("MeshWithoutFile", "mesh: hill, material: rock",
                {"scene.yaml:7:13: obstacles[0]: the key 'file' is missing: a .stl or .obj file next to the "
                 "scene"}),
        terrain("MeshWithoutMaterial", "mesh: hill, file: open.obj",
                {"obstacles[0]: the key 'material' is missing"}),
        terrain("MissingMesh", "mesh: hill, file: hill.obj, material: rock",
                {"scene.yaml:7:32: obstacles[0].file: cannot read ./hill.obj"}),
        terrain("FlippedMesh", "mesh: hill, file: flipped.obj, material: rock",
                {"obstacles[0].file: face 3 is flipped against its neighbour", "its borders may stay open"}),
        terrain("NegativeScaleOfMesh", "mesh: hill, file: open.obj, scale: -1, material: rock",
                {"obstacles[0].scale: -1 is not allowed; scale must be > 0"}),
        terrain("NameAsBody", "mesh: stone, file: open.obj, material: rock",
                {"obstacles[0].mesh: the name 'stone' is used twice"}),
        terrain("HeightmapWithoutCell", "heightmap: hill, file: hill.csv, material: rock",
                {"obstacles[0]: the key 'cell' is missing: distances of neighbours along x and y"}),
        terrain("CellOfThree", "heightmap: hill, file: hill.csv, cell: [1, 2, 3], material: rock",
                {"obstacles[0].cell: expected a list of two numbers, found a list of 3"}),
        terrain("CellOfZero", "heightmap: hill, file: hill.csv, cell: 0, material: rock",
                {"obstacles[0].cell: [0, 0] is not allowed; each number of cell must be > 0"}),
        terrain("CellOfWord", "heightmap: hill, file: hill.csv, cell: wide, material: rock",
                {"scene.yaml:7:53: obstacles[0].cell[0]: 'wide' is not a number"}),
        terrain("RaggedHeightmap", "heightmap: hill, file: hill.csv, cell: 1, material: rock",
                {"scene.yaml:7:37: obstacles[0].file: cannot read ./hill.csv: line 2: row 2 has 3 columns, "
                 "the first "
                 "has 2"}),
        terrain(
            "HeightmapWithAHole", "heightmap: hill, file: hole.csv, cell: 1, material: rock",
            {"scene.yaml:7:37: obstacles[0].file: cannot read ./hole.csv: line 2: row 2, column 2 is empty; "
             "a surface has no holes: give it a height"}),
        terrain("MeshOfNoNumber", "mesh: hill, file: nan.obj, material: rock",
                {"obstacles[0].file: cannot read ./nan.obj: line 3: 'nan' is not allowed"}),
        terrain("PictureWithoutHeight", "heightmap: hill, file: hill.png, cell: 1, material: rock",
                {"obstacles[0].height: it is missing: give the heights [low, high] of black and white"}),
        terrain("PictureUpsideDown",
                "heightmap: hill, file: hill.png, cell: 1, height: [2, 1], material: rock",
                {"obstacles[0].file: cannot read ./hill.png: it is no PNG picture",
                 "obstacles[0].height: [2, 1] is not allowed; the first must be the lower one"},
                2),
        terrain("HeightOfTable", "heightmap: hill, file: open.obj, cell: 1, height: [1, 2], material: rock",
                {"obstacles[0].height: it belongs to a .png picture"}, 2),
        terrain("NoPicture", "heightmap: hill, file: hill.png, cell: 1, height: [1, 2], material: rock",
                {"obstacles[0].file: cannot read ./hill.png: it is no PNG picture"}),
        terrain("MisspeltKind", "heightmp: hill, file: hill.csv, cell: 1, material: rock",
                {"obstacles[0].heightmp: unknown kind; did you mean 'heightmap'?"})),
    case_name<SceneCase>);

}  // namespace
}  // namespace percuss
