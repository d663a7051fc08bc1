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

/// What is asked of all contenders.
struct Rules {
  std::vector<double> goals = {1e-4, 1e-6, 1e-8, 1e-12};  ///< relative residuals, descending
  RunLimits limits;
  double give_up = 100.0;  ///< a solve is ended when it takes this many times longer than the best rival
};

/// Times a contender to each of the goals. A solver with a residual of its own gets the loosest of the
/// tolerances 1e-2, 1e-3, ... 1e-14 with which the residual is small enough. `rivals` are the scores on this
/// problem so far: those of percuss for a solver of percuss, those of peers for a peer, let it give up early.
Score measure(const Contender& contender, const Task& task, const Rules& rules,
              const std::vector<Score>& rivals);

}  // namespace contact_benchmark
