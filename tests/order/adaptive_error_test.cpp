#include <iostream>

#include <gtest/gtest.h>

#include "support/scenes.h"

/// The error of adaptive steps follows their tolerance, within a factor of ten either way.
namespace percuss {
namespace {

Simulation run(const std::string& scene, const std::string& scheme, const std::string& tolerance) {
  return testing::finished(scene, {"integrator.scheme=" + scheme, "time.adaptive.tolerance=" + tolerance});
}

void expect_errors_near_tolerance(const std::string& scene, const std::string& scheme) {
  const VectorX exact = run(scene, "half-explicit-velocity", "1e-8").state().q;
  for (const std::string tolerance : {"1e-2", "1e-3", "1e-4", "1e-5"}) {
    const Simulation simulation = run(scene, scheme, tolerance);
    const double error = (simulation.state().q - exact).lpNorm<Eigen::Infinity>() / std::stod(tolerance);
    std::cout << "  " << scene << ", " << scheme << ", tolerance " << tolerance << ": error " << error
              << " of it, " << simulation.statistics().computed << " steps computed\n";
    EXPECT_LT(error, 10) << scheme << ", tolerance " << tolerance;
    EXPECT_GT(error, 0.1) << scheme << ", tolerance " << tolerance;
    EXPECT_EQ(simulation.statistics().inaccurate, 0) << scheme << ", tolerance " << tolerance;
  }
}

/// One impact, and joints.
TEST(AdaptiveError, RigidPendulum) {
  for (const char* scheme : {"moreau-jean", "generalized-alpha", "half-explicit-velocity"})
    expect_errors_near_tolerance("rigid_pendulum", scheme);
}

}  // namespace
}  // namespace percuss
