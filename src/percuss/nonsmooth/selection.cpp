#include "percuss/nonsmooth/selection.h"

#include <utility>

#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/solution_set.h"

namespace percuss {
namespace {

/// Takes r over if its residual is within the tolerance.
bool accept_reactions(const LocalProblem& problem, double tolerance, const Eigen::VectorXd& r,
                      Solution& solution) {
  const std::vector<double> candidate(r.begin(), r.end());
  const Residual residual = residual_of(problem, candidate);
  if (!residual.is_within(tolerance)) return false;
  solution.r = candidate;
  solution.residual = residual;
  solution.u.assign(problem.u_free.begin(), problem.u_free.end());
  problem.W.multiply_add(solution.r.data(), solution.u.data());
  solution.selection = Selection::minimum_norm;
  return true;
}

class MinimumNormSolver final : public Solver {
 public:
  MinimumNormSolver(std::unique_ptr<Solver> solver, double tolerance)
      : solver_(std::move(solver)), tolerance_(tolerance) {}

  void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) override {
    solver_->solve(problem, guess, out);
    select_minimum_norm(problem, tolerance_, out);
  }
  void reserve(int rows) override { solver_->reserve(rows); }

 private:
  std::unique_ptr<Solver> solver_;
  double tolerance_;
};

}  // namespace

void select_minimum_norm(const LocalProblem& problem, double tolerance, Solution& solution) {
  solution.selection = Selection::any;
  if (solution.status != SolveStatus::converged || !is_delassus(problem.W)) return;
  SolutionSet solutions(problem, solution, tolerance);
  const Eigen::VectorXd origin = Eigen::VectorXd::Zero(problem.size());
  for (const auto velocities : {SolutionSet::Velocities::cleaned, SolutionSet::Velocities::as_found})
    if (accept_reactions(problem, tolerance, solutions.nearest_to(origin, velocities), solution)) return;
}

std::unique_ptr<Solver> with_selection(std::unique_ptr<Solver> solver, Selection selection,
                                       double tolerance) {
  if (selection == Selection::any) return solver;
  return std::make_unique<MinimumNormSolver>(std::move(solver), tolerance);
}

}  // namespace percuss
