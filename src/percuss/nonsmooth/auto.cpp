#include "percuss/nonsmooth/auto.h"

namespace percuss {

AutoSolver::AutoSolver(const SolverOptions& options)
    : lemke_({.tolerance = options.tolerance}), nlgs_({options}) {}

void AutoSolver::reserve(int rows) {
  lemke_.reserve(rows);
  nlgs_.reserve(rows);
}

void AutoSolver::solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) {
  if (problem.has_only(ConeKind::nonnegative))
    lemke_.solve(problem, guess, out);
  else
    nlgs_.solve(problem, guess, out);
}

}  // namespace percuss
