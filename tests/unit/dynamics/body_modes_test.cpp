#include "percuss/dynamics/body_modes.h"

#include <numbers>

#include <gtest/gtest.h>

#include "percuss/geometry/box_mesh.h"
#include "percuss/model/locking.h"

/// Frequencies and shapes of bodies whose solutions are known.
namespace percuss {
namespace {

using std::numbers::pi;

Model model_of(Body body) {
  Material steel;
  steel.density = 7800;
  steel.young = 2.1e11;
  steel.poisson = 0.3;
  Model model;
  model.materials = {{"steel", steel}};
  model.bodies = {std::move(body)};
  return model;
}
Solid box(const Vector3& size, std::array<int, 3> divisions) {
  Solid body;
  body.name = "box";
  body.material = "steel";
  body.formulation = SolidFormulation::small_strain;
  MeshBox mesh;
  mesh.size = size;
  mesh.divisions = divisions;
  body.mesh.box = mesh;
  return body;
}
Beam thin_beam(bool planar) {
  Beam beam;
  beam.name = "beam";
  beam.material = "steel";
  beam.to = {1, 0, 0};
  beam.elements = 80;
  beam.planar = planar;
  beam.section.rectangle = {0.01, 0.005};
  return beam;
}
int rigid_count(const BodyModes& modes) {
  return static_cast<int>(std::ranges::count_if(modes.modes, [](const auto& mode) { return mode.is_rigid; }));
}

/// The chain of linear elements with consistent masses has a solution in closed form.
TEST(BodyModes, OfABarAreExact) {
  constexpr int n = 40;
  Bar bar;
  bar.name = "bar";
  bar.material = "steel";
  bar.to = {2, 0, 0};
  bar.elements = n;
  bar.area = 1e-4;
  bar.held = {{"first", Translations::x}};
  const BodyModes modes = body_modes(model_of(bar), {.body = "bar", .count = 8});
  ASSERT_EQ(modes.modes.size(), 8u);
  const double length = 2.0 / n, c = std::sqrt(2.1e11 / 7800);
  Vector3 sum = Vector3::Zero();
  for (int k = 0; k < 8; ++k) {
    const BodyMode& mode = modes.modes[static_cast<size_t>(k)];
    const double angle = (2 * k + 1) * pi / (2 * n);
    const double exact = c / length * std::sqrt(6 * (1 - std::cos(angle)) / (2 + std::cos(angle)));
    EXPECT_NEAR(mode.omega(), exact, 1e-9 * exact) << k;
    EXPECT_NEAR(mode.frequency(), exact / (2 * pi), 1e-9 * exact);
    // The effective mass of the continuous bar is 8/((2k+1) pi)^2; elements miss it by a part of 1/n^2.
    EXPECT_NEAR(mode.effective_mass.x(), 8 / std::pow((2 * k + 1) * pi, 2), 1.0 / (n * n)) << k;
    sum += mode.effective_mass;
  }
  EXPECT_LT(sum.x(), 1);
  const BodyModes free = body_modes(model_of(bar), {.body = "bar", .count = 3, .is_free = true});
  EXPECT_EQ(rigid_count(free), 1);
  EXPECT_NEAR(free.modes[1].frequency(), c / 4, 1e-3 * c / 4);
}

TEST(BodyModes, OfAFreeBeamAreThoseOfEuler) {
  for (const bool planar : {true, false}) {
    const BodyModes modes = body_modes(model_of(thin_beam(planar)), {.body = "beam", .count = 3});
    const int rigid = planar ? 3 : 6;
    ASSERT_EQ(rigid_count(modes), rigid);
    const double stiffness = std::sqrt(2.1e11 * 0.005 * 0.005 / 12 / 7800);
    const std::array<double, 3> roots = {4.730041, 7.853205, 10.995608};
    const auto count = planar ? 3u : 1u;  // in space bending to the side comes between
    for (size_t k = 0; k < count; ++k)
      EXPECT_NEAR(modes.modes[static_cast<size_t>(rigid) + k].omega(), roots[k] * roots[k] * stiffness,
                  5e-3 * roots[k] * roots[k] * stiffness)
          << planar << k;
  }
}

TEST(BodyModes, OfAClampedBeamAreThoseOfEuler) {
  for (const bool planar : {true, false}) {
    const BodyModes modes =
        body_modes(model_of(thin_beam(planar)), {.body = "beam", .count = 2, .fixed = {"first"}});
    EXPECT_EQ(rigid_count(modes), 0) << "nodes that are fixed do not turn";
    const double omega = 1.875104 * 1.875104 * std::sqrt(2.1e11 * 0.005 * 0.005 / 12 / 7800);
    EXPECT_NEAR(modes.modes[0].omega(), omega, 5e-3 * omega) << planar;
    EXPECT_EQ(modes.modes[0].shape.front(), Vector3(0, 0, 0));
    EXPECT_NEAR(modes.modes[0].shape.back().norm(), 1, 1e-12);
  }
}

TEST(BodyModes, OfASolidCantilever) {
  Solid body = box({1, 0.04, 0.05}, {40, 2, 2});
  const BodyModes modes = body_modes(model_of(body), {.body = "box", .count = 4, .fixed = {"x_min"}});
  EXPECT_EQ(rigid_count(modes), 0);
  const double c = std::sqrt(2.1e11 / 7800 / 12);
  EXPECT_NEAR(modes.modes[0].omega(), 3.516015 * c * 0.04, 0.01 * 3.516015 * c * 0.04);  // the soft direction
  EXPECT_NEAR(modes.modes[1].omega(), 3.516015 * c * 0.05, 0.01 * 3.516015 * c * 0.05);
  EXPECT_NEAR(modes.modes[0].effective_mass.y(), 0.613, 0.01);
  EXPECT_NEAR(modes.modes[1].effective_mass.z(), 0.613, 0.01);
  EXPECT_LT(modes.modes[0].effective_mass.z(), 1e-12);
  for (const auto& mode : modes.modes) {
    double largest = 0;
    for (const auto& node : mode.shape) largest = std::max(largest, node.norm());
    EXPECT_NEAR(largest, 1, 1e-14);
  }
}

/// One layer of cells bends well if nothing is said; where it does not, the note names the size of the error.
TEST(BodyModes, OfPlainCellsComeWithANoteOfLocking) {
  Solid body = box({0.5, 0.02, 0.004}, {20, 1, 1});
  const auto lowest = [&] {
    return body_modes(model_of(body), {.body = "box", .count = 1, .fixed = {"x_min"}});
  };
  const double beam = 3.516015 * std::sqrt(2.1e11 / 7800 / 12) * 0.004 / (0.5 * 0.5);
  EXPECT_NEAR(lowest().modes[0].omega(), beam, 0.015 * beam);
  EXPECT_TRUE(lowest().notes.empty());

  body.incompatible_modes = false;
  const double stiffness = std::pow(lowest().modes[0].omega() / beam, 2);
  EXPECT_NEAR(1 + bending_excess(*mesh_of(body), 0.3), stiffness, 0.03 * stiffness);
  ASSERT_EQ(lowest().notes.size(), 1u);
  EXPECT_NE(lowest().notes[0].find("plain hex8 cells, long for the thickness"), std::string::npos)
      << lowest().notes[0];

  body.formulation = SolidFormulation::neo_hooke;  // large strains have plain cells always
  body.incompatible_modes.reset();
  EXPECT_EQ(lowest().notes.size(), 1u);
  body.mesh.box->divisions = {200, 8, 4};
  EXPECT_NEAR(bending_excess(*mesh_of(body), 0.3), 0.0025 * 0.0025 / (0.004 * 0.004) / 2.6, 1e-3);
  body.mesh.box->divisions = {20, 1, 1};
  for (const auto cells : {MeshCell::hex20, MeshCell::tet10}) {
    body.mesh.box->cells = cells;
    EXPECT_TRUE(lowest().notes.empty());
  }
  body.mesh.box->cells = MeshCell::tet4;
  ASSERT_EQ(lowest().notes.size(), 1u);
  EXPECT_NE(lowest().notes[0].find("tet4 cells have constant strain"), std::string::npos)
      << lowest().notes[0];
}

/// A folded plate is as thin as its walls, not as its bounding box.
TEST(BodyModes, ThinWallsLockAsThinAsTheyAre) {
  Mesh folded = box_mesh({0, 0, 0}, {0.4, 0.1, 0.01}, {8, 2, 1}, CellShape::hex8);
  for (Vector3& node : folded.nodes)  // the half beyond x = 0.2 stands upright
    if (node.x() > 0.2) node = Vector3(0.2 + node.z(), node.y(), node.x() - 0.2 + 0.01);
  const double flat = bending_excess(box_mesh({0, 0, 0}, {0.4, 0.1, 0.01}, {8, 2, 1}, CellShape::hex8), 0.3);
  EXPECT_GT(bending_excess(folded, 0.3), 0.5 * flat);
}

/// A cube that stands on one side looks the same from x and y: so do the modes of each frequency together.
TEST(BodyModes, OfACubeAreSymmetric) {
  const BodyModes modes =
      body_modes(model_of(box({0.1, 0.1, 0.1}, {4, 4, 4})), {.body = "box", .count = 25, .fixed = {"z_min"}});
  ASSERT_EQ(modes.modes.size(), 25u);
  int doubles = 0;
  for (size_t k = 0; k < 24;) {
    Vector3 sum = Vector3::Zero();
    size_t next = k;
    for (; next < 25 && modes.modes[next].value < modes.modes[k].value * (1 + 1e-8); ++next)
      sum += modes.modes[next].effective_mass;
    if (next == 25) break;  // there may be more of them
    EXPECT_LE(next - k, 2u);
    EXPECT_NEAR(sum.x(), sum.y(), 1e-8) << k;
    doubles += next - k == 2;
    k = next;
  }
  EXPECT_GE(doubles, 5);
}

/// Along x, y and z, then about them: of a beam whose one end is a hinge only the rotation is left.
TEST(BodyModes, RigidMotionsAreThoseAlongAndAboutTheAxes) {
  const BodyModes modes = body_modes(model_of(box({1, 2, 0.5}, {2, 3, 2})), {.body = "box", .count = 2});
  ASSERT_EQ(rigid_count(modes), 6);
  for (int axis = 0; axis < 3; ++axis) {
    const BodyMode &along = modes.modes[static_cast<size_t>(axis)],
                   &about = modes.modes[static_cast<size_t>(axis) + 3];
    EXPECT_LT((along.effective_mass - Vector3::Unit(axis)).norm(), 1e-9) << axis;
    EXPECT_LT(about.effective_mass.norm(), 1e-9) << axis;
    for (const Vector3& node : about.shape) EXPECT_NEAR(node[axis], 0, 1e-6) << axis;
  }
  Beam hinged = thin_beam(true);
  hinged.held = {{"first", Translations::xyz}};
  const BodyModes pendulum = body_modes(model_of(hinged), {.body = "beam", .count = 2});
  ASSERT_EQ(rigid_count(pendulum), 1);
  EXPECT_NEAR(pendulum.modes[0].effective_mass.y(), 0.75, 1e-3);  // (l/2)^2 / (l^2/3)
}

TEST(BodyModes, RigidMotionsHaveAllTheMass) {
  Solid body = box({0.3, 0.2, 0.1}, {3, 2, 2});
  body.formulation = SolidFormulation::floating;  // is of no consequence
  body.masses = {{"0", 3.0}};
  const BodyModes modes = body_modes(model_of(body), {.body = "box", .count = 10});
  ASSERT_EQ(modes.modes.size(), 16u);
  EXPECT_EQ(rigid_count(modes), 6);
  EXPECT_NEAR(modes.mass, 7800 * 0.006 + 3, 1e-10);
  Vector3 rigid = Vector3::Zero(), elastic = Vector3::Zero();
  for (const auto& mode : modes.modes) (mode.is_rigid ? rigid : elastic) += mode.effective_mass;
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(rigid[axis], 1, 1e-10);
    EXPECT_NEAR(elastic[axis], 0, 1e-10);
  }
}

TEST(BodyModes, FaultsAreExplained) {
  const Model model = model_of(box({0.1, 0.1, 0.1}, {1, 1, 1}));
  const auto fault = [&](const ModesRequest& request) -> std::string {
    try {
      body_modes(model, request);
    } catch (const ModelError& e) {
      return e.complaints().at(0).message;
    }
    return "";
  };
  EXPECT_EQ(fault({.body = "bx"}), "there is no flexible body 'bx'; did you mean 'box'?");
  EXPECT_EQ(fault({.body = "box", .count = 25}),
            "25 modes are not allowed; of 'box' with 24 coordinates from 1 to 24 can be computed");
  EXPECT_EQ(fault({.body = "box", .count = 0}),
            "0 modes are not allowed; of 'box' with 24 coordinates from 1 to 24 can be computed");
  EXPECT_EQ(fault({.body = "box", .count = 1, .fixed = {"z_min", "z_max"}}), "all nodes of 'box' are held");
  EXPECT_NE(fault({.body = "box", .count = 1, .fixed = {"z_mn"}}).find("did you mean 'z_min'?"),
            std::string::npos);
}

}  // namespace
}  // namespace percuss
