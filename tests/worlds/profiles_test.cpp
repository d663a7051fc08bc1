// Figures that are not convex: profiles in space and in the plane, and lines without width.
#include <cmath>
#include <numbers>
#include <tuple>

#include "support/scenes.h"
#include "worlds/world_scene.h"

namespace percuss {
namespace {

using testing::pair_force;
using testing::rigid;
using testing::WorldScene;

constexpr double g = 9.81;

std::string planar(const std::string& name, const std::string& shape, double x, double y,
                   const std::string& more = "") {
  return fmt::format("{{planar: {}, material: stone, shape: {}, position: [{:.17g}, {:.17g}, 0]{}}}", name,
                     shape, x, y, more.empty() ? "" : ", " + more);
}
/// A block 0.4 x 0.2 with a notch of 0.1 x 0.1 in the middle of its top, about its centre of mass.
constexpr const char* notched =
    "[[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [0.05, 0.1], [0.05, 0], [-0.05, 0], [-0.05, 0.1], [-0.2, 0.1]]";

/// A profile that is a box moves as the box does, as long as the motion is unique: impacts of several corners
/// with friction are not.
TEST(Profiles, OfABoxAreTheBox) {
  const auto end = [](const std::string& brick, double friction, double time) {
    WorldScene scene{
        .bodies = {rigid("brick", brick, {0, 0, 0.4},
                         "orientation: {axis: [1, 0.3, 0.2], angle: 0.4}, angular_velocity: [0.3, 2, 1]")},
        .friction = friction,
        .restitution = 0.2};
    scene.end = time;
    Simulation s = scene.run();
    EXPECT_GT(s.statistics().impacts, 0);
    return s.state();
  };
  const std::string box = "{box: [0.3, 0.2, 0.1]}",
                    profile =
                        "{profile: {polygon: [[-0.15, -0.1], [0.15, -0.1], [0.15, 0.1], [-0.15, 0.1]], "
                        "depth: 0.1}}";
  for (const auto& [friction, time] : {std::pair(0.0, 0.6), std::pair(0.4, 0.35)}) {
    const State one = end(box, friction, time), other = end(profile, friction, time);
    EXPECT_LT((one.q - other.q).lpNorm<Eigen::Infinity>(), 1e-10) << friction;
    EXPECT_LT((one.v - other.v).lpNorm<Eigen::Infinity>(), 1e-10) << friction;
  }
}

/// A cam with three lobes and hollow flanks between them, guided along the vertical, stands on one lobe: its
/// polygon's area, by the triangles to the centre, tells its weight.
TEST(Profiles, ACamRestsWithItsWeight) {
  constexpr int n = 90;
  const auto radius = [](int i) { return 0.05 + 0.02 * std::cos(6 * std::numbers::pi * i / n); };
  std::string corners;
  double area = 0;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * i / n - std::numbers::pi / 2;
    corners += fmt::format("{}[{:.17g}, {:.17g}]", i ? ", " : "", radius(i) * std::cos(angle),
                           radius(i) * std::sin(angle));
    area += 0.5 * radius(i) * radius(i + 1) * std::sin(2 * std::numbers::pi / n);
  }
  WorldScene scene{
      .bodies = {rigid("cam", fmt::format("{{profile: {{polygon: [{}], depth: 0.02}}}}", corners),
                       {0, 0, 0.0702}, "orientation: {axis: [1, 0, 0], angle: 90 deg}")},
      .obstacles = {"{obstacle: plate, shape: {box: [1, 1, 0.02]}, position: [0, 0, -0.01], "
                    "material: stone}"}};
  scene.more = "joints: [{slider: guide, body: cam, at: [0, 0, 0], axis: [0, 0, 1]}]\n";
  const Simulation s = scene.run();
  const double weight = 2000 * area * 0.02 * g;
  EXPECT_NEAR(pair_force(s, "cam", "plate"), weight, 1e-9 * weight);
  EXPECT_LT(pair_force(s, "cam", "plate", "penetration"), 1e-5);
}

/// A block lies in the notch of another: each bears what is above it, the walls of the notch bear nothing.
TEST(Profiles, ABlockLiesInANotch) {
  WorldScene scene{.bodies = {rigid("base", fmt::format("{{profile: {{polygon: {}, depth: 0.2}}}}", notched),
                                    {0, 0, 0.1}, "orientation: {axis: [1, 0, 0], angle: 90 deg}"),
                              rigid("block", "{box: [0.08, 0.1, 0.3]}", {0, 0, 0.2543})}};
  const Simulation s = scene.run();
  const double block = 2000 * 0.08 * 0.1 * 0.3 * g, base = 2000 * 0.2 * (0.08 - 0.01) * g;
  EXPECT_NEAR(pair_force(s, "base", "block"), block, 1e-6 * block);
  EXPECT_NEAR(pair_force(s, "base", "floor"), block + base, 1e-6 * (block + base));
}

/// The same in the plane, where each corner that touches is one contact.
TEST(PlanarProfiles, ABlockLiesInANotch) {
  WorldScene scene{.bodies = {planar("base", fmt::format("{{profile: {{polygon: {}}}}}", notched), 0, 0.1),
                              planar("block", "{rectangle: [0.08, 0.3]}", 0, 0.2543)},
                   .obstacles = {"{half_space: floor, normal: [0, 1, 0], material: stone}"},
                   .gravity = "[0, -9.81, 0]"};
  const Simulation s = scene.run();
  const double block = 2000 * 0.08 * 0.3 * g, base = 2000 * (0.08 - 0.01) * g;
  EXPECT_NEAR(pair_force(s, "base", "block"), block, 1e-6 * block);
  EXPECT_NEAR(pair_force(s, "base", "floor"), block + base, 1e-6 * (block + base));
  EXPECT_EQ(s.probe("contact(base, block).closed"), 2);
}

/// Both sides of a valley of 90 degrees bear a disc.
TEST(PlanarProfiles, ADiscLiesInAValley) {
  const double r = 0.05;
  WorldScene scene{
      .bodies = {planar("base",
                        "{profile: {polygon: [[-0.3, -0.2], [0.3, -0.2], [0.3, 0.1], [0.1, 0.1], [0, 0], "
                        "[-0.1, 0.1], [-0.3, 0.1]]}}",
                        0, 0, "mass: 10"),
                 planar("disc", "{disc: 0.05}", 0, 0.3)},
      .obstacles = {},
      .friction = 0,
      .gravity = "[0, -9.81, 0]"};
  scene.more = "joints: [{fixed: base_stands, body: base, at: [0, 0, 0]}]\n";
  const Simulation s = scene.run();
  const double weight = 2000 * std::numbers::pi * r * r * g;
  EXPECT_NEAR(pair_force(s, "base", "disc"), std::numbers::sqrt2 * weight, 1e-9 * weight);
  EXPECT_EQ(s.probe("contact(base, disc).closed"), 2);
}

/// A rectangle as a profile moves as the rectangle: it falls on a corner, tips and slides.
TEST(PlanarProfiles, OfARectangleAreTheRectangle) {
  const auto end = [](const std::string& brick, const std::string& table) {
    WorldScene scene{.bodies = {planar("brick", brick, 0, 0.4, "angle: 0.4, velocity: [0.5, 0, 0]"),
                                planar("table", table, 0, 0.1)},
                     .obstacles = {"{half_space: floor, normal: [0, 1, 0], material: stone}"},
                     .friction = 0.3,
                     .gravity = "[0, -9.81, 0]"};
    scene.end = 0.6;
    return scene.run().state();
  };
  const std::string small =
                        "{profile: {polygon: [[-0.15, -0.05], [-0.15, 0.05], [0.15, 0.05], [0.15, -0.05]]}}",
                    large = "{profile: {polygon: [[-0.4, -0.1], [0.4, -0.1], [0.4, 0.1], [-0.4, 0.1]]}}";
  const State exact = end("{rectangle: [0.3, 0.1]}", "{rectangle: [0.8, 0.2]}");
  for (const auto& [brick, table] :
       {std::pair(small, large), std::pair(small, std::string("{rectangle: [0.8, 0.2]}")),
        std::pair(std::string("{rectangle: [0.3, 0.1]}"), large)}) {
    const State found = end(brick, table);
    EXPECT_LT((exact.q - found.q).lpNorm<Eigen::Infinity>(), 1e-10);
    EXPECT_LT((exact.v - found.v).lpNorm<Eigen::Infinity>(), 1e-9);
  }
}

/// A line as a ramp: what lies on it presses with the part of its weight across, on either side of the line.
TEST(Segments, AreRampsOnBothSides) {
  for (const std::string& shape :
       {std::string("{rectangle: [0.2, 0.1]}"), std::string("{disc: 0.05}"),
        std::string("{profile: {polygon: [[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]]}}")})
    for (const bool is_reversed : {false, true}) {
      const double slope = 0.3;
      const std::string right = fmt::format("[{:.17g}, {:.17g}]", std::cos(slope), std::sin(slope)),
                        left = fmt::format("[{:.17g}, {:.17g}]", -std::cos(slope), -std::sin(slope));
      WorldScene scene{.bodies = {planar("ramp",
                                         fmt::format("{{segment: {{from: {}, to: {}}}}}",
                                                     is_reversed ? right : left, is_reversed ? left : right),
                                         0, 0, "mass: 1"),
                                  planar("block", shape, -0.0501 * std::sin(slope), 0.0501 * std::cos(slope),
                                         "angle: 0.3, mass: 40")},
                       .obstacles = {},
                       .gravity = "[0, -9.81, 0]"};
      scene.more = "joints: [{fixed: ramp_stands, body: ramp, at: [0, 0, 0]}]\n";
      const Simulation s = scene.run();
      const double across = 2000 * 0.02 * g * std::cos(slope);
      EXPECT_NEAR(pair_force(s, "ramp", "block"), across, 1e-6 * across);
      if (shape != "{disc: 0.05}") {
        EXPECT_NEAR(s.velocity("block").norm(), 0, 1e-9);
      }
    }
}

/// A bar lies across the upper end of a line.
TEST(Segments, EndsTouch) {
  WorldScene scene{.bodies = {planar("post", "{segment: {from: [0, -1], to: [0, 0]}}", 0, -0.5, "mass: 1"),
                              planar("bar", "{rectangle: [0.4, 0.1]}", 0, 0.06)},
                   .obstacles = {},
                   .gravity = "[0, -9.81, 0]"};
  scene.more = "joints: [{fixed: post_stands, body: post, at: [0, 0, 0]}]\n";
  const Simulation s = scene.run();
  const double weight = 2000 * 0.04 * g;
  EXPECT_NEAR(pair_force(s, "post", "bar"), weight, 1e-9 * weight);
  EXPECT_LT(pair_force(s, "post", "bar", "penetration"), 1e-3);
}

TEST(Segments, OfWhichTwoMayMeetAreRefused) {
  WorldScene scene{.bodies = {planar("one", "{segment: {from: [0, 0], to: [1, 0]}}", 0, 0, "mass: 1"),
                              planar("two", "{segment: {from: [0, 0], to: [1, 0]}}", 0, 1, "mass: 1")},
                   .obstacles = {}};
  try {
    scene.simulation();
    ADD_FAILURE() << "nothing was said";
  } catch (const std::exception& e) {
    EXPECT_NE(std::string(e.what()).find("bodies[1].shape.segment: 'one' and 'two' are both without width"),
              std::string::npos)
        << e.what();
  }
}

/// Over a turn of the pinion the wheel turns by the ratio of the numbers of teeth: however loose they are, it
/// can neither lose nor gain a tooth, and once the start is forgotten the motion repeats itself.
TEST(Gears, HaveTheRatioOfTheirTeeth) {
  Simulation s = testing::scene_simulation("gear_pair", {"time.end=2", "record=null"});
  const auto angle_at = [&](double t) {
    const StepReport report = s.advance_to(t);
    EXPECT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
    return s.probe("joint(shaft2).coordinate");
  };
  const double before = angle_at(1), after = angle_at(2);
  // The play on the wheel's pitch circle and what straight flanks deviate from a constant ratio.
  EXPECT_NEAR(after, -2 * std::numbers::pi * 2 * 12 / 18, 0.0722);
  EXPECT_NEAR(after - before, -2 * std::numbers::pi * 12 / 18, 1e-6);
}

/// Straight-sided teeth of the module 0.01 m: four corners each.
std::string gear_polygon(int teeth) {
  const double pitch_radius = 0.005 * teeth, half = 0.2 * std::numbers::pi * 0.01, slope = 0.36;
  std::string corners;
  for (int i = 0; i < 4 * teeth; ++i) {
    const bool is_tip = i % 4 == 1 || i % 4 == 2;
    const double height = is_tip ? 0.008 : -0.011, radius = pitch_radius + height;
    const double angle =
        2 * std::numbers::pi * (i / 4) / teeth + (i % 4 < 2 ? -1 : 1) * (half - height * slope) / radius;
    corners += fmt::format("{}[{:.17g}, {:.17g}]", i ? ", " : "", radius * std::cos(angle),
                           radius * std::sin(angle));
  }
  return "polygon: [" + corners + "]";
}

/// The edges of planar gears are the flanks of spatial ones, which touch with both ends of their width, also
/// where their ends lie in one plane.
TEST(Gears, MoveInThePlaneAsInSpace) {
  const auto angle = [](bool is_planar, double width) {
    WorldScene scene{.obstacles = {}, .friction = 0, .gravity = "[0, 0, 0]"};
    for (const auto& [name, teeth, depth, x] :
         {std::tuple("pinion", 12, 0.03, 0.0), std::tuple("wheel", 18, width, 0.15)}) {
      const double turn = x > 0 ? std::numbers::pi / teeth : 0;
      scene.bodies.push_back(
          is_planar
              ? planar(name, fmt::format("{{profile: {{{}}}}}", gear_polygon(teeth)), x, 0,
                       fmt::format("thickness: {}, angle: {:.17g}", depth, turn))
              : rigid(name, fmt::format("{{profile: {{{}, depth: {}}}}}", gear_polygon(teeth), depth),
                      {x, 0, 0}, fmt::format("orientation: {{axis: [0, 0, 1], angle: {:.17g}}}", turn)));
    }
    scene.more =
        "joints:\n  - {hinge: one, body: pinion, at: [0, 0, 0], axis: [0, 0, 1], drive: {speed: 6}}\n"
        "  - {hinge: two, body: wheel, at: [0.15, 0, 0], axis: [0, 0, 1], drive: {load: 5}}\n";
    return scene.run().probe("joint(two).coordinate");
  };
  for (const double width : {0.02, 0.03}) {
    const double in_space = angle(false, width);
    EXPECT_NEAR(in_space, -4, 0.0722) << width;
    EXPECT_NEAR(angle(true, width), in_space, 1e-10) << width;
  }
}

}  // namespace
}  // namespace percuss
