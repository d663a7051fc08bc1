// Impacts of bodies that find each other, and what must not matter: order, orientation, units, threads,
// resumes.

#include <cmath>
#include <random>

#include "percuss/contacts/contact_kinematics.h"
#include "support/scenes.h"
#include "worlds/supports.h"
#include "worlds/world_scene.h"

namespace percuss {
namespace {

using testing::rigid;
using testing::WorldScene;

std::string orientation(const Quaternion& q) {
  return fmt::format("orientation: {{w: {:.17g}, x: {:.17g}, y: {:.17g}, z: {:.17g}}}", q.w(), q.x(), q.y(),
                     q.z());
}

/// What the schemes may overlap: the way of a step at the speed of an impact.
TEST(WorldImpacts, EdgesDoNotPassThroughEachOther) {
  for (const std::string& scheme : testing::friction_schemes())
    for (const double yaw : {0.0, 1e-7, 1e-3, 0.3, 0.785398163397448, 1.2, 1.570796326794897}) {
      SCOPED_TRACE(fmt::format("{}: {}", scheme, yaw));
      const Quaternion diamond(Eigen::AngleAxisd(0.785398163397448, Vector3::UnitX()));
      const Quaternion turned(Eigen::AngleAxisd(yaw, Vector3::UnitZ()));
      // A bar with an edge on top, fixed, and one that falls on it with an edge below.
      WorldScene scene{.bodies = {rigid("bar", "{box: [0.6, 0.1, 0.1]}", {0.02, 0.001, 0.16},
                                        orientation(turned * diamond))},
                       .obstacles = {fmt::format(
                           "{{obstacle: rail, shape: {{box: [0.6, 0.1, 0.1]}}, {}, material: stone}}",
                           orientation(diamond))},
                       .scheme = scheme,
                       .step = 5e-4,
                       .end = 0.15};
      Simulation s = scene.simulation();
      double deepest = 0, lowest = 1, fastest = 0;
      while (!s.finished()) {
        const StepReport report = s.step();
        ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
        deepest = std::max(deepest, testing::pair_force(s, "bar", "rail", "penetration"));
        lowest = std::min(lowest, s.position("bar").z());
        fastest =
            std::max(fastest, s.velocity("bar").norm() + 0.31 * s.angular_velocity(s.body("bar")).norm());
      }
      EXPECT_GT(fastest, 0.5);
      EXPECT_LT(deepest, 2 * scene.step * fastest);
      if (yaw > 0.1) {
        EXPECT_GT(lowest, 0.1);
      }
    }
}

/// Round bodies roll round the edge of a table: while they touch, the centre keeps the distance of the radius
/// from it.
TEST(WorldImpacts, BallsRollRoundEdges) {
  for (const std::string& scheme : testing::friction_schemes()) {
    SCOPED_TRACE(scheme);
    // It keeps contacts by their accelerations alone: what the change from the face to the edge does to the
    // velocity stays, and the verdict of a run says how deep that gets.
    if (scheme == "half-explicit-acceleration") continue;
    WorldScene scene{
        .bodies = {rigid("ball", "{sphere: 0.1}", {-0.01, 0, 0.1},
                         "velocity: [0.1, 0, 0], angular_velocity: [0, 1, 0]")},
        .obstacles =
            {"{obstacle: table, shape: {box: [1, 1, 1]}, position: [-0.5, 0, -0.5], material: stone}"},
        .friction = 0.8,
        .scheme = scheme,
        .end = 0.6};
    Simulation s = scene.simulation();
    double farthest = 0;
    while (!s.finished() && s.position("ball").z() > 0.085) {
      const StepReport report = s.step();
      ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
      const Vector3 x = s.position("ball");
      if (x.x() > 0) farthest = std::max(farthest, std::abs(std::hypot(x.x(), x.z()) - 0.1));
    }
    EXPECT_LT(s.position("ball").z(), 0.086);
    EXPECT_LT(farthest, 3e-5);
  }
}

/// Balls and a block in a room, declared one by one and found.
WorldScene room(const std::string& scheme) {
  return {
      .bodies = {rigid("a", "{sphere: 0.1}", {0.2, 0.3, 0.6}, "velocity: [2, 1, 0]"),
                 rigid("b", "{sphere: 0.1}", {0.8, 0.4, 0.5}, "velocity: [-2, 0.5, 1]"),
                 rigid("c", "{sphere: 0.1}", {0.5, 0.8, 0.3}, "velocity: [0.3, -3, 2]"),
                 rigid("block", "{box: [0.2, 0.3, 0.1]}", {0.3, 0.8, 0.9}, "angular_velocity: [3, 1, 0.5]")},
      .obstacles = {"{box: room, lower: [0, 0, 0], upper: [1, 1, 2], material: stone}"},
      .friction = 0.3,
      .restitution = 0.8,
      .scheme = scheme,
      .end = 0.25};
}

TEST(WorldImpacts, FoundContactsDoWhatDeclaredOnesDo) {
  for (const std::string& scheme : testing::friction_schemes()) {
    SCOPED_TRACE(scheme);
    WorldScene found = room(scheme), declared = found;
    found.contacts = "[{between: [all, room]}, {between: [a, b]}, {between: [a, c]}, {between: [b, c]}]";
    declared.contacts =
        "[{body: all, against: room}, {body: a, against: b}, {body: a, against: c}, {body: b, against: c}]";
    const Simulation first = found.run(), second = declared.run();
    EXPECT_GE(first.statistics().impacts, 3);
    EXPECT_EQ(first.statistics().impacts, second.statistics().impacts);
    EXPECT_LT((first.state().q - second.state().q).lpNorm<Eigen::Infinity>(),
              scheme == "event-driven" ? 1e-6 : 1e-9);
    EXPECT_LT(first.contact_count(), second.contact_count());
  }
}

TEST(WorldImpacts, OrderOfBodiesAndDirectionInSpaceDoNotMatter) {
  std::mt19937 random(7);
  const Quaternion turn = Quaternion(Eigen::Vector4d(0.3, -0.5, 0.7, 0.2)).normalized();
  struct Stone {
    std::string name, shape;
    Vector3 x, v;
    Quaternion q;
  };
  std::vector<Stone> stones;
  std::normal_distribution<double> normal;
  for (int i = 0; i < 5; ++i)
    stones.push_back(
        {fmt::format("stone{}", i),
         i % 2 == 0 ? "{box: [0.2, 0.16, 0.12]}" : "{capsule: {radius: 0.06, length: 0.1}}",
         {0.05 * normal(random), 0.05 * normal(random), 0.15 + 0.22 * i},
         {0, 0, -1},
         Quaternion(normal(random), normal(random), normal(random), normal(random)).normalized()});
  const auto simulate = [&](const Quaternion& by, bool reversed) {
    WorldScene scene{.friction = 0.3, .step = 5e-4, .end = 0.12};
    const Vector3 g = by * Vector3(0, 0, -9.81), n = by * Vector3::UnitZ();
    scene.gravity = fmt::format("[{:.17g}, {:.17g}, {:.17g}]", g.x(), g.y(), g.z());
    scene.obstacles = {fmt::format(
        "{{half_space: floor, normal: [{:.17g}, {:.17g}, {:.17g}], material: stone}}", n.x(), n.y(), n.z())};
    for (const Stone& stone : stones) {
      const Vector3 v = by * stone.v;
      scene.bodies.push_back(
          rigid(stone.name, stone.shape, by * stone.x,
                orientation(by * stone.q) +
                    fmt::format(", velocity: [{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z())));
    }
    if (reversed) std::ranges::reverse(scene.bodies);
    return scene.run();
  };
  const Simulation plain = simulate(Quaternion::Identity(), false),
                   reversed = simulate(Quaternion::Identity(), true), turned = simulate(turn, false);
  EXPECT_GT(plain.statistics().impacts, 3);
  for (const Stone& stone : stones) {
    EXPECT_LT((plain.position(stone.name) - reversed.position(stone.name)).norm(), 1e-8) << stone.name;
    EXPECT_LT((turn * plain.position(stone.name) - turned.position(stone.name)).norm(), 1e-8) << stone.name;
  }
}

TEST(WorldImpacts, ResumesAndFreshMemoryChangeNoBit) {
  for (const std::string& scheme : testing::friction_schemes()) {
    SCOPED_TRACE(scheme);
    testing::expect_resumes_change_no_bit(room(scheme), 50);
  }
}

/// Newton's third law, momentum and energy: spheres that meet in space without gravity and without loss.
TEST(WorldImpacts, MomentumAndEnergyStay) {
  WorldScene scene = room("event-driven");
  scene.gravity = "[0, 0, 0]";
  scene.obstacles = {"{obstacle: far, shape: {sphere: 0.1}, position: [9, 9, 9], material: stone}"};
  scene.friction = 0;
  scene.restitution = 1;
  Simulation s = scene.simulation();
  const auto momentum = [&] {
    Vector3 p = Vector3::Zero();
    for (const char* name : {"a", "b", "c", "block"})
      p += s.assembly().system.bodies[static_cast<size_t>(s.body(name).index)].mass * s.velocity(name);
    return p;
  };
  const Vector3 before = momentum();
  const double energy = s.energy().total();
  ASSERT_EQ(s.advance_to(1e9).status, SolveStatus::converged);
  EXPECT_GE(s.statistics().impacts, 1);
  EXPECT_LT((momentum() - before).norm(), 1e-11 * before.norm());
  EXPECT_NEAR(s.energy().total(), energy, 1e-9 * energy);
}

/// Probes of pairs: actio and reactio, and moments about the centre of the first.
TEST(WorldImpacts, ForcesOfPairsAreOpposite) {
  WorldScene scene{.bodies = {rigid("low", "{box: [0.4, 0.4, 0.1]}", {0, 0, 0.05}),
                              rigid("high", "{box: [0.2, 0.1, 0.1]}", {0.1, 0.05, 0.15})},
                   .obstacles = {"{half_space: floor, material: stone}",
                                 "{obstacle: far, shape: {sphere: 1}, position: [9, 9, 9], material: stone}"},
                   .end = 0.1};
  const Simulation s = scene.run();
  const double weight = 9.81 * s.assembly().system.bodies[static_cast<size_t>(s.body("high").index)].mass;
  const auto force = [&](const char* a, const char* b, const char* what) {
    return testing::pair_force(s, a, b, what);
  };
  EXPECT_NEAR(force("high", "low", "force.z"), weight, 1e-9 * weight);
  EXPECT_NEAR(force("low", "high", "force.z"), -weight, 1e-9 * weight);
  EXPECT_NEAR(force("high", "*", "force"), weight, 1e-9 * weight);
  EXPECT_NEAR(force("low", "*", "force.z"), force("low", "floor", "force.z") - weight, 1e-9 * weight);
  EXPECT_NEAR(force("low", "high", "moment.x"), -0.05 * weight, 1e-9 * weight);
  EXPECT_NEAR(force("low", "high", "moment.y"), 0.1 * weight, 1e-9 * weight);
  EXPECT_NEAR(force("high", "low", "moment.x"), 0, 1e-9 * weight);
  EXPECT_EQ(force("high", "low", "closed"), 4);
  EXPECT_NEAR(force("high", "*", "impulse"), weight * 0.1, 1e-8 * weight);
  EXPECT_EQ(force("high", "far", "force"), 0);
  EXPECT_THROW(s.probe("contact(high, nobody).force"), ProbeError);
}

TEST(WorldImpacts, OverlapsAtTheStartAreSaidOnceForEachPair) {
  const WorldScene scene{.bodies = {rigid("low", "{box: [0.2, 0.2, 0.2]}", {0, 0, 0.099}),
                                    rigid("high", "{box: [0.2, 0.2, 0.2]}", {0, 0, 0.297})}};
  const auto warnings = scene.simulation().start_warnings();
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0], "'high' overlaps 'low' by 0.002 m at the start");
  EXPECT_EQ(warnings[1], "'low' overlaps 'floor' by 0.001 m at the start");
}

/// The corners of the upper box lie on the sides of the lower one: none of them is deep.
TEST(WorldImpacts, OverlapsOfDeclaredPairsAreThoseOfTheBodies) {
  WorldScene scene{.bodies = {rigid("low", "{box: [0.2, 0.2, 0.2]}", {0, 0, 0.1}),
                              rigid("high", "{box: [0.2, 0.2, 0.2]}", {0, 0, 0.25}),
                              rigid("beside", "{box: [0.2, 0.2, 0.2]}", {0.2, 0.2, 0.25})}};
  scene.contacts =
      "[{body: low, against: floor}, {body: high, against: low, corners_only: true}, "
      "{body: beside, against: low, corners_only: true}, {body: beside, against: high, corners_only: true}]";
  const std::vector<std::string> expected = {"'low' overlaps 'high' by 0.05 m at the start"};
  EXPECT_EQ(scene.simulation().start_warnings(), expected);
}

/// A box slides without friction over the edge of a table: its front corners leave it after 0.05 m, which
/// ends a step of the event-driven scheme, and it begins to tip when its middle is over the edge.
TEST(WorldEvents, CornersLeaveAFaceAtTheirMoment) {
  WorldScene scene{
      .bodies = {rigid("box", "{box: [0.2, 0.1, 0.05]}", {-0.15, 0.013, 0.025}, "velocity: [0.7, 0, 0]")},
      .obstacles =
          {"{obstacle: table, shape: {box: [2, 2, 0.1]}, position: [-1, 0, -0.05], material: stone}"},
      .friction = 0,
      .scheme = "event-driven",
      .step = 0.05,
      .end = 0.3};
  Simulation s = scene.simulation();
  const double energy = s.energy().total();
  double leaves = 0, tips = 0;
  while (!s.finished()) {
    const StepReport report = s.step();
    ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
    for (const auto& [moment, expected] : {std::pair(&leaves, 0.05 / 0.7), std::pair(&tips, 0.15 / 0.7)})
      if (std::abs(s.time() - expected) < std::abs(*moment - expected)) *moment = s.time();
  }
  EXPECT_NEAR(leaves, 0.05 / 0.7, 1e-9);
  EXPECT_NEAR(tips, 0.15 / 0.7, 1e-9);
  EXPECT_NEAR(s.energy().total(), energy, 1e-9);
  EXPECT_LT(s.position("box").z(), 0.0249);
  EXPECT_EQ(s.statistics().impacts, 0);
}

class Fast : public ::testing::TestWithParam<std::string> {};

/// Things of 1 cm with 100 m/s against plates of 1 mm, which they would cross in a tenth of a step: they
/// bounce.
TEST_P(Fast, ThingsDoNotPassThroughThinPlates) {
  const WorldScene scene{
      .bodies = {rigid("ball", "{sphere: 0.005}", {0, 0, 0.333}, "velocity: [0, 0, -100]"),
                 rigid("box", "{box: [0.01, 0.01, 0.01]}", {0.06, 0, 0.373},
                       "velocity: [0, 0, -100], orientation: {axis: [1, 2, 0.3], angle: 0.7}"),
                 rigid("hull", "{polyhedron: [[0, 0, 0], [0.01, 0, 0], [0, 0.01, 0], [0.002, 0.003, 0.01]]}",
                       {-0.06, 0, 0.415}, "velocity: [0, 0, -100]"),
                 rigid("plate", "{box: [0.1, 0.1, 0.001]}", {0.3, 0, 0}),
                 rigid("shot", "{sphere: 0.005}", {0.32, 0.02, 0.4}, "velocity: [0, 0, -100]"),
                 rigid("plate_of_box", "{box: [0.1, 0.1, 0.001]}", {0.6, 0, 0}),
                 rigid("fast_box", "{box: [0.01, 0.01, 0.01]}", {0.61, 0.01, 0.39},
                       "velocity: [0, 0, -100], orientation: {axis: [1, 2, 0.3], angle: 0.7}"),
                 rigid("plate_of_hull", "{box: [0.1, 0.1, 0.001]}", {0.9, 0, 0}),
                 rigid("fast_hull",
                       "{polyhedron: [[0, 0, 0], [0.01, 0, 0], [0, 0.01, 0], [0.002, 0.003, 0.01]]}",
                       {0.91, 0.01, 0.38}, "velocity: [0, 0, -100]")},
      .obstacles = {"{obstacle: wall, shape: {box: [0.2, 0.2, 0.001]}, material: stone}"},
      .restitution = 0.5,
      .gravity = "[0, 0, 0]",
      .scheme = GetParam(),
      .end = 8e-3};
  Simulation s = scene.simulation();
  const auto mass = [&](const char* name) {
    return s.assembly().system.bodies[static_cast<size_t>(s.body(name).index)].mass;
  };
  constexpr std::pair<const char*, const char*> free_plates[] = {
      {"plate", "shot"}, {"plate_of_box", "fast_box"}, {"plate_of_hull", "fast_hull"}};
  double hit = 0;
  while (!s.finished()) {
    const StepReport report = s.step();
    ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
    if (hit == 0 && s.velocity("ball").z() > 0) hit = s.time();
  }
  EXPECT_NEAR(s.velocity("ball").z(), 50, 1e-9);
  for (const char* name : {"ball", "box", "hull"}) EXPECT_GT(s.position(name).z(), 0) << name;
  for (const auto& [plate, shot] : free_plates) {
    EXPECT_GT(s.position(shot).z(), s.position(plate).z()) << shot;
    EXPECT_LT(s.velocity(plate).z(), -1) << plate;
    const Vector3 before(0, 0, -100 * mass(shot));
    const Vector3 after = mass(plate) * s.velocity(plate) + mass(shot) * s.velocity(shot);
    EXPECT_LT((after - before).norm(), 1e-12 * before.norm()) << shot;
  }
  EXPECT_GT(s.statistics().shortened, 3);
  // A step ends a twentieth of the plate behind the impact; the event-driven scheme finds it.
  EXPECT_NEAR(hit, 3.275e-3, GetParam() == "event-driven" ? 1e-10 : 1.3e-6);
}
INSTANTIATE_TEST_SUITE_P(Schemes, Fast, ::testing::ValuesIn(testing::friction_schemes()),
                         [](const auto& scheme) {
                           std::string name = scheme.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

/// A ball that would be far behind a plate in the middle of the first step does not overlap it at the start.
TEST(WorldImpacts, WhatIsMetInTheFirstStepDoesNotOverlapAtTheStart) {
  const WorldScene scene{
      .bodies = {rigid("ball", "{sphere: 0.005}", {0, 0, 0.333}, "velocity: [0, 0, -100]")},
      .obstacles = {"{obstacle: wall, shape: {box: [0.2, 0.2, 0.001]}, material: stone}"},
      .restitution = 0.5,
      .gravity = "[0, 0, 0]",
      .step = 0.01,
      .end = 0.01};
  EXPECT_EQ(scene.simulation().start_warnings(), std::vector<std::string>());
  EXPECT_NEAR(scene.run().velocity("ball").z(), 50, 1e-9);
}

/// Stones of five kinds, with compounds, come to lie in a bin: they run through, none leaves it, and no
/// energy comes out of nothing.
TEST(WorldImpacts, StonesFillABin) {
  Simulation s =
      testing::scene_simulation("stone_heap", {"parameters.stones=10", "time.end=0.8", "time.step=1e-3"});
  double energy = s.energy().total();
  while (!s.finished()) {
    const StepReport report = s.step();
    ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
  }
  EXPECT_GT(s.statistics().impacts, 20);
  EXPECT_LE(s.statistics().accepted, 8);  // one in a hundred steps
  EXPECT_LT(s.energy().total(), 0.9 * energy);
  for (const char* kind : {"box", "ball", "pill", "rock", "cross"})
    for (int i = 0; i < 2; ++i) {
      const Vector3 x = s.position(fmt::format("{}{}", kind, i));
      EXPECT_GT(x.z(), 0.01) << kind << i;
      EXPECT_LT(x.head<2>().lpNorm<Eigen::Infinity>(), 0.3) << kind << i;
    }
}

/// A disc, a polygon and a rectangle that keep to the plane.
TEST(WorldImpacts, PlanarBodiesFindEachOther) {
  for (const std::string& scheme : testing::friction_schemes()) {
    SCOPED_TRACE(scheme);
    WorldScene scene{
        .bodies = {"{planar: low, material: stone, shape: {rectangle: [0.6, 0.2]}, position: [0, 0.1, 0]}",
                   "{planar: disc, material: stone, shape: {disc: 0.1}, position: [0.1, 0.35, 0]}",
                   "{planar: top, material: stone, shape: {polygon: [[-0.1, -0.1], [0.1, -0.1], [0, 0.2]]}, "
                   "position: [-0.15, 0.35, 0]}"},
        .obstacles = {"{half_space: floor, normal: [0, 1, 0], material: stone}"},
        .gravity = "[0, -9.81, 0]",
        .scheme = scheme,
        .end = 0.6};
    const Simulation s = scene.run();
    EXPECT_NEAR(s.position("low").y(), 0.1, 2e-3);
    EXPECT_NEAR(s.position("disc").y(), 0.3, 4e-3);
    EXPECT_NEAR(s.position("top").y(), 0.3, 4e-3);
    double weight = 0;
    for (const char* name : {"low", "disc", "top"})
      weight += 9.81 * s.assembly().system.bodies[static_cast<size_t>(s.body(name).index)].mass;
    EXPECT_NEAR(testing::pair_force(s, "low", "floor"), weight, 1e-6 * weight);
  }
}

}  // namespace
}  // namespace percuss
