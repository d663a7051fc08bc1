#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "percuss/io/scene.h"
#include "percuss/nonsmooth/nlgs.h"

/// What papers claim and no study shows; docs/theory/reproduction.md tells what follows from the tables.
///
///   build/release/bin/paper_claims drift | cube | sweeps
///
/// drift: rigid_pendulum, how far joints open and the mass passes the stop, by scheme and step [Acary 2020].
/// cube: flexible_cube, up to which step the coupled scheme converges [Cosimo 2020, section 4.4].
/// sweeps: three_cuboids, sweeps of Gauss-Seidel in a step [Lozovskiy 2016, section 4.2]; some minutes.
namespace {

using Overrides = std::vector<std::string>;
using percuss::SolveStatus;

percuss::Scene load(const std::string& name, const Overrides& overrides) {
  return percuss::load_scene(PERCUSS_SOURCE_DIR "/scenes/" + name + ".yaml", overrides);
}

Overrides joined(Overrides first, const Overrides& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

struct Column {
  std::string title;
  Overrides overrides;
};

// ----------------------------- drift

struct Drift {
  double joints = 0, penetration = 0;  ///< the largest of a run [m]
};

Drift measure_drift(const Overrides& overrides) {
  const auto scene = load("rigid_pendulum", overrides);
  percuss::Simulation simulation(scene.model, scene.run);
  Drift largest;
  while (!simulation.finished()) {
    const auto report = simulation.step();
    if (report.status != SolveStatus::converged) {
      std::fprintf(stderr, "%s\n", simulation.why_it_failed(report).c_str());
      std::exit(1);
    }
    largest.joints = std::max(largest.joints, simulation.joint_violation());
    largest.penetration = std::max(largest.penetration, -simulation.gap(0));
  }
  return largest;
}

/// Slope of the least-squares line through (log h, log x), as text; nothing where x is rounding.
std::string fitted_order(const std::vector<double>& steps, const std::vector<double>& values) {
  if (*std::ranges::max_element(values) < 1e-12) return "";
  double h_mean = 0, x_mean = 0, covariance = 0, variance = 0;
  const auto count = static_cast<double>(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    h_mean += std::log(steps[i]) / count;
    x_mean += std::log(values[i]) / count;
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    const double h = std::log(steps[i]) - h_mean;
    covariance += h * (std::log(values[i]) - x_mean);
    variance += h * h;
  }
  char text[16];
  std::snprintf(text, sizeof text, "%.2f", covariance / variance);
  return text;
}

void drift_row(const Column& scheme) {
  const std::vector<double> steps = {8e-3, 4e-3, 2e-3, 1e-3, 5e-4};
  std::vector<double> joints;
  std::printf("| %s |", scheme.title.c_str());
  for (const double step : steps) {
    const Drift drift =
        measure_drift(joined(scheme.overrides, {"time.step=" + std::to_string(step), "time.end=1.2"}));
    joints.push_back(drift.joints);
    std::printf(" %.2e, %.2e |", drift.joints, std::max(0.0, drift.penetration));
  }
  std::printf(" %s |\n", fitted_order(steps, joints).c_str());
}

void drifts() {
  std::printf("| joints, penetration [m] | h = 8e-3 | 4e-3 | 2e-3 | 1e-3 | 5e-4 | order of the joints |\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  const auto moreau = [](const char* theta, const char* more) {
    return "integrator={scheme: moreau-jean, theta: " + std::string(theta) + more + "}";
  };
  for (const Column& scheme :
       {Column{"moreau-jean, theta 1/2", {moreau("0.5", "")}},
        Column{"moreau-jean, theta 1/1.8", {moreau("1/1.8", "")}},
        Column{"moreau-jean, theta 1/1.8, start-gap", {moreau("1/1.8", ", activation: start-gap")}},
        Column{"moreau-jean, theta 1", {moreau("1", "")}},
        Column{"moreau-jean, theta 1/1.8, projected",
               {moreau("1/1.8", ", stabilisation: combined-projection")}},
        Column{"moreau-explicit", {"integrator={scheme: moreau-explicit}"}},
        Column{"half-explicit-velocity", {"integrator={scheme: half-explicit-velocity}"}},
        Column{"hht", {"integrator={scheme: hht}"}},
        Column{"generalized-alpha", {"integrator={scheme: generalized-alpha}"}}})
    drift_row(scheme);
}

// ----------------------------- cube

std::string solves_or_failure(const Overrides& overrides) {
  const auto scene = load("flexible_cube", overrides);
  percuss::Simulation simulation(scene.model, scene.run);
  SolveStatus status = SolveStatus::converged;
  while (!simulation.finished() && status == SolveStatus::converged) status = simulation.step().status;
  char text[80];
  const auto& statistics = simulation.statistics();
  if (status == SolveStatus::converged)
    std::snprintf(text, sizeof text, "%.1f, at most %d",
                  static_cast<double>(statistics.iterations) / static_cast<double>(statistics.steps),
                  statistics.max_iterations);
  else
    std::snprintf(text, sizeof text, "fails at %.4g s", simulation.time());
  return text;
}

void cubes() {
  std::printf(
      "| linear solves per step | decoupled | coupled, 100 sweeps | coupled, 2000 sweeps | accelerated |\n");
  std::printf("|---|---|---|---|---|\n");
  for (const char* step : {"5e-3", "3e-3", "2.5e-3", "2e-3", "1.7e-3", "1e-3", "3e-4", "1e-4", "3e-5"}) {
    const Overrides at = {std::string("time.step=") + step};
    const auto accelerated = joined(at, {"integrator.splitting=coupled"});
    const auto coupled = joined(accelerated, {"integrator.accelerated=false"});
    std::printf("| %s | %s | %s | %s | %s |\n", step, solves_or_failure(at).c_str(),
                solves_or_failure(coupled).c_str(),
                solves_or_failure(joined(coupled, {"integrator.newton_iterations=2000"})).c_str(),
                solves_or_failure(accelerated).c_str());
    std::fflush(stdout);
  }
}

// ----------------------------- sweeps

/// Sweeps of Gauss-Seidel until, as in the paper, the reactions change by less than a part of themselves.
class PaperSweeps {
 public:
  explicit PaperSweeps(double tolerance) : tolerance_(tolerance), one_sweep_(options()) {}

  int count(const percuss::LocalProblem& problem, const std::vector<double>& guess) {
    r_ = guess;
    for (int sweep = 1; sweep < 10000; ++sweep) {
      one_sweep_.solve(problem, r_, solution_);
      double change = 0, size = 0;
      for (size_t i = 0; i < solution_.r.size(); ++i) {
        const double before = r_.empty() ? 0.0 : r_[i];
        change += (solution_.r[i] - before) * (solution_.r[i] - before);
        size += solution_.r[i] * solution_.r[i];
      }
      r_ = solution_.r;
      if (std::sqrt(change) <= tolerance_ * std::sqrt(size)) return sweep;
    }
    return -1;
  }
  const std::vector<double>& reactions() const { return r_; }

 private:
  static percuss::NlgsOptions options() {
    percuss::NlgsOptions options;
    options.max_iterations = 1;
    options.tolerance = 1e-300;  // never satisfied: the change of the reactions decides
    return options;
  }
  double tolerance_;
  percuss::NlgsSolver one_sweep_;
  percuss::Solution solution_;
  std::vector<double> r_;
};

struct Tally {
  int largest = 0;
  double sum = 0, count = 0;
  void add(int value) {
    largest = std::max(largest, value);
    sum += value;
    ++count;
  }
  double mean() const { return count > 0 ? sum / count : 0; }
};

void sweeps_row(const Column& formulation, const std::string& tolerance, double end) {
  const auto scene =
      load("three_cuboids",
           joined(formulation.overrides,
                  {"integrator.inner_tolerance=" + tolerance, "integrator.outer_tolerance=" + tolerance,
                   "solver.name=nlgs", "solver.tolerance=" + tolerance, "time.end=" + std::to_string(end)}));
  percuss::Simulation simulation(scene.model, scene.run);
  PaperSweeps paper(std::stod(tolerance));
  Tally own, from_zero, from_before, inner;
  std::vector<double> last;
  bool is_first = true;
  simulation.observe_problems([&](const auto& problem, const auto& solution, const auto&) {
    own.add(solution.iterations);
    if (!is_first) return;
    is_first = false;
    from_zero.add(paper.count(problem, {}));
    from_before.add(paper.count(problem, last.size() == solution.r.size() ? last : std::vector<double>{}));
    last = paper.reactions();
  });
  while (!simulation.finished()) {
    is_first = true;
    const auto report = simulation.step();
    if (report.status != SolveStatus::converged) break;
    inner.add(report.iterations);
  }
  std::printf("| %s | %s | %.2g s | %.1f, %d | %.1f, %d | %.1f, %d | %.1f, %d |\n", formulation.title.c_str(),
              tolerance.c_str(), simulation.time(), inner.mean(), inner.largest, from_zero.mean(),
              from_zero.largest, from_before.mean(), from_before.largest, own.mean(), own.largest);
  std::fflush(stdout);
}

void sweeps() {
  std::printf(
      "| mean, largest | tolerance | until | iterations of a step | sweeps from zero | from the step before "
      "| of percuss, per problem |\n|---|---|---|---|---|---|---|\n");
  const Column floating{"floating", {}};
  const Column none{"floating, rotational_forces none", {"integrator.rotational_forces=none"}};
  for (const char* tolerance : {"1e-3", "1e-4", "1e-5", "1e-6"}) sweeps_row(floating, tolerance, 1.5);
  sweeps_row(none, "1e-5", 1.5);
  sweeps_row({"small", {"parameters.formulation=small"}}, "1e-5", 1.5);
  sweeps_row({"Total Lagrangian", {"parameters.formulation=total-lagrangian"}}, "1e-5", 0.2);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string table = argc > 1 ? argv[1] : "";
  if (argc == 2 && table == "drift") {
    drifts();
  } else if (argc == 2 && table == "cube") {
    cubes();
  } else if (argc == 2 && table == "sweeps") {
    sweeps();
  } else {
    std::fprintf(stderr, "usage: paper_claims drift | cube | sweeps\n");
    return 2;
  }
}
