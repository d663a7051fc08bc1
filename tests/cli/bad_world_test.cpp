#include "cli/bad_input.h"

// What can be wrong with groups, `between` and `except`, and what percuss says about it.
namespace percuss {
namespace {

using namespace percuss::testing;

constexpr const char* world_scene = R"(percuss: 1
materials: {rock: {density: 1}, steel: {density: 1, young: 1}, mud: {}}
pairs:
  - {between: [rock, rock]}
  - {between: [rock, steel]}
bodies:
  - {rigid: stone1, material: rock, shape: {box: [1, 1, 1]}}
  - {rigid: stone2, material: rock, shape: {box: [1, 1, 1]}, position: [3, 0, 0], points: {tip: [1, 0, 0]}}
  - {rigid: stick, mass: 1, inertia: [1, 1, 1], position: [0, 9, 0]}
  - {bar: rod, from: [0, 0, 0], to: [1, 0, 0], area: 1, elements: 2, material: steel}
  - {planar: plank, shape: {disc: 1}, material: rock}
  - {sphere: grey, radius: 1, mass: 1}
frames:
  - {frame: belt, position: [t, 0, 0]}
obstacles:
  - {half_space: floor, material: rock}
  - {half_space: plate, frame: stone1, material: steel}
  - {half_space: swamp, material: mud}
  - {obstacle: slab, shape: {box: [1, 1, 0.1]}, position: [0, 0, 5], orientation: {w: 1}, material: rock}
groups: {rocks: [stone*], bars: [rod]}
contacts:
  - {between: [rocks, floor]}
except: [[stone1, stone2]]
time: {end: 1, step: 0.01}
)";

class WorldFault : public BadInputTest, public ::testing::WithParamInterface<SceneCase> {};

TEST_P(WorldFault, IsReportedWithItsPlace) {
  const SceneCase& c = GetParam();
  write_file(folder_ / "scene.yaml", with_change(c.part, c.replacement, world_scene));
  expect_refused({"run", "scene.yaml", "-o", "old.h5"}, c.messages, c.faults);
}

SceneCase clause(std::string name, const std::string& sides, std::vector<std::string> messages,
                 int faults = 1) {
  return change(std::move(name), "between: [rocks, floor]", sides, std::move(messages), faults);
}

const std::vector<SceneCase> wrong_words = {
    clause("MisspeltBody", "between: [ston1, floor]",
           {"scene.yaml:22:16: contacts[0].between[0]: unknown body, obstacle or group 'ston1'; did you mean "
            "'stone1'?"}),
    clause("MisspeltGroup", "between: [floor, rcks]", {"contacts[0].between[1]: unknown", "'rocks'?"}),
    clause("PatternOfNothing", "between: ['brick*', floor]",
           {"scene.yaml:22:16: contacts[0].between[0]: no body and no obstacle has a name like 'brick*'"}),
    clause("Point", "between: [stone2.tip, floor]", {"'stone2.tip' is a part of 'stone2'"}),
    clause("Frame", "between: [stone2, belt]", {"'belt' is a frame and has no surface", "`frame: belt`"}),
    clause("FlexibleOnShape", "body: rod, against: slab",
           {"contacts[0].against: 'slab' is an obstacle with a shape, which flexible bodies such as 'rod' do "
            "not touch yet; give its faces as half_space obstacles"}),
    clause("OneSide", "between: [rocks]",
           {"scene.yaml:22:15: contacts[0].between: expected the two sides", "a list of 1"}),
    clause("ThreeSides", "between: [rocks, floor, plate]", {"expected the two sides", "a list of 3"}),
    clause("BothForms", "between: [rocks, floor], against: floor",
           {"scene.yaml:22:5: contacts[0]: give either `between`, or `body` and `against`"}),
    clause("CornersOnly", "between: [rocks, floor], corners_only: true",
           {"contacts[0].corners_only: it belongs to pairs declared with `body` and `against`"}),
    clause("Neither", "corners_only: false", {"contacts[0]: give either `body` or `nodes`, or `between`"}),
    change("Word", "- {between: [rocks, floor]}", "- floor",
           {"scene.yaml:22:5: contacts[0]: 'floor' is not allowed; a word alone can only be `all`"}),
    change("WordForList", "contacts:\n  - {between: [rocks, floor]}", "contacts: everything",
           {"scene.yaml:21:11: contacts[0]: 'everything' is not allowed"}),
    change(
        "MisspeltException", "[[stone1, stone2]]", "[[stone1, stoen2]]",
        {"scene.yaml:23:19: except[0][1]: unknown body, obstacle or group 'stoen2'; did you mean 'stone2'?"}),
    change("ExceptionOfOne", "[[stone1, stone2]]", "[[stone1]]",
           {"scene.yaml:23:10: except[0]: expected a list of two names"}),
    change("MisspeltMember", "rocks: [stone*]", "rocks: [stoen1]",
           {"scene.yaml:20:18: groups.rocks[0]: unknown body, obstacle or group 'stoen1'", "'stone1'"}),
    change("GroupOfGroups", "bars: [rod]", "bars: [rocks]",
           {"groups.bars[0]: 'rocks' is a group", "groups of groups are not known"}),
    change("EmptyGroup", "rocks: [stone*]", "rocks: []", {"groups.rocks: the list is empty"}),
    change("GroupNamedAsBody", "bars: [rod]", "stick: [rod]",
           {"scene.yaml:20:34: groups.stick: the name 'stick' is used twice"}),
    change("GroupNamedAll", "bars: [rod]", "all: [rod]", {"groups.all: 'all' is not allowed as a name"}),
    change("GroupWithBadName", "bars: [rod]", "'my bars': [rod]", {"'my bars' is not allowed as a name"}),
};

const std::vector<SceneCase> wrong_things = {
    clause("Flexible", "between: [rod, floor]",
           {"scene.yaml:22:16: contacts[0].between[0]: 'rod' is not found by others",
            "`body` (or `nodes`) and `against`"}),
    clause("FlexibleInGroup", "between: [bars, floor]",
           {"contacts[0].between[0]: 'rod' is not found by others"}),
    clause("FlexibleByPattern", "between: ['ro*', floor]",
           {"nothing that 'ro*' means can be found", "`shape:`"}),
    clause("WithoutShape", "between: [stick, floor]",
           {"contacts[0].between[0]: 'stick' has no shape: nothing finds it; give it `shape:`"}),
    clause("Unmoving", "between: [floor, swamp]",
           {"contacts[0].between: neither 'floor' nor 'swamp' moves by forces"}),
    clause("Itself", "between: [stone1, stone1]", {"belong to 'stone1', which cannot touch itself"}),
    clause("ItsOwnWall", "between: [stone1, plate]", {"'stone1' and 'plate' belong to 'stone1'"}),
    clause("TwoWalls", "between: [plate, floor]", {"'plate' and 'floor' are walls"}),
    clause("PlanarAndSpatial", "between: [plank, stone1]", {"one is planar", "`body` and `against`"}),
    clause("WallOutOfPlane", "between: [plank, floor]", {"one is planar and the other is not in the plane"}),
    clause("NoMaterial", "between: [grey, floor]",
           {"bodies[5].material: 'grey' can touch 'floor' and needs a material"}),
    clause(
        "NoLaw", "between: [rocks, swamp]",
        {"scene.yaml:4:3: pairs: no law between 'rock' (of 'stone1') and 'mud' (of 'swamp'); add {between: "
         "[rock, mud], restitution: ...}"}),
    change("NoLawOnceOnly", "- {between: [rocks, floor]}",
           "- {between: [rocks, swamp]}\n  - {body: stone1, against: swamp}",
           {"no law between 'rock' (of 'stone1') and 'mud' (of 'swamp')"}),
    change("TooManyClauses", "  - {between: [rocks, floor]}\n",
           repeated("  - {between: [rocks, floor]}\n", 66),
           {"scene.yaml:86:5: contacts[64]: more than 64 items have `between`; collect names in `groups`"}),
};

const std::vector<SceneCase> wrong_obstacles = {
    change("AgainstShape", "- {between: [rocks, floor]}", "- {body: stone1, against: slab}",
           {"scene.yaml:22:29: contacts[0].against: 'slab' is an obstacle with a shape",
            "{between: [stone1, slab]}"}),
    change("NoShape", "shape: {box: [1, 1, 0.1]}, ", "", {"obstacles[3]: the key 'shape' is missing"}),
    change("EmptyShape", "{box: [1, 1, 0.1]}", "{}",
           {"obstacles[3].shape: 0 shapes are given; give exactly one"}),
    change("FlatShape", "{box: [1, 1, 0.1]}", "{box: [1, 1, 0]}",
           {"obstacles[3].shape.box: [1, 1, 0] is not allowed"}),
    change("OpenMesh", "{box: [1, 1, 0.1]}",
           "{mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]]}}",
           {"obstacles[3].shape.mesh: ", "give a closed surface"}),
    change("CarriedByNode", "position: [0, 0, 5]", "frame: rod.last",
           {"obstacles[3].frame: 'rod' is flexible; a shape moves with a frame or a rigid or planar body"}),
    change("CarriedByNobody", "position: [0, 0, 5]", "frame: belts",
           {"obstacles[3].frame: unknown frame or body 'belts'", "'belt'"}),
    change("QuaternionOff", "{w: 1}", "{w: 2}",
           {"obstacles[3].orientation: the norm of {w: 2, x: 0, y: 0, z: 0} is 2"}),
    change("UnknownMaterial", "{w: 1}, material: rock", "{w: 1}, material: rok",
           {"obstacles[3].material: unknown material 'rok'"}),
};

INSTANTIATE_TEST_SUITE_P(Obstacles, WorldFault, ::testing::ValuesIn(wrong_obstacles), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Words, WorldFault, ::testing::ValuesIn(wrong_words), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Things, WorldFault, ::testing::ValuesIn(wrong_things), case_name<SceneCase>);

TEST_F(WorldFault, WhatCannotMeetNeedsNoLaw) {
  // Of steel and mud there is no law, but they are excepted; walls do not meet each other.
  const std::string text = with_change("- {between: [rocks, floor]}", "- all", world_scene);
  write_file(folder_ / "scene.yaml", with_change("[[stone1, stone2]]", "[[swamp, all], [grey, all]]", text));
  expect_exit(percuss({"check", "scene.yaml"}), 0);
}

}  // namespace
}  // namespace percuss
