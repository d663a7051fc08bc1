#pragma once

#include "percuss/simulation/simulation.h"

namespace percuss {

/// What a run is written to. An implementation reports trouble by throwing.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// A frame is due: the state, the ledger and the sums since the last frame are in the simulation.
  virtual void on_frame(const Simulation& simulation) = 0;
  /// There were impacts in the last step.
  virtual void on_impacts(const Simulation& simulation) = 0;
  /// The last step misses its tolerance.
  virtual void on_accepted(const Simulation& /*simulation*/) {}
  /// Makes everything so far safe, together with the checkpoint of this moment.
  virtual void flush(const Simulation& simulation) = 0;
};

}  // namespace percuss
