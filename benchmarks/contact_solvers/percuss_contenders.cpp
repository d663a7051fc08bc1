#include <algorithm>
#include <memory>
#include <stdexcept>

#include "contender.h"
#include "percuss/nonsmooth/admm.h"
#include "percuss/nonsmooth/auto.h"
#include "percuss/nonsmooth/interior_point.h"
#include "percuss/nonsmooth/solvers.h"

namespace contact_benchmark {
namespace {

using namespace percuss;

Answer answer_of(Solution& solution) {
  return {std::move(solution.r), solution.status == SolveStatus::converged};
}

template <class S>
concept TreatsGlobalForm = requires(S solver, const GlobalProblem& problem, const std::vector<double>& guess,
                                    Solution& out) {
  solver.solve_global(problem, guess, out);
};

/// True, with `out` set, if the solver is one of this class and the class has a solve for the global form.
template <class S>
bool solve_global_as(Solver& solver, const GlobalProblem& problem, Solution& out) {
  if constexpr (TreatsGlobalForm<S>) {
    if (auto* typed = dynamic_cast<S*>(&solver)) {
      typed->solve_global(problem, {}, out);
      return true;
    }
  }
  return false;
}

Answer solve(Solver& solver, const Task& task) {
  Solution out;
  const GlobalProblem* global = task.global();
  if (global == nullptr) {
    solver.solve(task.local, {}, out);
  } else if (!solve_global_as<AutoSolver>(solver, *global, out) &&
             !solve_global_as<AdmmSolver>(solver, *global, out) &&
             !solve_global_as<InteriorPointSolver>(solver, *global, out)) {
    solver.solve(condense(*global), {}, out);
  }
  return answer_of(out);
}

Contender contender(SolverName solver_name, std::string_view text) {
  Contender made;
  made.name = text;
  made.prepare = [solver_name](const Task& task, double tolerance) -> Solve {
    SolverOptions options;
    options.tolerance = tolerance;
    const std::shared_ptr<Solver> solver = make_solver(solver_name, options);
    return [solver, &task] { return solve(*solver, task); };
  };
  return made;
}

}  // namespace

std::vector<Contender> percuss_contenders(const std::vector<std::string>& names) {
  std::vector<Contender> made;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(solver_names, name, [](const auto& entry) { return entry.second; });
    if (found == solver_names.end()) throw std::invalid_argument("percuss has no solver '" + name + "'");
    made.push_back(contender(found->first, found->second));
  }
  return made;
}

}  // namespace contact_benchmark
