#include "percuss/nonsmooth/solvers.h"

#include "percuss/math/workers.h"
#include "percuss/nonsmooth/admm.h"
#include "percuss/nonsmooth/interior_point.h"
#include "percuss/nonsmooth/islands.h"
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

MisplacedOption find_misplaced(SolverName solver, const MethodOptions& options) {
  using enum SolverName;
  const auto is_one_of = [solver](auto... names) { return ((solver == names) || ...); };
  if (options.formulation && !is_one_of(newton, proximal)) return {"formulation", "newton and proximal"};
  if (options.local && !is_one_of(nlgs)) return {"local", "nlgs"};
  if (options.threads && !is_one_of(automatic, nlgs)) return {"threads", "auto and nlgs"};
  if (options.acceleration && !is_one_of(nlgs, admm)) return {"acceleration", "nlgs and admm"};
  return {};
}

std::unique_ptr<Solver> make_solver(SolverName name, SolverOptions options, const MethodOptions& own) {
  if (own.threads) options.workers = *own.threads > 1 ? std::make_shared<Workers>(*own.threads) : nullptr;
  NlgsOptions sweeps;
  sweeps.local = own.local.value_or(sweeps.local);
  sweeps.acceleration = own.acceleration.value_or(sweeps.acceleration);
  NewtonOptions newton;
  newton.formulation = own.formulation.value_or(newton.formulation);
  ProximalOptions proximal;
  proximal.formulation = own.formulation.value_or(proximal.formulation);
  AdmmOptions admm;
  admm.memory = own.acceleration.value_or(admm.memory);
  ProjectedGradientOptions gradient;
  switch (name) {
    case SolverName::automatic: return std::make_unique<IslandSolver>(options);
    case SolverName::nlgs: return with_common_options<NlgsSolver>(options, sweeps);
    case SolverName::newton: return with_common_options<NewtonSolver>(options, newton);
    case SolverName::proximal: return with_common_options<ProximalSolver>(options, proximal);
    case SolverName::admm: return with_common_options<AdmmSolver>(options, admm);
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
