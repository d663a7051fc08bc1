#include <map>

#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "percuss/io/results_reader.h"
#include "support/process.h"

// Whatever a user gets wrong, percuss says where, what and what is allowed, and leaves old files alone.
namespace percuss {
namespace {

namespace fs = std::filesystem;
using namespace percuss::testing;

constexpr int numerical_failure = 1, bad_input = 2, bad_file = 3;

/// A scene without a fault, and with something of everything. The cases name its lines.
constexpr const char* base_scene = R"(percuss: 1
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

std::string with_change(const std::string& part, const std::string& replacement) {
  std::string text = base_scene;
  const auto at = text.find(part);
  if (at == text.npos || text.find(part, at + 1) != text.npos)
    throw std::invalid_argument("'" + part + "' does not stand once in the base scene");
  return text.replace(at, part.size(), replacement);
}

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

/// Results and checkpoint of the base scene, made once for all cases.
const std::pair<std::string, std::string>& old_results() {
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

  TemporaryDirectory folder_;
};

// ----------------------------- faults of the scene's text

/// The base scene with one part replaced, or with one override.
struct SceneCase {
  std::string name;
  std::string part, replacement;
  std::vector<std::string> messages;
  std::string set = "";
  int faults = 1;  ///< lines of the report: causes, not their consequences
};
std::ostream& operator<<(std::ostream& stream, const SceneCase& c) {
  return stream << c.replacement << c.set;
}
template <class Case>
std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

class SceneFault : public BadInputTest, public ::testing::WithParamInterface<SceneCase> {};

TEST_P(SceneFault, IsReportedAndLeavesOldResultsAlone) {
  const SceneCase& c = GetParam();
  if (!c.part.empty()) write_file(folder_ / "scene.yaml", with_change(c.part, c.replacement));
  write_file(folder_ / "words.csv", "time,force\n0,1\n1,two\n");
  write_file(folder_ / "backwards.csv", "0,1\n2,1\n1,1\n");
  const auto before = content();
  std::vector<std::string> arguments = {"run", "scene.yaml", "-o", "old.h5"};
  if (!c.set.empty()) arguments.insert(arguments.end(), {"--set", c.set});
  const ProcessResult result = percuss(arguments);
  expect_exit(result, bad_input);
  EXPECT_EQ(result.output, "");
  expect_messages(result, c.messages);
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), c.faults) << result.errors;
  expect_content(before);
}

SceneCase change(std::string name, std::string part, std::string replacement,
                 std::vector<std::string> messages, int faults = 1) {
  return {std::move(name), std::move(part), std::move(replacement), std::move(messages), "", faults};
}
SceneCase override_with(std::string name, std::string set, std::vector<std::string> messages) {
  return {std::move(name), "", "", std::move(messages), std::move(set)};
}

const std::vector<SceneCase> wrong_types = {
    change("TextForNumber", "mass: 1", "mass: heavy",
           {"scene.yaml:14:11: bodies[0].mass: 'heavy' is not a number"}),
    change("ListForNumber", "mass: 1", "mass: [1]",
           {"scene.yaml:14:11: bodies[0].mass: expected a number", "a list"}),
    change("MapForNumber", "mass: 1", "mass: {kg: 1}",
           {"scene.yaml:14:11: bodies[0].mass: expected a number", "mapping"}),
    change("NothingForNumber", "mass: 1",
           "mass:", {"scene.yaml:14:", "bodies[0].mass: expected a number, found nothing"}),
    change("UnitAfterNumber", "mass: 1", "mass: 1 kg",
           {"scene.yaml:14:11: bodies[0].mass", "unexpected 'kg'"}),
    change("MapForList", "bodies:\n", "bodies: {}\nlist:\n",
           {"scene.yaml:12:9: bodies: expected a list, found a mapping", "list: unknown key"}, 2),
    change("NumberForVector", "value: [0, 0, 1]", "value: 5",
           {"scene.yaml:29:12: forces[0].value: expected a list of three"}),
    change("ShortVector", "value: [0, 0, 1]", "value: [0, 1]",
           {"scene.yaml:29:12: forces[0].value", "found a list of 2"}),
    change("ListForText", "title: Base", "title: [Base]",
           {"scene.yaml:2:8: title: expected a text, found a list"}),
    change("ListForMap", "{body: ball, against: floor}", "[ball, floor]",
           {"scene.yaml:39:5: contacts[0]: expected a mapping"}),
    change("ListForPair", "{between: [steel, wood], restitution: 0.5}", "[steel, wood]",
           {"scene.yaml:11:5: pairs[0]: expected a mapping"}),
    change("ListForMaterials", "materials:\n  steel: {}\n  wood: {}", "materials: [steel, wood]",
           {"scene.yaml:7:12: materials: expected a mapping"}),
    change("WordForSpring", "- spring: coil", "- other\n  - spring: coil",
           {"scene.yaml:22:5: springs[0]: expected a mapping"}),
    change("WordForMap", "record:\n", "record: all\nx:\n",
           {"scene.yaml:46:9: record: expected a mapping", "x: unknown key"}, 2),
    change("FractionForInteger", "theta: 0.5", "newton_iterations: 2.5",
           {"scene.yaml:42:22: integrator.newton_iterations: 2.5 is not allowed", "a whole number"}),
    change("HugeInteger", "theta: 0.5", "newton_iterations: 1e12",
           {"scene.yaml:42:22: integrator.newton_iterations: ", "[1, 1000]"}),
    change("InvalidUtf8", "title: Base", "title: \xff\xfe", {"scene.yaml:2:", "UTF-8"}),
};

const std::vector<SceneCase> wrong_names = {
    change("UnknownKey", "title: Base", "titel: Base", {"scene.yaml:2:1: titel: unknown key", "'title'"}),
    change("UnknownKeyForParameters",
           "parameters:", "paramters:", {"scene.yaml:3:1: paramters: unknown key", "'parameters'"}),
    change("UnknownNestedKey", "theta: 0.5", "thet: 0.5",
           {"scene.yaml:42:3: integrator.thet: unknown key", "'theta'"}),
    change("UnknownKeyInFlow", "restitution: 0.5", "restituton: 0.5",
           {"scene.yaml:11:30: pairs[0].restituton", "'restitution'"}),
    change("UnknownKeyOfBody", "radius: 0.1", "radius: 0.1\n    colour: red",
           {"scene.yaml:19:5: bodies[1].colour: unknown key; known: sphere, radius, mass"}),
    change("UnknownKeyOfSpringEnd", "{point: [0, 0, 4]}", "{pont: [0, 0, 4]}",
           {"scene.yaml:24:10: springs[0].to.pont", "'point'"}),
    change("MisspeltKind", "- particle: ball", "- partcle: ball",
           {"scene.yaml:13:5: bodies[0].partcle: unknown kind", "'particle'"}),
    change("UnknownKind", "- particle: ball", "- wheel: ball",
           {"scene.yaml:13:5: bodies[0]", "one of particle, sphere"}),
    change("MisspeltBody", "{body: ball", "{body: bal",
           {"scene.yaml:39:12: contacts[0].body: unknown body 'bal'", "'ball'"}),
    change("MissingObstacle", ", against: floor", "",
           {"scene.yaml:39:5: contacts[0]: the key 'against' is missing"}),
    change("MisspeltMaterials",
           "materials:", "materils:", {"scene.yaml:7:1: materils: unknown key", "'materials'"}),
    change("UnknownMaterialWithDensity", "    mass: 2\n", "    material: stel\n",
           {"scene.yaml:19:15: bodies[1].material: unknown material 'stel'", "'steel'"}),
    change("MisspeltObstacle", "against: floor", "against: flor",
           {"scene.yaml:39:27: contacts[0].against: unknown obstacle 'flor'", "'floor'"}),
    change("MisspeltMaterial", "material: steel", "material: stel",
           {"scene.yaml:15:15: bodies[0].material: unknown material 'stel'", "'steel'"}),
    change("MisspeltMaterialOfPair", "[steel, wood]", "[steel, wod]",
           {"scene.yaml:11:23: pairs[0].between[1]: unknown material 'wod'", "'wood'"}),
    change("MisspeltSpringEnd", "from: rider", "from: ridr",
           {"scene.yaml:23:11: springs[0].from.body: unknown body 'ridr'", "'rider'"}),
    change("MisspeltBodyOfForce", "body: rider", "body: ridr",
           {"scene.yaml:28:11: forces[0].body: unknown body 'ridr'", "'rider'"}),
    change(
        "MisspeltScheme", "moreau-jean", "moreau-jaen",
        {"scene.yaml:41:11: integrator.scheme: unknown scheme 'moreau-jaen'", "did you mean 'moreau-jean'?"}),
    change("UnknownScheme", "moreau-jean", "rk4",
           {"scene.yaml:41:11: integrator.scheme: unknown scheme 'rk4'",
            "available: moreau-jean, moreau-explicit"}),
    change("MisspeltChoice", "material: steel", "material: steel\n    translations: zz",
           {"scene.yaml:16:19: bodies[0].translations: 'zz'", "xyz"}),
    change("DuplicateBody", "sphere: rider", "sphere: ball",
           {"scene.yaml:17:13: bodies[1].sphere: the name 'ball' is used twice"}),
    change("ObstacleNamedAsBody", "box: room", "box: ball",
           {"scene.yaml:34:10: obstacles[1].box: the name 'ball' is used twice"}),
    change("NameWithSpace", "box: room", "box: big room",
           {"scene.yaml:34:10: obstacles[1].box: 'big room' is not allowed"}),
    change("ReservedName", "box: room", "box: energy",
           {"scene.yaml:34:10: obstacles[1].box: 'energy' is not allowed"}),
    change("UnknownProbe", "ball.position.z", "ball.positon.z",
           {"scene.yaml:48:13: record.probes.height: 'ball.positon.z'", "'position'"}),
    change("VectorProbe", "ball.position.z", "ball.position",
           {"scene.yaml:48:13: record.probes.height", "add .x, .y or .z"}),
    change("ProbeOfUndeclaredContact", "ball.position.z", "contact(rider, floor).gap",
           {"scene.yaml:48:13: record.probes.height", "known: ball, floor"}),
    change("ProbeNamedTime", "height: ball", "time: ball",
           {"record.probes.time: 'time'", "use another name"}),
    change("ProbeNamedWithComma", "height: ball", "\"a,b\": ball",
           {"scene.yaml:48:", "record.probes", "'a,b'"}),
    change("ProbeNamedWithLineBreak", "height: ball", "\"a\\nb\": ball", {"scene.yaml:48:", "record.probes"}),
    change("ProbeWithoutName", "height: ball", "\"\": ball", {"scene.yaml:48:", "record.probes"}),
};

const std::vector<SceneCase> wrong_values = {
    change("NegativeMass", "mass: 1", "mass: -1",
           {"scene.yaml:14:11: bodies[0].mass: -1 is not allowed", "> 0"}),
    change("ZeroMass", "mass: 1", "mass: 0", {"scene.yaml:14:11: bodies[0].mass: 0 is not allowed", "> 0"}),
    change("NotANumber", "mass: 1", "mass: .nan",
           {"scene.yaml:14:11: bodies[0].mass: '.nan' is not a number: a number must be finite"}),
    change("ZeroByZero", "mass: 1", "mass: 0/0",
           {"scene.yaml:14:11: bodies[0].mass: '0/0' is not a number: its value is undefined",
            "a finite number is needed"}),
    change("Infinite", "mass: 1", "mass: .inf",
           {"scene.yaml:14:11: bodies[0].mass: '.inf' is not a number: a number must be finite"}),
    change("NegativeInfinite", "mass: 1", "mass: -.inf",
           {"scene.yaml:14:11: bodies[0].mass: '-.inf' is not a number: a number must be finite"}),
    change("InfiniteWord", "mass: 1", "mass: inf",
           {"scene.yaml:14:11: bodies[0].mass: 'inf' is not a number: a number must be finite"}),
    change("NotANumberAsForce", "value: [0, 0, 1]", "value: [0, 0, 0/0]",
           {"scene.yaml:29:19: forces[0].value[2]: '0/0' is not a number", "undefined"}),
    change("NotANumberAsInteger", "theta: 0.5", "newton_iterations: 0/0",
           {"scene.yaml:42:22: integrator.newton_iterations: '0/0' is not a number", "undefined"}),
    change("OneByZero", "mass: 1", "mass: 1/0",
           {"scene.yaml:14:11: bodies[0].mass: '1/0'", "infinite", "a finite number is needed"}),
    change("OutOfRange", "mass: 1", "mass: 1e999",
           {"scene.yaml:14:11: bodies[0].mass", "1e999 is out of range"}),
    change("NotFiniteVector", "position: [0, 0, 3]", "position: [0, 0, 1/0]",
           {"scene.yaml:20:22: bodies[1].position[2]: '1/0'", "infinite"}),
    change("NotFiniteGravity", "gravity: [0, 0, -10]", "gravity: [0, 0, -1/0]",
           {"scene.yaml:6:17: gravity[2]: '-1/0'", "infinite"}),
    change("MissingMass", "    mass: 1\n", "", {"scene.yaml:13:5: bodies[0]: the key 'mass' is missing"}),
    change("MissingMassOfSphere", "    mass: 2\n", "",
           {"scene.yaml:17:5: bodies[1].mass: sphere 'rider' has no mass", "density"}),
    change("MissingStep", "  step: 0.01\n", "", {"scene.yaml:44:3: time: the key 'step' is missing"}),
    change("MissingVersion", "percuss: 1\n", "", {"scene.yaml:1:1: the key 'percuss' is missing"}),
    change("UnknownVersion", "percuss: 1", "percuss: 2",
           {"scene.yaml:1:10: percuss: version 2 is not known", "version 1"}),
    change("NoBody", "bodies:\n", "bodies: []\nx:\n",
           {"scene.yaml:12:9: bodies: the scene has no body", "x: unknown key"}, 2),
    change("MissingPairLaw", "[steel, wood]", "[steel, steel]",
           {"pairs: no law between 'steel' (of 'ball') and 'wood' (of 'floor')", "add {between"}),
    change("PairTwice", "restitution: 0.5}", "restitution: 0.5}\n  - {between: [wood, steel]}",
           {"scene.yaml:12:15: pairs[1].between", "given twice"}),
    change("Friction", "restitution: 0.5", "friction: 0.3",
           {"scene.yaml:11:40: pairs[0].friction: 0.3 is not available", "frictionless"}),
    change("LargeRestitution", "restitution: 0.5", "restitution: 1.5",
           {"scene.yaml:11:43: pairs[0].restitution: 1.5 is not allowed", "[0, 1]"}),
    change("MissingMaterial", "    material: steel\n", "",
           {"scene.yaml:13:5: bodies[0].material: 'ball' can touch 'floor'", "needs a material"}),
    change(
        "ContactTwice", "against: floor}", "against: floor}\n  - {body: all, against: floor}",
        {"scene.yaml:40:5: contacts[1]", "declared twice", "'rider' can touch 'floor' and needs a material"},
        2),
    change("ZeroNormal", "normal: [0, 0, 1]", "normal: [0, 0, 0]",
           {"scene.yaml:32:13: obstacles[0].normal: [0, 0, 0] is not allowed"}),
    change("BoxUpsideDown", "upper: [5, 5, 5]", "upper: [5, -6, 5]",
           {"scene.yaml:36:12: obstacles[1].upper: y = -6", "y = -5"}),
    change("SpringToItself", "{point: [0, 0, 4]}", "rider",
           {"scene.yaml:24:9: springs[0].to: 'rider' is at both ends"}),
    change("SpringEndWithoutPlace", "{point: [0, 0, 4]}", "{}",
           {"scene.yaml:24:9: springs[0].to: give either `body` or `point`"}),
    change("SpringEndWithTwoPlaces", "{point: [0, 0, 4]}", "{point: [0, 0, 4], body: ball}",
           {"scene.yaml:24:9: springs[0].to: give either"}),
    change("SpringBetweenPoints", "from: rider", "from: {point: [0, 0, 1]}",
           {"springs[0].to: both ends are fixed in space"}),
    change("SpringWithoutDirection", "{point: [0, 0, 4]}", "{point: [0, 0, 3]}\n    damping: 1",
           {"scene.yaml:22:5: springs[0]", "no direction", "`axis`"}),
    change("SpringAlongZeroAxis", "    stiffness: stiffness", "    axis: [0, 0, 0]",
           {"scene.yaml:25:11: springs[0].axis: [0, 0, 0]"}),
    change("ThetaTooSmall", "theta: 0.5", "theta: 0.3",
           {"scene.yaml:42:10: integrator.theta: 0.3 is not allowed", "[0.5, 1]"}),
    change("NegativeStep", "step: 0.01", "step: -0.01",
           {"scene.yaml:45:9: time.step: -0.01 is not allowed", "> 0"}),
    change("ZeroStep", "step: 0.01", "step: 0", {"scene.yaml:45:9: time.step: 0 is not allowed", "> 0"}),
    change("ZeroDuration", "end: 1", "end: 0",
           {"scene.yaml:44:8: time.end: 0 is not allowed", "later than start = 0"}),
    change("EndBeforeStart", "end: 1", "start: 2\n  end: 1",
           {"scene.yaml:45:8: time.end: 1 is not allowed", "start = 2"}),
    change("StepLongerThanRun", "step: 0.01", "step: 2",
           {"scene.yaml:45:9: time.step: 2 is not allowed", "duration 1"}),
    change("TooManySteps", "step: 0.01", "step: 1e-15",
           {"scene.yaml:45:9: time.step: 1e-15 is not allowed", "1e+15 steps", "1e12"}),
    change("TimeStandsStill", "end: 1", "start: 1e17\n  end: 1e17 + 100", {"time.step: 0.01 is not allowed"}),
    change("NegativeRecordInterval", "record:\n", "record:\n  every: -1\n",
           {"scene.yaml:47:10: record.every: -1 is not allowed", "> 0"}),
};

const std::vector<SceneCase> wrong_formulas = {
    change("SyntaxError", "value: [0, 0, 1]", "value: [0, 0, 2 * (t +]",
           {"scene.yaml:29:19: forces[0].value[2]: '2 * (t +'", "expected a value"}),
    change("UnknownFunction", "value: [0, 0, 1]", "value: [0, 0, sinn(t)]",
           {"scene.yaml:29:19: forces[0].value[2]: 'sinn(t)'", "did you mean 'sin'?"}),
    change("WrongNumberOfArguments", "value: [0, 0, 1]", "value: [0, 0, \"atan2(t)\"]",
           {"scene.yaml:29:19: forces[0].value[2]", "atan2 takes 2 arguments, got 1"}),
    change("TimeInConstant", "mass: 1", "mass: 1 + t",
           {"scene.yaml:14:11: bodies[0].mass: '1 + t'", "must not depend on time"}),
    change("DeepParentheses", "mass: 1", "mass: " + repeated("(", 4000) + "1" + repeated(")", 4000),
           {"scene.yaml:14:11: bodies[0].mass: '((", "nested too deeply"}),
    change("NotFiniteAtStart", "value: [0, 0, 1]", "value: [0, 0, 1/t]",
           {"scene.yaml:27:3: forces", "'push' is not finite at t = 0 s"}),
    change("MissingTable", "value: [0, 0, 1]", "value: [0, 0, \"table('none.csv', t)\"]",
           {"scene.yaml:29:19: forces[0].value[2]", "none.csv", "no such file"}),
    change("MalformedTable", "value: [0, 0, 1]", "value: [0, 0, \"table('words.csv', t)\"]",
           {"scene.yaml:29:19: forces[0].value[2]", "words.csv:3: expected two finite numbers"}),
    change("UnsortedTable", "value: [0, 0, 1]", "value: [0, 0, \"table('backwards.csv', t)\"]",
           {"scene.yaml:29:19: forces[0].value[2]", "backwards.csv"}),
    change("CyclicParameters", "  height: 1\n  stiffness: 100", "  height: stiffness\n  stiffness: 2*height",
           {"scene.yaml:4:11: parameters.height", "height -> stiffness -> height"}),
    change("UnknownParameter", "  height: 1", "  height: 2*stifness",
           {"scene.yaml:4:11: parameters.height: unknown name 'stifness'", "'stiffness'"}),
    change("NotFiniteParameter", "  height: 1", "  height: 1/0",
           {"scene.yaml:4:11: parameters.height: its value is infinite"}),
    change("UndefinedParameter", "  height: 1", "  height: 0/0",
           {"scene.yaml:4:11: parameters.height: its value is undefined"}),
    change("ParameterNamedAsOperator", "  height: 1", "  height: 1\n  and: 1",
           {"scene.yaml:5:3: parameters: 'and' has a meaning of its own"}),
    change("ParameterNamedAsTime", "  height: 1", "  height: 1\n  t: 1",
           {"scene.yaml:5:3: parameters: 't' has a meaning of its own"}),
    change("TwoBadParameters", "  height: 1\n  stiffness: 100", "  height: tall\n  stiffness: soft",
           {"scene.yaml:4:11: parameters.height: unknown name 'tall'",
            "scene.yaml:5:14: parameters.stiffness: unknown name 'soft'"},
           2),
    change("NegativeCount", "- sphere: rider", "- repeat: {count: -1}\n    sphere: rider",
           {"scene.yaml:17:21: bodies[1].repeat.count: -1 is not allowed", "from 0 to 1000000"}),
    change("FractionalCount", "- sphere: rider", "- repeat: {count: 2.5}\n    sphere: rider",
           {"scene.yaml:17:21: bodies[1].repeat.count: 2.5 is not allowed"}),
    change("HugeCount", "- sphere: rider", "- repeat: {count: 1e7}\n    sphere: rider",
           {"scene.yaml:17:21: bodies[1].repeat.count: 10000000 is not allowed"}),
    change("ManyValuesFromCount", "- sphere: rider", "- repeat: {count: 1e6}\n    sphere: rider",
           {"scene.yaml:17:21: bodies[1].repeat.count", "2000000"}),
    change("WordForRepeat", "- sphere: rider", "- repeat: often\n    sphere: rider",
           {"scene.yaml:17:13: bodies[1].repeat: expected {count"}),
    change("UndefinedCount", "- sphere: rider", "- repeat: {count: 0/0}\n    sphere: rider",
           {"scene.yaml:17:21: bodies[1].repeat.count: its value is undefined"}),
    change("ListForCount", "- sphere: rider", "- repeat: {count: [3]}\n    sphere: rider",
           {"scene.yaml:17:21: bodies[1].repeat.count: expected a number, found a list"}),
    change("MissingCount", "- sphere: rider", "- repeat: {index: k}\n    sphere: rider{k}",
           {"scene.yaml:17:13: bodies[1].repeat: the key 'count' is missing"}),
    change("MisspeltCount", "- sphere: rider", "- repeat: {cuont: 3}\n    sphere: rider{i}",
           {"scene.yaml:17:14: bodies[1].repeat.cuont: unknown key", "'count'"}),
    change("IndexWithSpace", "- sphere: rider", "- repeat: {count: 1, index: a b}\n    sphere: rider",
           {"scene.yaml:17:31: bodies[1].repeat.index: 'a b' cannot be used in a formula"}),
    change("IndexNamedAsTime", "- sphere: rider", "- repeat: {count: 1, index: t}\n    sphere: rider",
           {"scene.yaml:17:31: bodies[1].repeat.index: 't' has a meaning of its own"}),
    change("ListForIndex", "- sphere: rider", "- repeat: {count: 1, index: [i]}\n    sphere: rider",
           {"scene.yaml:17:31: bodies[1].repeat.index: expected a name, found a list"}),
    change("CountAndIndexWrong", "- sphere: rider", "- repeat: {count: x, index: 3k}\n    sphere: rider",
           {"scene.yaml:17:21: bodies[1].repeat.count: unknown name 'x'",
            "scene.yaml:17:31: bodies[1].repeat.index: '3k'"},
           2),
    change("WrongInEveryCopy", "- sphere: rider",
           "- repeat: {count: 50}\n    particle: p{i}\n    mass: -1 - i\n  - sphere: rider",
           {"scene.yaml:19:11: bodies[1].mass: -1 is not allowed"}),
    change("UnknownIndex", "- sphere: rider", "- repeat: {count: 1, index: i}\n    sphere: rider{j}",
           {"scene.yaml:18:13: bodies[1].sphere: unknown name 'j'"}),
};

const std::vector<SceneCase> wrong_yaml = {
    change("DuplicateKey", "mass: 2", "mass: 2\n    mass: 3",
           {"scene.yaml:20:5: the key 'mass' stands twice"}),
    change("CyclicAlias", "position: [0, 0, 3]", "position: &p [0, *p, 3]",
           {"scene.yaml:20:22: an alias refers to something that contains it"}),
    change("UnknownAlias", "position: [0, 0, 3]", "position: *p",
           {"scene.yaml:20:15: this is not valid YAML", "anchor"}),
    change("Tab", "    mass: 2", "\tmass: 2", {"scene.yaml:19:1: this is not valid YAML", "tab"}),
    change("UnclosedList", "gravity: [0, 0, -10]", "gravity: [0, 0, -10",
           {"scene.yaml:6:10: this is not valid YAML: the bracket '[' is not closed"}),
    change("UnclosedMap", "against: floor}", "against: floor",
           {"scene.yaml:39:5: this is not valid YAML: the bracket '{' is not closed"}),
    change("UnclosedListInMap", "[steel, wood]", "[steel, wood",
           {"scene.yaml:11:15: this is not valid YAML: the bracket '[' is not closed"}),
    change("UnclosedListAtTheEnd", "ball.position.z", "[ball.position.z",
           {"scene.yaml:48:13: this is not valid YAML: the bracket '[' is not closed"}),
    change("BracketsThatAreText", "title: Base", "title: 'a [' # {\nnote: |\n  b [\n  c {\n{d: [1}: 2",
           {"scene.yaml:6:5: this is not valid YAML: the bracket '[' is not closed"}),
    change("BadIndentation", "    mass: 2", "     mass: 2", {"scene.yaml:", "this is not valid YAML"}),
    change("TwoDocuments", "bodies:\n", "---\nbodies:\n", {"scene.yaml:12:", "a second document begins"}),
    change("ListAsKey", "title: Base", "[a, b]: Base", {"scene.yaml:2:1: a key must be a single word"}),
};

const std::vector<SceneCase> wrong_overrides = {
    override_with("SetWithoutEquals", "time.step", {"--set time.step: expected path=value"}),
    override_with("SetWithoutPath", "=5", {"--set =5: expected path=value"}),
    override_with("SetUnknownKey", "time.stp=5", {"--set time.stp=5: time.stp: unknown key", "'step'"}),
    override_with("SetUnknownParameter", "parameters.hight=2",
                  {"--set parameters.hight=2", "parameters.hight", "'height'"}),
    override_with("SetIndexOutOfRange", "bodies[7].mass=1",
                  {"--set bodies[7].mass=1: bodies[7]: there is no item 7; the list has 2"}),
    override_with("SetUnknownItem", "bodies[bal].mass=1",
                  {"--set bodies[bal].mass=1: bodies[bal]: there is no item named 'bal'", "'ball'"}),
    override_with("SetKeyOfList", "bodies.ball.mass=1",
                  {"--set bodies.ball.mass=1: bodies.ball: cannot set a key in a list"}),
    override_with("SetUnclosedBracket", "bodies[0=1", {"--set bodies[0=1: expected path=value"}),
    override_with("SetWord", "time.step=small",
                  {"--set time.step=small: time.step: 'small' is not a number"}),
    override_with("SetNothing", "time.step=", {"--set time.step=: time.step"}),
    override_with("SetWordForTime", "time=5", {"--set time=5: time: expected a mapping"}),
    override_with("SetWordForBodies", "bodies=5", {"--set bodies=5: bodies: expected a list"}),
    override_with("SetUnclosedList", "gravity=[0, 0",
                  {"--set gravity=[0, 0: gravity: this is not valid YAML: the bracket '[' is not closed"}),
    override_with("SetLongWord", "time.step=" + repeated("a", 1000),
                  {"--set time.step=" + repeated("a", 47) + "...: time.step: '" + repeated("a", 57) +
                   "...' is not a number: unknown name '" + repeated("a", 57) + "...'\n"}),
    override_with("SetLongPath", repeated("a", 1000) + "=1",
                  {"--set " + repeated("a", 57) + "...: " + repeated("a", 57) + "...: unknown key"}),
    override_with("SetNegative", "bodies[rider].mass=-2",
                  {"--set bodies[rider].mass=-2: bodies[1].mass: -2 is not allowed"}),
};

INSTANTIATE_TEST_SUITE_P(Types, SceneFault, ::testing::ValuesIn(wrong_types), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Names, SceneFault, ::testing::ValuesIn(wrong_names), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Values, SceneFault, ::testing::ValuesIn(wrong_values), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Formulas, SceneFault, ::testing::ValuesIn(wrong_formulas), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Yaml, SceneFault, ::testing::ValuesIn(wrong_yaml), case_name<SceneCase>);
INSTANTIATE_TEST_SUITE_P(Overrides, SceneFault, ::testing::ValuesIn(wrong_overrides), case_name<SceneCase>);

TEST_F(BadInputTest, ReportsAllFaultsOfASceneInOneGo) {
  std::string text = with_change("mass: 1", "mass: -1");
  text.replace(text.find("moreau-jean"), 11, "moreau-jaen");
  text.replace(text.find("against: floor"), 14, "against: flor");
  write_file(folder_ / "scene.yaml", text);
  const ProcessResult result = percuss({"run", "scene.yaml"});
  expect_exit(result, bad_input);
  expect_messages(result,
                  {"scene.yaml:14:11: bodies[0].mass: -1", "scene.yaml:41:11: integrator.scheme: unknown",
                   "scene.yaml:39:27: contacts[0].against: unknown"});
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 3) << result.errors;
  const ProcessResult check = percuss({"check", "scene.yaml"});
  expect_exit(check, bad_input);
  EXPECT_EQ(check.errors, result.errors);
}

// ----------------------------- files and the command line

using Preparation = std::function<void(const fs::path& folder)>;
void nothing(const fs::path&) {}

/// What is done to the folder before, what is run in it, and what that says.
struct CommandCase {
  std::string name;
  std::vector<std::string> arguments;
  int exit_code;
  std::vector<std::string> messages;
  Preparation prepare = nothing;
};
std::ostream& operator<<(std::ostream& stream, const CommandCase& c) {
  for (const auto& word : c.arguments) stream << word << ' ';
  return stream;
}

CommandCase command(std::string name, std::vector<std::string> arguments, int exit_code,
                    std::vector<std::string> messages, Preparation prepare = nothing) {
  return {std::move(name), std::move(arguments), exit_code, std::move(messages), std::move(prepare)};
}

class CommandFault : public BadInputTest, public ::testing::WithParamInterface<CommandCase> {};

TEST_P(CommandFault, IsReportedAndLeavesTheFolderAlone) {
  const CommandCase& c = GetParam();
  c.prepare(folder_.path());
  if (IsSkipped()) return;
  const auto before = content();
  const ProcessResult result = percuss(c.arguments);
  expect_exit(result, c.exit_code);
  expect_messages(result, c.messages);
  expect_content(before);
}

auto file(const std::string& name, const std::string& bytes) {
  return [=](const fs::path& folder) { write_file(folder / name, bytes); };
}
auto directory(const std::string& name) {
  return [=](const fs::path& folder) { fs::create_directory(folder / name); };
}
auto truncated(const std::string& name, double fraction) {
  return [=](const fs::path& folder) {
    const auto size = static_cast<double>(fs::file_size(folder / name));
    fs::resize_file(folder / name, static_cast<std::uintmax_t>(size * fraction));
  };
}
auto removed(const std::string& name) {
  return [=](const fs::path& folder) { fs::remove(folder / name); };
}
/// A file that cannot be opened like one; its name must survive.
void make_socket(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.string().size() >= sizeof address.sun_path) GTEST_SKIP() << "the folder's name is too long";
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(socket);
}
void make_unreadable(const fs::path& path) {
  fs::permissions(path, fs::perms::none);
  if (::access(path.c_str(), R_OK) == 0) GTEST_SKIP() << "this user can read everything";
}

const std::vector<std::string> run_old = {"run", "scene.yaml", "-o", "old.h5"};

const std::vector<CommandCase> scene_files = {
    command("EmptyFile", run_old, bad_input, {"scene.yaml:1:1: there is nothing in it"},
            file("scene.yaml", "")),
    command("OnlyComments", run_old, bad_input, {"scene.yaml:1:1: there is nothing in it"},
            file("scene.yaml", "# a\n# b\n")),
    command("OnlyText", run_old, bad_input, {"scene.yaml:1:1: expected a scene"},
            file("scene.yaml", "hello\n")),
    command("BinaryFile", run_old, bad_input, {"scene.yaml:2:1: the byte 0x00"},
            file("scene.yaml", std::string("percuss: 1\n\0\1\2", 14))),
    command("ResultsAsScene", {"run", "old.h5", "-o", "new.h5"}, bad_input, {"old.h5:", "is this a scene?"}),
    command("SparseFileOf100Megabytes", run_old, bad_input,
            {"scene.yaml: the file has 104857600 bytes", "16777216"},
            [](const fs::path& folder) { fs::resize_file(folder / "scene.yaml", 100 << 20); }),
    command("TextOf17Megabytes", run_old, bad_input, {"scene.yaml: the file has 17000000 bytes", "16777216"},
            [](const fs::path& folder) {
              write_file(folder / "scene.yaml", repeated("# sixteen chars\n", 1062500));
            }),
    command("EndlessFile", {"run", "/dev/zero", "-o", "old.h5"}, bad_input,
            {"/dev/zero: more than 16777216 bytes"}),
    command("DeepNesting", run_old, bad_input, {"scene.yaml:1:72: nested more than 64 levels deep"},
            file("scene.yaml", "bodies: " + repeated("[", 10000) + repeated("]", 10000))),
    command("DeepNestingOfBlocks", run_old, bad_input, {"scene.yaml:1:", "nested more than 64 levels deep"},
            file("scene.yaml", repeated("- ", 10000))),
    command("DeepNestingWithoutEnd", run_old, bad_input, {"scene.yaml:1:"},
            file("scene.yaml", repeated("[", 10000))),
    command("ManyAliases", run_old, bad_input, {"scene.yaml:", "more than 2000000 values"},
            [](const fs::path& folder) {
              std::string text = "a0: &a0 [1]\n";
              for (int i = 1; i < 12; ++i) {
                const std::string name = "a" + std::to_string(i), alias = "*a" + std::to_string(i - 1);
                text += name + ": &" + name + " [" + repeated(alias + ", ", 8) + alias + "]\n";
              }
              write_file(folder / "scene.yaml", text);
            }),
    command("MissingScene", {"run", "none.yaml", "-o", "old.h5"}, bad_file,
            {"cannot read none.yaml: there is no such file"}),
    command("DirectoryAsScene", {"run", ".", "-o", "old.h5"}, bad_file, {"cannot read .: it is a directory"}),
    command("UnreadableScene", run_old, bad_file, {"cannot read scene.yaml: Permission denied"},
            [](const fs::path& folder) { make_unreadable(folder / "scene.yaml"); }),
};

const std::vector<CommandCase> output_files = {
    command("FolderOfOutputMissing", {"run", "scene.yaml", "-o", "none/new.h5"}, bad_file,
            {"cannot write none/new.h5: No such file"}),
    command("FolderOfOutputIsFile", {"run", "scene.yaml", "-o", "scene.yaml/new.h5"}, bad_file,
            {"cannot write scene.yaml/new.h5: Not a directory"}),
    command("OutputIsOtherFile", {"run", "scene.yaml", "-o", "letter.txt"}, bad_file,
            {"cannot write letter.txt: the file exists and holds no percuss results", "-o"},
            file("letter.txt", "Dear Sir")),
    command("OutputIsTheScene", {"run", "scene.yaml", "-o", "scene.yaml"}, bad_file,
            {"cannot write scene.yaml: the file exists"}),
    command("OutputIsDamaged", run_old, bad_file, {"cannot write old.h5"}, truncated("old.h5", 0.5)),
    command("OutputIsDirectory", {"run", "scene.yaml", "-o", "here"}, bad_file,
            {"cannot write here: it is a directory"}, directory("here")),
    command("OutputIsSocket", {"run", "scene.yaml", "-o", "here"}, bad_file, {"cannot write here"},
            [](const fs::path& folder) { make_socket(folder / "here"); }),
    command("NameOfOutputTooLong", {"run", "scene.yaml", "-o", repeated("long", 100)}, bad_file,
            {"cannot write longlong", "File name too long"}),
    command("CheckpointIsDirectory", {"run", "scene.yaml", "-o", "new.h5"}, bad_file,
            {"cannot write new.h5.checkpoint: Is a directory"}, directory("new.h5.checkpoint")),
    command("UnwritableFolder", {"run", "scene.yaml", "-o", "here/new.h5"}, bad_file,
            {"cannot write here/new.h5: Permission denied"},
            [](const fs::path& folder) {
              fs::create_directory(folder / "here");
              make_unreadable(folder / "here");
            }),
    command("FolderOfCsvMissing", {"export", "old.h5", "--csv", "none/a.csv"}, bad_file,
            {"cannot write none/a.csv: No such file"}),
    command("CsvIsDirectory", {"export", "old.h5", "--csv", "here"}, bad_file,
            {"cannot write here: Is a directory"}, directory("here")),
    command("CsvIsSocket", {"export", "old.h5", "--csv", "here"}, bad_file, {"cannot write here"},
            [](const fs::path& folder) { make_socket(folder / "here"); }),
    command("FolderOfPictureMissing", {"plot", "old.h5", "-o", "none/a.png"}, bad_file,
            {"cannot write none/a.png: there is no such folder"}),
    command("PictureIsDirectory", {"plot", "old.h5", "-o", "here.png"}, bad_file,
            {"cannot write here.png: Is a directory"}, directory("here.png")),
    command("PictureIsSocket", {"plot", "old.h5", "-o", "here.png"}, bad_file, {"cannot write here.png"},
            [](const fs::path& folder) { make_socket(folder / "here.png"); }),
    command("ExampleExists", {"examples", "bouncing_ball"}, bad_file,
            {"cannot write bouncing_ball.yaml: it is already here"}, file("bouncing_ball.yaml", "mine")),
};

/// Each command that reads results, on each thing that is none.
std::vector<CommandCase> results_files() {
  const std::vector<CommandCase> reading = {{"Info", {"info"}, 0, {}},
                                            {"Plot", {"plot", "-o", "a.png"}, 0, {}},
                                            {"Export", {"export", "--csv", "a.csv"}, 0, {}}};
  const std::vector<CommandCase> damages = {
      {"OnMissingFile", {}, 0, {"old.h5: No such file"}, removed("old.h5")},
      {"OnText", {}, 0, {"old.h5: it is not an HDF5 file"}, file("old.h5", "some words\n")},
      {"OnEmptyFile", {}, 0, {"old.h5: it is empty"}, file("old.h5", "")},
      {"OnDirectory",
       {},
       0,
       {"old.h5: Is a directory"},
       [](const fs::path& folder) {
         fs::remove(folder / "old.h5"), fs::create_directory(folder / "old.h5");
       }},
      {"OnSignatureOnly", {}, 0, {"old.h5: the file is damaged"}, file("old.h5", "\x89HDF\r\n\x1a\n")},
      {"OnTruncatedFile", {}, 0, {"old.h5: the file is damaged"}, truncated("old.h5", 0.5)},
      {"OnSlightlyTruncatedFile", {}, 0, {"old.h5: the file is damaged"}, truncated("old.h5", 0.999)}};
  std::vector<CommandCase> cases;
  for (const auto& command : reading)
    for (const auto& damage : damages) {
      auto arguments = command.arguments;
      arguments.insert(arguments.begin() + 1, "old.h5");
      cases.push_back({command.name + damage.name, arguments, bad_file, damage.messages, damage.prepare});
    }
  return cases;
}

const std::vector<CommandCase> command_lines = {
    command("NoCommand", {}, bad_input, {"say what to do: run, check", "--help"}),
    command("UnknownCommand", {"frobnicate"}, bad_input, {"frobnicate", "--help"}),
    command("UnknownOption", {"run", "scene.yaml", "--fast"}, bad_input, {"--fast", "--help"}),
    command("NoScene", {"run"}, bad_input, {"scene is required", "--help"}),
    command("TwoScenes", {"run", "scene.yaml", "scene.yaml"}, bad_input, {"scene.yaml", "--help"}),
    command("NothingToExport", {"export", "old.h5"}, bad_input, {"--csv FILE or --impacts FILE"}),
    command("ColumnsWithoutCsv", {"export", "old.h5", "--column", "time"}, bad_input, {"--csv"}),
    command("UnknownColumnToExport", {"export", "old.h5", "--csv", "a.csv", "--column", "hight"}, bad_input,
            {"old.h5 has no column 'hight'", "'height'"}),
    command("UnknownColumnToPlot", {"plot", "old.h5", "hight", "-o", "a.png"}, bad_input,
            {"old.h5 has no column 'hight'", "'height'"}),
    command("StrangeColumnToPlot", {"plot", "old.h5", "zzzzzz", "-o", "a.png"}, bad_input,
            {"no column 'zzzzzz'; it has height, time, energy"}),
    command("PictureAsPdf", {"plot", "old.h5", "-o", "a.pdf"}, bad_input, {"a.pdf", ".png or .svg"}),
    command("NothingToPlot", {"plot", "old.h5", "--from", "7", "-o", "a.png"}, bad_input,
            {"0 frames", "at least 2"}),
    command("WordForTime", {"plot", "old.h5", "--from", "soon", "-o", "a.png"}, bad_input,
            {"--from", "soon"}),
    command("UnknownExample", {"examples", "bouncing_bal"}, bad_input,
            {"no example 'bouncing_bal'", "'bouncing_ball'"}),
};

const std::vector<std::string> resume_old = {"run", "scene.yaml", "-o", "old.h5", "--resume"};
std::vector<std::string> resume_with(const std::string& set) {
  return {"run", "scene.yaml", "-o", "old.h5", "--resume", "--set", set};
}

const std::vector<CommandCase> resuming = {
    command("ResumeNothing", {"run", "scene.yaml", "-o", "new.h5", "--resume"}, bad_file,
            {"cannot resume new.h5: there is no such file, so there is nothing to resume",
             "run without --resume"}),
    command("ResumeBeforeFirstResults", {"run", "scene.yaml", "-o", "new.h5", "--resume"}, bad_file,
            {"cannot resume new.h5", "nothing to resume; run without --resume"},
            file("new.h5.part", "half a file")),
    command("ResumeWithoutCheckpoint", resume_old, bad_file,
            {"old.h5.checkpoint: No such file", "no checkpoint to resume from; run without --resume"},
            removed("old.h5.checkpoint")),
    command("ResumeWithoutResults", resume_old, bad_file, {"cannot read old.h5: No such file"},
            removed("old.h5")),
    command("ResumeTruncatedCheckpoint", resume_old, bad_file,
            {"old.h5.checkpoint: the checkpoint is damaged", "run without --resume"},
            truncated("old.h5.checkpoint", 0.5)),
    command("ResumeEmptyCheckpoint", resume_old, bad_file,
            {"old.h5.checkpoint: it is not a percuss checkpoint"}, file("old.h5.checkpoint", "")),
    command("ResumeForeignCheckpoint", resume_old, bad_file,
            {"old.h5.checkpoint: it is not a percuss checkpoint"},
            file("old.h5.checkpoint", repeated("text ", 100))),
    command("ResumeWithFlippedBit", resume_old, bad_file,
            {"old.h5.checkpoint: the checkpoint is damaged", "checksum"},
            [](const fs::path& folder) {
              std::string bytes = read_file(folder / "old.h5.checkpoint");
              bytes[bytes.size() / 2] ^= 1;
              write_file(folder / "old.h5.checkpoint", bytes);
            }),
    command("ResumeTruncatedResults", resume_old, bad_file, {"old.h5"}, truncated("old.h5", 0.5)),
    command("ResumeChangedScene", resume_old, bad_input,
            {"cannot resume old.h5: the scene has changed", "mass: 1.0", "mass: 3"},
            file("scene.yaml", with_change("mass: 1\n", "mass: 3\n"))),
    command("ResumeWithOtherStep", resume_with("time.step=0.02"), bad_input,
            {"cannot resume old.h5: the scene has changed", "step: 0.02"}),
    command("ResumeToEarlierEnd", resume_with("time.end=0.5"), bad_input, {"old.h5", "0.5"}),
};

INSTANTIATE_TEST_SUITE_P(Scenes, CommandFault, ::testing::ValuesIn(scene_files), case_name<CommandCase>);
INSTANTIATE_TEST_SUITE_P(Outputs, CommandFault, ::testing::ValuesIn(output_files), case_name<CommandCase>);
INSTANTIATE_TEST_SUITE_P(Results, CommandFault, ::testing::ValuesIn(results_files()), case_name<CommandCase>);
INSTANTIATE_TEST_SUITE_P(Lines, CommandFault, ::testing::ValuesIn(command_lines), case_name<CommandCase>);
INSTANTIATE_TEST_SUITE_P(Resume, CommandFault, ::testing::ValuesIn(resuming), case_name<CommandCase>);

// ----------------------------- disks that fill

class FullDisk : public BadInputTest {
 protected:
  static std::vector<std::string> run_to(const std::string& path, bool resume = false) {
    std::vector<std::string> arguments = {"run", "scene.yaml", "-q", "-o", path, "--set", "time.step=1e-3"};
    if (resume) arguments.push_back("--resume");
    return arguments;
  }
  /// `info` reads what the run left, and the run can be continued as if nothing had been.
  void expect_resumable(const std::string& path) const {
    const ProcessResult info = percuss({"info", path});
    expect_exit(info, 0);
    EXPECT_TRUE(contains(info.output, "running or killed")) << info.output;
    expect_exit(percuss(run_to(path, true)), 0);
    expect_exit(percuss(run_to("whole.h5")), 0);
    const ResultsReader resumed((folder_ / path).string()), whole((folder_ / "whole.h5").string());
    for (const auto& name : whole.columns()) EXPECT_EQ(resumed.column(name), whole.column(name)) << name;
  }
};

TEST_F(FullDisk, EndsTheRunWithAMessageAndAGoodFile) {
  // The limit is met while the file is made, at its first frames, and at the end of the run.
  for (const long limit : {0L, 1000L, 5000L, 20'000L, 45'000L, 60'000L, 100'000L, 150'000L}) {
    SCOPED_TRACE(limit);
    SetUp();
    const auto before = content();
    ProcessOptions options;
    options.directory = folder_.path();
    options.file_size_limit = limit;
    const ProcessResult result = run_percuss(run_to("old.h5"), options);
    expect_exit(result, bad_file);
    expect_messages(result, {"cannot write old.h5", "File too large"});
    if (read_file(folder_ / "old.h5") == before.at("old.h5"))
      expect_content(before);
    else
      expect_resumable("old.h5");
    fs::remove(folder_ / "whole.h5");
    fs::remove(folder_ / "whole.h5.checkpoint");
  }
}

/// A file system of this size in memory, if the user may mount one.
class SmallDisk {
 public:
  SmallDisk(std::string path, const char* size) : path_(std::move(path)) {
    fs::create_directory(path_);
    is_mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", MS_NODEV | MS_NOSUID | MS_NOEXEC, size) == 0;
  }
  ~SmallDisk() {
    if (is_mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool is_mounted() const { return is_mounted_; }

 private:
  std::string path_;
  bool is_mounted_ = false;
};

TEST_F(FullDisk, OfASmallFileSystem) {
  for (const char* size : {"size=8k", "size=64k", "size=128k"}) {
    SCOPED_TRACE(size);
    const SmallDisk disk((folder_ / "disk").string(), size);
    if (!disk.is_mounted()) GTEST_SKIP() << "this user cannot mount";
    const ProcessResult result = percuss(run_to("disk/new.h5"));
    expect_exit(result, bad_file);
    expect_messages(result, {"cannot write disk/new.h5", "No space left on device"});
    EXPECT_FALSE(fs::exists(folder_ / "disk/new.h5.part"));
    if (fs::exists(folder_ / "disk/new.h5")) expect_exit(percuss({"info", "disk/new.h5"}), 0);
  }
}

TEST_F(FullDisk, LeavesNoHalfTableOrPicture) {
  const auto before = content();
  const std::vector<std::vector<std::string>> commands = {{"export", "old.h5", "--csv", "a.csv"},
                                                          {"plot", "old.h5", "-o", "a.png"},
                                                          {"examples", "bouncing_ball"}};
  for (const auto& command : commands) {
    SCOPED_TRACE(command[0]);
    ProcessOptions options;
    options.directory = folder_.path();
    options.file_size_limit = 100;
    const ProcessResult result = run_percuss(command, options);
    expect_exit(result, bad_file);
    expect_messages(result, {"cannot write " + (command.size() > 3 ? command[3] : "bouncing_ball.yaml")});
    expect_content(before);
  }
}

TEST_F(FullDisk, UnderTheStandardOutput) {
  const std::vector<std::vector<std::string>> commands = {{"--help"},
                                                          {"info", "old.h5"},
                                                          {"info", "old.h5", "--json"},
                                                          {"check", "scene.yaml"},
                                                          {"check", "scene.yaml", "--print"},
                                                          {"export", "old.h5", "--csv", "-"},
                                                          {"examples"},
                                                          {"schema"}};
  for (const auto& command : commands) {
    SCOPED_TRACE(command[0] + " " + command.back());
    ProcessOptions options;
    options.directory = folder_.path();
    options.output_file = "/dev/full";
    const ProcessResult result = run_percuss(command, options);
    expect_exit(result, bad_file);
    expect_messages(result, {"No space left on device"});
  }
}

// ----------------------------- numerical failures

struct FailureCase {
  std::string name;
  std::vector<std::string> sets;
  double last_time;  ///< of the frames that are kept; negative if it is not known
  std::vector<std::string> messages;
};
std::ostream& operator<<(std::ostream& stream, const FailureCase& c) { return stream << c.sets[0]; }

class NumericalFailure : public BadInputTest, public ::testing::WithParamInterface<FailureCase> {};

TEST_P(NumericalFailure, KeepsWhatWasComputed) {
  const FailureCase& c = GetParam();
  std::vector<std::string> arguments = {"run", "scene.yaml", "-o", "new.h5", "--set", "time.step=0.0625"};
  for (const auto& set : c.sets) arguments.insert(arguments.end(), {"--set", set});
  const ProcessResult result = percuss(arguments);
  expect_exit(result, numerical_failure);
  expect_messages(result, c.messages);

  const ProcessResult info = percuss({"info", "new.h5"});
  expect_exit(info, 0);
  EXPECT_TRUE(contains(info.output, "failed")) << info.output;
  EXPECT_TRUE(contains(info.output, c.messages[0])) << info.output;
  const ResultsReader results((folder_ / "new.h5").string());
  EXPECT_EQ(results.run().status, RunStatus::failed);
  const auto times = results.column("time");
  ASSERT_FALSE(times.empty());
  if (c.last_time >= 0) {
    EXPECT_EQ(times.back(), c.last_time);
  }
  for (const char* name : {"ball.position.z", "ball.velocity.z", "rider.position.z", "rider.velocity.z"})
    for (const double value : results.column(name)) ASSERT_TRUE(std::isfinite(value)) << name;
}

const std::vector<FailureCase> failures = {
    // Moreau-Jean evaluates the forces in the middle of the step from 0.25 to 0.3125.
    {"PoleInTheMiddleOfAStep",
     {"forces[push].value=[0, 0, 1/(0.28125 - t)]"},
     0.25,
     {"force 'push' is not finite at t = 0.28125 s", "step 5 from t = 0.25 s"}},
    {"LogarithmOfNothing",
     {"forces[push].value=[0, 0, log(0.5 - t)]"},
     0.5,
     {"force 'push' is not finite at t = 0.5 s", "component z", "step 9 "}},
    {"RootOfNegative",
     {"forces[push].value=[sqrt(0.5 - t), 0, 0]"},
     0.5,
     {"force 'push' is not finite", "component x"}},
    {"ExplicitSchemeBlowsUp",
     {"integrator.scheme=moreau-explicit", "parameters.stiffness=1e9", "time.end=1000"},
     -1,
     {"no longer a finite number", "'rider'", "smaller time.step"}},
    {"OverflowingMass",
     {"bodies[ball].mass=1e308"},
     0,
     {"numbers overflow, because the mass of 'ball' is 1e+308 kg", "step 1 from t = 0 s"}},
    {"OverflowingPosition",
     {"bodies[rider].position=[0, 0, 1e200]"},
     0,
     {"numbers overflow, because the position of 'rider' is 1e+200 m", "use values below 1e+100"}},
    {"OverflowingStiffness",
     {"parameters.stiffness=1e308"},
     0,
     {"numbers overflow, because the stiffness of 'coil' is 1e+308 N/m"}},
    {"OverflowingForce",
     {"forces[push].value=[0, 0, -1e308]"},
     0,
     {"numbers overflow, because the force 'push' is 1e+308 N"}},
};
INSTANTIATE_TEST_SUITE_P(Cases, NumericalFailure, ::testing::ValuesIn(failures), case_name<FailureCase>);

}  // namespace
}  // namespace percuss
