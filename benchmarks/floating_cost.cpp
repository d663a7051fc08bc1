#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "percuss/io/scene.h"

/// Cost of a step of bodies in floating frames against other formulations of the same bodies, one after the
/// other in one process.
///
///   build/release/bin/floating_cost
///
/// Targets: floating at most 1.5 times small deformation; Total Lagrangian more than 10 times floating; with
/// 20 modes at least 5 times faster than all nodes.
namespace {

using Overrides = std::vector<std::string>;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Milliseconds per step, without loading and the first steps; negative if a step fails.
double milliseconds_per_step(const std::string& name, const Overrides& overrides, int steps) {
  const percuss::Scene scene = percuss::load_scene(PERCUSS_SOURCE_DIR "/scenes/" + name + ".yaml", overrides);
  percuss::Simulation simulation(scene.model, scene.run);
  for (int i = 0; i < 5; ++i) simulation.step();
  const double start = processor_seconds();
  for (int i = 0; i < steps; ++i)
    if (const auto report = simulation.step(); report.status != percuss::SolveStatus::converged) {
      std::fprintf(stderr, "%s\n", simulation.why_it_failed(report).c_str());
      return -1;
    }
  return 1e3 * (processor_seconds() - start) / steps;
}

void compare(const std::string& title, const std::string& scene, const Overrides& settings,
             const Overrides& reduced, int steps) {
  const auto cost = [&](const Overrides& more) {
    Overrides all = settings;
    all.insert(all.end(), more.begin(), more.end());
    return milliseconds_per_step(scene, all, steps);
  };
  const double floating = cost({}), small = cost({"parameters.formulation=small"}),
               lagrangian = cost({"parameters.formulation=total-lagrangian"});
  std::printf("| %s | %.3f | %.3f | %.3f | %.2f | %.1f |", title.c_str(), floating, small, lagrangian,
              floating / small, lagrangian / floating);
  if (reduced.empty()) {
    std::printf(" | |\n");
  } else {
    const double few = cost(reduced);
    std::printf(" %.3f | %.1f |\n", few, floating / few);
  }
  std::fflush(stdout);
}

}  // namespace

int main() {
  std::printf(
      "| processor time of a step [ms] | floating | small | Total Lagrangian | floating / small | "
      "Total Lagrangian / floating | reduced | floating / reduced |\n|---|---|---|---|---|---|---|---|\n");
  Overrides reduced;
  for (const char* body : {"lower1", "lower2", "upper"})
    reduced.push_back(std::string("bodies[") + body + "].reduction={modes: 20}");
  compare("spinning_cuboid", "spinning_cuboid", {}, {}, 500);
  compare("three_cuboids, tolerances 1e-5", "three_cuboids",
          {"integrator.inner_tolerance=1e-5", "integrator.outer_tolerance=1e-5", "solver.tolerance=1e-5"},
          reduced, 300);
  compare("three_cuboids as the scene is", "three_cuboids", {}, reduced, 50);
}
