#pragma once

#include <chrono>

#include "percuss/integrators/step_report.h"

namespace percuss {

/// Adds the time since the last mark to a phase. Reading the clock costs as much as a small step, so it can
/// be switched off: the run loop measures a sample of the steps.
class PhaseClock {
 public:
  void start(bool on) {
    on_ = on;
    if (on_) last_ = std::chrono::steady_clock::now();
  }
  void mark(double& phase) {
    if (!on_) return;
    const auto now = std::chrono::steady_clock::now();
    phase += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  bool on_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace percuss
