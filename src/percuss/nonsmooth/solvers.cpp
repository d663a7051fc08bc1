#include "percuss/nonsmooth/solvers.h"

#include "percuss/nonsmooth/admm.h"
#include "percuss/nonsmooth/auto.h"
#include "percuss/nonsmooth/interior_point.h"
#include "percuss/nonsmooth/lemke.h"
#include "percuss/nonsmooth/newton.h"
#include "percuss/nonsmooth/nlgs.h"
#include "percuss/nonsmooth/projected_gradient.h"
#include "percuss/nonsmooth/proximal.h"

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
    case SolverName::automatic: return std::make_unique<AutoSolver>(options);
    case SolverName::nlgs: return with_common_options<NlgsSolver>(options, NlgsOptions{});
    case SolverName::newton: return with_common_options<NewtonSolver>(options, NewtonOptions{});
    case SolverName::proximal: return with_common_options<ProximalSolver>(options, ProximalOptions{});
    case SolverName::admm: return with_common_options<AdmmSolver>(options, AdmmOptions{});
    case SolverName::interior_point:
      return with_common_options<InteriorPointSolver>(options, InteriorPointOptions{});
    case SolverName::psor:
      gradient.method = ProjectedGradientOptions::Method::psor;
      return with_common_options<ProjectedGradientSolver>(options, gradient);
    case SolverName::apgd:
      gradient.method = ProjectedGradientOptions::Method::apgd;
      return with_common_options<ProjectedGradientSolver>(options, gradient);
    case SolverName::lemke: break;
  }
  return std::make_unique<LemkeSolver>(
      LemkeOptions{.tolerance = options.tolerance, .deadline = options.deadline});
}

}  // namespace percuss
