#include "percuss/integrators/one_step/solver_choice.h"

#include <utility>

#include "percuss/nonsmooth/selection.h"
#include "percuss/nonsmooth/solver.h"
#include "percuss/nonsmooth/solvers.h"

namespace percuss {

std::unique_ptr<Solver> make_solver(const SolverChoice& choice, std::shared_ptr<Workers> workers) {
  const SolverOptions options{
      .tolerance = choice.tolerance, .acceptable = choice.acceptable, .workers = std::move(workers)};
  return with_selection(make_solver(choice.name, options, choice.method), choice.selection, choice.tolerance);
}

}  // namespace percuss
