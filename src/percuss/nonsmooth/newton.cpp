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

void NewtonSolver::reserve(int rows) { core_.reserve(rows); }

double norm_of_free_velocity(const LocalProblem& problem) {
  double u_free2 = 0.0;
  for (const double u : problem.u_free) u_free2 += u * u;
  return std::max(std::sqrt(u_free2), residual_floor);
}

bool NewtonStart::sweep(const LocalProblem& problem, const SolverOptions& options, int sweeps,
                        std::vector<double>& r) {
  if (sweeps == 0) return false;
  NlgsOptions nlgs;
  nlgs.tolerance = options.tolerance;
  nlgs.max_iterations = sweeps;
  NlgsSolver(nlgs).solve(problem, r, swept_);
  if (swept_.status == SolveStatus::not_finite) return false;
  r = swept_.r;
  return swept_.status == SolveStatus::converged;
}

SolveStatus NewtonSolver::iterate(const LocalProblem& problem, double speed, Solution& out) {
  const int limit = options_.max_iterations > 0 ? options_.max_iterations : default_iterations;
  core_.load(problem, {options_.formulation, options_.regularisation});
  best_ = out.r;
  double best = judge(problem, out.r).relative;
  for (int attempt = 0; attempt <= options_.rescues; ++attempt) {
    core_.set_reactions(out.r);
    // Slightly below the goal, because the projection of the result onto K moves it.
    const double goal = 0.9 * options_.tolerance * speed;
    out.iterations += core_.run(0.0, goal, limit - out.iterations, &out.history).iterations;
    core_.get_reactions(out.r);
    const double residual = judge(problem, out.r).relative;
    if (residual < best) {
      best = residual;
      best_ = out.r;
    }
    if (best <= options_.tolerance || out.iterations >= limit) break;
    if (start_.sweep(problem, options_, options_.rescue_sweeps << attempt, out.r)) {
      best_ = out.r;
      break;
    }
  }
  out.r = best_;
  for (double& residual : out.history) residual /= speed;
  return out.iterations >= limit ? SolveStatus::iteration_limit : SolveStatus::stalled;
}

void NewtonSolver::solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) {
  if (!begin_solve(problem, guess, "newton", out)) return;
  SolveStatus status = SolveStatus::stalled;
  if (!guess.empty() || !start_.sweep(problem, options_, options_.first_sweeps, out.r))
    status = iterate(problem, norm_of_free_velocity(problem), out);
  end_solve(problem, options_.tolerance, status, out);
}

}  // namespace percuss
