#include "percuss/nonsmooth/auto.h"

#include <algorithm>

#include "percuss/nonsmooth/residual.h"
#include "percuss/nonsmooth/solvers.h"

namespace percuss {
namespace {

/// Sweeps until their contraction is tested, and within which they must then promise to end: Newton starts
/// better from a few more, and a large factorisation costs as much as a hundred.
struct Trial {
  int sweeps, promising;
};
constexpr Trial weakly_coupled = {20, 40}, strongly_coupled = {12, 100};
constexpr int newton_limit = 25;
constexpr int proximal_limit = 250;
constexpr int admm_limit = 2000;
constexpr double worthwhile_turn = 0.5;  // what a turn has to leave of the residual for another one
// From here on a factorisation for each iteration of Newton costs more than ADMM in all.
constexpr int admm_first_rows = 500;
constexpr int admm_first_entries_per_row = 50;

template <class Options>
Options limited(const SolverOptions& common, int iterations) {
  Options own;
  own.tolerance = common.tolerance;
  own.max_iterations = common.max_iterations > 0 ? std::min(common.max_iterations, iterations) : iterations;
  own.deadline = common.deadline;
  own.workers = common.workers;
  return own;
}

NlgsOptions tried(const SolverOptions& common, const Trial& trial) {
  NlgsOptions own = limited<NlgsOptions>(common, trial.promising);
  own.stall_limit = trial.sweeps;
  return own;
}

bool is_strongly_coupled(const LocalProblem& problem) {
  return problem.size() >= admm_first_rows &&
         problem.W.value_count() >= admm_first_entries_per_row * problem.size();
}

bool is_complementarity(const LocalProblem& problem) {
  return std::all_of(problem.cones.begin(), problem.cones.end(), [](const Cone& cone) {
    return cone.kind == ConeKind::nonnegative || cone.kind == ConeKind::equality;
  });
}

}  // namespace

AutoSolver::AutoSolver(const SolverOptions& options)
    : options_(options),
      lemke_({.tolerance = options.tolerance, .deadline = options.deadline}),
      sweeps_(tried(options, weakly_coupled)),
      coupled_sweeps_(tried(options, strongly_coupled)),
      patient_sweeps_(limited<NlgsOptions>(options, NlgsSolver::default_sweeps)),
      newton_(limited<NewtonOptions>(options, newton_limit)),
      proximal_(limited<ProximalOptions>(options, proximal_limit)),
      interior_point_(limited<InteriorPointOptions>(options, InteriorPointSolver::default_iterations)),
      admm_(limited<AdmmOptions>(options, admm_limit)) {}

void AutoSolver::reserve(int rows) {
  lemke_.reserve(rows);
  sweeps_.reserve(rows);
  coupled_sweeps_.reserve(rows);
  newton_.reserve(rows);
  trial_.reserve(rows);
}

void AutoSolver::set_tolerance(double tolerance) {
  options_.tolerance = tolerance;
  for (NlgsSolver* sweeps : {&sweeps_, &coupled_sweeps_, &patient_sweeps_}) sweeps->set_tolerance(tolerance);
  lemke_.set_tolerance(tolerance);
  newton_.set_tolerance(tolerance);
  proximal_.set_tolerance(tolerance);
  interior_point_.set_tolerance(tolerance);
  admm_.set_tolerance(tolerance);
}

void AutoSolver::solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) {
  const bool is_coupled = is_strongly_coupled(problem);
  if (is_complementarity(problem) && problem.size() <= lemke_rows)
    lemke_.solve(problem, guess, out);
  else
    (is_coupled ? coupled_sweeps_ : sweeps_).solve(problem, guess, out);
  // An answer that is not finite, or that there is none, will not change by another method.
  if (out.status == SolveStatus::converged || out.status == SolveStatus::not_finite ||
      out.status == SolveStatus::infeasible)
    return;
  const bool solved = is_coupled ? improve_by_admm(problem, guess, out) ||
                                       improve(problem, {&interior_point_, &proximal_}, out)
                                 : improve(problem, {&newton_, &interior_point_, &proximal_, &admm_}, out);
  if (!solved) solve_patiently(problem, guess, out);
}

void AutoSolver::solve_global(const GlobalProblem& problem, const std::vector<double>& guess, Solution& out) {
  LocalProblem local;
  if (!begin_condensed(problem, local, out)) return;
  if (!is_strongly_coupled(local) || problem.dof_count() >= problem.size()) return solve(local, guess, out);
  if (!begin_solve(local, guess, "auto", out)) return;
  end_solve(local, options_.tolerance, SolveStatus::stalled, out);
  if (out.status == SolveStatus::converged) return;
  for (Solver* method : std::initializer_list<Solver*>{&admm_, &interior_point_}) {
    method->solve_global(problem, out.r, trial_);
    trial_.residual = residual_of(local, trial_.r);  // theirs has the rounding of another elimination
    if (keep_better(out)) return;
  }
  if (!improve(local, {&proximal_}, out)) solve_patiently(local, guess, out);
}

/// What a method found replaces what there was if its residual is smaller; true if it is within the
/// tolerance.
bool AutoSolver::keep_better(Solution& out) {
  out.iterations += trial_.iterations;
  out.history.insert(out.history.end(), trial_.history.begin(), trial_.history.end());
  if (!(trial_.residual.relative < out.residual.relative)) return false;
  out.r.swap(trial_.r);
  out.u.swap(trial_.u);
  out.residual = trial_.residual;
  out.method = trial_.method;
  const bool is_content = out.residual.is_within(options_.tolerance);
  out.status = is_content ? SolveStatus::converged : trial_.status;
  return is_content;
}

/// One method from the given reactions, and on from there as long as its limit ends it while the residual
/// falls. A limit of the user is one for each method, so then there is one turn.
bool AutoSolver::take_turns(const LocalProblem& problem, Solver& method, const std::vector<double>& start,
                            Solution& out) {
  method.solve(problem, start, trial_);
  for (double before = out.residual.relative;;) {
    const double reached = trial_.residual.relative;
    const bool goes_on = options_.max_iterations == 0 && trial_.status == SolveStatus::iteration_limit &&
                         reached < worthwhile_turn * before;
    if (keep_better(out)) return true;
    if (!goes_on || options_.deadline.passed()) return false;
    before = reached;
    method.solve(problem, out.r, trial_);
  }
}

/// Sweeps from nothing do not help ADMM: it then starts from nothing, too.
bool AutoSolver::improve_by_admm(const LocalProblem& problem, const std::vector<double>& guess,
                                 Solution& out) {
  if (!guess.empty()) return improve(problem, {&admm_}, out);
  if (options_.deadline.passed()) return false;
  admm_.solve(problem, guess, trial_);
  return keep_better(out);
}

/// Tries the methods one after the other, each from the best reactions so far; true as soon as one succeeds.
bool AutoSolver::improve(const LocalProblem& problem, std::initializer_list<Solver*> methods, Solution& out) {
  for (Solver* method : methods) {
    if (options_.deadline.passed()) return false;
    method->solve(problem, out.r, trial_);
    if (keep_better(out)) return true;
  }
  return false;
}

/// The last resort, which takes long; for those who take the answer as it is, or cannot tell it from an exact
/// one (N-6d), its first part alone.
void AutoSolver::solve_patiently(const LocalProblem& problem, const std::vector<double>& guess,
                                 Solution& out) {
  using enum SolverName;
  if (solve_alone(problem, {proximal}, guess, out)) return;
  const bool is_enough =
      out.residual.relative <= options_.acceptable || out.residual.absolute <= problem.resolution;
  if (is_enough || !(improve(problem, {&patient_sweeps_}, out) ||
                     solve_alone(problem, {newton, admm, nlgs, apgd}, guess, out)))
    end_unsolved(out);
}

/// Tries methods from the guess and with their own limits. Not interior point, which was there before and
/// starts from its own point anyway.
bool AutoSolver::solve_alone(const LocalProblem& problem, std::initializer_list<SolverName> methods,
                             const std::vector<double>& guess, Solution& out) {
  for (const SolverName method : methods) {
    if (options_.deadline.passed()) return false;
    if (take_turns(problem, *make_solver(method, options_), guess, out)) return true;
  }
  return false;
}

void AutoSolver::end_unsolved(Solution& out) const {
  out.status = options_.deadline.passed() ? SolveStatus::time_limit : SolveStatus::stalled;
}

}  // namespace percuss
