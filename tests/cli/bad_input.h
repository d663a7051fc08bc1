#pragma once

#include <algorithm>
#include <map>

#include "support/process.h"

// What the tests of wrong input share: a scene to spoil and a folder to leave alone.
namespace percuss::testing {

namespace fs = std::filesystem;

inline constexpr int numerical_failure = 1, bad_input = 2, bad_file = 3;

/// A scene without a fault, and with something of everything. The cases name its lines.
inline constexpr const char* base_scene = R"(percuss: 1
title: Base
parameters:
  height: 1
  stiffness: 100
gravity: [0, 0, -10]
materials:
  steel: {}
  wood: {}
pairs:
  - {between: [steel, wood], restitution: 0.5}
bodies:
  - particle: ball
    mass: 1
    material: steel
    position: [0, 0, height]
  - sphere: rider
    radius: 0.1
    mass: 2
    position: [0, 0, 3]
springs:
  - spring: coil
    from: rider
    to: {point: [0, 0, 4]}
    stiffness: stiffness
forces:
  - force: push
    body: rider
    value: [0, 0, 1]
obstacles:
  - half_space: floor
    normal: [0, 0, 1]
    material: wood
  - box: room
    lower: [-5, -5, -5]
    upper: [5, 5, 5]
    material: wood
contacts:
  - {body: ball, against: floor}
integrator:
  scheme: moreau-jean
  theta: 0.5
time:
  end: 1
  step: 0.01
record:
  probes:
    height: ball.position.z
)";

inline std::string with_change(const std::string& part, const std::string& replacement,
                               std::string text = base_scene) {
  const auto at = text.find(part);
  if (at == text.npos || text.find(part, at + 1) != text.npos)
    throw std::invalid_argument("'" + part + "' does not stand once in the scene");
  return text.replace(at, part.size(), replacement);
}

inline std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

/// Results and checkpoint of the base scene, made once for all cases.
inline const std::pair<std::string, std::string>& old_results() {
  static const auto results = [] {
    const TemporaryDirectory folder;
    write_file(folder / "scene.yaml", base_scene);
    expect_exit(run_percuss_in(folder, {"run", "scene.yaml", "-q", "-o", "old.h5"}), 0);
    return std::pair(read_file(folder / "old.h5"), read_file(folder / "old.h5.checkpoint"));
  }();
  return results;
}

/// A folder in which a user has run the base scene before.
class BadInputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file(folder_ / "scene.yaml", base_scene);
    write_file(folder_ / "old.h5", old_results().first);
    write_file(folder_ / "old.h5.checkpoint", old_results().second);
  }

  ProcessResult percuss(const std::vector<std::string>& arguments) const {
    return run_percuss_in(folder_, arguments);
  }
  static void expect_messages(const ProcessResult& result, const std::vector<std::string>& messages) {
    for (const auto& message : messages)
      EXPECT_TRUE(contains(result.errors, message)) << "no '" << message << "' in:\n" << result.errors;
    EXPECT_TRUE(result.errors.ends_with('\n')) << "the message does not end its line";
  }

  /// Everything in the folder by name; of what is large only the size.
  std::map<std::string, std::string> content() const {
    std::map<std::string, std::string> content;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      auto& text = content[entry.path().lexically_relative(folder_.path()).string()];
      if (!entry.is_regular_file())
        text = "type " + std::to_string(static_cast<int>(entry.status().type()));
      else if (entry.file_size() > 1 << 20)
        text = std::to_string(entry.file_size()) + " bytes";
      else
        text = read_file(entry.path());
    }
    return content;
  }
  void expect_content(const std::map<std::string, std::string>& before) const {
    const auto after = content();
    for (const auto& [name, text] : after) EXPECT_TRUE(before.contains(name)) << name << " was left behind";
    for (const auto& [name, text] : before) {
      ASSERT_TRUE(after.contains(name)) << name << " was removed";
      EXPECT_TRUE(after.at(name) == text) << name << " was changed";
    }
  }

  /// The command is refused with these messages, on as many lines as there are faults, and changes nothing.
  void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& messages,
                      int faults = 1) const {
    const auto before = content();
    const ProcessResult result = percuss(arguments);
    expect_exit(result, bad_input);
    EXPECT_EQ(result.output, "");
    expect_messages(result, messages);
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), faults) << result.errors;
    expect_content(before);
  }

  TemporaryDirectory folder_;
};

/// A scene with one part replaced, or with one override.
struct SceneCase {
  std::string name;
  std::string part, replacement;
  std::vector<std::string> messages;
  std::string set = "";
  int faults = 1;  ///< lines of the report: causes, not their consequences
};
inline std::ostream& operator<<(std::ostream& stream, const SceneCase& c) {
  return stream << c.replacement << c.set;
}
inline SceneCase change(std::string name, std::string part, std::string replacement,
                        std::vector<std::string> messages, int faults = 1) {
  return {std::move(name), std::move(part), std::move(replacement), std::move(messages), "", faults};
}
inline SceneCase override_with(std::string name, std::string set, std::vector<std::string> messages) {
  return {std::move(name), "", "", std::move(messages), std::move(set)};
}

/// Name of a test from the `name` of its case.
template <class Case>
std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

}  // namespace percuss::testing
