// How accurate schemes are between impacts, where found contacts slide and rock, and where their features
// change.

#include <array>
#include <cmath>

#include "worlds/world_scene.h"

namespace percuss {
namespace {

using testing::rigid;
using testing::WorldScene;

/// A box on its edge tips and slides on a slab, which slides on the floor: two corners on a face, four on the
/// floor, from the beginning to the end.
WorldScene tipping_box() {
  return {.bodies = {rigid("slab", "{box: [0.9, 0.8, 0.1]}", {0, 0, 0.05}, "velocity: [2, 0.1, 0]"),
                     // On its lower edge at x = 0.
                     rigid("box", "{box: [0.1, 0.1, 0.3]}",
                           {0.15 * std::sin(0.5) - 0.05 * std::cos(0.5), 0.02,
                            0.1 + 0.15 * std::cos(0.5) + 0.05 * std::sin(0.5)},
                           fmt::format("orientation: {{w: {:.17g}, y: {:.17g}}}", std::cos(0.25),
                                       std::sin(0.25)))},
          .friction = 0.2};
}

/// A ball rolls over the edge of a table and round it: the normal turns from then on.
WorldScene ball_over_an_edge() {
  return {
      .bodies = {rigid("ball", "{sphere: 0.1}", {-0.02, 0, 0.1},
                       "velocity: [0.3, 0, 0], angular_velocity: [0, 3, 0]")},
      .obstacles = {"{obstacle: table, shape: {box: [1, 1, 1]}, position: [-0.5, 0, -0.5], material: stone}"},
      .friction = 0.8};
}

/// After 0.16 s.
Vector3 place_of(WorldScene scene, const char* body, const std::string& scheme, int steps) {
  scene.scheme = scheme;
  scene.end = 0.16;
  scene.step = scene.end / steps;
  return scene.run().position(body);
}
Vector3 reference_of(const WorldScene& scene, const char* body) {
  return place_of(scene, body, "event-driven, relative_tolerance: 1e-11, absolute_tolerance: 1e-13", 100);
}

/// Of the place, with steps of end / 80, / 160, / 320 and / 640.
std::array<double, 4> errors_of(const WorldScene& scene, const char* body, const std::string& scheme) {
  const Vector3 exact = reference_of(scene, body);
  std::array<double, 4> errors{};
  for (size_t k = 0; k < errors.size(); ++k)
    errors[k] = (place_of(scene, body, scheme, 80 << k) - exact).norm();
  return errors;
}
double last_order(const std::array<double, 4>& errors) { return std::log2(errors[2] / errors[3]); }

/// A contact whose arms turn is one impulse at the end of a step in Moreau-Jean, HHT and generalized-alpha:
/// order 1, as where it is declared (docs/theory/reproduction.md, closed gaps). The half-explicit scheme has
/// one at each end of the step.
TEST(Orders, OfWhatSlidesAndRocks) {
  // What errors of the solver add up to must not open a corner for a step.
  const auto errors = [](const std::string& scheme) {
    return errors_of(tipping_box(), "box", scheme + ", activation_tolerance: 1e-9");
  };
  for (const char* scheme : {"moreau-jean", "moreau-explicit", "hht", "generalized-alpha"})
    EXPECT_NEAR(last_order(errors(scheme)), 1, 0.05) << scheme;
  EXPECT_LT(errors("half-explicit-velocity")[3], 0.1 * errors("moreau-jean")[3]);
}

/// The moment at which the normal begins to turn is known to a step: order 1, and more where it matters less.
TEST(Orders, OfWhatRollsRoundAnEdge) {
  for (const char* scheme : {"moreau-jean", "moreau-explicit", "hht", "generalized-alpha"})
    EXPECT_NEAR(last_order(errors_of(ball_over_an_edge(), "ball", scheme)), 1, 0.15) << scheme;
  EXPECT_GT(last_order(errors_of(ball_over_an_edge(), "ball", "half-explicit-velocity")), 1.5);
}

/// Steps that follow a tolerance keep it across the change of features.
TEST(Orders, AdaptiveStepsKeepTheirToleranceRoundAnEdge) {
  const Vector3 exact = reference_of(ball_over_an_edge(), "ball");
  for (const char* scheme : {"moreau-jean", "generalized-alpha", "half-explicit-velocity"})
    for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
      WorldScene scene = ball_over_an_edge();
      scene.adaptive = tolerance;
      // Of the size of the model, which is about 1 m.
      EXPECT_LT((place_of(scene, "ball", scheme, 160) - exact).norm(), tolerance) << scheme << tolerance;
    }
}

}  // namespace
}  // namespace percuss
