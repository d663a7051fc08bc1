#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "percuss/io/printable.h"
#include "percuss/io/results_reader.h"
#include "progress.h"
#include "say.h"

using namespace percuss;

namespace {

constexpr std::array<std::string_view, 4> status_names = {"running or killed", "finished", "stopped",
                                                          "failed"};
constexpr std::array<std::string_view, 5> phase_names = {"forces and linear algebra", "contact detection",
                                                         "contact solver", "energy ledger", "recording"};

/// The last value of each column of the ledger.
struct Balance {
  double kinetic, potential, strain, total, initial, work_loads, work_drives, loss_dampers, loss_impacts,
      loss_friction, loss_rolling, loss_spinning, loss_algorithmic;
};
Balance last_balance(const ResultsReader& results) {
  const auto names = results.columns();
  const auto last = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) return 0.0;  // an older file
    const auto column = results.column(name);
    return column.empty() ? 0.0 : column.back();
  };
  return {last("energy.kinetic"),         last("energy.potential"),    last("energy.strain"),
          last("energy.total"),           last("energy.initial"),      last("energy.work_loads"),
          last("energy.work_drives"),     last("energy.loss_dampers"), last("energy.loss_impacts"),
          last("energy.loss_friction"),   last("energy.loss_rolling"), last("energy.loss_spinning"),
          last("energy.loss_algorithmic")};
}

/// Steps whose contacts miss their tolerance, those with the largest residuals first.
void print_accepted(const ResultsReader& results) {
  constexpr std::size_t most = 10;
  auto steps = results.accepted();
  if (steps.empty()) return;
  say("\nSteps accepted above solver.tolerance: {}{}\n", steps.size(),
      steps.size() > most ? fmt::format(", of which the worst {}", most) : "");
  std::ranges::stable_sort(steps, std::greater{}, &AcceptedStep::residual);
  steps.resize(std::min(steps.size(), most));
  say("  {:<14}{:<12}{:<12}{:<16}{}\n", "time [s]", "step [s]", "residual", "moves [um]", "worst contact");
  for (const AcceptedStep& step : steps) {
    const auto& contact = results.contacts()[static_cast<size_t>(step.contact)];
    say("  {:<14.9g}{:<12.4g}{:<12.3g}{:<16.3g}{} with {}\n", step.time, step.size, step.residual,
        1e6 * step.displacement, printable(contact.body), printable(contact.obstacle));
  }
}

void print_table(const ResultsReader& results) {
  const auto& info = results.info();
  const auto run = results.run();
  const Balance e = last_balance(results);
  const auto times = results.column("time");
  const auto row = [](std::string_view name, const std::string& value) { say("  {:<28}{}\n", name, value); };
  const auto joules = [&](std::string_view name, double value) {
    row(name, fmt::format("{:>16.9g} J", value));
  };

  say("{}: {}\n", results.path(), info.title.empty() ? "(no title)" : printable(info.title));
  row("status", std::string(status_names[static_cast<size_t>(run.status)]) +
                    (run.message.empty() ? "" : ": " + printable(run.message)));
  const bool is_adaptive = run.total.computed > run.total.steps;
  row("scheme", fmt::format("{}, {} (percuss {})", info.scheme,
                            is_adaptive ? "adaptive steps" : fmt::format("h = {} s", info.time_step),
                            info.percuss_version));
  row("time", times.empty()
                  ? "no frame"
                  : fmt::format("{} s to {} s of {} s", times.front(), times.back(), info.time_end));
  if (!info.blas_kernel.empty()) row("dense kernels", printable(info.blas_kernel));
  row("frames", fmt::format("{}", results.frames()));
  if (!run.verdict.empty()) say("  {}\n", run.verdict);
  say("\nSteps\n");
  const auto& total = run.total;
  row("steps", total.smallest_step == total.largest_step
                   ? fmt::format("{}", total.steps)
                   : fmt::format("{}, from {:.3g} s to {:.3g} s", total.steps, total.smallest_step,
                                 total.largest_step));
  if (total.computed > total.steps) {
    row("  rejected tries", fmt::format("{}; {} steps were computed in all", total.rejected, total.computed));
    row("  estimated error", fmt::format("at most {:.3g} in a step (relative)", total.max_error));
    if (total.inaccurate > 0)
      row("  too inaccurate",
          fmt::format("{} steps of the smallest size (time.adaptive.min)", total.inaccurate));
  }
  if (total.shortened > 0)
    row("  shortened",
        fmt::format("{} steps, which end at impacts that bodies would pass through", total.shortened));
  if (total.halved > 0) row("  halved", fmt::format("{} steps, because longer ones failed", total.halved));
  row("iterations",
      fmt::format(
          "{:.3g} per step, at most {}",
          total.steps ? static_cast<double>(total.iterations) / static_cast<double>(total.steps) : 0.0,
          total.max_iterations));
  constexpr std::array<std::string_view, 3> levels = {"  smooth motion", "  positions", "  velocities"};
  if (total.by_level != std::array<std::int64_t, 3>{})
    for (size_t i = 0; i < levels.size(); ++i)
      row(levels[i], fmt::format("{:.3g} per step, at most {}",
                                 static_cast<double>(total.by_level[i]) / static_cast<double>(total.steps),
                                 total.max_by_level[i]));
  if (total.fallbacks > 0) row("fallbacks", fmt::format("{} sub-problems", total.fallbacks));
  row("factorisations", fmt::format("{}", total.factorisations));
  say("\nContacts\n");
  row("known", fmt::format("{}", results.contacts().size()));
  row("active at once", fmt::format("at most {}", total.max_active_contacts));
  row("impacts", fmt::format("{}", total.impacts));
  if (total.accumulations > 0)
    row("  accumulations", fmt::format("{}: contacts closed where impacts followed each other ever faster, "
                                       "the last at {:.9g} s",
                                       total.accumulations, total.last_accumulation));
  row("worst penetration", fmt::format("{:.3g} m", total.max_penetration));
  row("worst solver residual",
      fmt::format("{:.3g} (relative): in a step it moves a contact by {:.2g} micrometres{}",
                  total.max_residual, 1e6 * total.max_displacement,
                  total.max_force_error > 0
                      ? fmt::format(", {:.2g} of what its weight does", total.max_force_error)
                      : ""));
  print_accepted(results);
  say("\nEnergy balance at the last frame\n");
  joules("at the start", e.initial);
  joules("+ work of given forces", e.work_loads);
  joules("+ work of prescribed motions", e.work_drives);
  joules("- lost in dampers", e.loss_dampers);
  joules("- lost in impacts", e.loss_impacts);
  joules("- lost in friction", e.loss_friction);
  if (e.loss_rolling != 0) joules("- lost in rolling", e.loss_rolling);
  if (e.loss_spinning != 0) joules("- lost in spinning", e.loss_spinning);
  joules("- lost by the scheme", e.loss_algorithmic);
  joules("= kinetic + potential + strain", e.total);
  joules("  kinetic", e.kinetic);
  joules("  potential", e.potential);
  joules("  strain", e.strain);
  say("\nWall time {}\n", duration_text(run.wall_seconds));
  for (size_t i = 0; i < phase_names.size(); ++i)
    row(phase_names[i], fmt::format("{:>12.4g} s", run.phases[i]));
  say("  (phases of a step are measured on every 16th step)\n");
}

void print_json(const ResultsReader& results) {
  const auto& info = results.info();
  const auto run = results.run();
  const Balance e = last_balance(results);
  const auto times = results.column("time");
  nlohmann::ordered_json phases;
  for (size_t i = 0; i < phase_names.size(); ++i) phases[std::string(phase_names[i])] = run.phases[i];
  auto accepted = nlohmann::ordered_json::array();
  for (const AcceptedStep& step : results.accepted()) {
    const auto& contact = results.contacts()[static_cast<size_t>(step.contact)];
    accepted.push_back(nlohmann::ordered_json{{"time_s", step.time},
                                              {"step_s", step.size},
                                              {"residual", step.residual},
                                              {"displacement_m", step.displacement},
                                              {"body", contact.body},
                                              {"with", contact.obstacle}});
  }
  const nlohmann::ordered_json json = {{"file", results.path()},
                                       {"title", info.title},
                                       {"status", status_names[static_cast<size_t>(run.status)]},
                                       {"message", run.message},
                                       {"verdict", run.verdict},
                                       {"percuss_version", info.percuss_version},
                                       {"scheme", info.scheme},
                                       {"blas_kernel", info.blas_kernel},
                                       {"time_step_s", info.time_step},
                                       {"time_s", times.empty() ? 0.0 : times.back()},
                                       {"time_end_s", info.time_end},
                                       {"frames", results.frames()},
                                       {"steps", run.total.steps},
                                       {"smallest_step_s", run.total.smallest_step},
                                       {"largest_step_s", run.total.largest_step},
                                       {"rejected_steps", run.total.rejected},
                                       {"inaccurate_steps", run.total.inaccurate},
                                       {"accepted_steps", run.total.accepted},
                                       {"shortened_steps", run.total.shortened},
                                       {"halved_steps", run.total.halved},
                                       {"computed_steps", run.total.computed},
                                       {"max_step_error", run.total.max_error},
                                       {"iterations", run.total.iterations},
                                       {"max_iterations", run.total.max_iterations},
                                       {"iterations_by_level", run.total.by_level},
                                       {"max_iterations_by_level", run.total.max_by_level},
                                       {"fallbacks", run.total.fallbacks},
                                       {"factorisations", run.total.factorisations},
                                       {"contacts", results.contacts().size()},
                                       {"max_active_contacts", run.total.max_active_contacts},
                                       {"impacts", run.total.impacts},
                                       {"accumulations", run.total.accumulations},
                                       {"last_accumulation_s", run.total.last_accumulation},
                                       {"worst_penetration_m", run.total.max_penetration},
                                       {"worst_residual", run.total.max_residual},
                                       {"worst_displacement_m", run.total.max_displacement},
                                       {"worst_force_error", run.total.max_force_error},
                                       {"accepted", accepted},
                                       {"energy_J",
                                        {{"initial", e.initial},
                                         {"work_loads", e.work_loads},
                                         {"work_drives", e.work_drives},
                                         {"loss_dampers", e.loss_dampers},
                                         {"loss_impacts", e.loss_impacts},
                                         {"loss_friction", e.loss_friction},
                                         {"loss_rolling", e.loss_rolling},
                                         {"loss_spinning", e.loss_spinning},
                                         {"loss_algorithmic", e.loss_algorithmic},
                                         {"total", e.total},
                                         {"kinetic", e.kinetic},
                                         {"potential", e.potential},
                                         {"strain", e.strain}}},
                                       {"wall_seconds", run.wall_seconds},
                                       {"wall_seconds_by_phase", phases},
                                       {"columns", results.columns()}};
  say("{}\n", json.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace

void info_command(const InfoOptions& options) {
  const ResultsReader results(options.file);
  if (options.scene)
    write_printable(stdout, results.scene_text(), "\n\r\t");
  else if (options.json)
    print_json(results);
  else
    print_table(results);
}
