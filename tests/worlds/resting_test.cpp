// What rests, slides, rolls and tips (shared laws of every correct world), with all schemes that have
// friction.

#include <cmath>
#include <set>

#include "percuss/contacts/assembly.h"
#include "worlds/world_scene.h"

namespace percuss {
namespace {

using testing::rigid;
using testing::WorldScene;

struct Sitting {
  std::string name, shape, more;
  double height;  ///< of its centre where it rests on z = 0 [m]
};
/// A tetrahedron and a rock of 12 points with a flat base; the centre of mass is a quarter of the height up.
const std::vector<Sitting> sitting = {
    {"box", "{box: [0.2, 0.3, 0.1]}", "", 0.05},
    {"sphere", "{sphere: 0.1}", "", 0.1},
    {"lying_capsule", "{capsule: {radius: 0.05, length: 0.2}}",
     "orientation: {w: 0.5, x: 0.5, y: 0.5, z: 0.5}", 0.05},
    {"tetrahedron", "{polyhedron: [[0.2, 0, 0], [-0.1, 0.17, 0], [-0.1, -0.17, 0], [0, 0, 0.24]]}", "", 0.06},
};

std::set<ContactId> closed_contacts(const Simulation& s) {
  std::set<ContactId> closed;
  for (const Contact& contact : s.contact_list().contacts)
    if (s.contact_status(contact.id) != ContactStatus::open) closed.insert(contact.id);
  return closed;
}

TEST(Resting, ThingsSitStillOnEverySupport) {
  struct Support {
    std::vector<std::string> obstacles, bodies;
    double top;
    std::string name;
  };
  const std::vector<Support> supports = {
      {{"{half_space: floor, material: stone}"}, {}, 0, "floor"},
      {{"{obstacle: table, shape: {box: [2, 2, 0.4]}, position: [0.1, 0.2, 0.8], material: stone}"},
       {},
       1,
       "table"},
      {{"{half_space: floor, material: stone}"},
       {rigid("slab", "{box: [0.9, 0.8, 0.2]}", {0.05, 0, 0.1})},
       0.2,
       "slab"}};
  for (const std::string& scheme : testing::friction_schemes())
    for (const Support& support : supports)
      for (const Sitting& thing : sitting) {
        SCOPED_TRACE(scheme + ": " + thing.name + " on " + support.name);
        WorldScene scene{.bodies = support.bodies,
                         .obstacles = support.obstacles,
                         .scheme = scheme,
                         .step = 5e-3,
                         .end = 0.5};
        const Vector3 place(0.02, -0.03, support.top + thing.height);
        scene.bodies.push_back(rigid("thing", thing.shape, place, thing.more));
        Simulation s = scene.simulation();
        const double weight =
            9.81 * s.assembly().system.bodies[static_cast<size_t>(s.body("thing").index)].mass;
        std::set<ContactId> first;
        while (!s.finished()) {
          const StepReport report = s.step();
          ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
          if (first.empty()) first = closed_contacts(s);
          ASSERT_EQ(closed_contacts(s), first) << s.time();
        }
        EXPECT_LT((s.position("thing") - place).norm(), 1e-10);
        EXPECT_LT(s.velocity("thing").norm(), 1e-10);
        EXPECT_NEAR(testing::pair_force(s, "thing", support.name, "force.z"), weight, 1e-8 * weight);
        EXPECT_NEAR(testing::pair_force(s, "thing", "*", "force.x"), 0, 1e-8 * weight);
      }
}

/// Two equal cards that lean against each other at an angle from the vertical stand iff mu >= tan / 2.
TEST(Resting, CardsLean) {
  constexpr double angle = 0.3, length = 0.2, thickness = 0.002;
  for (const double factor : {1.001, 0.999}) {
    const double turn = angle / 2, half = 0.5 * length, half_thickness = 0.5 * thickness;
    // The lower outer edge stands at x = 0 and the upper inner edges meet.
    const Vector3 along(std::sin(angle), 0, std::cos(angle)), across(std::cos(angle), 0, -std::sin(angle));
    const Vector3 left = half * along + half_thickness * across;  // from its outer lower edge
    const Vector3 shift(
        0, 0, -std::min(0.0, (half_thickness * 2 * across).z()));  // its inner lower edge is the lowest
    const double top = (length * along + 2 * half_thickness * across + shift).x();
    const auto card = [&](const char* name, double side) {
      Vector3 place = left + shift - Vector3(top, 0, 0);
      place.x() *= -side;
      return rigid(
          name, fmt::format("{{box: [{}, 0.1, {}]}}", thickness, length), place,
          fmt::format("orientation: {{w: {:.17g}, y: {:.17g}}}", std::cos(turn), -side * std::sin(turn)));
    };
    // Their centres of mass are beyond the middle of the cards: the exact condition for cards of this
    // thickness.
    const double lever_of_weight = left.x() + (shift - 2 * half_thickness * across).x();
    const double height = (length * along + shift + 2 * half_thickness * across).z();
    const double mu = lever_of_weight / height;
    WorldScene scene{
        .bodies = {card("left", -1), card("right", 1)}, .friction = factor * mu, .step = 1e-3, .end = 1.5};
    Simulation s = scene.simulation();
    const double start = s.position("left").z();
    const StepReport report = s.advance_to(1e9);
    ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
    if (factor > 1)
      EXPECT_NEAR(s.position("left").z(), start, 1e-9);
    else
      EXPECT_LT(s.position("left").z(), start - 1e-3);
    EXPECT_NEAR(mu, 0.5 * std::tan(angle), 0.05 * std::tan(angle));
  }
}

/// Equal bricks, each shifted by L / (2 k) against the one below, k = 1 at the top.
TEST(Resting, OverhangsStandAndFall) {
  constexpr int bricks = 4;
  for (const double factor : {0.999, 1.001}) {
    WorldScene scene{.step = 5e-3, .end = 3};
    double x = 0;
    for (int i = 0; i < bricks; ++i) {
      scene.bodies.push_back(
          rigid(fmt::format("brick{}", i), "{box: [0.2, 0.1, 0.05]}", {x, 0, 0.025 + 0.05 * i}));
      x += factor * 0.1 / (bricks - 1 - i);
    }
    const Simulation s = scene.run();
    const double fall = 0.025 + 0.05 * (bricks - 1) - s.position(fmt::format("brick{}", bricks - 1)).z();
    if (factor < 1)
      EXPECT_LT(std::abs(fall), 1e-9);
    else
      EXPECT_GT(fall, 0.01);
  }
}

/// Light below heavy with mass ratios up to 100, and a tower of ten.
TEST(Resting, StacksStand) {
  for (const double ratio : {1.0, 1e2}) {
    WorldScene scene{.step = 5e-3, .end = 0.5};
    scene.bodies = {
        rigid("light", "{box: [0.2, 0.2, 0.1]}", {0, 0, 0.05}, "mass: 1, inertia: [0.004, 0.004, 0.007]"),
        rigid("heavy", "{box: [0.2, 0.2, 0.1]}", {0.03, 0.02, 0.15},
              fmt::format("mass: {0}, inertia: [{1}, {1}, {2}]", ratio, 0.004 * ratio, 0.007 * ratio))};
    const Simulation s = scene.run();
    EXPECT_NEAR(s.position("heavy").z(), 0.15, 1e-10) << ratio;
    EXPECT_NEAR(testing::pair_force(s, "light", "floor"), 9.81 * (1 + ratio), 1e-8 * 9.81 * ratio) << ratio;
  }
  WorldScene tower{.step = 5e-3, .end = 0.5};
  for (int i = 0; i < 10; ++i)
    tower.bodies.push_back(rigid(fmt::format("stone{}", i), "{box: [0.2, 0.2, 0.1]}",
                                 {0.01 * (i % 3), 0.007 * (i % 2), 0.05 + 0.1 * i}));
  EXPECT_NEAR(tower.run().position("stone9").z(), 0.95, 1e-10);
}

}  // namespace
}  // namespace percuss
