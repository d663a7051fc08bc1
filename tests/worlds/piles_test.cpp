// Piles that fall into a box with default options: every step is solved, and the balances close.

#include <cmath>

#include "percuss/contacts/assembly.h"
#include "percuss/contacts/contact_list.h"
#include "worlds/world_scene.h"

namespace percuss {
namespace {

using testing::rigid;
using testing::WorldScene;

constexpr double half_width = 0.02;

/// Layers of side x side bodies, each moved a little so that none stands on the top of another, in a box.
WorldScene pile_scene(const std::string& shape, int count, int side) {
  const double spacing = 2.25 * half_width, wall = 0.5 * (side + 0.1) * spacing;
  std::vector<std::string> bodies;
  for (int i = 0; i < count; ++i) {
    const int column = i % side, row = i / side % side, layer = i / (side * side);
    bodies.push_back(rigid(fmt::format("b{}", i), shape,
                           {(column - 0.5 * (side - 1)) * spacing + 0.1 * half_width * std::sin(1.7 * i),
                            (row - 0.5 * (side - 1)) * spacing + 0.1 * half_width * std::sin(2.3 * i),
                            1.25 * half_width + layer * spacing},
                           fmt::format("orientation: {{axis: [{}, {}, {}], angle: {}}}", std::sin(i + 1),
                                       std::cos(2 * i), std::sin(3 * i + 1), 0.3 * std::sin(5 * i))));
  }
  return {.bodies = bodies,
          .obstacles = {fmt::format("{{box: bin, lower: [{}, {}, 0], upper: [{}, {}, 1], material: stone, "
                                    "faces: [x_min, x_max, y_min, y_max, z_min]}}",
                                    -wall, -wall, wall, wall)},
          .friction = 0.3};
}

double mass_of(const Simulation& s) {
  double mass = 0;
  for (const auto& body : s.assembly().system.bodies) mass += body.mass;
  return mass;
}

/// What the walls do to the bodies in the last step [N s].
Vector3 wall_impulse(const Simulation& s) {
  Vector3 sum = Vector3::Zero();
  const ContactList& list = s.contact_list();
  for (int c = 0; c < list.count(); ++c)
    if (s.contact_name(list[c].id).second.starts_with("bin")) sum += s.to_space(c, s.contact_impulse(c));
  return sum;
}

/// No step fails and hardly one misses its tolerance; what gravity gave and the walls took is what the bodies
/// have, and the energy that went is that of impacts and friction.
void expect_good_run(Simulation s) {
  const double mass = mass_of(s);
  Vector3 momentum = Vector3::Zero();
  while (!s.finished()) {
    const StepReport report = s.step();
    ASSERT_EQ(report.status, SolveStatus::converged) << s.why_it_failed(report);
    momentum += wall_impulse(s) - Vector3(0, 0, 9.81 * mass * s.last_step_size());
  }
  Vector3 expected = Vector3::Zero();
  for (const auto& body : s.assembly().system.bodies) expected += body.mass * s.velocity(body.name);
  EXPECT_LT((momentum - expected).norm(), 1e-10 * mass * 9.81 * s.time());
  EXPECT_LE(100 * s.statistics().accepted, s.statistics().steps);
  const EnergyLedger& energy = s.energy();
  const double lost = energy.initial - energy.total();
  EXPECT_GT(lost, 0);
  EXPECT_GE(energy.loss_friction, 0);
  EXPECT_NEAR(energy.loss_impacts + energy.loss_friction, lost, 0.01 * lost);
}

TEST(Piles, AHundredSpheresFallIntoABox) {
  WorldScene scene = pile_scene(fmt::format("{{sphere: {}}}", half_width), 100, 5);
  scene.end = 0.5;
  expect_good_run(scene.simulation());
}

TEST(Piles, FiftyBoxesFallIntoABox) {
  WorldScene scene = pile_scene(
      fmt::format("{{box: [{}, {}, {}]}}", 1.8 * half_width, 1.4 * half_width, 1.1 * half_width), 50, 4);
  scene.end = 0.4;
  expect_good_run(scene.simulation());
}

}  // namespace
}  // namespace percuss
