#include "percuss/integrators/one_step/solver_choice.h"

namespace percuss {

std::unique_ptr<Solver> make_solver(const SolverChoice& choice) {
  return make_solver(choice.name, {.tolerance = choice.tolerance});
}

}  // namespace percuss
