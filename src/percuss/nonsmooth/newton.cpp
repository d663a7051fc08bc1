#include "percuss/nonsmooth/newton.h"

#include <iterator>
#include <stdexcept>

#include "percuss/nonsmooth/residual.h"

namespace percuss {
namespace {

/// Tried one after the other (NN-13): what is too timid for a tall tower is too bold for a heap.
constexpr NewtonCore::Attempt newton_attempts[] = {
    {.caution = 1e-1}, {.caution = 1e-4, .tangent_factor = 0.3}, {.caution = 1e-2}};

}  // namespace

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

bool NewtonStart::sweep(const LocalProblem& problem, const SolverOptions& options, int sweeps,
                        std::vector<double>& r) {
  if (sweeps == 0) return false;
  NlgsOptions nlgs;
  nlgs.tolerance = options.tolerance;
  nlgs.max_iterations = sweeps;
  nlgs.deadline = options.deadline;
  NlgsSolver(nlgs).solve(problem, r, swept_);
  if (swept_.status == SolveStatus::not_finite) return false;
  r = swept_.r;
  return swept_.status == SolveStatus::converged;
}

SolveStatus NewtonSolver::iterate(const LocalProblem& problem, Solution& out) {
  const int limit = options_.max_iterations > 0 ? options_.max_iterations : default_iterations;
  core_.load(problem, {.formulation = options_.formulation,
                       .regularisation = options_.regularisation,
                       .deadline = options_.deadline});
  best_ = out.r;
  Residual best = residual_of(problem, out.r);
  for (int attempt = 0; attempt <= options_.rescues; ++attempt) {
    core_.set_reactions(out.r);
    // Slightly below the goal, because the projection of the result onto K moves it.
    const double goal = 0.9 * options_.tolerance * speed_scale(problem);
    const auto& settings = newton_attempts[attempt % std::size(newton_attempts)];
    out.iterations += core_.run(settings, goal, limit - out.iterations, &out.history).iterations;
    core_.get_reactions(out.r);
    const Residual residual = residual_of(problem, out.r);
    if (residual.relative < best.relative) {
      best = residual;
      best_ = out.r;
    }
    if (best.is_within(options_.tolerance) || out.iterations >= limit || options_.deadline.passed()) break;
    if (start_.sweep(problem, options_, options_.rescue_sweeps << attempt, out.r)) {
      best_ = out.r;
      break;
    }
  }
  out.r = best_;
  if (options_.deadline.passed()) return SolveStatus::time_limit;
  return out.iterations >= limit ? SolveStatus::iteration_limit : SolveStatus::stalled;
}

void NewtonSolver::solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) {
  if (!begin_solve(problem, guess, "newton", out)) return;
  if (!can_treat(options_.formulation, problem.cones)) return end_unsupported(problem, out);
  SolveStatus status = SolveStatus::stalled;
  if (!guess.empty() || !start_.sweep(problem, options_, options_.first_sweeps, out.r))
    status = iterate(problem, out);
  end_solve(problem, options_.tolerance, status, out);
}

}  // namespace percuss
