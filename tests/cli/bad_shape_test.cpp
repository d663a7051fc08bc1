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
  write_file(folder_ / "hill.csv", "0,1\n1,2,3\n");
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
        terrain("MisspeltKind", "heightmp: hill, file: hill.csv, cell: 1, material: rock",
                {"obstacles[0].heightmp: unknown kind; did you mean 'heightmap'?"})),
    case_name<SceneCase>);

}  // namespace
}  // namespace percuss
