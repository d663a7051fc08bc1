#pragma once

#include "percuss/nonsmooth/lemke.h"
#include "percuss/nonsmooth/nlgs.h"

namespace percuss {

/// Chooses the method by the problem.
class AutoSolver final : public Solver {
 public:
  explicit AutoSolver(const SolverOptions& options);

  void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  void reserve(int rows) override;

 private:
  LemkeSolver lemke_;
  NlgsSolver nlgs_;
};

}  // namespace percuss
