#include "percuss/integrators/one_step/solver_choice.h"

#include "percuss/nonsmooth/lemke.h"

namespace percuss {

std::unique_ptr<Solver> make_solver(const SolverChoice& choice) {
  switch (choice.name) {
    case SolverName::automatic:
    case SolverName::lemke: break;
  }
  LemkeOptions options;
  options.tolerance = choice.tolerance;
  return std::make_unique<LemkeSolver>(options);
}

}  // namespace percuss
