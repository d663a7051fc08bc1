#include "percuss/model/world.h"

#include <chrono>

#include <gtest/gtest.h>

#include "percuss/io/scene.h"
#include "percuss/model/world_words.h"

// Who finds whom: groups, patterns, exceptions, joints, planes.
namespace percuss {
namespace {

const std::string world_head = R"(percuss: 1
materials: {rock: {density: 2000}, steel: {density: 7800}}
pairs:
  - {between: [rock, rock]}
  - {between: [rock, steel]}
  - {between: [steel, steel]}
time: {end: 1, step: 1e-3}
bodies:
  - {rigid: stone1, material: rock, shape: {box: [1, 1, 1]}}
  - {rigid: stone2, material: rock, shape: {box: [1, 1, 1]}, position: [3, 0, 0]}
  - {sphere: boulder, material: rock, radius: 1, position: [6, 0, 0]}
  - {rigid: arm, material: steel, shape: {box: [1, 1, 1]}, position: [9, 0, 0]}
  - {rigid: jaw, material: steel, shape: {box: [1, 1, 1]}, position: [12, 0, 0]}
obstacles:
  - {half_space: floor, material: rock, point: [0, 0, -1]}
  - {box: room, lower: [-20, -20, -20], upper: [20, 20, 20], faces: [x_min, x_max], material: steel}
  - {half_space: plate, frame: arm, normal: [1, 0, 0], material: steel}
)";

Model world_model(const std::string& text) { return parse_scene(world_head + text, "test.yaml").model; }
World world_of(const Model& model) {
  std::vector<Complaint> complaints;
  World world = resolve_world(model, complaints);
  for (const auto& complaint : complaints) ADD_FAILURE() << complaint.path << ": " << complaint.message;
  return world;
}

/// "stone1-floor stone1-stone2": all pairs that may touch, by name.
std::string touching(const std::string& text) {
  const Model model = world_model(text);
  const World world = world_of(model);
  const auto walls = walls_of(model.obstacles);
  const auto name = [&](int thing) {
    const Touchable& one = world.things[static_cast<size_t>(thing)];
    return one.wall >= 0 ? walls[static_cast<size_t>(one.wall)].name : name_of(one, model, walls);
  };
  std::string pairs;
  for (int i = 0; i < world.size(); ++i)
    for (int j = 0; j < world.size(); ++j) {
      EXPECT_EQ(world.may_touch(i, j), world.may_touch(j, i));
      if (i < j && world.may_touch(i, j)) pairs += (pairs.empty() ? "" : " ") + name(i) + "-" + name(j);
    }
  return pairs;
}

TEST(World, APatternFitsWhatItsStarsLeaveOpen) {
  for (const char* name : {"stone", "stone1", "stones"}) EXPECT_TRUE(matches("stone*", name)) << name;
  EXPECT_TRUE(matches("*", "anything"));
  EXPECT_TRUE(matches("*one*", "stone1"));
  EXPECT_TRUE(matches("a*b*c", "aXbXbc"));
  EXPECT_FALSE(matches("a*b*c", "aXbXcd"));
  EXPECT_FALSE(matches("stone*", "ston"));
  EXPECT_FALSE(matches("stone", "stone1"));
}

TEST(World, WithoutClausesItIsEmpty) {
  EXPECT_TRUE(world_of(world_model("contacts:\n  - {body: boulder, against: floor}\n")).empty());
}

TEST(World, AllMeansEveryBodyWithEveryOtherAndWithEveryObstacle) {
  const std::string text = "except: [[arm, all], [jaw, all], [plate, all]]\n";
  const std::string expected =
      "stone1-stone2 stone1-boulder stone1-floor stone1-room.x_min stone1-room.x_max stone2-boulder "
      "stone2-floor stone2-room.x_min stone2-room.x_max boulder-floor boulder-room.x_min boulder-room.x_max";
  EXPECT_EQ(touching("contacts: all\n" + text), expected);
  EXPECT_EQ(touching("contacts: [all]\n" + text), expected);
  EXPECT_EQ(touching("contacts:\n  - {between: [all, all]}\n" + text), expected);
}

TEST(World, SidesAreNamesPatternsOrGroups) {
  EXPECT_EQ(touching("contacts: [{between: [boulder, floor]}]\n"), "boulder-floor");
  EXPECT_EQ(touching("contacts: [{between: ['stone*', boulder]}]\n"), "stone1-boulder stone2-boulder");
  EXPECT_EQ(touching("contacts: [{between: [boulder, room]}]\n"), "boulder-room.x_min boulder-room.x_max");
  EXPECT_EQ(touching("contacts: [{between: [boulder, room.x_max]}]\n"), "boulder-room.x_max");
  EXPECT_EQ(touching("groups: {rocks: [stone*, boulder], ends: [room.*, floor]}\n"
                     "contacts: [{between: [rocks, rocks]}, {between: [stone1, ends]}]\n"),
            "stone1-stone2 stone1-boulder stone1-floor stone1-room.x_min stone1-room.x_max stone2-boulder");
}

TEST(World, ABodyDoesNotTouchWhatItCarries) {
  EXPECT_EQ(touching("contacts: [{between: [plate, all]}]\n"),
            "stone1-plate stone2-plate boulder-plate jaw-plate");
}

TEST(World, ObstaclesWithAShapeAreFoundLikeBodies) {
  const std::string obstacles =
      "  - {obstacle: shelf, shape: {box: [1, 1, 1]}, position: [0, 9, 0], material: steel}\n"
      "  - {obstacle: blade, shape: {box: [1, 1, 1]}, frame: arm, position: [0, 0, 2], material: steel}\n";
  EXPECT_EQ(touching(obstacles + "contacts: [{between: ['sh*', all]}]\n"),
            "stone1-shelf stone2-shelf boulder-shelf arm-shelf jaw-shelf plate-shelf shelf-blade");
  EXPECT_EQ(touching(obstacles + "contacts: [{between: [blade, all]}]\n"),
            "stone1-blade stone2-blade boulder-blade jaw-blade floor-blade room.x_min-blade room.x_max-blade "
            "shelf-blade");
  EXPECT_EQ(touching(obstacles + "joints: [{ball: pivot, body: arm, to: jaw, at: [10.5, 0, 0]}]\n"
                                 "groups: {some: [jaw, stone1]}\ncontacts: [{between: [blade, some]}]\n"),
            "stone1-blade");
}

TEST(World, ExceptionsAreNotFound) {
  const std::string clause = "contacts: [{between: [all, boulder]}]\n";
  EXPECT_EQ(touching(clause + "except: [[boulder, 'stone*'], [floor, boulder], [arm, all], [plate, all]]\n"),
            "boulder-jaw boulder-room.x_min boulder-room.x_max");
}

TEST(World, JoinedBodiesAreExceptedUnlessBothAreNamed) {
  const std::string joint = "joints: [{ball: pivot, body: arm, to: jaw, at: [10.5, 0, 0]}]\n";
  const std::string groups = "groups: {machine: [arm, jaw]}\n";
  EXPECT_EQ(touching(groups + "contacts: [{between: [machine, machine]}]\n"), "arm-jaw");
  EXPECT_EQ(touching(joint + groups + "contacts: [{between: [machine, machine]}]\n"), "");
  EXPECT_EQ(touching(joint + "contacts: [{between: [arm, jaw]}]\n"), "arm-jaw");
  EXPECT_EQ(touching(joint + "contacts: [{between: [plate, all]}]\n"),
            "stone1-plate stone2-plate boulder-plate");
  EXPECT_EQ(touching(joint + "contacts: [{between: [arm, jaw]}]\nexcept: [[arm, jaw]]\n"), "");
}

TEST(World, ABodyJoinedToTheGroundFindsObstacles) {
  EXPECT_EQ(touching("joints: [{hinge: pivot, body: jaw, at: [12, 0, 0]}]\n"
                     "contacts: [{between: [jaw, floor]}]\n"),
            "jaw-floor");
}

TEST(World, ClearancesConnectAsJointsDo) {
  EXPECT_EQ(
      touching("clearances: [{pin_in_hole: p, pin: arm, hole: jaw, pin_radius: 0.1, hole_radius: 0.2}]\n"
               "contacts: [{between: ['arm*', 'jaw*']}]\n"),
      "");
}

TEST(World, WhatIsDeclaredIsNotFoundOnceMore) {
  EXPECT_EQ(touching("contacts:\n  - {between: [boulder, all]}\n  - {body: boulder, against: room}\n"
                     "  - {body: stone1, against: boulder, corners_only: true}\n"),
            "stone2-boulder boulder-arm boulder-jaw boulder-floor boulder-plate");
}

TEST(World, WhatDeformsOrHasNoShapeIsLeftOutWithANote) {
  const Model model = parse_scene(R"(percuss: 1
materials: {m: {density: 1, young: 1}}
pairs: [{between: [m, m]}]
time: {end: 1, step: 1e-3}
bodies:
  - {particle: dot, mass: 1, material: m}
  - {rigid: stick, mass: 1, inertia: [1, 1, 1]}
  - {bar: rod, from: [0, 0, 0], to: [1, 0, 0], area: 1, elements: 2, material: m}
obstacles: [{half_space: floor, material: m}, {half_space: wall, normal: [1, 0, 0], material: m}]
contacts: [{between: [all, floor]}]
)",
                                  "test.yaml")
                          .model;
  EXPECT_EQ(world_of(model).size(), 3);
  const std::vector<std::string> expected = {
      "'stick' has no shape: nothing finds it; give it `shape:`",
      "nothing finds 'rod', which is neither solid nor a beam or shaft in space with a `circle` or `tube`; "
      "declare contacts with `body` (or `nodes`) and `against`",
      "nothing touches the obstacle 'wall': write `contacts: [{between: [all, wall]}]`, or leave it out"};
  EXPECT_EQ(world_notes(model), expected);
}

TEST(World, FreeBodiesThatCanTouchNothingAreNamed) {
  const auto notes = [](const std::string& contacts) {
    return world_notes(parse_scene(R"(percuss: 1
materials: {m: {density: 1}}
pairs: [{between: [m, m]}]
time: {end: 1, step: 1e-3}
bodies:
  - {rigid: a, shape: {sphere: 1}, material: m}
  - {rigid: b, shape: {box: [1, 1, 1]}, material: m, position: [5, 0, 0]}
  - {rigid: held, shape: {box: [1, 1, 1]}, material: m, position: [9, 0, 0]}
  - {rigid: top, mass: 1, inertia: [1, 1, 1], position: [15, 0, 0]}
joints: [{hinge: pivot, body: held, at: [9, 0, 0]}]
obstacles: [{half_space: floor, material: m}]
contacts: )" + contacts,
                                   "test.yaml")
                           .model);
  };
  const std::vector<std::string> lonely = {
      "'b' can touch nothing; write `contacts: [{between: [b, all]}]` if it should"};
  EXPECT_EQ(notes("[{between: [a, floor]}]"), lonely);
  EXPECT_EQ(notes("[{body: a, against: floor}]"), lonely);
  EXPECT_TRUE(notes("[{between: [a, floor]}, {body: b, against: floor}]").empty());
  EXPECT_TRUE(notes("[{between: [all, floor]}]").size() == 1) << "the top has no shape";
}

const std::string planar_head = R"(percuss: 1
materials: {m: {density: 1}}
pairs: [{between: [m, m]}]
time: {end: 1, step: 1e-3}
bodies:
  - {planar: plank, shape: {rectangle: [1, 2]}, material: m}
  - {planar: wheel, shape: {disc: 1}, material: m, position: [5, 0, 0]}
  - {sphere: ball, radius: 1, material: m, position: [9, 0, 0]}
frames:
  - {frame: turning, axis: [1, 0, 0], angle: t}
obstacles:
  - {half_space: floor, normal: [0, 1, 0], material: m}
  - {half_space: page, normal: [0, 0, 1], material: m}
  - {half_space: flap, normal: [0, 1, 0], frame: turning, material: m}
)";

TEST(World, PlanarBodiesFindWhatLiesInThePlane) {
  const Model model = parse_scene(planar_head + "contacts: all\n", "test.yaml").model;
  const World world = world_of(model);
  ASSERT_EQ(world.size(), 6);
  const auto found = [&](int i, int j) { return world.may_touch(i, j); };
  EXPECT_TRUE(found(0, 1) && found(0, 3) && found(1, 3));
  EXPECT_FALSE(found(0, 2) || found(0, 4) || found(0, 5));
  EXPECT_TRUE(found(2, 3) && found(2, 4) && found(2, 5));
  const auto notes = world_notes(model);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("'plank' and 'ball', do not find each other"), std::string::npos) << notes[0];
}

TEST(World, WritingAndReadingKeepsIt) {
  const std::string text =
      "groups: {rocks: ['stone*', boulder]}\ncontacts: [all, {between: [rocks, floor]}]\n"
      "except: [[rocks, room], [arm, jaw]]\n";
  const Scene scene = parse_scene(world_head + text, "test.yaml");
  const Scene again = parse_scene(resolved_text(scene), "again.yaml");
  EXPECT_EQ(again.model.groups, scene.model.groups);
  EXPECT_EQ(again.model.except, scene.model.except);
  ASSERT_EQ(again.model.contacts.size(), 2u);
  EXPECT_EQ(again.model.contacts[0].between, (std::vector<std::string>{"all", "all"}));
  EXPECT_EQ(resolved_text(again), resolved_text(scene));
}

TEST(World, TimeDoesNotGrowWithTheNumberOfPairs) {
  Model model;
  model.materials = {{"m", {}}};
  constexpr int count = 100'000;
  for (int i = 0; i < count; ++i) {
    Sphere grain;
    grain.name = "grain" + std::to_string(i);
    grain.radius = grain.mass.emplace(1);
    grain.material = "m";
    model.bodies.emplace_back(grain);
  }
  model.groups = {{"some", {"grain1*"}}, {"rest", {"grain*"}}};
  model.contacts.emplace_back().between = {"all", "all"};
  model.except = {{"some", "rest"}};
  const auto start = std::chrono::steady_clock::now();
  const auto complaints = validate(model);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ASSERT_EQ(complaints.size(), 1u);  // one missing law, not one for each pair
  EXPECT_EQ(complaints[0].path, "pairs");
  EXPECT_LT(seconds, 30);
  const World world = world_of(model);
  EXPECT_TRUE(world.excepted.empty());
  EXPECT_FALSE(world.may_touch(1, 2));
  EXPECT_TRUE(world.may_touch(2, 3));
}

}  // namespace
}  // namespace percuss
