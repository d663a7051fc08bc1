#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/scene.h"

/// Cost of a step of bodies in floating frames against other formulations of the same bodies, in one process.
///
///   build/release/bin/floating_cost [steps | runs | meshes]
///
/// Targets: floating at most 1.5 times small deformation; Total Lagrangian more than 10 times floating; with
/// 20 modes at least 5 times faster than all nodes. The first steps, with all contacts closed, cost more than
/// those of the motion, so a second table is of whole runs. What a reduced body costs does not depend on its
/// mesh: a third one has finer meshes with the same contacts.
namespace {

using Overrides = std::vector<std::string>;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The solver of the paper, with one tolerance for all iterations.
Overrides nlgs_within(const std::string& tolerance) {
  return {"integrator.inner_tolerance=" + tolerance, "integrator.outer_tolerance=" + tolerance,
          "solver.name=nlgs", "solver.tolerance=" + tolerance};
}

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
  /// Goes on to a time, and how long that took.
  double seconds_until(double time) {
    const double start = processor_seconds();
    while (simulation_.time() < time - 1e-9) step();
    return processor_seconds() - start;
  }
  double probe(const std::string& name) const { return simulation_.probe(name); }
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

/// The whole motion, both a bit at a time.
void compare_run(const std::string& title, const Overrides& settings, const Overrides& reduced) {
  Overrides few = settings;
  few.insert(few.end(), reduced.begin(), reduced.end());
  Candidate full("three_cuboids", settings), part("three_cuboids", few);
  const std::string place = "upper.z_max.displacement.x";
  const double interval = 5e-3, end = 1.5;
  double seconds[2] = {}, squares[2] = {};
  for (int i = 1; i * interval < end + 0.5 * interval; ++i) {
    seconds[0] += full.seconds_until(i * interval);
    seconds[1] += part.seconds_until(i * interval);
    const double exact = full.probe(place), error = part.probe(place) - exact;
    squares[0] += exact * exact;
    squares[1] += error * error;
  }
  std::printf("| %s | %.1f | %.1f | %.1f | %.2f |\n", title.c_str(), seconds[0], seconds[1],
              seconds[0] / seconds[1], 100 * std::sqrt(squares[1] / squares[0]));
  std::fflush(stdout);
}

void compare_steps(const Overrides& loose, const Overrides& reduced) {
  std::printf(
      "| processor time of a step [ms] | floating | small | Total Lagrangian | floating / small | "
      "Total Lagrangian / floating | reduced | floating / reduced |\n|---|---|---|---|---|---|---|---|\n");
  compare("spinning_cuboid", "spinning_cuboid", {}, {}, 100);
  compare("three_cuboids, tolerances 1e-5", "three_cuboids", loose, reduced, 40);
  compare("three_cuboids as the scene is", "three_cuboids", {}, reduced, 40);
}

void compare_whole_runs(const Overrides& reduced) {
  std::printf(
      "\n| three_cuboids, whole run | floating [s] | reduced [s] | floating / reduced | difference of "
      "displacements, L2 [%%] |\n|---|---|---|---|---|\n");
  compare_run("nlgs, tolerances 1e-5", nlgs_within("1e-5"), reduced);
  compare_run("nlgs, tolerances 1e-7", nlgs_within("1e-7"), reduced);
  compare_run("as the scene is", {}, reduced);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string table = argc > 1 ? argv[1] : "all";
  if (argc > 2 || (table != "all" && table != "steps" && table != "runs" && table != "meshes")) {
    std::fprintf(stderr, "usage: floating_cost [steps | runs | meshes]\n");
    return 2;
  }
  const auto is_asked = [&](const char* name) { return table == "all" || table == name; };
  const Overrides loose = nlgs_within("1e-5");
  Overrides reduced;
  for (const char* body : {"lower1", "lower2", "upper"})
    reduced.push_back(std::string("bodies[") + body + "].reduction={modes: 20}");
  if (is_asked("steps")) compare_steps(loose, reduced);
  if (is_asked("runs")) compare_whole_runs(reduced);
  if (is_asked("meshes")) compare_meshes(loose, reduced);
}
