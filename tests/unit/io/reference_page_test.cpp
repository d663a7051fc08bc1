#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "percuss/io/study.h"

namespace percuss {
namespace {

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(ReferencePage, IsCurrent) {
  EXPECT_EQ(read(PERCUSS_SOURCE_DIR "/docs/formats/scene.md"), scene_reference())
      << "run: build/release/bin/percuss schema --reference > docs/formats/scene.md";
}

TEST(ReferencePage, OfStudiesIsCurrent) {
  EXPECT_EQ(read(PERCUSS_SOURCE_DIR "/docs/formats/study.md"), study_reference())
      << "run: build/release/bin/percuss schema --study --reference > docs/formats/study.md";
}

TEST(Schema, OfStudiesKnowsKeysSchemesAndShortForms) {
  const auto schema = nlohmann::json::parse(study_schema());
  EXPECT_EQ(schema.at("required"), nlohmann::json::array({"study", "scene", "steps", "integrators"}));
  const auto& item = schema.at("properties").at("integrators").at("items").at("anyOf");
  EXPECT_EQ(item.at(0).at("type"), "string");
  const auto& scheme = item.at(1).at("anyOf").at(0).at("properties");
  for (const char* key : {"scheme", "label", "set", "theta"}) EXPECT_TRUE(scheme.contains(key)) << key;
}

TEST(Schema, KnowsEveryKeyOfEveryShippedScene) {
  const auto schema = nlohmann::json::parse(scene_schema());
  const auto& properties = schema.at("properties");
  for (const char* key : {"percuss", "title", "gravity", "materials", "pairs", "bodies", "springs", "forces",
                          "obstacles", "contacts", "integrator", "solver", "time", "record", "parameters"})
    EXPECT_TRUE(properties.contains(key)) << key;
  EXPECT_EQ(schema.at("required"), nlohmann::json::array({"percuss", "time"}));
  EXPECT_EQ(schema.at("additionalProperties"), false);
}

TEST(Schema, KnowsTheRangesOfNumbers) {
  const auto schema = nlohmann::json::parse(scene_schema());
  const auto& particle = schema.at("properties").at("bodies").at("items").at("anyOf").at(0).at("properties");
  EXPECT_EQ(particle.at("mass").at("anyOf").at(0),
            nlohmann::json({{"type", "number"}, {"exclusiveMinimum", 0.0}}));
  const auto& law = schema.at("properties").at("pairs").at("items").at("properties");
  EXPECT_EQ(law.at("restitution").at("anyOf").at(0),
            nlohmann::json({{"type", "number"}, {"minimum", 0.0}, {"maximum", 1.0}}));
}

TEST(Scenes, AllLoadAndHaveATitle) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PERCUSS_SOURCE_DIR "/scenes")) {
    if (entry.path().extension() != ".yaml") continue;
    const Scene scene = load_scene(entry.path().string());
    EXPECT_FALSE(scene.model.title.empty()) << entry.path();
    EXPECT_FALSE(scene.run.record.probes.empty()) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 4);
}

}  // namespace
}  // namespace percuss
