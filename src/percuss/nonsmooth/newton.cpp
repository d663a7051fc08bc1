#include "percuss/nonsmooth/newton.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "percuss/nonsmooth/judge.h"

namespace percuss {

void NewtonOptions::validate() const {
  SolverOptions::validate();
  if (!(regularisation >= 0.0 && regularisation <= 1.0))
    throw std::invalid_argument("NewtonOptions.regularisation: must be in [0, 1]");
  if (first_sweeps < 0) throw std::invalid_argument("NewtonOptions.first_sweeps: must be >= 0");
  if (rescue_sweeps < 1) throw std::invalid_argument("NewtonOptions.rescue_sweeps: must be >= 1");
  if (rescues < 0) throw std::invalid_argument("NewtonOptions.rescues: must be >= 0");
}

NewtonSolver::NewtonSolver(const NewtonOptions& options) : options_(options) { options_.validate(); }

void NewtonSolver::reserve(int) {}

void NewtonSolver::sweep(const LocalProblem& problem, int sweeps, Solution& out) {
  NlgsOptions options;
  options.tolerance = options_.tolerance;
  options.max_iterations = sweeps;
  NlgsSolver(options).solve(problem, out.r, swept_);
  if (swept_.status != SolveStatus::not_finite) out.r = swept_.r;
}

void NewtonSolver::solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) {
  if (!begin_solve(problem, guess, "newton", out)) return;
  double u_free2 = 0.0;
  for (const double u : problem.u_free) u_free2 += u * u;
  const double scale = std::max(std::sqrt(u_free2), residual_floor), goal = options_.tolerance * scale;
  const int limit = options_.max_iterations > 0 ? options_.max_iterations : default_iterations;
  if (guess.empty() && options_.first_sweeps > 0) sweep(problem, options_.first_sweeps, out);
  if (swept_.status != SolveStatus::converged || !guess.empty()) {
    core_.load(problem, {options_.formulation, options_.regularisation});
    std::vector<double> best = out.r;
    double best_residual = judge(problem, out.r).relative;
    for (int attempt = 0; attempt <= options_.rescues; ++attempt) {
      core_.set_reactions(out.r);
      const auto outcome = core_.run(0.0, 0.9 * goal, limit - out.iterations, &out.history);
      out.iterations += outcome.iterations;
      core_.get_reactions(out.r);
      const double residual = judge(problem, out.r).relative;
      if (residual < best_residual) {
        best_residual = residual;
        best = out.r;
      }
      if (best_residual <= options_.tolerance || out.iterations >= limit) break;
      sweep(problem, options_.rescue_sweeps << attempt, out);
    }
    out.r = best;
    for (double& h : out.history) h /= scale;
  }
  end_solve(problem, options_.tolerance,
            out.iterations >= limit ? SolveStatus::iteration_limit : SolveStatus::stalled, out);
}

}  // namespace percuss
