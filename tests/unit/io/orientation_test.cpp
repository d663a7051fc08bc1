#include "percuss/model/orientation.h"

#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "percuss/io/degrees.h"
#include "percuss/io/scene.h"
#include "percuss/math/rotation.h"
#include "support/process.h"

// The forms of a rotation, and angles in degrees.
namespace percuss {
namespace {

constexpr double pi = std::numbers::pi;

std::string turned_scene(const std::string& orientation) {
  return fmt::format(R"(percuss: 1
time: {{end: 1, step: 1e-3}}
parameters: {{tilt: 30}}
bodies:
  - {{rigid: body, mass: 1, inertia: [1, 1, 1], orientation: {}}}
)",
                     orientation);
}
Matrix3 rotation_of(const std::string& orientation) {
  const Scene scene = parse_scene(turned_scene(orientation), "test.yaml");
  const auto& given = std::get<RigidBody>(scene.model.bodies[0]).orientation;
  EXPECT_NEAR(given.norm(), 1, 1e-15);
  const Scene again = parse_scene(resolved_text(scene), "again.yaml");
  EXPECT_EQ(std::get<RigidBody>(again.model.bodies[0]).orientation.matrix(), given.matrix());
  return given.matrix();
}
void expect_rotation(const std::string& orientation, const Matrix3& expected) {
  EXPECT_LT((rotation_of(orientation) - expected).norm(), 1e-15) << orientation;
}
std::string fault_of(const std::string& orientation) {
  try {
    parse_scene(turned_scene(orientation), "test.yaml");
  } catch (const SceneError& e) {
    EXPECT_EQ(e.faults().size(), 1u) << e.what();
    return e.what();
  }
  return {};
}

Matrix3 about(char axis, double angle) {
  return Eigen::AngleAxisd(angle, Vector3::Unit(axis - 'x')).toRotationMatrix();
}

TEST(Orientation, HasFourForms) {
  const Matrix3 expected = about('y', pi / 6);
  expect_rotation("{w: cos(pi/12), y: sin(pi/12)}", expected);
  expect_rotation("{axis: [0, 7, 0], angle: pi/6}", expected);
  expect_rotation("{axis: [0, -1, 0], angle: -30 deg}", expected);
  expect_rotation("{axis: [0, 1, 0], angle: tilt deg}", expected);
  expect_rotation("{rotation_vector: [0, 30 deg, 0]}", expected);
  expect_rotation("{euler: [0, 30 deg, 0], order: xyz}", expected);
  expect_rotation("{}", Matrix3::Identity());
}

TEST(Orientation, EulerAnglesTurnAboutAxesThatTurnAlong) {
  for (const auto& [order, letters] : EnumNames<EulerOrder>::values) {
    EXPECT_EQ(letters.size(), 3u);
    EXPECT_TRUE(letters[0] != letters[1] && letters[1] != letters[2]);
    expect_rotation(fmt::format("{{euler: [10 deg, 20 deg, 70 deg], order: {}}}", letters),
                    about(letters[0], pi / 18) * about(letters[1], pi / 9) * about(letters[2], 7 * pi / 18));
  }
}

TEST(Orientation, ExactlyOneCompleteFormIsAccepted) {
  const std::string place = "test.yaml:5:61: bodies[0].orientation: ";
  EXPECT_EQ(
      fault_of("{w: 1, axis: [0, 0, 1], angle: 1}"),
      place +
          "it is given in several ways; give exactly one of {w, x, y, z}, {axis, angle}, {euler, order} "
          "and {rotation_vector}");
  EXPECT_EQ(fault_of("{angle: 1}"), place + "the key 'axis' is missing: `angle` is about it");
  EXPECT_EQ(fault_of("{axis: [0, 0, 1]}"),
            place + "the key 'angle' is missing: how far it is turned about `axis`");
  EXPECT_EQ(fault_of("{axis: [0, 0, 0], angle: 1}"),
            place + "axis: [0, 0, 0] is not allowed; it must have a direction");
  EXPECT_EQ(fault_of("{euler: [0, 0, 1]}"),
            place + "the key 'order' is missing: the axes of the three turns, such as zyx");
  EXPECT_EQ(fault_of("{order: zyx}"), place + "the key 'euler' is missing: the three angles");
  EXPECT_NE(fault_of("{euler: [0, 0, 1], order: xxy}").find("orientation.order: 'xxy' is not allowed"),
            std::string::npos);
  EXPECT_NE(fault_of("{axes: [0, 0, 1], angle: 1}").find("unknown key; did you mean 'axis'?"),
            std::string::npos);
}

TEST(Degrees, StandBehindNumbersAndFormulas) {
  EXPECT_EQ(angle_formula("30 deg"), "(30 )*deg");
  EXPECT_EQ(angle_formula("30deg"), "(30)*deg");
  EXPECT_EQ(angle_formula("-1.5e1 deg "), "(-1.5e1 )*deg");
  EXPECT_EQ(angle_formula("(a + b) deg"), "((a + b) )*deg");
  EXPECT_EQ(angle_formula("a + b deg"), "(a + b )*deg");
  for (const char* text : {"30*deg", "30 * deg", "deg", "x1deg", "2*mydeg", "pi/6", "", "deg*3"})
    EXPECT_EQ(angle_formula(text), text);
}

TEST(Degrees, AreKnownWhereAnAngleIsMeant) {
  const Scene scene = parse_scene(R"(percuss: 1
time: {end: 1, step: 1e-3}
bodies:
  - {planar: plate, mass: 1, inertia: 1, angle: 90 deg}
frames:
  - {frame: base, angle: 10*t deg}
joints:
  - {hinge: pin, body: plate, at: [0, 0, 0], limits: {lower: -45 deg}}
)",
                                  "test.yaml");
  EXPECT_DOUBLE_EQ(std::get<PlanarBody>(scene.model.bodies[0]).angle, pi / 2);
  EXPECT_DOUBLE_EQ(scene.model.frames[0].angle.value(9), pi / 2);
  EXPECT_DOUBLE_EQ(*base_of(scene.model.joints[0])->limits->lower, -pi / 4);
}

TEST(Orientation, TurnsASolidFromAFile) {
  const testing::TemporaryDirectory folder;
  testing::write_file(folder / "tetra.inp",
                      "*NODE\n1, 0, 0, 0\n2, 1000, 0, 0\n3, 0, 1000, 0\n4, 0, 0, 1000\n"
                      "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n");
  testing::write_file(folder / "scene.yaml", R"(percuss: 1
materials: {rubber: {density: 1000, young: 1e6}}
bodies:
  - solid: tetra
    mesh: {file: tetra.inp, unit: mm}
    position: [1, 2, 3]
    orientation: {axis: [0, 0, 1], angle: 90 deg}
    material: rubber
    points: {apex: [1, 2, 4]}
time: {end: 1, step: 1e-3}
)");
  const Scene scene = load_scene((folder / "scene.yaml").string());
  const auto& solid = std::get<Solid>(scene.model.bodies[0]);
  EXPECT_LT((solid.cells->nodes[1] - Vector3(1, 3, 3)).norm(), 1e-15);
  EXPECT_EQ(find_nodes(solid, *solid.cells, "apex"), std::vector<int>{3});
}

}  // namespace
}  // namespace percuss
