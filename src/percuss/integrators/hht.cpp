#include "percuss/integrators/hht.h"

#include <cmath>

#include "percuss/integrators/hht/hht_step.h"
#include "percuss/integrators/one_step/finish_step.h"

namespace percuss {

HhtCoefficients HhtCoefficients::derive(double alpha_f, std::optional<double> gamma,
                                        std::optional<double> beta) {
  HhtCoefficients c;
  c.alpha_f = alpha_f;
  c.gamma = gamma.value_or(0.5 + alpha_f);
  c.beta = beta.value_or(0.25 * (c.gamma + 0.5) * (c.gamma + 0.5));
  return c;
}
bool HhtCoefficients::has_second_order() const { return std::abs(gamma - 0.5 - alpha_f) < 1e-12; }

SchemeFacts hht_facts(const HhtCoefficients& c) {
  const int order = c.has_second_order() ? 2 : 1;
  // The reactions of joints at position level have a spectral radius of 1 at infinity, and errors grow.
  return {.smooth_order = order, .joint_order = c.damps_nothing() ? 0 : order};
}

void HhtOptions::complain_about(const System& system, std::vector<Complaint>& complaints) const {
  if (system.constraint_count() == 0 || !coefficients().damps_nothing()) return;
  complaints.push_back(
      {"integrator.alpha_f",
       "without damping (alpha_f = 0, gamma = 1/2) the reactions of joints grow from step to "
       "step; take alpha_f: 0.05, or another scheme"});
}

SchemeFacts HhtOptions::facts() const {
  SchemeFacts facts = hht_facts(coefficients());
  facts.restriction = "contacts hold at velocity level, joints at position level";
  return facts;
}
namespace {

/// docs/theory/hht.md; [Chen 2012]. With the weights c and d of (H-2):
///   v = v_p + h c2 a + cw w,      q = q_n * (x_p + h^2 d2 a + dw w)
///   M a = f(q, v, t) + G^T lambda,   g(q) = 0               for the joints
///   M w = H r + G^T Lambda,          G w = 0                jumps that contacts cause
///   0 <= u + e u_n  ⟂  r >= 0  (or gap >= 0)                for the active contacts, with friction
class Hht final : public Integrator {
 public:
  Hht(const HhtForm& form, const SolverChoice& solver) : form_(form), solver_(solver) {}

  /// a_n, a_{n-1}, and the jumps w_n, w_{n-1} where they are carried on.
  int memory_size(const System& system) const override {
    return (form_.impulses_are_forces ? 4 : 2) * system.dof_count();
  }
  std::unique_ptr<Workspace> make_workspace(const Assembly& assembly) const override;
  StepReport advance(const StepContext& context, State& state, Workspace& work) const override;

 private:
  HhtForm form_;
  SolverChoice solver_;
};

std::unique_ptr<Workspace> Hht::make_workspace(const Assembly& assembly) const {
  return std::make_unique<HhtScratch>(assembly, solver_, form_);
}

StepReport Hht::advance(const StepContext& context, State& state, Workspace& workspace) const {
  auto& w = static_cast<HhtScratch&>(workspace);
  const Assembly& assembly = context.assembly;
  const double h = context.h;
  const int n = assembly.system.dof_count();
  StepReport report;
  w.clock.start(w.measure_time);
  if (state.step == 0) {
    state.memory.setZero();
    state.memory.head(n) = assembly.start.acceleration;  // errata: a_{-1} = a_0
    state.memory.segment(n, n) = assembly.start.acceleration;
  }
  report.status = HhtStep(assembly, form_, h, state, w, report).run();
  report.active_contacts = static_cast<int>(w.active.index.size());
  if (report.status != SolveStatus::converged) return report;
  if (!std::isfinite(w.v.sum() + w.q.sum())) {
    report.status = SolveStatus::not_finite;
    return report;
  }
  state.q = w.q;
  state.v = w.v;
  state.memory.segment(n, n) = state.memory.head(n);
  state.memory.head(n) = w.a;
  if (form_.impulses_are_forces) {
    state.memory.tail(n) = state.memory.segment(2 * n, n);
    state.memory.segment(2 * n, n) = w.w;
  }
  w.multipliers = h * w.lambda + w.Lambda;
  finish_step(assembly.system, w.end().kinematics, w.multipliers, h, state);
  w.contacts.store(w.list(), w.active, state);
  w.clock.mark(report.seconds.forces);
  return report;
}

}  // namespace

std::unique_ptr<Integrator> make_hht(const HhtForm& form, const SolverChoice& solver) {
  return std::make_unique<Hht>(form, solver);
}
std::unique_ptr<Integrator> make_hht(const HhtOptions& options, const SolverChoice& solver) {
  return make_hht(HhtForm{.coefficients = options.coefficients(),
                          .activation = options.activation,
                          .activation_tolerance = options.activation_tolerance},
                  solver);
}

}  // namespace percuss
