#pragma once

#include "percuss/nonsmooth/global_problem.h"
#include "percuss/nonsmooth/solver.h"

namespace percuss {

struct InteriorPointOptions : SolverOptions {
  double step_share = 0.99;  ///< of the way to the boundary of the cones, in (0, 1)

  void validate() const;  ///< throws std::invalid_argument naming the field
};

/// Primal-dual interior point for the exact law (NI-4): Newton's method on the smoothed complementarity of
/// cones, with Nesterov-Todd scaling, predictor and corrector. A few dozen factorisations, almost regardless
/// of how strongly contacts are braced against each other: for towers, walls and arches.
class InteriorPointSolver final : public Solver {
 public:
  static constexpr int default_iterations = 150;

  explicit InteriorPointSolver(const InteriorPointOptions& options = {});

  void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  /// The same without forming W, if that is less work.
  void solve_global(const GlobalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  void reserve(int) override {}
  void set_tolerance(double tolerance) { options_.tolerance = tolerance; }

 private:
  InteriorPointOptions options_;
};

}  // namespace percuss
