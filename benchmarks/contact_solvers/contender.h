#pragma once

#include <functional>
#include <string>
#include <vector>

#include "percuss/io/contact_problem.h"
#include "percuss/nonsmooth/solvers.h"

/// docs/howto/contact_solver_benchmark.md
namespace contact_benchmark {

/// A problem of a file, and the local form in which the residual of every answer is computed.
struct Task {
  std::string name;
  percuss::ContactProblem content;
  percuss::LocalProblem local;

  const percuss::GlobalProblem* global() const {
    return std::get_if<percuss::GlobalProblem>(&content.problem);
  }
};

struct Answer {
  std::vector<double> r;
  bool claims_success = false;  ///< what the solver says; only the residual is believed
};

/// The part of a solve that is timed.
using Solve = std::function<Answer()>;

/// A solver with all its settings but the tolerance.
struct Contender {
  std::string name;
  bool is_percuss = true;
  /// The tolerance is on the residual. Otherwise the loosest one with a good answer is looked for.
  bool knows_residual = true;
  /// Converts the problem into the solver's own form and makes its options; this part is not timed. Empty if
  /// the solver cannot treat the problem.
  std::function<Solve(const Task&, double tolerance)> prepare;
};

/// Those of the solvers of percuss with one of these names; throws std::invalid_argument for an unknown one.
std::vector<Contender> percuss_contenders(const std::vector<std::string>& names);

/// Who forms W for the peers' local solvers on global files; its time counts.
enum class Reduction { siconos, percuss };

/// Empty if this program was built without Siconos.
std::vector<Contender> siconos_contenders(Reduction reduction);

}  // namespace contact_benchmark
