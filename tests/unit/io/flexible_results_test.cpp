#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/stresses.h"
#include "percuss/io/xdmf.h"
#include "results_fixture.h"
#include "support/scenes.h"

namespace percuss {
namespace {

/// What the file must hold of the first flexible body, taken from the state frame by frame.
struct FlexibleCapture final : Recorder {
  std::vector<double> displacement, velocity, force, stress;

  void on_frame(const Simulation& s) override {
    const System& system = s.assembly().system;
    const FlexibleData& flexible = system.flexibles[0];
    std::vector<Vector3> forces(flexible.mesh->nodes.size(), Vector3::Zero());
    for (int c = 0; c < s.contact_count(); ++c) {
      const ContactReport report = s.contact_report(c);
      const Vector3 &n = report.view.normal, &t = report.view.tangent;
      forces[s.assembly().interactions.declared.contacts[c].a.body - flexible.first_node] +=
          report.force[0] * n + report.force[1] * t + report.force[2] * n.cross(t);
    }
    for (int node = 0; node < flexible.node_count(); ++node) {
      const BodyData& body = system.bodies[flexible.first_node + node];
      for (int axis = 0; axis < 3; ++axis) {
        const int i = body.dof[axis];
        displacement.push_back(i < 0 ? 0.0 : s.state().q[i] - flexible.mesh->nodes[node][axis]);
        velocity.push_back(i < 0 ? 0.0 : s.state().v[i]);
        force.push_back(forces[node][axis]);
      }
    }
    for (const double value : element_stresses(system, flexible, s.state())) stress.push_back(value);
  }
  void on_impacts(const Simulation&) override {}
  void flush(const Simulation&) override {}
};

/// A cube of eight cells that slides on the floor at the end; 10 steps.
const testing::Overrides sliding_cube = {"parameters.cells=2",
                                         "bodies[0].mesh.box.corner=[-0.05, -0.05, 0.01]",
                                         "bodies[0].points.corner=[-0.05, -0.05, 0.01]",
                                         "bodies[0].points.top=[-0.05, -0.05, 0.11]",
                                         "bodies[0].velocity=[1, 0.5, -0.5]",
                                         "pairs[0].friction=0.3",
                                         "integrator.scheme=moreau-jean",
                                         "time.end=0.05",
                                         "time.step=5e-3",
                                         "record.every=5e-3"};

class FlexibleResultsTest : public ResultsTest {
 protected:
  void record(const std::string& file) const {
    const Scene scene = load_scene(testing::scene_path("flexible_cube"), sliding_cube);
    Simulation simulation(scene.model, scene.run);
    ResultsWriter writer(header(file), simulation);
    writer.finish(simulation, percuss::run(simulation, writer));
  }
};

TEST_F(FlexibleResultsTest, DatasetsHoldTheStateOfEveryFrame) {
  record(path());
  Simulation simulation = testing::scene_simulation("flexible_cube", sliding_cube);
  FlexibleCapture expected;
  percuss::run(simulation, expected);

  const ResultsReader results(path());
  const std::int64_t frames = results.frames();
  ASSERT_EQ(frames, 11);
  const auto file = Hdf5Reader::open(path());
  const auto expect = [&](const std::string& name, std::int64_t vector, const std::vector<double>& values) {
    const Hdf5Shape shape = file->shape("/flexible/cube/" + name);
    EXPECT_EQ(shape.rows, frames) << name;
    EXPECT_EQ(shape.vector, vector) << name;
    ASSERT_EQ(shape.rows * shape.width, std::ssize(values)) << name;
    EXPECT_EQ(file->read<double>("/flexible/cube/" + name, 0, shape.rows, shape.width), values) << name;
  };
  expect("displacement", 3, expected.displacement);
  expect("velocity", 3, expected.velocity);
  expect("contact_force", 3, expected.force);
  expect("stress", 0, expected.stress);
  double sideways = 0;
  for (size_t i = 0; i < expected.force.size(); i += 3) sideways += std::abs(expected.force[i]);
  EXPECT_GT(sideways, 0) << "there is friction";
}

/// Also of nodes whose coordinates are not their places: those in floating frames.
TEST_F(FlexibleResultsTest, ColumnsOfNodesAreTheirPlaces) {
  auto changes = sliding_cube;
  changes.emplace_back("bodies[0].formulation=floating");
  changes.emplace_back("bodies[0].angular_velocity=[0, 0, 20]");
  const Scene scene = load_scene(testing::scene_path("flexible_cube"), changes);
  Simulation simulation(scene.model, scene.run);
  ResultsWriter writer(header(path()), simulation);
  writer.finish(simulation, percuss::run(simulation, writer));
  const ResultsReader results(path());
  const System& system = simulation.assembly().system;
  const FlexibleData& cube = system.flexibles[0];
  std::vector<Vector3> places, velocities;
  place_all_nodes(system, cube, simulation.state(), places, velocities);
  for (const int node : {0, 13, 26})
    for (int axis = 0; axis < 3; ++axis) {
      const auto last = [&](const char* what) {
        return results.column(fmt::format("cube.{}.{}.{}", node, what, "xyz"[axis])).back();
      };
      EXPECT_NEAR(last("position"), places[static_cast<size_t>(node)][axis], 1e-15) << node;
      EXPECT_EQ(last("velocity"), velocities[static_cast<size_t>(node)][axis]) << node;
    }
  EXPECT_EQ(results.poses(0).size(), system.bodies.size());
}

TEST_F(FlexibleResultsTest, MeshIsThatOfTheModel) {
  record(path());
  const Simulation simulation = testing::scene_simulation("flexible_cube", sliding_cube);
  const Mesh& mesh = *simulation.assembly().system.flexibles[0].mesh;
  const ResultsReader results(path());
  ASSERT_EQ(results.flexibles().size(), 1u);
  const FlexibleInfo& cube = results.flexibles()[0];
  EXPECT_EQ(cube.name, "cube");
  EXPECT_EQ(cube.nodes, 27);
  ASSERT_EQ(cube.blocks.size(), 1u);
  EXPECT_EQ(cube.blocks[0].shape, CellShape::hex8);
  EXPECT_EQ(cube.blocks[0].cells, 8);
  const auto file = Hdf5Reader::open(path());
  EXPECT_EQ(file->read<std::int32_t>(cube.blocks[0].dataset, 0, 8, 8), mesh.blocks[0].nodes);
  const auto nodes = file->read<double>(cube.group + "nodes", 0, 27, 3);
  for (size_t i = 0; i < mesh.nodes.size(); ++i) EXPECT_EQ(Vector3(&nodes[3 * i]), mesh.nodes[i]);
}

std::string xdmf_of(const std::string& file, const std::string& data_path = "a<b.h5") {
  std::string text;
  write_xdmf(ResultsReader(file), data_path, nullptr, [&](const std::string& part) { text += part; });
  return text;
}

TEST_F(FlexibleResultsTest, XdmfRefersToEveryFrame) {
  record(path());
  const std::string text = xdmf_of(path());
  for (const char* part :
       {"<Time Value=\"0.005\"/>", "TopologyType=\"Hexahedron\" NumberOfElements=\"8\"",
        ">a&lt;b.h5:/flexible/cube/cells0<", ">10 0 0 1 1 1 1 27 3<",
        "Dimensions=\"11 27 3\">a&lt;b.h5:/flexible/cube/contact_force<", ">10 0 1 1 1 8<"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_THROW(xdmf_of(path(), "a:b.h5"), ProbeError);
}

TEST_F(FlexibleResultsTest, WithoutFlexibleBodiesThereIsNothingToShow) {
  Model model = bouncing_ball();
  model.bodies.pop_back();
  model.contacts.pop_back();
  Simulation simulation(model, short_settings());
  ResultsWriter writer(header(path()), simulation);
  writer.finish(simulation, percuss::run(simulation, writer));
  EXPECT_FALSE(Hdf5Reader::open(path())->contains("/flexible"));
  EXPECT_TRUE(ResultsReader(path()).flexibles().empty());
  EXPECT_THROW(xdmf_of(path()), ProbeError);
}

TEST_F(FlexibleResultsTest, ARunWithoutFramesHasNothingToShowYet) {
  const Simulation simulation(bouncing_ball(), short_settings());
  const ResultsWriter writer(header(path()), simulation);
  EXPECT_THROW(xdmf_of(path()), ProbeError);
}

}  // namespace
}  // namespace percuss
