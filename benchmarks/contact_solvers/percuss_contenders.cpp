#include <algorithm>
#include <memory>
#include <stdexcept>

#include "contender.h"
#include "percuss/nonsmooth/solvers.h"

namespace contact_benchmark {
namespace {

using namespace percuss;

Answer answer_of(Solution& solution) {
  return {std::move(solution.r), solution.status == SolveStatus::converged};
}

Answer solve(Solver& solver, const Task& task) {
  Solution out;
  if (const GlobalProblem* global = task.global())
    solver.solve_global(*global, {}, out);
  else
    solver.solve(task.local, {}, out);
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
