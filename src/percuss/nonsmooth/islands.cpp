#include "percuss/nonsmooth/islands.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "percuss/math/workers.h"
#include "percuss/nonsmooth/nlgs.h"
#include "percuss/nonsmooth/residual.h"

namespace percuss {
namespace {

/// Of W in an island, reserved before the first solve; larger ones let their memory grow once.
constexpr int most_reserved_entries = 40'000;

}  // namespace

IslandSolver::IslandSolver(const SolverOptions& options) : options_(options), whole_(options) {
  SolverOptions alone = options;
  alone.workers = nullptr;
  const int threads = options.workers ? options.workers->count() : 1;
  for (int thread = 0; thread < threads; ++thread) workers_.emplace_back(alone);
}

void IslandSolver::reserve(int rows) {
  whole_.reserve(rows);
  groups_.reserve(rows);
  islands_.reserve(rows);
  const int entries = static_cast<int>(std::min<long>(static_cast<long>(rows) * rows, most_reserved_entries));
  for (Worker& worker : workers_) {
    worker.solver.reserve(rows);
    worker.part.reserve(rows, rows, entries);
    worker.guess.reserve(rows);
    worker.solution.reserve(rows);
  }
}

void IslandSolver::solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) {
  find_islands(problem.W, groups_);
  const int count = groups_.count();
  whole_.set_tolerance(options_.tolerance);
  if (count <= 1) return whole_.solve(problem, guess, out);
  if (!begin_solve(problem, guess, "auto", out)) return;
  set_tolerances(problem);
  const bool has_guess = !guess.empty();
  for (int k = 0; k < count; ++k)
    if (shares_sweeps(k)) solve_island(problem, k, has_guess, whole_, workers_[0], out.r);
  std::atomic<int> next = 0;
  auto work = [&](int thread) {
    Worker& worker = workers_[thread];
    for (int k; (k = next++) < count;)
      if (!shares_sweeps(k)) solve_island(problem, k, has_guess, worker.solver, worker, out.r);
  };
  if (workers_.size() > 1 && problem.W.cones() >= shared_from)
    options_.workers->run(work);
  else
    work(0);
  end_islands(problem, out);
}

/// An island may leave the part of the residual of the whole that its contacts and its free velocities are
/// worth.  (N-25a)
void IslandSolver::set_tolerances(const LocalProblem& problem) {
  islands_.assign(groups_.count(), {});
  const auto speed2 = [&](int c) {
    double sum = 0.0;
    const double* u = &problem.u_free[problem.W.first_row(c)];
    for (int i = 0; i < problem.W.rows_of(c); ++i) sum += u[i] * u[i];
    return sum;
  };
  double whole2 = 0.0;
  for (int c = 0; c < problem.W.cones(); ++c) whole2 += speed2(c);
  whole2 = std::max(whole2, problem.scale * problem.scale);
  for (int k = 0; k < groups_.count(); ++k) {
    double own2 = 0.0;
    for (const int c : groups_.cones(k)) own2 += speed2(c);
    const double part = static_cast<double>(groups_.cones(k).size()) / problem.W.cones();
    const double worth = std::max(std::sqrt(0.5 * (own2 + part * whole2)), residual_floor);
    islands_[k].tolerance = options_.tolerance * worth /
                            std::max({std::sqrt(own2), std::sqrt(part) * problem.scale, residual_floor});
  }
}

bool IslandSolver::shares_sweeps(int k) const {
  return static_cast<int>(groups_.cones(k).size()) >= NlgsSolver::coloured_from;
}

void IslandSolver::solve_island(const LocalProblem& problem, int k, bool has_guess, AutoSolver& solver,
                                Worker& worker, std::vector<double>& r) {
  Island& island = islands_[k];
  const auto cones = groups_.cones(k);
  worker.part.take(problem, cones);
  worker.guess.clear();
  if (has_guess) gather(problem.W, r, cones, worker.guess);
  solver.set_tolerance(island.tolerance);
  solver.solve(worker.part.problem(), worker.guess, worker.solution);
  const Solution& solution = worker.solution;
  island.status = solution.status;
  island.iterations = solution.iterations;
  island.method = solution.method;
  if (solution.status != SolveStatus::not_finite) scatter(problem.W, solution.r, cones, r);
}

/// The whole counts. That all islands have converged and the whole has not is possible where some of them
/// count as converged by their rounding; then the whole is solved from there.
void IslandSolver::end_islands(const LocalProblem& problem, Solution& out) {
  const auto failed = std::ranges::find_if(
      islands_, [](const Island& island) { return island.status != SolveStatus::converged; });
  const Island& longest = *std::ranges::max_element(islands_, {}, &Island::iterations);
  out.iterations = longest.iterations;
  out.method = longest.method;
  end_solve(problem, options_.tolerance, failed == islands_.end() ? SolveStatus::converged : failed->status,
            out);
  if (failed != islands_.end() || out.status == SolveStatus::converged) return;
  Worker& worker = workers_[0];
  worker.guess = out.r;
  whole_.set_tolerance(options_.tolerance);
  whole_.solve(problem, worker.guess, out);
}

void IslandSolver::solve_global(const GlobalProblem& problem, const std::vector<double>& guess,
                                Solution& out) {
  whole_.set_tolerance(options_.tolerance);
  whole_.solve_global(problem, guess, out);
}

}  // namespace percuss
