#include <cmath>

#include "bad_input.h"

// percuss modes: the table, the files, and what it refuses.
namespace percuss {
namespace {

using namespace percuss::testing;

constexpr const char* bars = R"(percuss: 1
materials:
  steel: {density: 7800, young: 2.1e11}
bodies:
  - bar: rod
    from: [0, 0, 0]
    to: [1, 0, 0]
    elements: 50
    area: 1e-4
    material: steel
    held: {first: x}
  - bar: other
    from: [0, 0, 0]
    to: [0, 1, 0]
    elements: 5
    area: 1e-4
    material: steel
time: {end: 1, step: 0.01}
)";
/// One cell of 20 mm.
constexpr const char* cube = R"(*NODE
1, 0, 0, 0
2, 20, 0, 0
3, 20, 20, 0
4, 0, 20, 0
5, 0, 0, 20
6, 20, 0, 20
7, 20, 20, 20
8, 0, 20, 20
*ELEMENT, TYPE=C3D8, ELSET=ALL
1, 1, 2, 3, 4, 5, 6, 7, 8
*NSET, NSET=BOTTOM
1, 2, 3, 4
)";

class ModesTest : public BadInputTest {
 protected:
  void SetUp() override {
    write_file(folder_ / "bars.yaml", bars);
    write_file(folder_ / "cube.inp", cube);
  }
  std::string output_of(const std::vector<std::string>& arguments) const {
    const ProcessResult result = percuss(arguments);
    expect_exit(result, 0);
    EXPECT_EQ(result.errors, "");
    return result.output;
  }
};

TEST_F(ModesTest, PrintsFrequencies) {
  const std::string held = output_of({"modes", "bars.yaml", "--body", "rod", "--count", "3"});
  EXPECT_TRUE(contains(held, "'rod': 51 nodes, 0.78 kg")) << held;
  EXPECT_FALSE(contains(held, "rigid")) << held;
  const std::string free = output_of({"modes", "bars.yaml", "--body", "rod", "--count", "3", "--free"});
  EXPECT_TRUE(contains(free, "    1           rigid               0               -   1.0000   0.0000"))
      << free;
}

TEST_F(ModesTest, RotationalForcesChangeNoMode) {
  const auto with = [&](const std::string& forces) {
    return output_of(
        {"modes", scene_path("reduced_plank"), "--set", "bodies[plank].rotational_forces=" + forces});
  };
  const std::string full = with("full");
  EXPECT_TRUE(contains(full, "frequency [Hz]")) << full;
  EXPECT_EQ(with("reduced"), full);
}

TEST_F(ModesTest, WritesATable) {
  const std::string csv = output_of({"modes", "bars.yaml", "--body", "rod", "--count", "2", "--csv", "-"});
  EXPECT_TRUE(csv.starts_with("# units: 1, Hz, rad/s, kg, 1, 1, 1, 1\nmode,frequency,omega,")) << csv;
  const double frequency = std::stod(csv.substr(csv.find("\n1,") + 3));
  EXPECT_NEAR(frequency, std::sqrt(2.1e11 / 7800) / 4, 1e-3 * frequency);
}

TEST_F(ModesTest, WritesShapes) {
  const std::string text =
      output_of({"modes", "cube.inp", "--unit", "mm", "--young", "2e11", "--density", "8000", "--poisson",
                 "0.3", "--fixed", "BOTTOM", "--count", "4", "-o", "cube.h5"});
  EXPECT_TRUE(contains(text, "8 nodes, 0.064 kg")) << text;
  EXPECT_TRUE(contains(text, "wrote cube.h5 and cube.xdmf")) << text;
  const std::string xdmf = read_file(folder_ / "cube.xdmf");
  for (const char* part :
       {"cube.h5:/modes/shape4", "cube.h5:/mesh/cells0", "Hexahedron", "<Time Value=\"4\"/>"})
    EXPECT_TRUE(contains(xdmf, part)) << part;
  EXPECT_TRUE(fs::exists(folder_ / "cube.h5"));
}

TEST_F(ModesTest, KeepsItsInput) {
  for (const char* option : {"-o", "--csv"})
    expect_refused({"modes", "bars.yaml", "--body", "rod", option, "./bars.yaml"},
                   {std::string(option) + " ./bars.yaml: that is the file to be read"});
  EXPECT_EQ(read_file(folder_ / "bars.yaml"), bars);
}

TEST_F(ModesTest, RefusesWhatItCannotDo) {
  const auto mesh = [](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"modes", "cube.inp"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  expect_refused({"modes", "bars.yaml"},
                 {"error: bars.yaml has several flexible bodies", "--body: rod, other"});
  expect_refused({"modes", "bars.yaml", "--body", "rodd"}, {"no flexible body 'rodd'; did you mean 'rod'?"});
  expect_refused({"modes", "bars.yaml", "--body", "rod", "--count", "0"}, {"0 modes are not allowed"});
  expect_refused({"modes", "bars.yaml", "--body", "rod", "--count", "51"}, {"from 1 to 50 can be computed"});
  expect_refused({"modes", "bars.yaml", "--body", "rod", "--fixed", "lst"}, {"did you mean 'last'?"});
  expect_refused({"modes", "bars.yaml", "--body", "rod", "--young", "1"}, {"belong to a mesh file"});
  expect_refused({"modes", "bars.yaml", "--body", "rod", "-o", "a.xdmf"}, {"such as modes.h5"}, 1);
  expect_refused(mesh({}), {"needs --unit, --young, --density"});
  expect_refused(mesh({"--unit", "miles", "--young", "1", "--density", "1"}),
                 {"'miles' is not allowed", "mm"});
  expect_refused(mesh({"--unit", "mm", "--young", "1", "--density", "1", "--poisson", "0.5"}), {"poisson"});
  expect_refused(mesh({"--unit", "mm", "--young", "1", "--density", "1", "--cell-size", "1"}),
                 {"--cell-size"});
  expect_refused({"modes", "bars.yaml", "--body", "rod", "--free", "--fixed", "last"}, {"--free"}, 2);
}

}  // namespace
}  // namespace percuss
