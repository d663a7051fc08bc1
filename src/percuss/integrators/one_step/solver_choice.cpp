#include "percuss/integrators/one_step/solver_choice.h"

#include "percuss/nonsmooth/selection.h"
#include "percuss/nonsmooth/solver.h"
#include "percuss/nonsmooth/solvers.h"

namespace percuss {

std::unique_ptr<Solver> make_solver(const SolverChoice& choice) {
  return with_selection(make_solver(choice.name, {.tolerance = choice.tolerance}, choice.method),
                        choice.selection, choice.tolerance);
}

}  // namespace percuss
