#include <fmt/format.h>
#include <gtest/gtest.h>

#include "percuss/io/place_finder.h"
#include "percuss/io/preprocess.h"
#include "percuss/io/scene.h"

namespace percuss {
namespace {

const std::string row = R"(percuss: 1
time: {end: 1, step: 1e-3}
bodies:
  - repeat: {count: 1000, index: k}
    particle: ball{k}
    mass: 1 + k
    position: [k, 0, 0]
)";

SourceNode expanded(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Faults faults("test.yaml");
  std::vector<std::string> notes;
  SourceNode root = parse_source(text);
  expand_repeats(root, Environment("."), faults);
  apply_overrides(root, overrides, false, faults, notes);
  EXPECT_TRUE(faults.empty());
  return root;
}

std::string first_fault(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_scene(text, "test.yaml", overrides);
  } catch (const SceneError& e) {
    return e.faults().front();
  }
  return "";
}

TEST(Repeat, CopiesShareTheirContent) {
  const SourceNode root = expanded(row);
  const auto& items = root.find("bodies")->items;
  ASSERT_EQ(items.size(), 1000u);
  for (const SourceNode& item : items) EXPECT_EQ(&item.content(), &items[0].content());
}

TEST(Repeat, AnOverrideChangesOneCopy) {
  const std::vector<std::string> set = {"bodies[7].mass=100*k", "bodies[7].velocity=[0, k, 0]"};
  const SourceNode root = expanded(row, set);
  const auto& items = root.find("bodies")->items;
  EXPECT_NE(&items[7].content(), &items[8].content());
  EXPECT_EQ(&items[6].content(), &items[8].content());

  const Scene scene = parse_scene(row, "test.yaml", set);
  const auto& seventh = std::get<Particle>(scene.model.bodies[7]);
  EXPECT_EQ(seventh.name, "ball7");
  EXPECT_EQ(seventh.mass, 700);
  EXPECT_EQ(seventh.position, Vector3(7, 0, 0));
  EXPECT_EQ(seventh.velocity, Vector3(0, 7, 0));
  EXPECT_EQ(std::get<Particle>(scene.model.bodies[8]).mass, 9);
}

TEST(Repeat, TheIndexIsUnknownOutside) {
  EXPECT_NE(first_fault(row + "  - {particle: last, mass: k}\n").find("unknown name 'k'"), std::string::npos);
}

TEST(Repeat, FaultsOfACopyPointToWhatIsRepeated) {
  EXPECT_EQ(first_fault(row + "    material: gold\n").substr(0, 41),
            "test.yaml:8:15: bodies[0].material: unkno");
  EXPECT_EQ(first_fault(row, {"bodies[3].mass=-1"}).substr(0, 42),
            "--set bodies[3].mass=-1: bodies[3].mass: -");
}

TEST(PlaceFinder, FindsTheNearestPlaceAround) {
  const SourceNode root = parse_source(row);
  const PlaceFinder places(root);
  const auto place = [&](std::string_view path) {
    const Location where = places.find(path);
    return fmt::format("{}:{}", where.line, where.column);
  };
  EXPECT_EQ(place("time.step"), "2:22");
  EXPECT_EQ(place("bodies[0].position[2]"), "7:22");
  EXPECT_EQ(place("bodies[0].position[3]"), "7:15");
  EXPECT_EQ(place("bodies[0].velocity[1]"), "4:5");
  EXPECT_EQ(place("bodies[9].mass"), "4:3");
  EXPECT_EQ(place("springs[0]"), "1:1");
  EXPECT_EQ(place(""), "1:1");
}

TEST(PlaceFinder, KnowsKeysWithDotsAndLargeMaps) {
  std::string text = "probes:\n  first: 0\n  first.position: 0\n  a.b[1].c: 0\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("  p{}.x: 0\n", i);
  const SourceNode root = parse_source(text);
  const PlaceFinder places(root);
  EXPECT_EQ(places.find("probes.first").line, 2);
  EXPECT_EQ(places.find("probes.first.position").line, 3);
  EXPECT_EQ(places.find("probes.first.velocity").line, 2);
  EXPECT_EQ(places.find("probes.a.b[1].c").line, 4);
  EXPECT_EQ(places.find("probes.p99.x").line, 104);
}

}  // namespace
}  // namespace percuss
