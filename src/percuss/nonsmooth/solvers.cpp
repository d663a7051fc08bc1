#include "percuss/nonsmooth/solvers.h"

#include "percuss/nonsmooth/interior_point.h"
#include "percuss/nonsmooth/lemke.h"
#include "percuss/nonsmooth/nlgs.h"

namespace percuss {

std::unique_ptr<Solver> make_solver(SolverName name, const SolverOptions& options) {
  switch (name) {
    case SolverName::automatic:
    case SolverName::lemke: break;
    case SolverName::nlgs: {
      NlgsOptions nlgs;
      static_cast<SolverOptions&>(nlgs) = options;
      return std::make_unique<NlgsSolver>(nlgs);
    }
    case SolverName::interior_point: {
      InteriorPointOptions interior_point;
      static_cast<SolverOptions&>(interior_point) = options;
      return std::make_unique<InteriorPointSolver>(interior_point);
    }
  }
  LemkeOptions lemke;
  lemke.tolerance = options.tolerance;
  return std::make_unique<LemkeSolver>(lemke);
}

}  // namespace percuss
