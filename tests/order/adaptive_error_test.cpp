#include <iostream>

#include <gtest/gtest.h>

#include "percuss/simulation/run.h"
#include "support/scenes.h"

/// The error of adaptive steps follows their tolerance, within a factor of ten either way. At 1e-2 only from
/// above: there the frames shorten the steps, and the half-explicit scheme is twenty times better than it was
/// asked to be.
namespace percuss {
namespace {

struct Run {
  std::vector<VectorX> frames;  ///< positions at the same times for every tolerance
  StepStatistics statistics;
};
Run run(const std::string& scene, const std::string& scheme, const std::string& tolerance) {
  Simulation simulation = testing::scene_simulation(
      scene, {"integrator.scheme=" + scheme, "time.adaptive.tolerance=" + tolerance, "record.every=0.1"});
  Run result;
  while (!simulation.finished()) {
    EXPECT_EQ(simulation.step().status, SolveStatus::converged);
    if (is_frame_time(simulation)) result.frames.push_back(simulation.state().q);
  }
  result.statistics = simulation.statistics();
  return result;
}

void expect_errors_near_tolerance(const std::string& scene, const std::string& scheme) {
  const Run exact = run(scene, "half-explicit-velocity", "1e-8");
  for (const std::string tolerance : {"1e-2", "1e-3", "1e-4", "1e-5"}) {
    const Run found = run(scene, scheme, tolerance);
    ASSERT_EQ(found.frames.size(), exact.frames.size());
    double error = 0;
    for (size_t k = 0; k < exact.frames.size(); ++k)
      error = std::max(error, (found.frames[k] - exact.frames[k]).lpNorm<Eigen::Infinity>());
    error /= std::stod(tolerance);
    std::cout << "  " << scene << ", " << scheme << ", tolerance " << tolerance << ": error " << error
              << " of it, " << found.statistics.computed << " steps computed\n";
    EXPECT_LT(error, 10) << scheme << ", tolerance " << tolerance;
    if (tolerance != "1e-2") {
      EXPECT_GT(error, 0.1) << scheme << ", tolerance " << tolerance;
    }
    EXPECT_EQ(found.statistics.inaccurate, 0) << scheme << ", tolerance " << tolerance;
  }
}

/// One impact, and joints.
TEST(AdaptiveError, RigidPendulum) {
  for (const char* scheme : {"moreau-jean", "generalized-alpha", "half-explicit-velocity"})
    expect_errors_near_tolerance("rigid_pendulum", scheme);
}

}  // namespace
}  // namespace percuss
