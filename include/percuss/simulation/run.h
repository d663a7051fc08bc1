#pragma once

#include <functional>
#include <string>

#include "percuss/simulation/recorder.h"

namespace percuss {

/// What the caller of a run may want to do in between; both are called a few times a second.
struct RunHooks {
  std::function<bool()> should_stop;
  std::function<void(const Simulation&)> progress;
};

enum class RunEnd { finished, stopped, failed };

struct RunOutcome {
  RunEnd end = RunEnd::finished;
  std::string message;  ///< why it failed
  double wall_seconds = 0;
  double recording_seconds = 0;
};

/// True if a multiple of the recording interval was reached in the last step, or at the start. A function of
/// the times alone, so a resumed run records the same frames.
bool is_frame_time(const Simulation& simulation);

/// Steps to the end, recording on the way. Everything computed is recorded also if the run fails or stops.
RunOutcome run(Simulation& simulation, Recorder& recorder, const RunHooks& hooks = {});

}  // namespace percuss
