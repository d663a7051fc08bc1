#include <algorithm>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "commands.h"
#include "interrupt.h"
#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/scene.h"
#include "percuss/simulation/step_suggestion.h"
#include "say.h"

using namespace percuss;

namespace {

constexpr std::int64_t most_pilot_steps = 20000;

/// The step size below which half of the time was spent.
double typical_step(std::vector<double> steps) {
  std::ranges::sort(steps);
  const double half = 0.5 * std::accumulate(steps.begin(), steps.end(), 0.0);
  double passed = 0;
  for (const double h : steps)
    if ((passed += h) >= half) return h;
  return 0;
}

void print_limits(const StepSuggestion& suggestion) {
  say("  {:>10}  why\n", "step [s]");
  for (const StepLimit& limit : suggestion.limits) say("  {:>10.3g}  {}\n", limit.step, limit.reason);
  for (const auto& remark : suggestion.remarks) say("  {:>10}  {}\n", "", remark);
}

/// Adaptive steps, which ask the motion itself.
RunConfig pilot_config(const Scene& scene, const SuggestOptions& options, double first_step) {
  RunConfig config = scene.run;
  config.time.step = std::min(first_step, config.time.end - config.time.start);
  config.time.adaptive.emplace().tolerance = options.tolerance;
  config.record.every.reset();
  if (const auto complaints = validate(config); !complaints.empty())
    throw SceneError(
        {fmt::format("error: --pilot: {}: {}", complaints.front().path, complaints.front().message)});
  return config;
}

int run_pilot(Simulation& simulation, const SuggestOptions& options) {
  const TimeOptions& time = simulation.config().time;
  const double end = time.start + options.part * (time.end - time.start);
  std::vector<double> steps;
  interrupt::install();
  while (simulation.time() < end && simulation.statistics().computed < most_pilot_steps &&
         !simulation.finished() && interrupt::received_signal() == 0) {
    const StepReport report = simulation.step();
    if (report.status != SolveStatus::converged) {
      say(stderr, "error: the pilot: {}\n", simulation.why_it_failed(report));
      return exit_code::numerical_failure;
    }
    if (simulation.impacts().empty()) steps.push_back(simulation.last_step_size());
  }
  const StepStatistics& total = simulation.statistics();
  say("\npilot with tolerance {} to t = {:.4g} s: {} steps from {:.3g} s to {:.3g} s, {} rejected, {} "
      "impacts\n",
      options.tolerance, simulation.time(), total.steps, total.smallest_step, total.largest_step,
      total.rejected, total.impacts);
  if (total.computed >= most_pilot_steps) {
    say("  it ended after {} computed steps: adaptive steps do not pay here, where bodies vibrate or hit all "
        "the time\n",
        total.computed);
    return exit_code::done;
  }
  const double typical = typical_step(steps);
  if (typical == 0) return exit_code::done;
  say("  half of the time between impacts it took steps below {:.3g} s: {}\n", typical,
      total.impacts == 0 ? fmt::format("time.step: {:g}", rounded_down(typical))
                         : "with constant steps impacts would ask for shorter ones");
  say("  time: {{end: {}, step: {:g}, adaptive: {{tolerance: {}}}}}\n", time.end, rounded_down(typical),
      options.tolerance);
  return exit_code::done;
}

/// The user's own --set, for a command to copy.
std::string settings(const SuggestOptions& options) {
  std::string text;
  for (const auto& given : options.overrides) text += fmt::format(" --set '{}'", given);
  return text;
}

int explain_own_steps(const Scene& scene, const SuggestOptions& options) {
  say("{}: {}\n'{}' chooses its steps itself, by its tolerances, and needs no pilot; time.step is only where "
      "it "
      "begins anew at the latest.\nWhether the tolerances are sharp enough shows\n"
      "  percuss study {} --levels 3{}\n",
      scene.path, scene.model.title.empty() ? "(no title)" : scene.model.title,
      scheme_name(scene.run.integrator), options.scene, settings(options));
  return exit_code::done;
}

}  // namespace

int suggest_command(const SuggestOptions& options) {
  const auto [scene, simulation] = load_simulation(options.scene, options.overrides, options.plugin_path);
  for (const auto& note : scene.notes) say(stderr, "note: {}\n", note);
  if (facts(scene.run.integrator).chooses_steps) return explain_own_steps(scene, options);
  RunConfig config = scene.run;
  config.time.adaptive.reset();
  const StepSuggestion suggestion = suggest_step(Simulation(simulation.assembly(), config));
  std::unique_ptr<Simulation> pilot;  // before anything is printed: the scheme may refuse it
  if (options.pilot)
    pilot =
        std::make_unique<Simulation>(simulation.assembly(), pilot_config(scene, options, suggestion.step));
  say("{}: {}\n", scene.path, scene.model.title.empty() ? "(no title)" : scene.model.title);
  print_limits(suggestion);
  say("\nfirst step to try: time.step: {:g} (the scene says {:g}); whether it is small enough shows\n"
      "  percuss study {} --levels 4{} --set time.step={:g}\n",
      suggestion.step, scene.run.time.step, options.scene, settings(options), suggestion.step);
  return pilot ? run_pilot(*pilot, options) : exit_code::done;
}
