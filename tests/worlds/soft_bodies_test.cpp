// Flexible bodies that find others, and are found: what they carry, keep and touch.
#include <cmath>
#include <random>
#include <set>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/contacts/found_contacts.h"
#include "percuss/dynamics/forces.h"
#include "worlds/supports.h"
#include "worlds/world_scene.h"

namespace percuss {
namespace {

const std::vector<std::string> soft_schemes = {"moreau-jean", "generalized-alpha", "hht",
                                               "half-explicit-velocity"};

/// A world of rubber and stone.
struct SoftScene {
  std::vector<std::string> bodies, obstacles;
  std::string gravity = "[0, 0, -9.81]", contacts = "all", scheme = "moreau-jean";
  double friction = 0.5, restitution = 0, step = 1e-3, end = 0.6;

  std::string text() const {
    std::string text = fmt::format(
        "percuss: 1\ngravity: {}\nmaterials: {{stone: {{density: 2000}}, rubber: {{density: 1000, young: "
        "3e4, "
        "poisson: 0.3}}}}\npairs:\n",
        gravity);
    for (const char* between : {"[rubber, stone]", "[rubber, rubber]", "[stone, stone]"})
      text +=
          fmt::format("  - {{between: {}, friction: {}, restitution: {}}}\n", between, friction, restitution);
    text += "bodies:\n";
    for (const std::string& body : bodies) text += "  - " + body + "\n";
    text += obstacles.empty() ? "obstacles: []\n" : "obstacles:\n";
    for (const std::string& obstacle : obstacles) text += "  - " + obstacle + "\n";
    return text + fmt::format("contacts: {}\nintegrator: {{scheme: {}}}\ntime: {{end: {}, step: {}}}\n",
                              contacts, scheme, end, step);
  }
  Simulation simulation() const { return std::move(parse_simulation(text(), "soft.yaml").simulation); }
  Simulation run() const {
    Simulation simulation = this->simulation();
    const StepReport report = simulation.advance_to(1e9);
    EXPECT_EQ(report.status, SolveStatus::converged) << simulation.why_it_failed(report);
    return simulation;
  }
};

std::string triple(const Vector3& v) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z());
}

/// Damping per mass slows all that moves, so that it comes to rest.
std::string soft(const std::string& name, const Vector3& corner, const Vector3& size, int cells,
                 const std::string& more = "damping: {mass: 60, stiffness: 1e-3}",
                 const std::string& formulation = "small-strain") {
  return fmt::format(
      "{{solid: {}, material: rubber, formulation: {}, mesh: {{box: {{corner: {}, size: {}, divisions: [{}, "
      "{}, "
      "{}]}}}}{}{}}}",
      name, formulation, triple(corner), triple(size), cells, cells, cells, more.empty() ? "" : ", ", more);
}

const std::string floor_at_zero = "{half_space: floor, material: stone}";

TEST(SoftBodies, RestOnEverySupportWithTheirWeight) {
  struct Support {
    std::string name;
    std::vector<std::string> bodies, obstacles;
  };
  const std::vector<Support> supports = {
      {"floor", {}, {floor_at_zero}},
      {"table",
       {},
       {"{obstacle: table, shape: {box: [1, 1, 0.2]}, position: [0, 0, -0.1], material: stone}"}},
      {"slope",
       {},
       {"{obstacle: slope, shape: {mesh: {vertices: [[-1, -1, 0], [1, -1, 0], [0.2, 0.3, 0], [1, 1, 0], [-1, "
        "1, "
        "0], [0, 0, -1]], triangles: [[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, "
        "3, "
        "5], [0, 4, 5]]}}, material: stone}"}},
      {"slab",
       {"{rigid: slab, material: stone, shape: {box: [0.3, 0.3, 0.1]}, position: [0.01, 0, -0.05]}"},
       {"{half_space: floor, point: [0, 0, -0.1], material: stone}"}},
      {"pad",
       {soft("pad", {-0.07, -0.06, -0.05}, {0.15, 0.13, 0.05}, 2,
             "held: {z_min: xyz}, damping: {mass: 60, stiffness: 1e-3}")},
       {"{half_space: floor, point: [0, 0, -0.05], material: stone}"}}};
  for (const std::string& scheme : soft_schemes)
    for (const Support& support : supports) {
      // Its reactions at rest are not the weights of deformable bodies by 1e-3, also where they are declared.
      if (scheme == "generalized-alpha") continue;
      SCOPED_TRACE(scheme + " on " + support.name);
      SoftScene scene{.bodies = support.bodies, .obstacles = support.obstacles, .scheme = scheme, .end = 0.8};
      scene.bodies.push_back(soft("cube", {-0.05, -0.05, 1e-4}, {0.1, 0.1, 0.1}, 2));
      const Simulation s = scene.run();
      const double weight = 9.81;
      EXPECT_NEAR(testing::pair_force(s, "cube", support.name, "force.z"), weight, 1e-6 * weight);
      EXPECT_NEAR(testing::pair_force(s, "cube", support.name, "force.x"), 0, 1e-6 * weight);
    }
}

/// Shapes of stone that rest on a soft block.
TEST(SoftBodies, CarryWhatRestsOnThem) {
  const std::vector<std::pair<std::string, double>> shapes = {
      {"{box: [0.05, 0.06, 0.04]}", 0.02},
      {"{sphere: 0.03}", 0.03},
      {"{cylinder: {radius: 0.04, length: 0.04}}", 0.02},
      {"{mesh: {vertices: [[0.04, 0, -0.02], [-0.03, 0.03, -0.02], [-0.03, -0.03, -0.02], [0, 0, 0.06]], "
       "triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]}}",
       0.02}};
  for (const auto& [shape, height] : shapes) {
    SCOPED_TRACE(shape);
    const SoftScene scene{
        .bodies = {soft("pad", {-0.075, -0.065, 0}, {0.15, 0.13, 0.05}, 3),
                   fmt::format("{{rigid: thing, material: stone, shape: {}, position: [0, 0, {}]}}", shape,
                               0.0501 + height)},
        .obstacles = {floor_at_zero},
        .end = 1};
    const Simulation s = scene.run();
    const double weight = 9.81 * s.assembly().system.bodies[static_cast<size_t>(s.body("thing").index)].mass;
    EXPECT_NEAR(testing::pair_force(s, "thing", "pad", "force.z"), weight, 1e-3 * weight);
    EXPECT_NEAR(testing::pair_force(s, "floor", "pad", "force.z"), -weight - 9.81 * 0.975, 1e-3 * weight);
  }
}

/// What is found is what is declared one by one.
TEST(SoftBodies, FindWhatCouldBeDeclared) {
  const std::string cube =
      soft("cube", {-0.03, -0.04, 0.01}, {0.05, 0.06, 0.05}, 2, "angular_velocity: [3, 2, 1]", "neo-hooke");
  const std::string plate = soft("plate", {-0.2, -0.2, -0.1}, {0.4, 0.4, 0.1}, 1, "held: {z_min: xyz}");
  struct Case {
    std::vector<std::string> bodies, obstacles;
    std::string declared;
  };
  const std::vector<Case> cases = {
      {{cube}, {floor_at_zero}, "[{body: cube, against: floor}]"},
      {{cube, plate}, {}, "[{body: cube, against: plate}]"},
      {{cube, "{rigid: cube2, material: stone, shape: {sphere: 0.03}, position: [0, 0, 0.1]}"},
       {floor_at_zero},
       "[{body: cube, against: floor}, {body: cube2, against: cube}, {body: cube2, against: floor}, {nodes: "
       "cube.all, against: cube2}]"}};
  for (const std::string& scheme : soft_schemes)
    for (size_t k = 0; k < 2; ++k) {
      SCOPED_TRACE(fmt::format("{} {}", scheme, k));
      SoftScene scene{.bodies = cases[k].bodies,
                      .obstacles = cases[k].obstacles,
                      .scheme = scheme,
                      .restitution = 0.3,
                      .step = 5e-4,
                      .end = 0.1};
      const Simulation found = scene.run();
      scene.contacts = cases[k].declared;
      const Simulation declared = scene.run();
      EXPECT_LT((found.state().q - declared.state().q).lpNorm<Eigen::Infinity>(), 1e-10);
      EXPECT_GT(found.statistics().impacts, 2);
    }
}

Vector3 momentum_of_nodes(const Simulation& s) {
  const System& system = s.assembly().system;
  Kinematics kinematics = make_kinematics(system);
  update(system, s.state().q, s.state().v, s.time(), kinematics);
  VectorX p = VectorX::Zero(system.dof_count());
  multiply_mass(system, s.state().q, s.state().v, kinematics, p);
  Vector3 sum = Vector3::Zero();
  for (const BodyData& body : system.bodies)
    for (size_t axis = 0; axis < 3; ++axis)
      if (body.dof[axis] >= 0) sum[static_cast<Eigen::Index>(axis)] += p[body.dof[axis]];
  return sum;
}

/// Newton's third law between surfaces of facets, and no energy from nothing.
TEST(SoftBodies, KeepMomentumWhereTheyHitEachOther) {
  for (const std::string& scheme : soft_schemes) {
    SCOPED_TRACE(scheme);
    const SoftScene scene{
        .bodies = {soft("left", {-0.11, 0, 0}, {0.1, 0.1, 0.1}, 2, "velocity: [0.5, 0.05, 0]", "neo-hooke"),
                   soft("right", {0.01, 0.02, 0.03}, {0.1, 0.1, 0.1}, 3, "velocity: [-0.4, 0, 0.02]",
                        "neo-hooke")},
        .obstacles = {},
        .gravity = "[0, 0, 0]",
        .scheme = scheme,
        .step = 5e-4,
        .end = 0.15};
    Simulation s = scene.simulation();
    const Vector3 before = momentum_of_nodes(s);
    double touched = 0;
    while (!s.finished()) {
      const StepReport report = s.step();
      ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
      touched = std::max(touched, testing::pair_force(s, "left", "right", "closed"));
      ASSERT_LT((momentum_of_nodes(s) - before).norm(), 1e-10) << s.time();
    }
    EXPECT_GT(touched, 3);
    EXPECT_LT(s.energy().total(), s.energy().initial * (1 + 1e-9));
  }
}

/// A strip in the plane that hangs over a peg: its ends swing down and hit each other. Found and declared
/// contacts with itself are the same.
TEST(SoftBodies, TouchThemselvesOnlyIfTheyAreNamedTwice) {
  SoftScene scene{
      .bodies =
          {"{solid: strip, material: rubber, formulation: neo-hooke, thickness: 0.1, damping: {stiffness: "
           "1e-2}, mesh: {box: {corner: [-0.5, 0, 0], size: [1, 0.03, 0], divisions: [20, 1, 1], cells: "
           "quad4}}, points: {a: [0, 0, 0], b: [0, 0.03, 0]}, held: {a: xyz, b: xyz}}"},
      .obstacles = {},
      .gravity = "[0, -9.81, 0]",
      .friction = 0.3,
      .end = 0.6};
  const auto distance_of_ends = [](const Simulation& s) {
    return s.probe("strip.x_max.position.x") - s.probe("strip.x_min.position.x");
  };
  const Simulation alone = scene.run();
  EXPECT_EQ(alone.statistics().impacts, 0);
  scene.contacts = "[{between: [strip, strip]}]";
  const Simulation found = scene.run();
  scene.contacts = "[{body: strip, against: strip}]";
  const Simulation declared = scene.run();
  EXPECT_GT(found.statistics().impacts, 0);
  EXPECT_LT((found.state().q - declared.state().q).lpNorm<Eigen::Infinity>(), 1e-10);
  EXPECT_GT(distance_of_ends(found), 0.03);
  EXPECT_LT(distance_of_ends(alone), 0);
}

/// Everything that a beam or a soft block can meet: the rows of H are the derivatives of the gaps.
TEST(SoftBodies, NormalsAreGradientsOfGaps) {
  const SoftScene scene{
      .bodies =
          {soft("block", {-0.05, -0.05, 0}, {0.1, 0.1, 0.1}, 2, "", "neo-hooke"),
           "{beam: rod, material: rubber, section: {circle: 0.01}, from: [-0.3, 0.02, 0.113], to: [0.4, "
           "-0.02, 0.12], elements: 3}",
           "{beam: tube, material: rubber, section: {tube: [0.012, 0.01]}, from: [0.2, -0.3, 0.145], to: "
           "[0.21, 0.3, 0.136], elements: 3}",
           "{rigid: ball, material: stone, shape: {sphere: 0.03}, position: [-0.17, 0.005, 0.16]}",
           "{rigid: brick, material: stone, shape: {box: [0.06, 0.07, 0.05]}, position: [0.05, 0.083, "
           "0.122], orientation: {axis: [0, 0, 1], angle: 0.3}}",
           "{rigid: roll, material: stone, shape: {cylinder: {radius: 0.03, length: 0.2}}, position: [0.3, "
           "0.01, 0.156], orientation: {axis: [1, 0.2, 0.1], angle: 1.5}}",
           "{rigid: egg, material: stone, shape: {ellipsoid: [0.03, 0.04, 0.02]}, position: [0.12, 0.01, "
           "0.15]}"},
      .obstacles = {"{half_space: floor, point: [0, 0, -0.002], material: stone}"},
      .contacts = "all"};
  const Simulation s = scene.simulation();
  const Assembly& assembly = s.assembly();
  const System& system = assembly.system;
  const VectorX q = s.state().q, at_rest = VectorX::Zero(system.dof_count());
  Kinematics kinematics = make_kinematics(system);
  update(system, q, at_rest, 0, kinematics);
  ContactList list;
  list.version = 1;
  ThingSearch search(assembly);
  const VectorX fast = VectorX::Constant(system.dof_count(), 0.01);  // so that the step reaches far
  Kinematics predicted = make_kinematics(system);
  update(system, q, fast, 0, predicted);
  search.find(assembly, predicted, 1, list);
  const auto at = [&](double by, const VectorX& d) {
    VectorX moved = q;
    retract(system, by * d, moved);
    update(system, moved, at_rest, 0, kinematics);
    ContactKinematics contacts = make_contact_kinematics(assembly.interactions, list);
    evaluate_contacts(assembly, list, moved, kinematics, contacts);
    return contacts;
  };
  std::mt19937 random(1);
  std::normal_distribution<double> any;
  std::set<std::pair<std::string, std::string>> seen;
  for (int trial = 0; trial < 3; ++trial) {
    const VectorX d = VectorX::NullaryExpr(system.dof_count(), [&] { return any(random); });
    const double h = 1e-6;
    const ContactKinematics here = at(0, d), after = at(h, d), before = at(-h, d);
    for (int c = 0; c < list.count(); ++c) {
      const auto k = static_cast<size_t>(c);
      const ContactName name = assembly.interactions.name(list[c]);
      seen.emplace(name.first, name.second);
      EXPECT_NEAR(relative_velocity(list, here, c, 0, d), (after.gap[k] - before.gap[k]) / (2 * h), 2e-7)
          << name.first << " " << name.second << " " << static_cast<int>(list[c].id.kind);
    }
  }
  EXPECT_GE(seen.size(), 12u);
}

/// A ball falls between two nodes of a cantilever: after an impact without restitution it moves with the beam
/// below it, and lies on it in the end with its weight.
TEST(Beams, AreHitBetweenTheirNodes) {
  for (const std::string& scheme : soft_schemes) {
    SCOPED_TRACE(scheme);
    SoftScene scene{
        .bodies = {"{beam: rod, material: rubber, section: {circle: 0.01}, from: [0, 0, 0], to: [0.2, 0, 0], "
                   "elements: 4, in_plane: false, held: {first: xyz}, damping: {stiffness: 2e-3}}",
                   "{rigid: ball, mass: 0.002, material: stone, shape: {sphere: 0.005}, position: [0.125, 0, "
                   "0.0151], velocity: [0, 0, -0.2]}"},
        .obstacles = {},
        .gravity = "[0, 0, 0]",
        .scheme = scheme,
        .friction = 0,
        .step = 1e-4,
        .end = 0.02};
    Simulation s = scene.simulation();
    int hits = 0;
    while (!s.finished() && hits == 0) {
      const StepReport report = s.step();
      ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
      hits = s.statistics().impacts;
    }
    ASSERT_EQ(hits, 1);
    const double below = 0.5 * (s.velocity("rod.2").z() + s.velocity("rod.3").z());
    EXPECT_LT(s.velocity("ball").z(), -0.01);
    EXPECT_NEAR(s.velocity("ball").z(), below, 1e-9);
  }
}

TEST(Beams, LieOnEachOtherAndOnEdges) {
  for (const std::string scheme : {"moreau-jean", "hht"}) {
    SCOPED_TRACE(scheme);
    const std::string rod =
        "{{beam: {}, material: rubber, section: {{circle: 0.01}}, from: [{}], to: [{}], elements: 5, "
        "damping: "
        "{{mass: 60, stiffness: 1e-3}}}}";
    SoftScene scene{
        .bodies = {fmt::format(fmt::runtime(rod), "lower", "-0.1, 0.01, 0.0101", "0.1, 0.01, 0.0101"),
                   fmt::format(fmt::runtime(rod), "upper", "0.001, -0.1, 0.0303", "0.001, 0.12, 0.0303")},
        .obstacles = {floor_at_zero},
        .scheme = scheme,
        .end = 0.3};
    const Simulation s = scene.run();
    EXPECT_GT(testing::pair_force(s, "upper", "lower", "force.z"), 0.1);
    EXPECT_LT(testing::pair_force(s, "upper", "lower", "penetration"), 1e-4);
  }
}

TEST(SoftBodies, ResumesChangeNoBit) {
  const SoftScene scene{
      .bodies = {soft("cube", {-0.03, -0.04, 0.06}, {0.05, 0.06, 0.05}, 2, "", "neo-hooke"),
                 soft("pad", {-0.07, -0.06, 0}, {0.15, 0.13, 0.05}, 2),
                 "{rigid: ball, material: stone, shape: {sphere: 0.02}, position: [0, 0, 0.14]}"},
      .obstacles = {floor_at_zero},
      .end = 0.2};
  testing::expect_resumes_change_no_bit(scene);
}

}  // namespace
}  // namespace percuss
