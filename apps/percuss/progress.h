#pragma once

#include <chrono>
#include <string>

#include "percuss/simulation/simulation.h"

/// Shows how far a run or a study is: a bar with the time left on a terminal, a plain line now and then
/// otherwise.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  void update(const percuss::Simulation& simulation);
  /// `done` is a fraction; `detail` says in words where the work is.
  void update(double done, const std::string& detail);
  void clear();  ///< removes the bar before something else is printed

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_, terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
  double first_done_ = -1;  ///< a resumed run does not start at 0
};

/// 3.2 s, 4 min 10 s, 2 h 5 min.
std::string duration_text(double seconds);
