#include "percuss/integrators/one_step/solver_choice.h"

namespace percuss {

std::unique_ptr<Solver> make_solver(const SolverChoice& choice) {
  return with_selection(make_solver(choice.name, {.tolerance = choice.tolerance}, choice.method),
                        choice.selection, choice.tolerance);
}

}  // namespace percuss
