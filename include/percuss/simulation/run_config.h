#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "percuss/integrators/registry.h"
#include "percuss/math/fields.h"
#include "percuss/model/model.h"
#include "percuss/simulation/adaptive_options.h"

namespace percuss {

struct Assembly;

struct TimeOptions {
  double start = 0;
  double end = 0;
  double step = 0;
  int halvings = 5;
  std::optional<AdaptiveOptions> adaptive;

  static void fields(auto& self, auto& visit) {
    visit("start", self.start, Field{.unit = "s", .help = "time of the initial state"});
    visit("end", self.end,
          Field{.unit = "s", .help = "time at which the run ends; later than `start`", .required = true});
    visit("step", self.step,
          Field{.unit = "s",
                .help = "time step h; the last step is shortened if it would pass `end`. With `adaptive` "
                        "the first step that is tried",
                .range = allow::positive,
                .required = true});
    visit(
        "halvings", self.halvings,
        Field{.help =
                  "how often a step that fails, or whose contacts miss solver.tolerance, is tried again with "
                  "half its size; then the run ends, or goes on as solver.acceptable says. Such steps are "
                  "counted",
              .range = allow::nonnegative});
    visit("adaptive", self.adaptive,
          Field{.help = "steps of varying size, as long as a tolerance allows; they end at the multiples of "
                        "`record.every`"});
  }
};

struct RecordOptions {
  std::optional<double> every;
  double flush = 2;
  NamedMap<std::string> probes;

  static void fields(auto& self, auto& visit) {
    visit("every", self.every,
          Field{.unit = "s",
                .help = "time between two frames of the results file; default: every step. A frame is "
                        "the first step at or after each multiple",
                .range = allow::positive});
    visit("flush", self.flush,
          Field{.unit = "s",
                .help = "wall time after which results and a checkpoint are safe on disk",
                .range = allow::nonnegative});
    visit("probes", self.probes,
          Field{.help = "quantities to record, by a name of your own (see Probes below)"});
  }
};

/// How a model is to be run.
struct RunConfig {
  SchemeOptions integrator;
  SolverChoice solver;
  TimeOptions time;
  RecordOptions record;
  int threads = 1;  ///< for contacts and elements of solids; no result depends on it, and no scene says it

  static void fields(auto& self, auto& visit) {
    visit("integrator", self.integrator, Field{.help = "time-stepping scheme and its options"});
    visit("solver", self.solver, Field{.help = "solver of the contact problem in each step"});
    visit("time", self.time, Field{.help = "duration and step", .required = true});
    visit("record", self.record, Field{.help = "what goes into the results file"});
  }
};

/// Everything that is wrong with the settings, apart from probes.
std::vector<Complaint> validate(const RunConfig& config);
/// What the scheme cannot do with these contacts.
std::vector<Complaint> restrictions(const RunConfig& config, const Assembly& assembly);

/// The times that a run reaches exactly: t_n = start + n h, and a shorter last step if h does not divide the
/// duration (to 1e-9 of a step). A scheme may take several steps from one to the next.
class TimeGrid {
 public:
  explicit TimeGrid(const TimeOptions& options);
  /// Of a run: with adaptive steps the frames, or without `record.every` the whole run at once. Frames, too,
  /// of a scheme that chooses its steps itself, where they are more frequent than time.step.
  explicit TimeGrid(const RunConfig& config);
  std::int64_t step_count() const { return steps_; }
  double time(std::int64_t n) const;
  /// Size of the step from t_n to t_{n+1}.
  double step_size(std::int64_t n) const { return n + 1 == steps_ ? last_step_ : step_; }
  bool last_step_is_shorter() const { return last_step_ != step_; }

 private:
  TimeGrid(double start, double end, double step);
  double start_, end_, step_, last_step_;
  std::int64_t steps_;
};

}  // namespace percuss
