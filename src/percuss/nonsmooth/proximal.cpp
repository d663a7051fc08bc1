#include "percuss/nonsmooth/proximal.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "percuss/nonsmooth/residual.h"

namespace percuss {
namespace {

constexpr double smallest_weight = 1e-10, largest_weight = 1e3;
constexpr double smallest_factor = 1e-6, largest_factor = 1e6;
constexpr double proximal_accuracy = 0.2;  // relative to the residual outside
constexpr int patient_steps = 8;           // without half the residual before sweeps help
constexpr int few_iterations = 6;          // Newton had it easy

}  // namespace

ProximalSolver::ProximalSolver(const ProximalOptions& options) : options_(options) {
  options_.validate();
  if (!(options_.first_weight > 0.0))
    throw std::invalid_argument("ProximalOptions.first_weight: must be positive");
  if (options_.inner_iterations < 1)
    throw std::invalid_argument("ProximalOptions.inner_iterations: must be >= 1");
}

void ProximalSolver::reserve(int rows) { core_.reserve(rows); }

SolveStatus ProximalSolver::iterate(const LocalProblem& problem, Solution& out) {
  const int limit = options_.max_iterations > 0 ? options_.max_iterations : default_iterations;
  if (knows_W_)
    core_.load_velocities(problem);
  else
    core_.load(problem, {.formulation = options_.formulation,
                         .regularisation = options_.regularisation,
                         .keeps_factors = true,
                         .deadline = options_.deadline});
  knows_W_ = true;
  core_.set_reactions(out.r);
  best_ = out.r;
  Residual best = residual_of(problem, out.r);
  double residual = best.relative, factor = options_.first_weight;
  double before = residual;  // the best residual when the count of idle steps began
  int idle = 0, rescues = 0;
  while (!best.is_within(options_.tolerance) && out.iterations < limit && !options_.deadline.passed()) {
    const double alpha = std::clamp(factor * residual, smallest_weight, largest_weight);  // (NN-16)
    const double goal =
        std::max(proximal_accuracy * residual, 0.3 * options_.tolerance) * speed_scale(problem);
    core_.set_centre();
    const auto inner = core_.run({.alpha = alpha}, goal,
                                 std::min(options_.inner_iterations, limit - out.iterations), nullptr);
    out.iterations += std::max(1, inner.iterations);
    core_.get_reactions(out.r);
    const Residual found = residual_of(problem, out.r);
    const double next = found.relative;
    out.history.push_back(next);
    if (next < best.relative) {
      best = found;
      best_ = out.r;
    }
    if (inner.converged) {
      if (inner.iterations < few_iterations) factor = std::max(0.1 * factor, smallest_factor);
    } else {
      factor = std::min(10.0 * factor, largest_factor);
    }
    if (inner.converged || next < residual)
      residual = next;
    else
      core_.move_to_centre();
    idle = best.relative < 0.5 * before ? 0 : idle + 1;
    if (idle == 0) before = best.relative;
    if (idle <= patient_steps) continue;
    if (rescues == options_.rescues) break;
    out.r = best_;
    if (start_.sweep(problem, options_, options_.rescue_sweeps << rescues++, out.r))
      return SolveStatus::stalled;
    core_.set_reactions(out.r);
    residual = residual_of(problem, out.r).relative;
    factor = options_.first_weight * std::pow(0.01, rescues % 3);
    idle = 0;
  }
  out.r = best_;
  if (options_.deadline.passed()) return SolveStatus::time_limit;
  return out.iterations >= limit ? SolveStatus::iteration_limit : SolveStatus::stalled;
}

void ProximalSolver::solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) {
  knows_W_ = false;
  solve_again(problem, guess, out);
}

void ProximalSolver::solve_again(const LocalProblem& problem, const std::vector<double>& guess,
                                 Solution& out) {
  if (!begin_solve(problem, guess, "proximal", out)) return;
  if (!can_treat(options_.formulation, problem.cones)) return end_unsupported(problem, out);
  SolveStatus status = SolveStatus::stalled;
  if (!guess.empty() || !start_.sweep(problem, options_, options_.first_sweeps, out.r))
    status = iterate(problem, out);
  end_solve(problem, options_.tolerance, status, out);
}

}  // namespace percuss
