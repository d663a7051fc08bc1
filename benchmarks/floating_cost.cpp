#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "percuss/io/scene.h"

/// Cost of a step of bodies in floating frames against other formulations of the same bodies, in one process.
///
///   build/release/bin/floating_cost
///
/// Targets: floating at most 1.5 times small deformation; Total Lagrangian more than 10 times floating; with
/// 20 modes at least 5 times faster than all nodes. What a reduced body costs does not depend on its mesh, so
/// a second table has finer ones with the same contacts.
namespace {

using Overrides = std::vector<std::string>;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A scene after its first steps, and how long some more of them take.
class Candidate {
 public:
  Candidate(const std::string& name, const Overrides& overrides)
      : scene_(percuss::load_scene(PERCUSS_SOURCE_DIR "/scenes/" + name + ".yaml", overrides)),
        simulation_(scene_.model, scene_.run) {
    for (int i = 0; i < 5; ++i) step();
    start_ = simulation_.checkpoint();
  }

  /// The same steps again; the shortest time counts.
  void measure(int steps) {
    simulation_.restore(start_);
    const double start = processor_seconds();
    for (int i = 0; i < steps; ++i) step();
    best_ = std::min(best_, 1e3 * (processor_seconds() - start) / steps);
  }
  double milliseconds_per_step() const { return best_; }
  int coordinates() const { return simulation_.assembly().system.dof_count(); }

 private:
  void step() {
    const auto report = simulation_.step();
    if (report.status == percuss::SolveStatus::converged) return;
    std::fprintf(stderr, "%s\n", simulation_.why_it_failed(report).c_str());
    std::exit(1);
  }

  percuss::Scene scene_;
  percuss::Simulation simulation_;
  percuss::Checkpoint start_;
  double best_ = std::numeric_limits<double>::infinity();
};

/// In turns: the clock of the processor changes from one second to the next.
void measure_in_turns(std::vector<std::unique_ptr<Candidate>>& candidates, int steps) {
  for (int turn = 0; turn < 10; ++turn)
    for (auto& candidate : candidates) candidate->measure(steps);
}

void compare(const std::string& title, const std::string& scene, const Overrides& settings,
             const Overrides& reduced, int steps) {
  std::vector<std::unique_ptr<Candidate>> candidates;
  const auto add = [&](const Overrides& more) {
    Overrides all = settings;
    all.insert(all.end(), more.begin(), more.end());
    candidates.push_back(std::make_unique<Candidate>(scene, all));
  };
  add({});
  add({"parameters.formulation=small"});
  add({"parameters.formulation=total-lagrangian"});
  if (!reduced.empty()) add(reduced);
  measure_in_turns(candidates, steps);
  const auto cost = [&](size_t k) { return candidates[k]->milliseconds_per_step(); };
  std::printf("| %s | %.3f | %.3f | %.3f | %.2f | %.1f |", title.c_str(), cost(0), cost(1), cost(2),
              cost(0) / cost(1), cost(2) / cost(0));
  if (reduced.empty())
    std::printf(" | |\n");
  else
    std::printf(" %.3f | %.1f |\n", cost(3), cost(0) / cost(3));
  std::fflush(stdout);
}

void compare_meshes(const Overrides& settings, const Overrides& reduced) {
  std::printf(
      "\n| layers of elements | coordinates | floating [ms] | reduced [ms] | floating / reduced "
      "|\n|---|---|---|---|---|\n");
  for (const int layers : {8, 16, 32, 64}) {
    Overrides full = settings;
    full.push_back("parameters.layers=" + std::to_string(layers));
    Overrides few = full;
    few.insert(few.end(), reduced.begin(), reduced.end());
    std::vector<std::unique_ptr<Candidate>> candidates;
    candidates.push_back(std::make_unique<Candidate>("three_cuboids", full));
    candidates.push_back(std::make_unique<Candidate>("three_cuboids", few));
    measure_in_turns(candidates, 20);
    const double all = candidates[0]->milliseconds_per_step(), some = candidates[1]->milliseconds_per_step();
    std::printf("| %d | %d and %d | %.2f | %.2f | %.1f |\n", layers, candidates[0]->coordinates(),
                candidates[1]->coordinates(), all, some, all / some);
    std::fflush(stdout);
  }
}

}  // namespace

int main() {
  std::printf(
      "| processor time of a step [ms] | floating | small | Total Lagrangian | floating / small | "
      "Total Lagrangian / floating | reduced | floating / reduced |\n|---|---|---|---|---|---|---|---|\n");
  Overrides reduced;
  for (const char* body : {"lower1", "lower2", "upper"})
    reduced.push_back(std::string("bodies[") + body + "].reduction={modes: 20}");
  compare("spinning_cuboid", "spinning_cuboid", {}, {}, 100);
  const Overrides loose = {"integrator.inner_tolerance=1e-5", "integrator.outer_tolerance=1e-5",
                           "solver.name=nlgs", "solver.tolerance=1e-5"};
  compare("three_cuboids, tolerances 1e-5", "three_cuboids", loose, reduced, 40);
  compare("three_cuboids as the scene is", "three_cuboids", {}, reduced, 40);
  compare_meshes(loose, reduced);
}
