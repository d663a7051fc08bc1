#include <cstdlib>
#include <random>

#include <fmt/format.h>

#include "percuss/geometry/mesh_report.h"
#include "support/effort.h"
#include "unit/io/mesh_files.h"
#ifdef PERCUSS_TEST_GMSH
#include <gmsh.h>
#endif

// Files that Gmsh reads; it also writes them here.
namespace percuss {
namespace {

using enum CellShape;
using testing::area_of;
using testing::replaced;

#ifdef PERCUSS_TEST_GMSH

/// Whatever is done with Gmsh in a scope ends with it.
struct Gmsh {
  Gmsh() {
    gmsh::initialize(0, nullptr, false);
    gmsh::option::setNumber("General.Terminal", 0);
  }
  ~Gmsh() { gmsh::finalize(); }
};

struct BoxFile {
  double version = 4.1;
  int order = 1;
  bool bricks = false;
  bool binary = false;
};

/// A box of 1 x 2 x 3 with the groups `body`, `wall` (x = 0), `edge` and `corner`.
void write_box(const std::filesystem::path& path, const BoxFile& file = {}) {
  const Gmsh gmsh;
  gmsh::model::add("box");
  gmsh::model::occ::addBox(0, 0, 0, 1, 2, 3);
  gmsh::model::occ::synchronize();
  const std::string extension = path.extension();
  if (extension != ".step") {
    const auto group = [](int dimension, int tag, const std::string& name) {
      gmsh::model::setPhysicalName(dimension, gmsh::model::addPhysicalGroup(dimension, {tag}), name);
    };
    if (extension != ".stl") {
      group(3, 1, "body");
      group(2, 1, "wall");
      group(1, 1, "edge");
    }
    if (extension == ".msh")
      group(0, 1, "corner");  // universal files would name a point that they do not have
    gmsh::option::setNumber("Mesh.MeshSizeMin", 0.7);
    gmsh::option::setNumber("Mesh.MeshSizeMax", 0.7);
    gmsh::option::setNumber("Mesh.SecondOrderIncomplete", 1);
    if (file.bricks) gmsh::model::mesh::setTransfiniteAutomatic();
    gmsh::model::mesh::generate(3);
    gmsh::model::mesh::setOrder(file.order);
    gmsh::option::setNumber("Mesh.MshFileVersion", file.version);
    gmsh::option::setNumber("Mesh.Binary", file.binary);
  }
  gmsh::write(path.string());
}

#endif

class GmshMesh : public testing::MeshFiles {
 protected:
  void SetUp() override {
    if (!reads_with_gmsh()) GTEST_SKIP() << "NOT TESTED: this build is without Gmsh (PERCUSS_GMSH=OFF)";
  }
};

#ifdef PERCUSS_TEST_GMSH

TEST_F(GmshMesh, IsReadInEachVersionOrderAndShape) {
  for (const double version : {2.2, 4.1})
    for (const int order : {1, 2})
      for (const bool bricks : {false, true})
        for (const bool binary : {false, true}) {
          write_box(folder_ / "box.msh", {version, order, bricks, binary});
          const std::string what =
              fmt::format("version {} order {} bricks {} binary {}", version, order, bricks, binary);
          const Mesh mesh = read_mesh(folder_ / "box.msh", {.unit_in_metres = 0.1});
          const MeshReport report = mesh_report(mesh);
          EXPECT_NEAR(report.volume, 6e-3, 1e-13) << what;
          EXPECT_TRUE(report.inverted_cells.empty()) << what;
          EXPECT_TRUE(report.unused_nodes.empty()) << what;
          EXPECT_EQ(report.part_count, 1) << what;
          ASSERT_EQ(report.cell_counts.size(), 1u) << what;
          const CellShape shape = bricks ? (order == 1 ? hex8 : hex20) : (order == 1 ? tet4 : tet10);
          EXPECT_EQ(report.cell_counts.begin()->first, shape) << what;
          EXPECT_EQ(mesh.cell_sets.at("body").size(), static_cast<std::size_t>(mesh.cell_count())) << what;
          EXPECT_NEAR((area_of(mesh, mesh.surfaces.at("wall")) - Vector3(-0.06, 0, 0)).norm(), 0, 1e-15)
              << what;
          for (const int node : mesh.node_sets.at("wall"))
            EXPECT_NEAR(mesh.nodes[node].x(), 0, 1e-15) << what;
          EXPECT_EQ(mesh.node_sets.at("corner").size(), 1u) << what;
          EXPECT_GE(mesh.node_sets.at("edge").size(), order == 1 ? 4u : 7u) << what;
          EXPECT_TRUE(mesh.notes.empty()) << what;
        }
}

TEST_F(GmshMesh, OfAPlaneHasEdgesAsSurfaces) {
  {
    const Gmsh gmsh;
    gmsh::model::add("plate");
    gmsh::model::occ::addRectangle(0, 0, 0, 2, 1);
    gmsh::model::occ::synchronize();
    gmsh::model::setPhysicalName(2, gmsh::model::addPhysicalGroup(2, {1}), "plate");
    gmsh::model::addPhysicalGroup(1, {1}, 7);
    gmsh::model::mesh::generate(2);
    gmsh::write((folder_ / "plate.msh").string());
  }
  const Mesh mesh = read_mesh(folder_ / "plate.msh", {});
  EXPECT_NEAR(mesh_report(mesh).volume, 2, 1e-13);
  EXPECT_EQ(mesh.dimension(), 2);
  for (const Facet& edge : mesh.surfaces.at("curve_7"))  // the outside, y < 0, is on the right
    EXPECT_GT(mesh.nodes[edge.nodes[1]].x(), mesh.nodes[edge.nodes[0]].x());
}

TEST_F(GmshMesh, UniversalFilesOfGmshAreReadToo) {
  for (const int order : {1, 2})
    for (const bool bricks : {false, true}) {
      write_box(folder_ / "box.unv", {.order = order, .bricks = bricks});
      const Mesh mesh = read_mesh(folder_ / "box.unv", {});
      const MeshReport report = mesh_report(mesh);
      EXPECT_NEAR(report.volume, 6, 1e-12);
      EXPECT_TRUE(report.inverted_cells.empty());
      EXPECT_EQ(report.part_count, 1);
      EXPECT_NEAR((area_of(mesh, mesh.surfaces.at("wall")) - Vector3(-6, 0, 0)).norm(), 0, 1e-13);
    }
}

TEST_F(GmshMesh, NastranAndAbaqusFilesOfGmshAreReadToo) {
  for (const char* name : {"box.bdf", "box.inp"})
    for (const int order : {1, 2}) {
      write_box(folder_ / name, {.order = order});
      const MeshReport report = mesh_report(read_mesh(folder_ / name, {}));
      EXPECT_NEAR(report.volume, 6, 1e-4) << name << order;  // Nastran's fields have few digits
      EXPECT_TRUE(report.inverted_cells.empty()) << name << order;
    }
}

TEST_F(GmshMesh, StepFilesAreFilledWithTetrahedraInMetres) {
  write_box(folder_ / "box.step");  // in millimetres
  const Mesh mesh = read_mesh(folder_ / "box.step", {.mesh_size = 0.8e-3});
  const MeshReport report = mesh_report(mesh);
  EXPECT_EQ(report.cell_counts.size(), 1u);
  EXPECT_EQ(report.cell_counts.begin()->first, tet4);
  EXPECT_NEAR(report.volume, 6e-9, 1e-20);
  EXPECT_LT((report.upper - Vector3(1e-3, 2e-3, 3e-3)).norm(), 1e-15);
  EXPECT_EQ(mesh.cell_sets.at("solid_1").size(), static_cast<std::size_t>(mesh.cell_count()));
  Vector3 closed = Vector3::Zero();
  for (const auto& [name, facets] : mesh.surfaces) closed += area_of(mesh, facets);
  EXPECT_EQ(mesh.surfaces.size(), 6u);
  EXPECT_LT(closed.norm(), 1e-18);
  EXPECT_GT(mesh_report(read_mesh(folder_ / "box.step", {.mesh_size = 0.4e-3})).node_count,
            2 * report.node_count);
}

TEST_F(GmshMesh, StepFilesAreFilledWithQuadraticTetrahedraIfAskedFor) {
  write_box(folder_ / "box.step");
  const MeshReport linear = mesh_report(read_mesh(folder_ / "box.step", {.mesh_size = 0.8e-3}));
  const MeshReport report =
      mesh_report(read_mesh(folder_ / "box.step", {.mesh_size = 0.8e-3, .is_quadratic = true}));
  EXPECT_EQ(report.cell_counts, (std::map<CellShape, int>{{tet10, linear.cell_counts.at(tet4)}}));
  EXPECT_NEAR(report.volume, 6e-9, 1e-20);
  EXPECT_GT(report.node_count, 4 * linear.node_count);
}

TEST_F(GmshMesh, AMeshSizeInAWrongUnitIsRefused) {
  write_box(folder_ / "box.step");
  const std::string reason = complaint("box.step", {.mesh_size = 0.4e-6});
  EXPECT_TRUE(reason.ends_with(
      "its extent is 7500 times the mesh size; at most 2000 times is allowed; check the units"))
      << reason;
}

TEST_F(GmshMesh, StlFilesAreFilledWithTetrahedra) {
  for (const bool binary : {false, true}) {
    write_box(folder_ / "box.stl", {.binary = binary});
    const Mesh mesh = read_mesh(folder_ / "box.stl", {.unit_in_metres = 0.01, .mesh_size = 0.005});
    const MeshReport report = mesh_report(mesh);
    EXPECT_NEAR(report.volume, 6e-6, 1e-11);
    EXPECT_TRUE(report.inverted_cells.empty());
    EXPECT_GE(mesh.surfaces.size(), 6u);  // Gmsh may cut faces
    Vector3 closed = Vector3::Zero();
    for (const auto& [name, facets] : mesh.surfaces) closed += area_of(mesh, facets);
    EXPECT_LT(closed.norm(), 1e-15);
  }
}

/// Gmsh crashes on some of these; what it leaves of them is a mesh or a message.
TEST_F(GmshMesh, DamageIsSurvived) {
  std::mt19937 random(1);
  write_box(folder_ / "box.msh");
  const std::string text = testing::read_file(folder_ / "box.msh");
  int refused = 0;
  for (int trial = 0; trial < testing::repetitions(100); ++trial) {
    std::string damaged = text;
    for (int k = 0; k < 3; ++k) damaged[random() % text.size()] = text[random() % text.size()];
    testing::write_file(folder_ / "box.msh", damaged);
    refused += !complaint("box.msh").empty();
  }
  EXPECT_GT(refused, 0);
}

#endif

const std::string one_tetrahedron = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
1
1 4 2 0 1 1 2 3 4
$EndElements
)";

TEST_F(GmshMesh, SaysWhatIsWrong) {
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& reason) {
    expect_refused("bad.msh", replaced(one_tetrahedron, from, to), reason);
  };
  EXPECT_NEAR(mesh_report(read("good.msh", one_tetrahedron)).volume, 1.0 / 6, 1e-15);
  refused("1 2 3 4\n", "1 2 3 9\n", "Gmsh says: Wrong node index 9");
  refused("4 0 0 1", "3 0 0 1", "node 3 is there twice");
  refused("4 0 0 1", "4 0 nan 1", "node 4 is at (0, nan, 1); coordinates must be finite");
  refused("1 4 2", "1 444 2", "Gmsh says: Unknown type of element 444");
  refused("2.2 0 8", "9.9 0 8", "Gmsh says: Unknown MSH file version 9.9");
  refused("$EndElements", "", "its last section has no end: the file is not complete");
  refused("$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n", "",
          "it has no nodes");  // Gmsh forgets nodes of no element
  const std::string prism = replaced(replaced(one_tetrahedron, "1 4 2 0 1 1 2 3 4", "1 6 2 0 1 1 2 3 4 5 6"),
                                     "4 0 0 1", "4 0 0 1\n5 1 0 1\n6 0 1 1");
  expect_refused(
      "bad.msh", replaced(prism, "4\n1 0 0 0", "6\n1 0 0 0"),
      "element 1 is of Gmsh's type 6; line2, tri3, quad4, tet4, tet10, hex8 and hex20 are read (second "
      "order: set Mesh.SecondOrderIncomplete=1 in Gmsh)");
  expect_refused("bad.msh", "Printf('a script');",
                 "it does not begin with $MeshFormat: it is no mesh of Gmsh");
  expect_refused("bad.msh", "", "it is empty");
  expect_refused("bad.stl", "solid\n", "it is no complete STL file, neither as text nor in binary form",
                 {.mesh_size = 1});
  expect_refused("bad.step", "rubbish", "it does not begin with ISO-10303-21: it is no STEP file",
                 {.mesh_size = 1});
  EXPECT_EQ(complaint("none.msh"),
            "cannot read " + (folder_ / "none.msh").string() + ": No such file or directory");
}

/// Gmsh runs FILE.opt after FILE, and what stands in the home of the user.
TEST_F(GmshMesh, OptionFilesBesideAMeshAreNotRun) {
  const std::filesystem::path trace = folder_ / "ran";
  const std::string command =
      fmt::format("SystemCall \"touch {0}\";\nPrintf(\"x\") > \"{0}\";\n", trace.string());
  for (const char* companion : {"part.msh.opt", "part.stl.opt", ".gmshrc", ".gmsh-options"})
    testing::write_file(folder_ / companion, command);
  ::setenv("GMSH_HOME", folder_.path().c_str(), 1);
  EXPECT_NEAR(mesh_report(read("part.msh", one_tetrahedron)).volume, 1.0 / 6, 1e-15);
  testing::write_file(folder_ / "part.stl", "solid a\nendsolid a\n");
  EXPECT_NE(complaint("part.stl", {.mesh_size = 0.5}), "");
  ::unsetenv("GMSH_HOME");
  EXPECT_FALSE(std::filesystem::exists(trace));
}

TEST_F(GmshMesh, ScriptsAreNoMeshes) {
  const std::filesystem::path trace = folder_ / "ran";
  const std::string script = fmt::format("SystemCall \"touch {}\";\n", trace.string());
  expect_refused("part.msh", script, "it does not begin with $MeshFormat: it is no mesh of Gmsh");
  testing::write_file(folder_ / "part.geo", script);
  EXPECT_NE(complaint("part.geo").find("'.geo' is no extension of a mesh file"), std::string::npos);
  testing::write_file(folder_ / "part.msh", replaced(one_tetrahedron, "$MeshFormat",
                                                     "$Comments\n$EndComments\n" + script + "$MeshFormat"));
  complaint("part.msh");  // Gmsh may or may not read it
  EXPECT_FALSE(std::filesystem::exists(trace));
}

TEST_F(GmshMesh, NothingIsLeftOfThePrivateCopy) {
  const std::filesystem::path temporary = folder_ / "temporary";
  std::filesystem::create_directory(temporary);
  const char* known = std::getenv("TMPDIR");
  const std::string before = known ? known : "";
  ::setenv("TMPDIR", temporary.c_str(), 1);
  read("part.msh", one_tetrahedron);
  expect_refused("bad.msh", replaced(one_tetrahedron, "2.2 0 8", "9.9 0 8"),
                 "Gmsh says: Unknown MSH file version 9.9");
  known ? ::setenv("TMPDIR", before.c_str(), 1) : ::unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

TEST_F(GmshMesh, SurfacesThatEncloseNothingAreRefused) {
  const std::string triangle =
      "solid one\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
      "0\nendloop\nendfacet\n"
      "endsolid one\n";
  testing::write_file(folder_ / "open.stl", triangle);
  const std::string reason = complaint("open.stl", {.mesh_size = 0.5});
  EXPECT_TRUE(reason.ends_with("; its surface must be closed and must not cut itself")) << reason;
}

TEST(MeshesWithoutGmsh, AreNamedInTheMessage) {
  if (reads_with_gmsh()) GTEST_SKIP() << "this build has Gmsh";
  try {
    read_mesh("any.msh", {});
    FAIL();
  } catch (const IoError& error) {
    EXPECT_STREQ(
        error.what(),
        "cannot read any.msh: this build of percuss is without Gmsh and reads only .inp, .unv, .bdf and "
        ".nas; build it with -DPERCUSS_GMSH=ON");
  }
}

}  // namespace
}  // namespace percuss
