#include "percuss/nonsmooth/solvers.h"

#include "percuss/nonsmooth/admm.h"
#include "percuss/nonsmooth/lemke.h"
#include "percuss/nonsmooth/nlgs.h"
#include "percuss/nonsmooth/projected_gradient.h"

namespace percuss {

namespace {

/// A solver with the common options given and its own ones at their defaults.
template <class S, class Options>
std::unique_ptr<Solver> with_common_options(const SolverOptions& common, Options own) {
  static_cast<SolverOptions&>(own) = common;
  return std::make_unique<S>(own);
}

}  // namespace

std::unique_ptr<Solver> make_solver(SolverName name, const SolverOptions& options) {
  ProjectedGradientOptions gradient;
  switch (name) {
    case SolverName::automatic:
    case SolverName::lemke: break;
    case SolverName::nlgs: return with_common_options<NlgsSolver>(options, NlgsOptions{});
    case SolverName::admm: return with_common_options<AdmmSolver>(options, AdmmOptions{});
    case SolverName::psor:
      gradient.method = ProjectedGradientOptions::Method::psor;
      return with_common_options<ProjectedGradientSolver>(options, gradient);
    case SolverName::apgd:
      gradient.method = ProjectedGradientOptions::Method::apgd;
      return with_common_options<ProjectedGradientSolver>(options, gradient);
  }
  LemkeOptions lemke;
  lemke.tolerance = options.tolerance;
  return std::make_unique<LemkeSolver>(lemke);
}

}  // namespace percuss
