#include "percuss/simulation/run.h"

#include <chrono>
#include <cmath>

namespace percuss {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// True if a multiple of the recording interval lies in (before, now], or the run is over. A function of the
/// times alone, so a resumed run records the same frames.
bool frame_is_due(const Simulation& simulation, double before) {
  if (simulation.finished()) return true;
  const auto& every = simulation.config().record.every;
  if (!every) return true;
  const auto passed = [&](double t) {
    return std::floor((t - simulation.config().time.start) / *every + 1e-9);
  };
  return passed(simulation.time()) > passed(before);
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

 private:
  long count_ = 0, stride_ = 1;
  Clock::time_point last_ = Clock::now();
};

}  // namespace

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
  while (!simulation.finished()) {
    const double before = simulation.time();
    const StepReport report = simulation.step();
    if (report.status != SolveStatus::converged) {
      outcome.end = RunEnd::failed;
      outcome.message = simulation.why_it_failed(report);
      if (simulation.interval_statistics().steps > 0) record_frame();  // the last state that was computed
      break;
    }
    if (!simulation.impacts().empty())
      recording([&] {
        for (const Impact& impact : simulation.impacts()) recorder.on_impact(impact);
      });
    if (frame_is_due(simulation, before)) record_frame();
    if (!watch.is_time()) continue;
    if (hooks.progress) hooks.progress(simulation);
    if (hooks.should_stop && hooks.should_stop()) {
      outcome.end = simulation.finished() ? RunEnd::finished : RunEnd::stopped;
      break;
    }
    if (seconds_since(last_flush) >= simulation.config().record.flush) {
      recording([&] { recorder.flush(simulation); });
      last_flush = Clock::now();
    }
  }
  recording([&] { recorder.flush(simulation); });
  outcome.wall_seconds = seconds_since(start);
  return outcome;
}

}  // namespace percuss
