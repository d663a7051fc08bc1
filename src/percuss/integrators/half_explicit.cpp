#include "percuss/integrators/half_explicit.h"

#include <cmath>

#include "percuss/integrators/galerkin/galerkin_step.h"
#include "percuss/integrators/one_step/finish_step.h"

namespace percuss {

SchemeFacts HalfExplicitAccelerationOptions::facts() const {
  return {.smooth_order = 2,
          .joint_order = 2,
          .constraints = ConstraintLevel::acceleration,
          .is_explicit = true,
          .varies_step = true,
          .restriction = "closed contacts and joints drift, in velocity too"};
}

SchemeFacts HalfExplicitVelocityOptions::facts() const {
  return {.smooth_order = 2, .joint_order = 2, .is_explicit = true, .varies_step = true};
}

namespace {

/// docs/theory/half_explicit.md; [Schindler 2014, figs 4, 7, 9 and 24].
class HalfExplicit final : public Integrator {
 public:
  HalfExplicit(const GalerkinRules& rules, const SolverChoice& solver) : rules_(rules), solver_(solver) {}

  std::unique_ptr<Workspace> make_workspace(const Assembly& assembly) const override {
    return std::make_unique<GalerkinScratch>(assembly, solver_, rules_);
  }
  StepReport advance(const StepContext& context, State& state, Workspace& workspace) const override;

 private:
  GalerkinRules rules_;
  SolverChoice solver_;
};

StepReport HalfExplicit::advance(const StepContext& context, State& state, Workspace& workspace) const {
  auto& w = static_cast<GalerkinScratch&>(workspace);
  StepReport report;
  w.clock.start(w.measure_time);
  report.status = GalerkinStep(context, rules_, state, w, report).advance(context.h);
  if (report.status != SolveStatus::converged) return report;
  if (!std::isfinite(w.v.sum() + w.q.sum())) {
    report.status = SolveStatus::not_finite;
    return report;
  }
  state.q = w.q;
  state.v = w.v;
  state.contacts.reaction = w.reaction;
  state.contacts.status = w.status;
  finish_step(context.assembly.system, context.end.kinematics, w.multipliers, context.h, state);
  w.clock.mark(report.seconds.forces);
  return report;
}

}  // namespace

std::unique_ptr<Integrator> make_half_explicit(const GalerkinRules& rules, const SolverChoice& solver) {
  return std::make_unique<HalfExplicit>(rules, solver);
}

std::unique_ptr<Integrator> make_half_explicit(const HalfExplicitAccelerationOptions& options,
                                               const SolverChoice& solver) {
  return make_half_explicit(
      GalerkinRules{.law = ForceLaw::acceleration, .activation_tolerance = options.activation_tolerance},
      solver);
}

std::unique_ptr<Integrator> make_half_explicit(const HalfExplicitVelocityOptions& options,
                                               const SolverChoice& solver) {
  const bool is_short = options.variant == HalfExplicitVariant::shortened;
  return make_half_explicit(GalerkinRules{.looks_ahead = options.variant != HalfExplicitVariant::galerkin,
                                          .is_free_before_impact = is_short,
                                          .impulsive_ratio = is_short ? options.impulsive_step_ratio : 1.0,
                                          .activation_tolerance = options.activation_tolerance},
                            solver);
}

}  // namespace percuss
