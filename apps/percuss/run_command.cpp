#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "commands.h"
#include "interrupt.h"
#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/io_error.h"
#include "percuss/io/problem_dump.h"
#include "percuss/io/recording.h"
#include "percuss/io/results_reader.h"
#include "percuss/io/results_writer.h"
#include "percuss/simulation/verdict.h"
#include "progress.h"
#include "say.h"

namespace fs = std::filesystem;
using namespace percuss;

namespace {

/// Overwriting old results is what users expect; overwriting anything else is not.
void refuse_to_overwrite_others(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::none) throw IoError::cannot("write", path, error.message());
  if (!fs::exists(status)) return;
  if (fs::is_directory(status))
    throw IoError::cannot("write", path, "it is a directory", "name a file with -o");
  if (!is_results_file(path))
    throw IoError::cannot("write", path, "the file exists and holds no percuss results",
                          "move it away or choose another name with -o");
}

/// The first line in which two texts differ, for the message that a scene has changed.
std::string first_difference(const std::string& before, const std::string& now) {
  const auto is_adaptive = [](const std::string& text) { return text.find("\n  adaptive:") != text.npos; };
  if (is_adaptive(before) != is_adaptive(now))
    return is_adaptive(before) ? "its steps were adaptive, and are not now" : "its steps were not adaptive";
  size_t begin = 0, i = 0;
  for (; i < before.size() && i < now.size() && before[i] == now[i]; ++i)
    if (now[i] == '\n') begin = i + 1;
  const auto line = [&](const std::string& text) {
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  return fmt::format("it was '{}' and is now '{}'", line(before), line(now));
}

std::unique_ptr<ResultsWriter> resume(Simulation& simulation, const ResultsWriter::Header& header,
                                      bool quiet) {
  const std::string checkpoint = checkpoint_path(header.path);
  // So after a kill before the first results were published: at most a file that ends in .part is left.
  if (!fs::exists(header.path) && !fs::exists(checkpoint))
    throw IoError::cannot("resume", header.path, "there is no such file, so there is nothing to resume",
                          "run without --resume");
  const CheckpointFile position = read_checkpoint(checkpoint);
  if (position.fingerprint != header.fingerprint)
    throw SceneError({fmt::format("error: cannot resume {}: the scene has changed since ({}); only {} may",
                                  header.path, first_difference(position.fingerprint, header.fingerprint),
                                  simulation.config().time.adaptive
                                      ? "record.flush, because the tolerance is one of the whole duration,"
                                      : "time.end and record.flush")});
  const double reached = position.checkpoint.state.time, end = simulation.config().time.end;
  if (position.checkpoint.intervals > simulation.grid().step_count())
    throw SceneError(
        {fmt::format("error: cannot resume {}: it has already reached t = {} s, later than time.end = {} s",
                     header.path, reached, end)});
  simulation.restore(position.checkpoint);
  if (!quiet)
    say("resuming {} at t = {:.9g} s (step {})\n", header.path, simulation.time(), simulation.state().step);
  return ResultsWriter::resume(header, simulation, position);
}

void print_outcome(const Simulation& simulation, const RunOutcome& outcome, const std::string& output) {
  const auto& energy = simulation.energy();
  const auto& total = simulation.statistics();
  say("t = {:.9g} s after {} steps, {} impacts, {}\n", simulation.time(), total.steps, total.impacts,
      duration_text(outcome.wall_seconds));
  say("energy {:.9g} J of {:.9g} J at the start; lost in impacts {:.6g} J, friction {:.6g} J, dampers {:.6g} "
      "J, "
      "scheme {:.3g} J\n",
      energy.total(), energy.initial, energy.loss_impacts,
      energy.loss_friction + energy.loss_rolling + energy.loss_spinning, energy.loss_dampers,
      energy.loss_algorithmic);
  for (const auto& line : verdict_lines(judge_run(simulation, outcome.end))) say("{}\n", line);
  say("results in {}; see percuss info {} and percuss plot {}\n", output, output, output);
}

}  // namespace

int run_command(const RunOptions& options) {
  std::vector<std::string> overrides = options.overrides;
  if (options.strict) overrides.emplace_back("solver.acceptable=0");
  auto [scene, simulation] = load_simulation(options.scene, overrides, options.plugin_path, options.threads);
  const std::string output =
      options.output.empty() ? fs::path(options.scene).stem().string() + ".h5" : options.output;
  for (const auto& note : scene.notes) say(stderr, "note: {}\n", note);
  for (const auto& warning : simulation.start_warnings()) say(stderr, "warning: {}\n", warning);

  const auto header = results_header(scene, simulation.assembly().system, output);
  refuse_to_overwrite_others(output);
  const auto writer = options.resume ? resume(simulation, header, options.quiet)
                                     : std::make_unique<ResultsWriter>(header, simulation);
  std::optional<ProblemDump> dump;
  if (!options.dump_problems.empty()) {
    dump.emplace(options.dump_problems, options.worse_than);
    simulation.observe_problems([&](const auto&... seen) { dump->see(seen...); });
  }
  interrupt::install();
  RunOutcome outcome;
  {
    Progress progress(options.quiet);
    RunHooks hooks;
    hooks.should_stop = [] { return interrupt::received_signal() != 0; };
    hooks.progress = [&](const Simulation& s) { progress.update(s); };
    outcome = run(simulation, *writer, hooks);
  }
  writer->finish(simulation, outcome);

  if (!options.quiet) print_outcome(simulation, outcome, output);
  if (dump && !options.quiet)
    say("{} contact problems in {}{}\n", dump->saved(), options.dump_problems,
        dump->left_out() > 0 ? fmt::format("; {} with dry joints left out", dump->left_out()) : "");
  if (const auto& total = simulation.statistics(); total.accepted > 0)
    say(stderr,
        "warning: {} of {} steps miss solver.tolerance, by at most {:.2g} micrometres in a step; see percuss "
        "info {}\n",
        total.accepted, total.steps, 1e6 * total.max_displacement, output);
  if (outcome.end == RunEnd::failed) {
    say(stderr, "error: {}\n", outcome.message);
    return exit_code::numerical_failure;
  }
  if (outcome.end == RunEnd::stopped) {
    say(stderr, "stopped at t = {:.9g} s; continue with --resume\n", simulation.time());
    return 128 + interrupt::received_signal();
  }
  return exit_code::done;
}
