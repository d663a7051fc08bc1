#include "percuss/simulation/run.h"

#include <chrono>
#include <cmath>

namespace percuss {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Looks at the clock, the hooks and the flush interval about a hundred times a second, however long a step
/// is.
class Watch {
 public:
  bool is_time() {
    if (++count_ < stride_) return false;
    const double elapsed = seconds_since(last_);
    if (elapsed < 0.005) stride_ *= 2;
    if (elapsed > 0.02 && stride_ > 1) stride_ /= 2;
    count_ = 0;
    last_ = Clock::now();
    return true;
  }

  /// Leaves out what has passed since the last look: a flush says nothing about the length of a step.
  void restart() { last_ = Clock::now(); }

 private:
  long count_ = 0, stride_ = 1;
  Clock::time_point last_ = Clock::now();
};

}  // namespace

bool is_frame_time(const Simulation& simulation) {
  const auto& every = simulation.config().record.every;
  if (!every || simulation.state().step == 0) return true;
  const auto passed = [&](double t) {
    return std::floor((t - simulation.config().time.start) / *every + 1e-9);
  };
  return passed(simulation.time()) > passed(simulation.last_step_start());
}

RunOutcome run(Simulation& simulation, Recorder& recorder, const RunHooks& hooks) {
  RunOutcome outcome;
  const auto start = Clock::now();
  const auto recording = [&](auto&& action) {
    const auto begin = Clock::now();
    action();
    outcome.recording_seconds += seconds_since(begin);
  };
  const auto record_frame = [&] {
    recording([&] { recorder.on_frame(simulation); });
    simulation.begin_interval();
  };

  if (simulation.state().step == 0) record_frame();
  auto last_flush = Clock::now();
  Watch watch;
  simulation.stop_when(hooks.should_stop);
  while (!simulation.finished()) {
    const StepReport report = simulation.step();
    if (report.stopped) {
      outcome.end = RunEnd::stopped;
      break;
    }
    if (report.status != SolveStatus::converged) {
      outcome.end = RunEnd::failed;
      outcome.message = simulation.why_it_failed(report);
      if (simulation.interval_statistics().steps > 0) record_frame();  // the last state that was computed
      break;
    }
    if (!simulation.impacts().empty()) recording([&] { recorder.on_impacts(simulation); });
    if (!simulation.accepted().empty()) recording([&] { recorder.on_accepted(simulation); });
    if (is_frame_time(simulation) || simulation.finished()) record_frame();
    if (!watch.is_time()) continue;
    if (hooks.progress) hooks.progress(simulation);
    if (hooks.should_stop && hooks.should_stop()) {
      outcome.end = simulation.finished() ? RunEnd::finished : RunEnd::stopped;
      break;
    }
    if (seconds_since(last_flush) >= simulation.config().record.flush) {
      recording([&] { recorder.flush(simulation); });
      last_flush = Clock::now();
      watch.restart();
    }
  }
  simulation.stop_when({});
  recording([&] { recorder.flush(simulation); });
  outcome.wall_seconds = seconds_since(start);
  return outcome;
}

}  // namespace percuss
