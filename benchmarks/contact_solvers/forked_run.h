#pragma once

#include "contender.h"

namespace contact_benchmark {

struct RunLimits {
  double seconds = 20.0;           ///< of CPU time for one solve
  double repeated_seconds = 0.02;  ///< of CPU time in total, if the solve is worth repeating
};

enum class RunEnd : int { finished, time_limit, crashed, not_applicable };

/// One solver with one tolerance on one problem.
struct Run {
  RunEnd end = RunEnd::crashed;
  double seconds = 0.0;   ///< CPU time of the solve, median of the repetitions
  double residual = 0.0;  ///< relative; infinite if not finished
  double unscaled = 0.0;
  bool claims_success = false;
};

/// Solves in a process of its own, which bears crashes, endless loops, prints and leaks. The solve is
/// repeated for a better time only if the residual is at most `goal`.
Run run_forked(const Contender& contender, const Task& task, double tolerance, double goal,
               const RunLimits& limits);

}  // namespace contact_benchmark
