#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "commands.h"
#include "interrupt.h"
#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/scene.h"
#include "percuss/simulation/probe.h"
#include "percuss/simulation/study.h"
#include "progress.h"
#include "say.h"

// Is my answer converged? The scene as it is, with h, h/2, h/4 ...: docs/howto/choose_a_step.md.

using namespace percuss;

namespace {

constexpr double tolerance_ratio = 4;  ///< of the tolerances of adaptive runs, whose steps then halve
constexpr double event_ratio = 10;     ///< of the tolerances of schemes that choose their steps
constexpr double rounding = 1e-12;     ///< of changes, which are relative

struct Quantity {
  std::string name, text, unit;
};

std::vector<Quantity> find_quantities(const Scene& scene, const Assembly& assembly,
                                      const std::vector<std::string>& wanted) {
  const auto& probes = scene.run.record.probes;
  std::vector<Quantity> found;
  const auto add = [&](const std::string& name, const std::string& text) {
    try {
      found.push_back({name, text, std::string(Probe::parse(text, assembly).unit())});
    } catch (const ProbeError& e) {
      throw SceneError({fmt::format("error: --quantity {}: {}", name, e.what())});
    }
  };
  for (const auto& name : wanted) {
    const std::string* text = find_named(probes, name);
    add(name, text ? *text : name);
  }
  if (wanted.empty())
    for (const auto& [name, text] : probes) add(name, text);
  if (found.empty())
    throw SceneError(
        {"error: the scene has no probes; name a quantity, for example --quantity ball.position.z"});
  return found;
}

Norm find_norm(const std::string& name) {
  for (const auto& [norm, text] : EnumNames<Norm>::values)
    if (text == name && norm != Norm::spectral) return norm;
  throw SceneError({fmt::format("error: --norm {}: --levels knows graph (default) and l1", name)});
}

/// What the levels differ in.
struct Refinement {
  std::string name;
  double value = 0;
};
Refinement refinement(const RunConfig& config) {
  if (config.time.adaptive) return {"tolerance", config.time.adaptive->tolerance};
  if (const auto* events = std::get_if<EventDrivenOptions>(&config.integrator))
    return {"relative tolerance", events->relative_tolerance};
  return {"step [s]", config.time.step};
}
void refine(RunConfig& config, int level) {
  if (config.time.adaptive) {
    config.time.adaptive->tolerance /= std::pow(tolerance_ratio, level);
  } else if (auto* events = std::get_if<EventDrivenOptions>(&config.integrator)) {
    events->relative_tolerance /= std::pow(event_ratio, level);
    events->absolute_tolerance /= std::pow(event_ratio, level);
  } else {
    config.time.step /= std::pow(2.0, level);
  }
}

/// The same scene with ever smaller steps, or tolerances.
StudyPlan plan_levels(const Scene& scene, const Assembly& given, const std::vector<Quantity>& quantities,
                      int levels) {
  StudyPlan plan;
  const auto assembly = std::make_shared<const Assembly>(given);
  for (int level = 0; level < levels; ++level) {
    StudyTask task{assembly, scene.run, {}};
    for (const auto& quantity : quantities) task.probes.push_back(quantity.text);
    refine(task.config, level);
    if (const auto complaints = validate(task.config); !complaints.empty())
      throw SceneError({fmt::format("error: level {}: {}: {}", level + 1, complaints.front().path,
                                    complaints.front().message)});
    plan.tasks.push_back(std::move(task));
  }
  return plan;
}

/// The change from a level to the next, and what follows for the finest: with a ratio r of the last two
/// changes its error is about change/(r - 1).
struct Convergence {
  std::vector<double> changes;
  double ratio = 0, error = 0;
};
Convergence converge(const std::vector<StudyRun>& runs, size_t quantity, Norm norm) {
  Convergence result;
  for (size_t i = 0; i + 1 < runs.size(); ++i) {
    const ReferenceSolution finer =
        make_reference(Trajectory{runs[i + 1].trajectory.time, {runs[i + 1].trajectory.values[quantity]}},
                       Interpolation::linear, norm == Norm::graph);
    const Trajectory coarse{runs[i].trajectory.time, {runs[i].trajectory.values[quantity]}};
    result.changes.push_back(errors_of(coarse, finer, norm).front());
  }
  const size_t n = result.changes.size();
  const double last = result.changes[n - 1];
  result.ratio = n > 1 && last > 0 ? result.changes[n - 2] / last : 0.0;
  result.error =
      result.ratio > 1.2 ? last / (result.ratio - 1) : std::max(last, n > 1 ? result.changes[n - 2] : 0.0);
  return result;
}

std::string verdict(const Convergence& c) {
  if (c.changes.back() == 0) return "the same to the last digit";
  if (c.changes.back() < rounding) return "the same to rounding";
  if (c.changes.size() > 1 && c.ratio <= 1.2) return "NOT converging: the changes do not shrink";
  return fmt::format("error of the finest about {:.2g}", c.error);
}

void print_levels(const StudyPlan& plan, const std::vector<StudyRun>& runs,
                  const std::vector<Quantity>& quantities, Norm norm) {
  say("{:<22}", refinement(plan.tasks.front().config).name);
  for (const auto& task : plan.tasks) say("{:>11.3g}", refinement(task.config).value);
  say("\n{:<22}", "steps computed");
  for (const auto& run : runs) say("{:>11}", run.statistics.computed);
  say("\nchange to the next\n");
  for (size_t k = 0; k < quantities.size(); ++k) {
    const Convergence c = converge(runs, k, norm);
    say("  {:<20}", quantities[k].name);
    for (const double change : c.changes) say("{:>11.2e}", change);
    say("{:>11}  {}\n", "", verdict(c));
  }
  say("\nvalue at the end\n");
  for (size_t k = 0; k < quantities.size(); ++k) {
    say("  {:<20}", quantities[k].name);
    for (const auto& run : runs) say("{:>11.4g}", run.trajectory.values[k].back());
    say("  {}\n", quantities[k].unit);
  }
}

}  // namespace

int levels_command(const StudyOptions& options) {
  if (!options.steps.empty() || !options.integrators.empty() || !options.reference.empty())
    throw SceneError(
        {"error: --levels takes the step and the integrator of the scene and compares them with themselves; "
         "leave out --steps, --integrators and --reference"});
  if (!options.output.empty() || options.trajectories > 0)
    throw SceneError(
        {"error: --levels prints a table and writes no files; leave out -o and --trajectories, or write the "
         "table with > FILE"});
  std::vector<std::string> overrides = options.overrides;
  if (!options.until.empty()) overrides.push_back("time.end=" + options.until.back());
  const auto [scene, simulation] = load_simulation(options.file, overrides, options.plugin_path);
  for (const auto& note : scene.notes) say(stderr, "note: {}\n", note);
  const Norm norm = options.norm.empty() ? Norm::graph : find_norm(options.norm.back());
  const auto quantities = find_quantities(scene, simulation.assembly(), options.quantities);
  const StudyPlan plan = plan_levels(scene, simulation.assembly(), quantities, options.levels);
  interrupt::install();
  Progress progress(options.quiet);
  StudyHooks hooks;
  hooks.should_stop = [] { return interrupt::received_signal() != 0; };
  hooks.progress = [&](double done, size_t finished) {
    progress.update(done, fmt::format("{} of {} runs", finished, plan.tasks.size()));
  };
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const auto runs = run_study(plan, options.threads > 0 ? options.threads : cores, hooks);
  progress.clear();
  if (const int signal = interrupt::received_signal(); signal != 0) return 128 + signal;
  for (size_t i = 0; i < runs.size(); ++i)
    if (!runs[i].finished()) {
      say(stderr, "error: level {} failed at t = {:.6g} s: {}\n", i + 1, runs[i].reached, runs[i].message);
      return exit_code::numerical_failure;
    }
  if (options.quiet) return exit_code::done;
  say("{}: {}\n{}, t = {:.6g} s to {:.6g} s; changes {}\n\n", scene.path,
      scene.model.title.empty() ? "(no title)" : scene.model.title, scheme_name(scene.run.integrator),
      scene.run.time.start, scene.run.time.end,
      norm == Norm::graph
          ? "as distance from the graph of the next level, relative to duration and largest value"
          : "in the L1 norm, relative");
  print_levels(plan, runs, quantities, norm);
  return exit_code::done;
}
