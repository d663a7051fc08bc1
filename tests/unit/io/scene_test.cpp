#include "percuss/io/scene.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace percuss {
namespace {

const std::string head = R"(percuss: 1
gravity: [0, 0, -10]
materials: {steel: {density: 7800}, floor: {}}
pairs:
  - {between: [steel, floor], restitution: 0.5}
obstacles:
  - half_space: ground
    material: floor
time: {end: 1, step: 1e-3}
)";
const std::string ball = R"(bodies:
  - particle: ball
    mass: 2
    material: steel
    position: [0, 0, 1]
contacts:
  - {body: ball, against: ground}
)";

Scene parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_scene(text, "test.yaml", overrides);
}
std::vector<std::string> faults(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse(text, overrides);
  } catch (const SceneError& e) {
    return e.faults();
  }
  return {};
}
std::string only_fault(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const auto list = faults(text, overrides);
  EXPECT_EQ(list.size(), 1u);
  return list.empty() ? "" : list[0];
}

TEST(Scene, ReadsWhatItIsTold) {
  const Scene scene = parse(head + ball);
  ASSERT_EQ(scene.model.bodies.size(), 1u);
  const auto& body = std::get<Particle>(scene.model.bodies[0]);
  EXPECT_EQ(body.name, "ball");
  EXPECT_EQ(body.mass, 2);
  EXPECT_EQ(body.position, Vector3(0, 0, 1));
  EXPECT_EQ(scene.model.materials[0].second.density, 7800);
  EXPECT_EQ(scheme_name(scene.run.integrator), "moreau-jean");
}

TEST(Scene, JsonIsAcceptedToo) {
  const Scene scene =
      parse(R"({"percuss": 1, "bodies": [{"particle": "a", "mass": 1}], "time": {"end": 1, "step": 0.1}})");
  EXPECT_EQ(scene.model.bodies.size(), 1u);
}

TEST(Scene, ParametersMayStandInAnyOrderAndInEveryNumber) {
  const Scene scene =
      parse(head + "parameters: {a: b*2, b: 1 + c, c: 3}\n" +
            "bodies:\n  - particle: p\n    mass: a^2\n    position: [sin(90*deg), -a, b/c]\n");
  const auto& body = std::get<Particle>(scene.model.bodies[0]);
  EXPECT_EQ(body.mass, 64);
  EXPECT_DOUBLE_EQ(body.position[0], 1);
  EXPECT_EQ(body.position[1], -8);
  EXPECT_EQ(body.position[2], 4.0 / 3.0);
}

TEST(Scene, RepeatMakesCopiesWithNames) {
  const Scene scene = parse(head + R"(parameters: {n: 3}
bodies:
  - repeat: {count: n, index: k}
    particle: mass{k}
    mass: 1 + k
  - particle: last
    mass: 9
springs:
  - repeat: {count: n - 1, index: k}
    spring: link{k}
    from: mass{k}
    to: mass{k+1}
    stiffness: 10*(k + 1)
    axis: [1, 0, 0]
forces:
  - repeat: {count: 2, index: k}
    force: push{k}
    body: mass{k}
    value: [k*sin(t), 0, 0]
)");
  ASSERT_EQ(scene.model.bodies.size(), 4u);
  EXPECT_EQ(name_of(scene.model.bodies[2]), "mass2");
  EXPECT_EQ(std::get<Particle>(scene.model.bodies[2]).mass, 3);
  EXPECT_EQ(std::get<Spring>(scene.model.springs[1]).to.body, "mass2");
  EXPECT_EQ(std::get<Spring>(scene.model.springs[1]).stiffness, 20);
  EXPECT_DOUBLE_EQ(std::get<AppliedForce>(scene.model.forces[1]).value[0].value(0.5), std::sin(0.5));
}

TEST(Scene, OverridesReachEverything) {
  const Scene scene = parse(head + "parameters: {m: 1}\n" + ball,
                            {"time.step=1e-4", "bodies[ball].mass=7", "pairs[0].restitution=m/4",
                             "parameters.m=2", "record.every=0.01", "bodies[0].velocity=[1, 2, m]"});
  EXPECT_EQ(scene.run.time.step, 1e-4);
  EXPECT_EQ(std::get<Particle>(scene.model.bodies[0]).mass, 7);
  EXPECT_EQ(std::get<Particle>(scene.model.bodies[0]).velocity, Vector3(1, 2, 2));
  EXPECT_EQ(scene.model.pairs[0].restitution.value, 0.5);
  EXPECT_EQ(scene.run.record.every, 0.01);
}

TEST(Scene, NullTakesAKeyAway) {
  const std::string text = head + ball + "record: {every: 0.1}\n";
  EXPECT_EQ(parse(text).run.record.every, 0.1);
  EXPECT_FALSE(parse(text, {"record.every=null"}).run.record.every);
  EXPECT_EQ(std::get<Particle>(parse(text, {"bodies[ball].position=~"}).model.bodies[0]).position,
            Vector3(0, 0, 0));
  const auto says = [&](const char* set, const char* part) {
    const std::string fault = only_fault(text, {set});
    EXPECT_NE(fault.find(part), std::string::npos) << fault;
  };
  says("record.evry=null", "record.evry: the scene has no such key");
  says("recrd.every=null", "recrd.every: the scene has no such key");
  says("time.step.size=null", "time.step.size: the scene has no such key");
  says("bodies[0]=null", "an item of a list cannot be taken away");
  says("bodies[bell].mass=null", "no item named 'bell'");
  says("bodies[ball].mass=null", "mass");
  says("record.every=", "record.every");
}

TEST(Scene, LoadsTimeFunctionsAndTables) {
  const auto folder = std::filesystem::temp_directory_path() / "percuss_scene_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "push.csv") << "time, force\n0, 0\n1, 10\n2, 10\n";
  const Scene scene = parse_scene(head + ball +
                                      "forces:\n  - force: push\n    body: ball\n    value: "
                                      "[\"table('push.csv', t)\", 0, \"if(t < 0.1, 0, 2*t)\"]\n",
                                  "test.yaml", {}, folder.string());
  EXPECT_DOUBLE_EQ(std::get<AppliedForce>(scene.model.forces[0]).value[0].value(0.25), 2.5);
  EXPECT_DOUBLE_EQ(std::get<AppliedForce>(scene.model.forces[0]).value[0].jet(0.25).first, 10);
  EXPECT_DOUBLE_EQ(std::get<AppliedForce>(scene.model.forces[0]).value[2].value(0.05), 0);
  EXPECT_DOUBLE_EQ(std::get<AppliedForce>(scene.model.forces[0]).value[2].value(0.2), 0.4);
  std::filesystem::remove_all(folder);
}

TEST(Scene, TheResolvedTextLoadsToTheSameScene) {
  const std::string text = head + ball + R"yaml(springs:
  - spring: s
    from: ball
    to: {point: [0, 0, 3]}
    stiffness: 12.5
    damping: 1/3
forces:
  - force: push
    body: ball
    value: [3*sin(2*pi*t), 0, "if(t < 0.5, 1, 0)"]
integrator: {scheme: moreau-jean, theta: 0.7, activation: start-gap}
record: {every: 0.01, probes: {z: ball.position.z}}
)yaml";
  const Scene first = parse(text);
  const std::string resolved = resolved_text(first);
  const Scene second = parse(resolved);
  EXPECT_EQ(resolved, resolved_text(second));
  Simulation a(first.model, first.run), b(second.model, second.run);
  for (Simulation* each : {&a, &b}) {
    ASSERT_EQ(each->advance_to(1).status, SolveStatus::converged);
    ASSERT_EQ(each->time(), 1);
  }
  EXPECT_EQ(a.state().q, b.state().q);
}

TEST(Scene, FaultsNamePlacePathValueAndWhatIsAllowed) {
  EXPECT_EQ(only_fault(head + "bodies:\n  - particle: a\n    mass: 1\n  - particle: b\n    mass: 1\n  - "
                              "particle: c\n    mass: -1\n"),
            "test.yaml:16:11: bodies[2].mass: -1 is not allowed; mass must be > 0");
  EXPECT_EQ(only_fault(head + ball, {"bodies[0].mas=1"}),
            "--set bodies[0].mas=1: bodies[0].mas: unknown key; did you mean 'mass'?");
}

TEST(Scene, AllFaultsAreReportedAtOnce) {
  const auto list = faults(head + R"(bodies:
  - particle: a
    mass: zero
    masss: 2
  - sphere: b
    radius: 0
    material: stel
springs:
  - spring: s
    from: a
    to: c
    stiffness: -5
)");
  const std::string all = [&] {
    std::string text;
    for (const auto& line : list) text += line + "\n";
    return text;
  }();
  EXPECT_EQ(list.size(), 6u) << all;
  for (const char* part : {"12:11: bodies[0].mass: 'zero' is not a number",
                           "13:5: bodies[0].masss: unknown key; did you mean 'mass'?",
                           "15:13: bodies[1].radius: 0 is not allowed; radius must be > 0",
                           "16:15: bodies[1].material: unknown material 'stel'; did you mean 'steel'?",
                           "springs[0].to.body: unknown body 'c'",
                           "21:16: springs[0].stiffness: -5 is not allowed; stiffness must be >= 0"})
    EXPECT_NE(all.find(part), std::string::npos) << part << "\nin\n" << all;
}

TEST(Scene, TheConsequencesOfAFaultAreNotReported) {
  const std::string reference =
      "contacts:\n  - {body: b, against: ground}\nsprings:\n  - {spring: s, from: b, "
      "to: {point: [0, 0, 9]}, stiffness: 1}\n";
  // Each leaves no body named b.
  for (const std::string bodies :
       {"bodies: 5\n", "bodies:\n  - 5\n", "bodies:\n  - particel: b\n    mass: 1\n",
        "bodies:\n  - particle: [b]\n    mass: 1\n", "bodies:\n  - particle: b c\n    mass: 1\n",
        "bodies:\n  - repeat: {count: -1}\n    particle: b\n    mass: 1\n",
        "bodies:\n  - {particle: a, mass: 1}\n  - {particle: a, mass: 1}\n", "bodies: []\n"}) {
    SCOPED_TRACE(bodies);
    EXPECT_NE(only_fault(head + bodies + reference).find(": bodies"), std::string::npos);
  }
  const std::string wrong_repeat = "bodies:\n  - repeat: {count: -1}\n    particle: b\n    mass: 1\n";
  for (const std::string set : {"bodies[b].mass=1", "bodies[0].mass=1", "bodies[3].mass=1", "bodies[0]=1"})
    EXPECT_NE(only_fault(head + wrong_repeat, {set}).find("repeat.count"), std::string::npos) << set;
}

TEST(Scene, OtherFaultsBesidesAWrongNameAreReported) {
  const auto list = faults(head + "bodies:\n  - {particle: a, mass: 1}\n  - {particle: a, mass: -1}\n" +
                           "contacts:\n  - {body: b, against: grond}\n");
  ASSERT_EQ(list.size(), 3u);
  EXPECT_NE(list[0].find("bodies[1].mass: -1"), std::string::npos);
  EXPECT_NE(list[1].find("bodies[1].particle: the name 'a' is used twice"), std::string::npos);
  EXPECT_NE(list[2].find("contacts[0].against: unknown obstacle or body 'grond'"), std::string::npos);
}

TEST(Scene, AFormulaWithACommaAndWithoutQuotesIsExplained) {
  const auto fault =
      only_fault(head + ball + "forces:\n  - {force: f, body: ball, value: [0, 0, max(t, 1)]}\n");
  EXPECT_NE(fault.find("found a list of 4 (a formula with a comma needs quotes"), std::string::npos) << fault;
}

TEST(Scene, AMissingPairLawSaysWhichLineToAdd) {
  const auto fault = only_fault(
      "percuss: 1\nmaterials: {a: {}, b: {}}\nbodies:\n  - {particle: p, mass: 1, material: a}\n"
      "obstacles:\n  - {half_space: f, material: b}\ncontacts:\n  - {body: p, against: f}\n"
      "time: {end: 1, step: 0.1}\n");
  EXPECT_NE(
      fault.find("no law between 'a' (of 'p') and 'b' (of 'f'); add {between: [a, b], restitution: ...}"),
      std::string::npos)
      << fault;
}

TEST(Scene, ChangingTheSchemeDropsItsOptionsAndSaysSo) {
  const Scene scene =
      parse(head + ball + "integrator: {scheme: moreau-jean, theta: 0.8, activation: start-gap}\n",
            {"integrator.scheme=moreau-explicit"});
  ASSERT_EQ(scene.notes.size(), 1u);
  EXPECT_EQ(
      scene.notes[0],
      "integrator.scheme=moreau-explicit drops the options of the scene's own scheme: theta, activation");
  EXPECT_EQ(std::get<MoreauExplicitOptions>(scene.run.integrator).activation, Activation::half_step_gap);
}

TEST(Scene, OverridesInAnyOrderSurviveAChangeOfScheme) {
  const Scene scene = parse(head + ball + "integrator: {scheme: moreau-jean, theta: 0.8}\n",
                            {"integrator.activation=start-gap", "integrator.scheme=moreau-explicit"});
  EXPECT_EQ(std::get<MoreauExplicitOptions>(scene.run.integrator).activation, Activation::start_gap);
}

TEST(Scene, OverlapAtTheStartIsReportedByNameAndDepth) {
  const Scene scene = parse(head + ball, {"bodies[ball].position=[0, 0, -0.25]"});
  const auto overlaps = Simulation(scene.model, scene.run).start_warnings();
  ASSERT_EQ(overlaps.size(), 1u);
  EXPECT_EQ(overlaps[0], "'ball' overlaps 'ground' by 0.25 m at the start");
}

TEST(Scene, AliasesAreCopiedAndBombsAreRefused) {
  const Scene scene = parse(head +
                            "bodies:\n  - {particle: a, mass: 1, position: &p [1, 2, 3]}\n  - {particle: b, "
                            "mass: 1, position: *p}\n");
  EXPECT_EQ(std::get<Particle>(scene.model.bodies[1]).position, Vector3(1, 2, 3));
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string previous = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += previous + (k < 9 ? ", " : "]\n");
  }
  EXPECT_NE(only_fault(bomb).find("more than 2000000 values"), std::string::npos);
}

TEST(Scene, LongChainsOfParametersAreEvaluated) {
  constexpr int links = 20000;
  std::string text = head + "parameters:\n";
  for (int i = 0; i < links; ++i) text += fmt::format("  p{}: p{} + 1\n", i, i + 1);
  text += fmt::format("  p{}: 1\nbodies: [{{particle: a, mass: p0}}]\n", links);
  EXPECT_EQ(std::get<Particle>(parse(text).model.bodies[0]).mass, links + 1);
}

TEST(Scene, LongCyclesOfParametersAreNamedByTheirEnds) {
  constexpr int links = 3000;
  std::string text = head + "bodies: [{particle: a, mass: p0}]\nparameters:\n";
  for (int i = 0; i < links; ++i) text += fmt::format("  p{}: p{} + 1\n", i, (i + 1) % links);
  EXPECT_EQ(
      only_fault(text),
      "test.yaml:12:7: parameters.p0: the value depends on itself: p0 -> p1 -> p2 -> p3 -> p4 -> p5 -> p6 -> "
      "p7 -> (2985 more) -> p2993 -> p2994 -> p2995 -> p2996 -> p2997 -> p2998 -> p2999 -> p0");
}

TEST(Scene, CyclesBehindAParameterAndTwoInOneFormula) {
  EXPECT_EQ(only_fault(head + "parameters: {a: b + c, b: c, c: b, d: 1}\n"),
            "test.yaml:10:27: parameters.b: the value depends on itself: b -> c -> b");
  const auto both = faults(head + "parameters: {a: b + c, b: a, c: a}\n");
  ASSERT_EQ(both.size(), 1u);
  EXPECT_NE(both[0].find("parameters.a: the value depends on itself: a -> b -> a"), std::string::npos);
}

TEST(Scene, OfVeryManyFaultsTheFirstAreListed) {
  std::string text = head + ball;
  for (int i = 0; i < 3000; ++i) text += fmt::format("key{}: 1\n", i);
  const auto list = faults(text);
  ASSERT_EQ(list.size(), 1001u);
  EXPECT_EQ(list.back(), "test.yaml: and 2000 more faults");
}

TEST(Scene, RepetitionCountsValuesAtEveryDepth) {
  const std::string text =
      head + "bodies:\n  - {repeat: {count: 300000}, particle: a, x: [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]}\n";
  EXPECT_EQ(only_fault(text),
            "test.yaml:11:22: bodies[0].repeat.count: more than 3000000 values by repetition");
}

TEST(Scene, NumbersThatWouldOverflowOrVanishAreRefused) {
  const auto says = [](const std::string& set, const std::string& part) {
    const auto list = faults(head + ball, {set});
    ASSERT_FALSE(list.empty()) << set;
    EXPECT_NE(list[0].find(part), std::string::npos) << list[0];
  };
  says("bodies[0].mass=1e-300",
       "bodies[0].mass: 1e-300 is not allowed; mass must lie between 1e-50 and 1e+50");
  says("bodies[0].mass=1e300",
       "bodies[0].mass: 1e+300 is not allowed; mass must lie between 1e-50 and 1e+50");
  says("bodies[0].position=[0, 1e300, 0]", "the components of position must be at most 1e+50 in size");
  EXPECT_THROW(load_scene(PERCUSS_SOURCE_DIR "/scenes/rotor.yaml", {"bodies[0].from=[0, 1e300, 0]"}),
               SceneError);
}

TEST(Scene, ShapesThinnerThanTheirRoundingAreRefused) {
  const auto says = [](const std::string& body, const std::string& part) {
    const std::string fault = only_fault(head + "bodies:\n  - " + body + "\n");
    EXPECT_NE(fault.find(part), std::string::npos) << fault;
  };
  says("{rigid: a, material: steel, shape: {box: [1, 1, 1e-14]}}",
       "bodies[0].shape.box: 1e-14 m is too thin");
  says("{planar: a, material: steel, shape: {rectangle: [1, 1e-14]}}",
       "bodies[0].shape.rectangle: 1e-14 m is too thin");
}

TEST(Scene, MeshesTooFarFromTheOriginAreRefused) {
  const auto says = [](const std::string& body, const std::string& part) {
    const std::string elastic = "materials: {a: {density: 1000, young: 1e9}}\n";
    const std::string fault =
        only_fault("percuss: 1\ntime: {end: 1, step: 1}\n" + elastic + "bodies:\n  - " + body);
    EXPECT_NE(fault.find(part), std::string::npos) << fault;
  };
  const std::string shaft = "elements: 4, material: a, section: {circle: 0.1}}\n";
  says(
      "{solid: s, material: a, mesh: {box: {corner: [1e20, 0, 0], size: [1, 1, 1], divisions: [2, 2, 2]}}}\n",
      "bodies[0].mesh.box.corner: nodes 0.25 m apart cannot be told from each other at [1e+20, 0, 0]");
  says("{shaft: s, from: [1e30, 0, 0], to: [1e30, 1, 0], " + shaft, "bodies[0].to: nodes 0.25 m apart");
  says("{shaft: s, from: [0, 0, 0], to: [1, 0, 0], stations: [0.3, 0.30000000000000004], " + shaft,
       "bodies[0].to: nodes 5.55e-17 m apart");
  says("{shaft: s, from: [0, 1e300, 0], to: [1, 0, 0], " + shaft,
       "bodies[0].from: [0, 1e+300, 0] is not allowed");
}

}  // namespace
}  // namespace percuss
