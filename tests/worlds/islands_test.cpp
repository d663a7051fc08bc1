// Stacks that do not touch each other are solved apart, and none of them sleeps.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "percuss/contacts/assembly.h"
#include "percuss/nonsmooth/residual.h"
#include "worlds/world_scene.h"

namespace percuss {
namespace {

using testing::rigid;
using testing::WorldScene;

constexpr double floor_rest = 0.02, floor_amplitude = 1e-4,
                 floor_omega = 50;  // 0.25 m/s^2, a twentieth of what friction bears

/// Four stacks of three boxes on a floor that is at rest first, and then shaken gently.
WorldScene shaken_stacks(const std::string& solver) {
  WorldScene scene{.step = 5e-4, .end = 0.1};
  for (int stack = 0; stack < 4; ++stack)
    for (int box = 0; box < 3; ++box)
      scene.bodies.push_back(rigid(fmt::format("box{}_{}", stack, box), "{box: [0.1, 0.08, 0.05]}",
                                   {0.3 * stack, 0.1 * stack, 0.025 + 0.05 * box}));
  scene.obstacles = {"{half_space: floor, frame: base, material: stone}"};
  scene.more = fmt::format(
      "solver: {{name: {}}}\n"
      "frames: [{{frame: base, position: [\"if(t < {}, 0, {}*(1 - cos({}*(t - {}))))\", 0, 0]}}]\n",
      solver, floor_rest, floor_amplitude, floor_omega, floor_rest);
  return scene;
}

double floor_speed(double time) {
  return time < floor_rest ? 0 : floor_amplitude * floor_omega * std::sin(floor_omega * (time - floor_rest));
}

TEST(RestingIslands, FollowAFloorThatBeginsToShake) {
  Simulation shaken = shaken_stacks("auto").simulation(), swept = shaken_stacks("nlgs").simulation();
  shaken.observe_problems([](const LocalProblem& problem, const Solution& solution, const State&) {
    EXPECT_LE(residual_of(problem, solution.r).relative, 1e-10);  // the laws hold in every step
  });
  while (!shaken.finished()) {
    ASSERT_EQ(shaken.step().status, SolveStatus::converged);
    ASSERT_EQ(swept.step().status, SolveStatus::converged);
    const VectorX& v = shaken.state().v;
    for (int body = 0; body < 12; ++body) {
      EXPECT_NEAR(v[6 * body], floor_speed(shaken.time()), 1e-9) << shaken.time();
      EXPECT_NEAR(v[6 * body + 2], 0, 1e-9);
    }
    EXPECT_LT((v - swept.state().v).lpNorm<Eigen::Infinity>(), 1e-9);
  }
  EXPECT_LT((shaken.state().q - swept.state().q).lpNorm<Eigen::Infinity>(), 1e-10);
}

}  // namespace
}  // namespace percuss
