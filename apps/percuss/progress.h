#pragma once

#include <chrono>

#include "percuss/simulation/simulation.h"

/// Shows how far a run is: a bar with the time left on a terminal, a plain line now and then otherwise.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  void update(const percuss::Simulation& simulation);
  void clear();  ///< removes the bar before something else is printed

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_, terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
  double first_time_ = -1;
};

/// 3.2 s, 4 min 10 s, 2 h 5 min.
std::string duration_text(double seconds);
