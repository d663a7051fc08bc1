#pragma once

#include <memory>
#include <optional>

#include "percuss/simulation/error_norms.h"
#include "percuss/simulation/run.h"

namespace percuss {

/// One run of a study: what is simulated, how, and what is looked at.
struct StudyTask {
  std::shared_ptr<const Assembly> assembly;  ///< of the model; each run takes a copy
  RunConfig config;
  std::vector<std::string> probes;
};

struct StudyPlan {
  std::vector<StudyTask> tasks;
  std::optional<size_t> reference;  ///< the task that the others are compared with; it is begun first
};

/// What became of a task.
struct StudyRun {
  RunEnd end = RunEnd::stopped;  ///< also if it was never begun
  std::string message;           ///< why it failed
  double reached = 0;            ///< time at which it ended [s]
  double cpu_seconds = 0;        ///< of its thread, quantities included
  double solver_seconds = 0;     ///< wall time in the contact solver, from a sample of the steps
  StepStatistics statistics;
  Trajectory trajectory;  ///< of the quantities, as far as it came

  bool finished() const { return end == RunEnd::finished; }
};

/// Both are called a few times a second by the thread that waits for the others.
struct StudyHooks {
  std::function<bool()> should_stop;
  std::function<void(double fraction, size_t finished_runs)> progress;  ///< fraction of all steps
};

/// The number of values that the trajectories of a plan will hold.
double sample_count(const StudyPlan& plan);

/// Runs every task on a thread of its own choice, small ones first; the results are in the order of the tasks
/// and do not depend on the number of threads. A task that fails ends alone.
std::vector<StudyRun> run_study(const StudyPlan& plan, int threads, const StudyHooks& hooks = {});

/// The errors (see errors_of) of each run that has finished; nothing for the others.
std::vector<std::vector<double>> study_errors(const std::vector<StudyRun>& runs,
                                              const ReferenceSolution& reference, Norm norm);

}  // namespace percuss
