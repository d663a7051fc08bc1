#include "percuss/nonsmooth/proximal.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "percuss/nonsmooth/judge.h"

namespace percuss {
namespace {

constexpr double smallest_weight = 1e-10, largest_weight = 1e3;

}  // namespace

ProximalSolver::ProximalSolver(const ProximalOptions& options) : options_(options) {
  options_.validate();
  if (!(options_.first_weight > 0.0))
    throw std::invalid_argument("ProximalOptions.first_weight: must be positive");
  if (options_.inner_iterations < 1)
    throw std::invalid_argument("ProximalOptions.inner_iterations: must be >= 1");
}

void ProximalSolver::reserve(int rows) { core_.reserve(rows); }

SolveStatus ProximalSolver::iterate(const LocalProblem& problem, double speed, Solution& out) {
  const int limit = options_.max_iterations > 0 ? options_.max_iterations : default_iterations;
  core_.load(problem, {options_.formulation, options_.regularisation});
  core_.set_reactions(out.r);
  best_ = out.r;
  double best = judge(problem, out.r).relative, residual = best;
  const double inner_goal = getenv("IG") ? atof(getenv("IG")) : 0.1;
  const double down = getenv("DN") ? atof(getenv("DN")) : 0.1, up = getenv("UP") ? atof(getenv("UP")) : 10;
  double factor = getenv("A0") ? atof(getenv("A0")) : options_.first_weight;
  while (best > options_.tolerance && out.iterations < limit) {
    const double alpha = std::clamp(factor * residual, smallest_weight, largest_weight);
    core_.set_centre();
    const double goal = std::max(inner_goal * residual, 0.3 * options_.tolerance) * speed;
    const auto outcome =
        core_.run(alpha, goal, std::min(options_.inner_iterations, limit - out.iterations), nullptr);
    out.iterations += std::max(1, outcome.iterations);
    core_.get_reactions(out.r);
    const double next = judge(problem, out.r).relative;
    out.history.push_back(next);
    if (next < best) {
      best = next;
      best_ = out.r;
    }
    if (!outcome.converged) {
      if (!(next < residual)) core_.move_to_centre();
      factor = std::min(up * factor, 1e6);
      if (next < residual) residual = next;
    } else {
      residual = next;
      if (outcome.iterations < 6) factor = std::max(down * factor, 1e-6);
    }
  }
  out.r = best_;
  return out.iterations >= limit ? SolveStatus::iteration_limit : SolveStatus::stalled;
}

void ProximalSolver::solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) {
  if (!begin_solve(problem, guess, "proximal", out)) return;
  SolveStatus status = SolveStatus::stalled;
  if (!guess.empty() || !start_.sweep(problem, options_, options_.first_sweeps, out.r))
    status = iterate(problem, norm_of_free_velocity(problem), out);
  end_solve(problem, options_.tolerance, status, out);
}

}  // namespace percuss
