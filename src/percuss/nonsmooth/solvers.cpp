#include "percuss/nonsmooth/solvers.h"

#include "percuss/nonsmooth/auto.h"
#include "percuss/nonsmooth/lemke.h"
#include "percuss/nonsmooth/nlgs.h"

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
  }
  LemkeOptions lemke;
  lemke.tolerance = options.tolerance;
  return std::make_unique<LemkeSolver>(lemke);
}

}  // namespace percuss
