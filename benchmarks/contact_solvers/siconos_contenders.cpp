#include <memory>

#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>

#include "contender.h"
#include "percuss/nonsmooth/solvers.h"
#include "siconos_problem.h"

namespace contact_benchmark {
namespace {

using OptionsPointer = std::unique_ptr<SolverOptions, void (*)(SolverOptions*)>;

/// One row of the tables below: a solver of Siconos and where it differs from its defaults.
struct Setting {
  const char* name;
  int solver;
  int inner_solver = 0;  ///< 0: its default
  Storage storage = Storage::columns;
  void (*configure)(SolverOptions&) = nullptr;
};

/// The true residual every five sweeps, instead of increments: up to three times fewer sweeps.
void test_every_five_sweeps(SolverOptions& options) {
  options.iparam[SICONOS_IPARAM_MAX_ITER] = 10'000'000;
  options.iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] =
      SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
  options.iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION_FREQUENCY] = 5;
}
void many_iterations(SolverOptions& options) { options.iparam[SICONOS_IPARAM_MAX_ITER] = 10'000'000; }
void newton_iterations(SolverOptions& options) { options.iparam[SICONOS_IPARAM_MAX_ITER] = 2000; }
void balanced_rho(SolverOptions& options) {
  many_iterations(options);
  options.iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] =
      SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_SCALED_RESIDUAL_BALANCING;
}
void csparse(SolverOptions& options) {
  newton_iterations(options);
  options.iparam[SICONOS_FRICTION_3D_NSN_LINEAR_SOLVER] = SICONOS_FRICTION_3D_NSN_USE_CSLUSOL;
}
void extragradient_first(SolverOptions& options) {
  csparse(options);
  options.iparam[SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] = SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN;
}
void inner_csparse(SolverOptions& options) {
  options.internalSolvers[0]->iparam[SICONOS_FRICTION_3D_NSN_LINEAR_SOLVER] =
      SICONOS_FRICTION_3D_NSN_USE_CSLUSOL;
}
/// By default it solves the convex relaxation only. The index is shared with ADMM in this version.
void exact_law(SolverOptions& options) {
  options.iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_UPDATE_S] = SICONOS_FRICTION_3D_ADMM_UPDATE_S_YES;
}
void exact_law_unscaled(SolverOptions& options) {
  exact_law(options);
  options.iparam[SICONOS_FRICTION_3D_IPM_IPARAM_NESTEROV_TODD_SCALING] = 0;
}

/// The robust ones first: they let the others give up early.
constexpr Setting local_settings[] = {
    {"admm", SICONOS_FRICTION_3D_ADMM, 0, Storage::columns, many_iterations},
    {"admm/balanced", SICONOS_FRICTION_3D_ADMM, 0, Storage::columns, balanced_rho},
    {"prox", SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSN_AC, Storage::columns, nullptr},
    {"prox/csparse", SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSN_AC, Storage::columns, inner_csparse},
    {"nsgs/projection", SICONOS_FRICTION_3D_NSGS,
     SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration, Storage::blocks,
     test_every_five_sweeps},
    {"nsgs/one-projection", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnCone,
     Storage::blocks, test_every_five_sweeps},
    {"nsgs/newton", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, Storage::blocks,
     test_every_five_sweeps},
    {"nsgs/hybrid", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID, Storage::blocks,
     test_every_five_sweeps},
    {"nsgs/quartic", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, Storage::blocks,
     test_every_five_sweeps},
    {"nsn-ac", SICONOS_FRICTION_3D_NSN_AC, 0, Storage::columns, newton_iterations},
    {"nsn-ac/csparse", SICONOS_FRICTION_3D_NSN_AC, 0, Storage::columns, csparse},
    {"nsn-ac/hybrid", SICONOS_FRICTION_3D_NSN_AC, 0, Storage::columns, extragradient_first},
    {"nsn-fb/csparse", SICONOS_FRICTION_3D_NSN_FB, 0, Storage::columns, csparse},
};

constexpr Setting global_settings[] = {
    {"global-admm", SICONOS_GLOBAL_FRICTION_3D_ADMM, 0, Storage::columns, many_iterations},
    {"global-admm/balanced", SICONOS_GLOBAL_FRICTION_3D_ADMM, 0, Storage::columns, balanced_rho},
    {"global-ipm/nt", SICONOS_GLOBAL_FRICTION_3D_IPM, 0, Storage::columns, exact_law},
    {"global-ipm", SICONOS_GLOBAL_FRICTION_3D_IPM, 0, Storage::columns, exact_law_unscaled},
    {"global-nsn-ac", SICONOS_GLOBAL_FRICTION_3D_NSN_AC, 0, Storage::columns, newton_iterations},
    {"global-nsgs-wr", SICONOS_GLOBAL_FRICTION_3D_NSGS_WR, 0, Storage::columns, many_iterations},
};

OptionsPointer make_options(const Setting& setting, double tolerance) {
  numerics_set_verbose(0);
  OptionsPointer options(solver_options_create(setting.solver), solver_options_delete);
  if (setting.inner_solver != 0) solver_options_update_internal(options.get(), 0, setting.inner_solver);
  if (setting.configure != nullptr) setting.configure(*options);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  return options;
}

Answer run_local(FrictionContactProblem& problem, SolverOptions& options) {
  Answer answer;
  answer.r.resize(3 * problem.numberOfContacts);
  std::vector<double> u(answer.r.size());
  answer.claims_success = fc3d_driver(&problem, answer.r.data(), u.data(), &options) == 0;
  return answer;
}

Answer run_global(GlobalFrictionContactProblem& problem, SolverOptions& options) {
  Answer answer;
  answer.r.resize(3 * problem.numberOfContacts);
  std::vector<double> u(answer.r.size()), v(problem.M->size0);
  answer.claims_success = gfc3d_driver(&problem, answer.r.data(), u.data(), v.data(), &options) == 0;
  return answer;
}

/// The reduction of Siconos itself; the solvers then work on percuss' W, in the storage they are fastest
/// with.
void reduce(GlobalFrictionContactProblem& problem) {
  frictionContactProblem_free(globalFrictionContact_reformulation_FrictionContact(&problem));
}

Solve prepare_local(const Setting& setting, const Task& task, double tolerance, Reduction reduction) {
  if (!fits_siconos(task.local.cones)) return {};
  const std::shared_ptr<SolverOptions> options = make_options(setting, tolerance);
  const std::shared_ptr<FrictionContactProblem> problem = to_siconos(task.local, setting.storage);
  const auto solve = [options, problem] { return run_local(*problem, *options); };
  if (task.global() == nullptr) return solve;
  if (reduction == Reduction::percuss)
    return [solve, &task] {
      percuss::condense(*task.global());
      return solve();
    };
  const std::shared_ptr<GlobalFrictionContactProblem> global = to_siconos(*task.global());
  return [solve, global] {
    reduce(*global);
    return solve();
  };
}

Solve prepare_global(const Setting& setting, const Task& task, double tolerance, Reduction) {
  if (task.global() == nullptr || !fits_siconos(task.local.cones)) return {};
  const std::shared_ptr<SolverOptions> options = make_options(setting, tolerance);
  const std::shared_ptr<GlobalFrictionContactProblem> problem = to_siconos(*task.global());
  return [options, problem] { return run_global(*problem, *options); };
}

using Prepare = Solve (*)(const Setting&, const Task&, double, Reduction);

Contender contender(const Setting& setting, Prepare prepare, Reduction reduction) {
  Contender made;
  made.name = std::string("siconos ") + setting.name;
  made.is_percuss = made.knows_residual = false;
  made.prepare = [setting, prepare, reduction](const Task& task, double tolerance) {
    return prepare(setting, task, tolerance, reduction);
  };
  return made;
}

}  // namespace

std::vector<Contender> siconos_contenders(Reduction reduction) {
  std::vector<Contender> made;
  for (const Setting& setting : local_settings) made.push_back(contender(setting, prepare_local, reduction));
  for (const Setting& setting : global_settings)
    made.push_back(contender(setting, prepare_global, reduction));
  return made;
}

}  // namespace contact_benchmark
