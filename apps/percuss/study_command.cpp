#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "commands.h"
#include "gnuplot_script.h"
#include "interrupt.h"
#include "percuss/io/io_error.h"
#include "progress.h"
#include "say.h"
#include "study_report.h"

namespace fs = std::filesystem;
using namespace percuss;

namespace {

/// The step whose trajectories are wanted, or nothing.
std::optional<size_t> trajectory_step(const Study& study, double wanted) {
  if (wanted <= 0) return std::nullopt;
  const auto& steps = study.description.steps;
  const auto found =
      std::ranges::find_if(steps, [&](double h) { return std::abs(h - wanted) <= 1e-9 * wanted; });
  if (found == steps.end())
    throw SceneError(
        {fmt::format("error: --trajectories {} is none of the steps: {}", wanted, fmt::join(steps, ", "))});
  return static_cast<size_t>(found - steps.begin());
}

std::string make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !fs::is_directory(path))
    throw IoError::cannot("write", path, error ? error.message() : "it is no folder",
                          "choose another with -o");
  return path;
}

std::vector<StudyRun> run_with_progress(const Study& study, int threads, bool quiet) {
  Progress progress(quiet);
  StudyHooks hooks;
  hooks.should_stop = [] { return interrupt::received_signal() != 0; };
  hooks.progress = [&](double done, size_t finished) {
    progress.update(done, fmt::format("{} of {} runs", finished, study.plan.tasks.size()));
  };
  return run_study(study.plan, threads, hooks);
}

/// Compares the runs with the reference; if that is a run which has not finished, nothing is known.
void fill_errors(const Study& study, StudyResults& results) {
  const Norm norm = study.description.norm;
  results.errors.resize(results.runs.size());
  results.reference = study.reference;
  if (const auto task = study.plan.reference; task && results.runs[*task].finished())
    results.reference = make_reference(results.runs[*task].trajectory,
                                       study.description.reference.interpolation, norm == Norm::graph);
  if (results.reference) results.errors = study_errors(results.runs, *results.reference, norm);
  if (study.plan.reference) results.errors[*study.plan.reference].clear();  // it has no error to speak of
}

/// Returns what was written, for the last line.
std::string write_files(const StudyResults& results, const std::string& folder, std::optional<size_t> step) {
  const bool draw = has_gnuplot();
  write_errors(results, folder + "/errors.csv");
  if (step) write_trajectories(results, *step, folder, draw);
  if (!draw) {
    say(stderr, "warning: no pictures: gnuplot is not installed; install the Debian package gnuplot-nox\n");
    return "errors.csv";
  }
  draw_convergence(results, folder + "/convergence.png");
  draw_work_precision(results, folder + "/work_precision.png");
  return "errors.csv, convergence.png, work_precision.png";
}

}  // namespace

int study_command(const StudyOptions& options) {
  const Study study = load_study(options.file,
                                 {{"steps", "--steps", options.steps},
                                  {"integrators", "--integrators", options.integrators},
                                  {"quantities", "--quantity", options.quantities},
                                  {"reference", "--reference", options.reference},
                                  {"norm", "--norm", options.norm},
                                  {"until", "--until", options.until}},
                                 options.overrides, options.plugin_path);
  for (const auto& note : study.notes) say(stderr, "note: {}\n", note);
  interrupt::install();  // before anything appears on the disk
  const auto step = trajectory_step(study, options.trajectories);
  const std::string folder = make_folder(options.output.empty() ? study.name + "_study" : options.output);
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));

  StudyResults results{
      study, run_with_progress(study, options.threads > 0 ? options.threads : cores, options.quiet), {}, {}};
  fill_errors(study, results);
  if (!options.quiet) print_study(results);
  const std::string files = write_files(results, folder, step);
  if (!options.quiet) say("\n{}: {}\n", folder, files);

  if (const int signal = interrupt::received_signal(); signal != 0) {
    const auto done = std::ranges::count_if(results.runs, &StudyRun::finished);
    say(stderr, "stopped: {} of {} runs have finished\n", done, results.runs.size());
    return 128 + signal;
  }
  if (std::ranges::any_of(results.errors, [](const auto& errors) { return !errors.empty(); }))
    return exit_code::done;
  say(stderr, "error: there is nothing to compare: {}\n",
      study.reference ? "no run has finished" : "the reference or all other runs have failed");
  return exit_code::numerical_failure;
}
