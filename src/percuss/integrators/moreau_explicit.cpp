#include "percuss/integrators/moreau_explicit.h"

#include <cmath>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/one_step/contact_stage.h"

namespace percuss {
namespace {

/// docs/theory/moreau.md (M-10), paper eqs 43-47:
///   q_{n+1} = q_n + h v_n
///   M (v_{n+1} - v_n) = h f(q_n, v_n, t_n) + H r
///   0 <= u_{n+1} + e u_n  ⟂  r >= 0   for the active contacts
class MoreauExplicit final : public Integrator {
 public:
  MoreauExplicit(const MoreauExplicitOptions& options, const SolverChoice& solver)
      : options_(options), solver_(solver) {}

  SchemeFacts facts() const override {
    return {.name = MoreauExplicitOptions::scheme, .smooth_order = 1, .impact_order = 1};
  }
  std::unique_ptr<Workspace> make_workspace(const Assembly& assembly) const override;
  StepReport step(const Assembly& assembly, double h, State& state, Workspace& work) const override;

 private:
  MoreauExplicitOptions options_;
  SolverChoice solver_;
};

struct Scratch final : Workspace {
  SparseLdlt mass_factor;
  VectorX b, z, dv;
  ActiveContacts active;
  std::unique_ptr<ContactStage> contacts;
  PhaseClock clock;
  double activation_tolerance = 0;
};

std::unique_ptr<Workspace> MoreauExplicit::make_workspace(const Assembly& assembly) const {
  auto work = std::make_unique<Scratch>();
  const System& system = assembly.system;
  SparseMatrix mass(system.dof_count(), system.dof_count());
  mass.setIdentity();
  std::copy(system.mass.begin(), system.mass.end(), mass.valuePtr());
  work->mass_factor.analyse(mass);
  work->mass_factor.factorise(mass);  // cannot fail: masses are positive
  for (VectorX* x : {&work->b, &work->z, &work->dv}) x->setZero(system.dof_count());
  work->active.reserve(assembly.contacts.count());
  work->contacts = std::make_unique<ContactStage>(assembly, work->mass_factor, solver_);
  work->activation_tolerance = activation_tolerance(system, options_.activation_tolerance);
  return work;
}

StepReport MoreauExplicit::step(const Assembly& assembly, double h, State& state,
                                Workspace& workspace) const {
  auto& w = static_cast<Scratch&>(workspace);
  StepReport report;
  w.clock.start(w.measure_time);

  activate(assembly.contacts, state, h, options_.activation, w.activation_tolerance, w.active);
  report.active_contacts = static_cast<int>(w.active.index.size());
  w.clock.mark(report.seconds.contacts);

  evaluate_force(assembly.system, state.q, state.v, state.time, w.b);
  w.b *= h;
  w.mass_factor.forward(w.b, w.z);
  w.clock.mark(report.seconds.forces);
  if (report.active_contacts > 0) {
    const Solution& solution =
        w.contacts->solve(assembly.contacts, w.mass_factor, w.active, state.v, w.z, w.clock, report.seconds);
    report.residual = solution.residual.relative;
    if (solution.status != SolveStatus::converged) return report.status = solution.status, report;
  }
  w.mass_factor.backward(w.z, w.dv);
  report.iterations = 1;
  if (!std::isfinite(w.dv.sum())) return report.status = SolveStatus::not_finite, report;

  state.q += h * state.v;
  state.v += w.dv;
  state.time += h;
  ++state.step;
  w.contacts->store(assembly.contacts, w.active, state);
  w.clock.mark(report.seconds.forces);
  return report;
}

}  // namespace

std::unique_ptr<Integrator> make_moreau_explicit(const MoreauExplicitOptions& options,
                                                 const SolverChoice& solver) {
  return std::make_unique<MoreauExplicit>(options, solver);
}

}  // namespace percuss
