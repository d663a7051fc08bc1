#include "percuss/nonsmooth/solvers.h"

#include "percuss/nonsmooth/auto.h"
#include "percuss/nonsmooth/lemke.h"
#include "percuss/nonsmooth/newton.h"
#include "percuss/nonsmooth/nlgs.h"
#include "percuss/nonsmooth/proximal.h"

namespace percuss {

std::unique_ptr<Solver> make_solver(SolverName name, const SolverOptions& options) {
  switch (name) {
    case SolverName::automatic: return std::make_unique<AutoSolver>(options);
    case SolverName::lemke: break;
    case SolverName::nlgs: {
      NlgsOptions nlgs;
      static_cast<SolverOptions&>(nlgs) = options;
      return std::make_unique<NlgsSolver>(nlgs);
    }
    case SolverName::newton: {
      NewtonOptions newton;
      static_cast<SolverOptions&>(newton) = options;
      return std::make_unique<NewtonSolver>(newton);
    }
    case SolverName::proximal: {
      ProximalOptions proximal;
      static_cast<SolverOptions&>(proximal) = options;
      return std::make_unique<ProximalSolver>(proximal);
    }
  }
  LemkeOptions lemke;
  lemke.tolerance = options.tolerance;
  return std::make_unique<LemkeSolver>(lemke);
}

}  // namespace percuss
