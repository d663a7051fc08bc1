#include "percuss/io/mesh_import.h"

#include <random>

#include <fmt/format.h>

#include "percuss/geometry/box_mesh.h"
#include "percuss/geometry/mesh_report.h"
#include "percuss/io/io_error.h"
#include "support/effort.h"
#include "unit/io/mesh_files.h"

// Formats that percuss reads itself.
namespace percuss {
namespace {

using enum CellShape;
using testing::area_of;
using testing::MeshFiles;
using testing::replaced;

class AbaqusMesh : public MeshFiles {};
class NastranMesh : public MeshFiles {};
class UnvMesh : public MeshFiles {};

/// Two bricks beside each other along x, with every way to write a set.
const std::string two_bricks = R"(*HEADING
 two bricks
** a comment
*NODE, NSET=everything
 10, 0., 0., 0.
 11, 1., 0., 0.
 12, 2., 0., 0.
 13, 0., 1., 0.
 14, 1., 1., 0.
 15, 2., 1., 0.
*NODE
 20, 0., 0., 1.
 21, 1.0D0, 0., 1
 22, 2e0, , 1.
 23, 0, 1, 1
** between nodes
 24, 1, 1, 1
 25, +2, 1, 1,
*ELEMENT, TYPE=C3D8R,
  ELSET=left
 7, 10, 11, 14, 13,
   20, 21, 24, 23
*Element, type=c3d8
 9, 11, 12, 15, 14, 21, 22, 25, 24
*NSET, NSET=bottom, GENERATE
 10, 15
*NSET, NSET=odd, GENERATE
 11, 15, 2
*nset, nset=both
 BOTTOM, 20,
 21, 22
*ELSET, ELSET=bricks
 left, 9
*SURFACE, NAME=end, TYPE=ELEMENT
 9, S4
*SURFACE, NAME=under
 bricks, S1
*SURFACE, NAME=corner points, TYPE=NODE
 10
*MATERIAL, NAME=steel
*ELASTIC
 2.1e11, 0.3
*STEP
*END STEP
)";

TEST_F(AbaqusMesh, IsReadWithItsSets) {
  const Mesh mesh = read("bricks.inp", two_bricks);
  const MeshReport report = mesh_report(mesh);
  EXPECT_EQ(report.node_count, 12);
  EXPECT_EQ(report.cell_counts, (std::map<CellShape, int>{{hex8, 2}}));
  EXPECT_NEAR(report.volume, 2, 1e-14);
  EXPECT_NEAR(report.worst_quality, 1, 1e-14);
  EXPECT_EQ(mesh.node_sets.at("everything"), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(mesh.node_sets.at("bottom"), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(mesh.node_sets.at("odd"), (std::vector<int>{1, 3, 5}));
  EXPECT_EQ(mesh.node_sets.at("both"), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(mesh.node_sets.at("corner points"), (std::vector<int>{0}));
  EXPECT_EQ(mesh.cell_sets.at("left"), (std::vector<int>{0}));
  EXPECT_EQ(mesh.cell_sets.at("bricks"), (std::vector<int>{0, 1}));
  EXPECT_EQ(mesh.node_sets.at("left").size(), 8u);
  EXPECT_EQ(area_of(mesh, mesh.surfaces.at("end")), Vector3(1, 0, 0));
  EXPECT_EQ(area_of(mesh, mesh.surfaces.at("under")), Vector3(0, 0, -2));
  EXPECT_EQ(mesh.notes,
            (std::vector<std::string>{"ignored keywords: *ELASTIC, *ENDSTEP, *HEADING, *MATERIAL, *STEP",
                                      "C3D8R is read as C3D8: the mesh is the same"}));
}

TEST_F(AbaqusMesh, KeepsOnePartWithOneInstance) {
  const auto bulk = two_bricks.find("*NODE"), end = two_bricks.find("*MATERIAL");
  const std::string part =
      "*PART, NAME=Part-1\n" + two_bricks.substr(bulk, end - bulk) +
      "*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=Part-1-1, PART=Part-1\n*END INSTANCE\n"
      "*NSET, NSET=held, INSTANCE=Part-1-1\n10\n*END ASSEMBLY\n";
  EXPECT_EQ(read("part.inp", part).node_sets.at("held"), (std::vector<int>{0}));
  expect_refused(
      "part.inp", replaced(part, "PART=Part-1\n", "PART=Part-1\n1, 0, 0\n"),
      "line 41: this *INSTANCE is moved from the place of its part; write a flat file, without parts and "
      "instances");
  expect_refused(
      "two.inp", part + part,
      "line 47: node 10 is there twice; if several parts have numbers of their own, write one part or a "
      "flat file");
}

TEST_F(AbaqusMesh, OfTheUnitMillimetreIsInMetres) {
  const Mesh mesh = read("bricks.inp", two_bricks, {.unit_in_metres = 1e-3});
  EXPECT_NEAR(mesh_report(mesh).volume, 2e-9, 1e-23);
}

/// Any mesh as Abaqus would write it.
std::string abaqus_text(const Mesh& mesh, const std::string& type) {
  std::string text = "*NODE\n";
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    text +=
        fmt::format("{}, {}, {}, {}\n", 3 * i + 1, mesh.nodes[i].x(), mesh.nodes[i].y(), mesh.nodes[i].z());
  text += "*ELEMENT, TYPE=" + type + "\n";
  for_each_cell(mesh, [&](int cell, CellShape, std::span<const int> nodes) {
    text += fmt::format("{}", cell + 1);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      text += fmt::format(",{} {}", i == 14 ? "\n" : "", 3 * nodes[i] + 1);
    text += "\n";
  });
  return text;
}

TEST_F(AbaqusMesh, HasTheOrderOfOurCells) {
  const std::map<CellShape, std::string> types = {
      {tet4, "C3D4"}, {tet10, "C3D10M"}, {hex8, "C3D8I"}, {hex20, "C3D20R"}};
  for (const auto& [shape, type] : types) {
    const Mesh mesh = box_mesh({0, 0, 0}, {1, 2, 3}, {2, 2, 2}, shape);
    const Mesh copy = read("box.inp", abaqus_text(mesh, type));
    EXPECT_EQ(copy.nodes, mesh.nodes);
    ASSERT_EQ(copy.blocks.size(), 1u);
    EXPECT_EQ(copy.blocks[0].shape, shape);
    EXPECT_EQ(copy.blocks[0].nodes, mesh.blocks[0].nodes);
  }
  const Mesh plane = rectangle_mesh({0, 0}, {1, 1}, {2, 2}, quad4);
  EXPECT_EQ(read("plane.inp", abaqus_text(plane, "CPE4")).blocks[0].nodes, plane.blocks[0].nodes);
  const Mesh beam = read("beam.inp", "*NODE\n1, 0\n2, 1\n3, 2\n*ELEMENT, TYPE=B31\n1, 1, 2\n2, 2, 3\n");
  EXPECT_EQ(mesh_report(beam).volume, 2);
  EXPECT_EQ(beam.dimension(), 1);
}

TEST_F(AbaqusMesh, ShellsOnASolidBecomeASurface) {
  const Mesh mesh = read("skin.inp", two_bricks + "*ELEMENT, TYPE=S4R, ELSET=skin\n100, 12, 22, 25, 15\n");
  EXPECT_EQ(mesh.cell_count(), 2);
  EXPECT_FALSE(mesh.cell_sets.contains("skin"));
  EXPECT_EQ(area_of(mesh, mesh.surfaces.at("skin")), Vector3(1, 0, 0));  // though it was written inwards
  EXPECT_EQ(mesh.surfaces.at("skin")[0].cell, 1);
  EXPECT_EQ(mesh.node_sets.at("skin").size(), 4u);
  const Mesh apart = read("skin.inp", two_bricks + "*ELEMENT, TYPE=S3, ELSET=skin\n100, 12, 22, 25\n");
  EXPECT_EQ(apart.notes.back(), "surface 'skin': 1 of 1 facets are not the side of a cell");
}

TEST_F(AbaqusMesh, SaysWhatIsWrongInWhichLine) {
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& reason) {
    expect_refused("bad.inp", replaced(two_bricks, from, to), reason);
  };
  refused(" 11, 1., 0., 0.", " 11, 1., zero, 0.", "line 6: 'zero' is not a number (coordinate)");
  refused(" 11, 1., 0., 0.", " 11, 1., nan, 0.",
          "line 6: node 11 is at (1, nan, 0); coordinates must be finite");
  refused(" 11, 1., 0., 0.", " 11.5, 1., 0., 0.", "line 6: '11.5' is not an integer (number of a node)");
  refused(" 11, 1., 0., 0.", " 0, 1., 0., 0.", "line 6: node 0: numbers begin with 1");
  refused(" 11, 1., 0., 0.", " 10, 1., 0., 0.",
          "line 6: node 10 is there twice; if several parts have numbers of their own, write one part or a "
          "flat file");
  refused("21, 22, 25, 24", "21, 22, 25, 99", "line 24: element 9 names node 99, which does not exist");
  refused("21, 22, 25, 24", "21, 22, 25", "line 24: element 9 has 7 nodes; a hex8 has 8");
  refused("21, 22, 25, 24", "21, 22, 25, 24, 20", "line 24: element 9 has more than the 8 nodes of a hex8");
  refused(" 9, 11, 12", " 7, 11, 12",
          "line 24: element 7 is there twice; if several parts have numbers of their own, write one part or "
          "a flat file");
  const std::string types =
      "C3D4, C3D10, C3D8, C3D20, CPE3, CPE4, CPS3, CPS4 and B31 are read, and shells as surfaces";
  refused("type=c3d8", "type=C3D6", "line 23: unknown type 'C3D6' of *ELEMENT; " + types);
  refused("type=c3d8", "type=C3D27", "line 23: unknown type 'C3D27' of *ELEMENT; " + types);
  refused(" 11, 15, 2", " 11, 15, 0", "line 28: the numbers 11 to 15 with step 0 are no range");
  refused(" 11, 15, 2", " 11, 16, 5", "line 28: node set 'odd' names node 16, which does not exist");
  refused(" BOTTOM, 20", " TOP, 20", "line 30: 'TOP' is neither a number nor an earlier set");
  refused(" left, 9", " left, 8", "line 33: element set 'bricks' names element 8, which does not exist");
  refused(" left, 9\n", "", "line 32: element set 'bricks' is empty");
  refused("*MATERIAL", "*NSET, NSET=none\n*MATERIAL", "line 40: node set 'none' is empty");
  refused(" 9, S4", " 9, S7", "line 35: 'S7' is not a side of an element; the sides are S1 to S6");
  refused("*HEADING", "*INCLUDE, INPUT=other.inp", "line 1: *INCLUDE refers to another file; write one file");
  refused("*NODE, ", "*NODE, SYSTEM=C, ",
          "line 4: SYSTEM=C of *NODE is not read; nodes must have rectangular coordinates (R)");
  expect_refused("bad.inp", "*NODE\n1, 0, 0\n",
                 "it has no cells; tetrahedra, hexahedra, plane triangles and "
                 "quadrangles, and lines are read");
  expect_refused("bad.inp", "*HEADING\n", "it has no nodes");
  expect_refused("bad.inp", "1, 2, 3\n", "it has no keyword such as *NODE: it is not a file of Abaqus");
  expect_refused("bad.inp", std::string("*NODE\n1, 0\0", 11), "it is not a text file");
  expect_refused("bad.inp", "", "it is empty");
  expect_refused("bad.inp",
                 "*NODE\n1,0,0\n2,1,0\n3,0,1\n4,.5,0\n5,.5,.5\n6,0,.5\n*ELEMENT,TYPE=CPE6\n1,1,2,3,4,5,6\n",
                 "line 9: element 1 is a tri6; lines and plane cells must be line2, tri3 or quad4");
}

TEST_F(MeshFiles, OfOtherKindsAreRefused) {
  const std::string known = reads_with_gmsh() ? ".inp, .unv, .bdf, .nas, .msh, .stl, .step and .stp are read"
                                              : ".inp, .unv, .bdf and .nas are read";
  EXPECT_EQ(complaint("none.inp"),
            "cannot read " + (folder_ / "none.inp").string() + ": No such file or directory");
  expect_refused("mesh.vtk", "x", "'.vtk' is no extension of a mesh file; " + known);
  expect_refused("mesh", "x", "its name has no extension; " + known);
  expect_refused("mesh.Inp", "x", "'.Inp' is no extension of a mesh file; " + known);
  expect_refused("mesh.INP", "x", "it has no keyword such as *NODE: it is not a file of Abaqus");
  expect_refused("mesh.inp", two_bricks, "the unit of length is 0 m; it must be positive",
                 {.unit_in_metres = 0});
  expect_refused("body.stl", "solid", "it has surfaces only; a mesh size is needed to fill them with cells");
  expect_refused("body.step", "x", "the mesh size is -1 m; it must be positive", {.mesh_size = -1});
  std::filesystem::create_directory(folder_ / "folder.inp");
  EXPECT_EQ(complaint("folder.inp"), "cannot read " + (folder_ / "folder.inp").string() + ": Is a directory");
}

TEST(LengthUnit, HasItsNames) {
  EXPECT_EQ(length_unit("m"), 1.0);
  EXPECT_EQ(length_unit("mm"), 1e-3);
  EXPECT_EQ(length_unit("in"), 0.0254);
  EXPECT_EQ(length_unit("inch"), std::nullopt);
  for (const std::string name : {"m", "cm", "mm", "um", "in", "ft"}) {
    EXPECT_TRUE(length_unit(name).has_value());
    EXPECT_NE(length_unit_names.find(name), std::string_view::npos);
  }
}

/// The same two tetrahedra in narrow, wide and free fields.
const std::string nastran_narrow = R"(SOL 101
CEND
BEGIN BULK
$ a comment
GRID    1               0.      0.      0.
GRID    2               1.      0.      0.
GRID    3               0.      1.      0.
GRID    4               0.      0.      1.
GRID    5               1.+0    1.-0    1.0E+0
CTETRA  11      3       1       2       3       4
CTETRA  12      4       2       3       4       5
PSOLID  3       1
ENDDATA
)";
const std::string nastran_free =
    "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,0,,1.\nGRID,4,,0.,0.,1.\n"
    "GRID*,5,,1.,1.\n*,1.\nCTETRA,11,3,1,2,3,4\n$ between\nCTETRA*,12,4,2,3\n*,4,5\n";

TEST_F(NastranMesh, IsReadInAllFieldFormats) {
  const std::string wide = fmt::format("{:<8}{:<16}{:<16}{:<16}{:<16}*A\n{:<8}{:<16}\n", "GRID*", 5, "",
                                       "1.0D0", "1.", "*A", "1.");
  const auto card = nastran_narrow.find("GRID    5"), end = nastran_narrow.find("CTETRA");
  const std::string nastran_wide = nastran_narrow.substr(0, card) + wide + nastran_narrow.substr(end);
  for (const std::string& text : {nastran_narrow, nastran_free, nastran_wide}) {
    const Mesh mesh = read("two.bdf", text);
    EXPECT_EQ(mesh.nodes[4], Vector3(1, 1, 1));
    EXPECT_EQ(mesh.cell_sets.at("property_3"), (std::vector<int>{0}));
    EXPECT_EQ(mesh.cell_sets.at("property_4"), (std::vector<int>{1}));
    EXPECT_NEAR(mesh_report(mesh).volume, 1.0 / 6 + 2.0 / 6, 1e-15);
  }
  EXPECT_EQ(read("two.nas", nastran_narrow).notes, (std::vector<std::string>{"ignored cards: PSOLID"}));
}

/// Free fields; the vertical edges of a brick before those of its top.
std::string nastran_text(const Mesh& mesh) {
  std::string text;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    text += fmt::format("GRID,{},,{:.9f},{:.9f},{:.9f}\n", i + 1, mesh.nodes[i].x(), mesh.nodes[i].y(),
                        mesh.nodes[i].z());
  for_each_cell(mesh, [&](int cell, CellShape shape, std::span<const int> nodes) {
    text += fmt::format("{},{},1", corner_count(shape) == 8 ? "CHEXA" : "CTETRA", cell + 1);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::size_t place = nodes.size() < 20 || i < 12 ? i : i < 16 ? i + 4 : i - 4;
      text += fmt::format("{},{}", i == 6 || i == 14 ? "\n" : "", nodes[place] + 1);
    }
    text += "\n";
  });
  return text;
}

TEST_F(NastranMesh, HasTheOrderOfOurCells) {
  for (const CellShape shape : {tet4, tet10, hex8, hex20}) {
    const Mesh mesh = box_mesh({0, 0, 0}, {1, 2, 3}, {1, 2, 1}, shape);
    const Mesh copy = read("box.bdf", nastran_text(mesh));
    ASSERT_EQ(copy.blocks.size(), 1u);
    EXPECT_EQ(copy.blocks[0].nodes, mesh.blocks[0].nodes) << name_of(shape);
  }
}

TEST_F(NastranMesh, SaysWhatIsWrongInWhichLine) {
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& reason) {
    expect_refused("bad.bdf", replaced(nastran_free, from, to), reason);
  };
  refused("GRID,2,,1.", "GRID,2,,one", "line 2: 'one' is not a number (coordinate)");
  refused("GRID,3,0", "GRID,3,5",
          "line 3: a node in the coordinate system 5; only the basic system (0) is read");
  refused("GRID,2", "GRID,1",
          "line 2: node 1 is there twice; if several parts have numbers of their own, write one part or a "
          "flat file");
  refused("*,4,5", "*,4,6", "line 9: element 12 names node 6, which does not exist");
  refused("*,4,5", "*,4,5,1", "line 9: CTETRA 12 has 5 nodes; it must have 4 or 10");
  refused("CTETRA,11", "CPENTA,11", "line 7: CPENTA is not read; solid cells must be CTETRA or CHEXA");
  refused("GRID,1", "INCLUDE 'a', 1", "line 1: INCLUDE is not followed; write one file");
  expect_refused("bad.bdf", "nothing of use\n", "it has no nodes");
  expect_refused("bad.nas", "", "it is empty");
}

/// Two tetrahedra and a triangle on one of them, with groups.
const std::string unv_text = R"(    -1
   164
         1  SI: Meter (newton)         2
    -1
    -1
  2411
         1         1         1        11
   0.0000000000000000D+00   0.0000000000000000D+00   0.0000000000000000D+00
         2         1         1        11
   1.0000000000000000D+00   0.0000000000000000D+00   0.0000000000000000D+00
         3         1         1        11
   0.0000000000000000D+00   1.0000000000000000D+00   0.0000000000000000D+00
         4         1         1        11
   0.0000000000000000D+00   0.0000000000000000D+00   1.0000000000000000D+00
         5         1         1        11
   1.0000000000000000D+00   1.0000000000000000D+00   1.0000000000000000D+00
    -1
    -1
  2412
         1       111         1         1         7         4
         1         2         3         4
         2       111         1         1         7         4
         2         3         4         5
         3        91         1         1         7         3
         1         2         3
         4        21         1         1         7         2
         0         1         1
         1         2
    -1
    -1
  2467
         1         0         0         0         0         0         0         2
solid part
         8         1         0         0         8         2         0         0
         2         0         0         0         0         0         0         1
wall
         8         3         0         0
         3         0         0         0         0         0         0         3
held
         7         1         0         0         7         4         0         0
         7         2         0         0
    -1
)";

TEST_F(UnvMesh, IsReadWithItsGroups) {
  const Mesh mesh = read("two.unv", unv_text);
  EXPECT_NEAR(mesh_report(mesh).volume, 0.5, 1e-15);
  EXPECT_EQ(mesh.cell_sets.at("solid part"), (std::vector<int>{0, 1}));
  EXPECT_EQ(mesh.node_sets.at("held"), (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(mesh.node_sets.at("wall"), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(area_of(mesh, mesh.surfaces.at("wall")), Vector3(0, 0, -0.5));
  EXPECT_EQ(mesh.notes, (std::vector<std::string>{"ignored datasets: 164"}));
}

TEST_F(UnvMesh, SaysWhatIsWrongInWhichLine) {
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& reason) {
    expect_refused("bad.unv", replaced(unv_text, from, to), reason);
  };
  refused("1.0000000000000000D+00   0.0", "1.00000000,0000000D+00   0.0",
          "line 10: '1.00000000,0000000D+00' is not a number (coordinate)");
  refused("         2       111", "         2       112",
          "line 22: element 2 is of type 112 with 4 nodes; tetrahedra (111, 118), bricks (115, 116), plane "
          "and shell "
          "elements and beams are read");
  refused("4         5\n", "4         9\n", "line 22: element 2 names node 9, which does not exist");
  refused("         8         3  ", "         8        33  ",
          "line 37: element set 'wall' names element 33, which does not exist");
  refused("         7         2         0         0\n", "",
          "line 41: group 'held' has 2 members, it should have 3");
  expect_refused("bad.unv", unv_text.substr(0, unv_text.size() - 7),
                 "line 41: the file ends where the end of a dataset (-1) is expected");
  expect_refused("bad.unv", "hello\n", "line 1: a dataset must begin with a line -1");
  expect_refused("bad.unv", "\n", "it has no datasets");
}

/// Any prefix of a file and any file with wrong bytes is read or refused, and never ends the program.
TEST_F(MeshFiles, DamageIsSurvived) {
  std::mt19937 random(1);
  const std::map<std::string, std::string> files = {
      {"x.inp", two_bricks}, {"x.bdf", nastran_narrow}, {"y.bdf", nastran_free}, {"x.unv", unv_text}};
  for (const auto& [name, text] : files)
    for (int trial = 0; trial < testing::repetitions(1000); ++trial) {
      std::string damaged = trial % 4 == 0 ? text.substr(0, random() % text.size()) : text;
      for (int k = 0; k < trial % 4; ++k) damaged[random() % text.size()] = text[random() % text.size()];
      testing::write_file(folder_ / name, damaged);
      complaint(name);
    }
}

}  // namespace
}  // namespace percuss
