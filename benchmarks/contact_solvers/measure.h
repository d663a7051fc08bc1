#pragma once

#include <limits>

#include "forked_run.h"

namespace contact_benchmark {

/// How one contender fared on one problem.
struct Score {
  std::string problem, solver;
  bool is_percuss = true;
  RunEnd end = RunEnd::not_applicable;  ///< of the last run
  /// CPU time to each goal, infinite if not reached [s].
  std::vector<double> seconds = {};
  double residual = std::numeric_limits<double>::infinity();  ///< the best reached in any run

  bool applies() const { return end != RunEnd::not_applicable; }
};

/// Times a contender to each of the goals, which descend. A solver with a residual of its own gets the
/// loosest of the tolerances 1e-2, 1e-3, ... 1e-14 with which the judge is satisfied.
Score measure(const Contender& contender, const Task& task, const std::vector<double>& goals,
              const RunLimits& limits);

}  // namespace contact_benchmark
