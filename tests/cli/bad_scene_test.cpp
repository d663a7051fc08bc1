#include "cli/bad_input.h"

// Whatever is wrong in a scene or an override, percuss says where, what and what is allowed.
namespace percuss {
namespace {

using namespace percuss::testing;

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
           {"scene.yaml:39:27: contacts[0].against: unknown obstacle or body 'flor'", "'floor'"}),
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
           {"scene.yaml:29:19: forces[0].value[2]: force 'push' is not finite at t = 0 s"}),
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

}  // namespace
}  // namespace percuss
