#include "percuss/integrators/generalized_alpha.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/dynamics/forces.h"
#include "percuss/integrators/alpha/alpha_step.h"
#include "percuss/integrators/one_step/finish_step.h"

namespace percuss {

AlphaCoefficients GeneralizedAlphaOptions::coefficients() const {
  if (parameters.explicit_) return *parameters.explicit_;
  AlphaCoefficients c;
  if (parameters.newmark) {
    c.gamma = parameters.newmark->gamma;
    c.beta = parameters.newmark->beta;
    return c;
  }
  if (parameters.hht) {
    c.alpha_f = parameters.hht->alpha_f;
  } else {  // [Cosimo 2020, eq. 35]
    c.alpha_m = (2 * spectral_radius - 1) / (spectral_radius + 1);
    c.alpha_f = spectral_radius / (spectral_radius + 1);
  }
  c.gamma = 0.5 + c.alpha_f - c.alpha_m;
  c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);
  return c;
}

SchemeFacts GeneralizedAlphaOptions::facts() const {
  const AlphaCoefficients c = coefficients();
  const bool second = std::abs(c.gamma - (0.5 + c.alpha_f - c.alpha_m)) < 1e-12;
  return {.smooth_order = second ? 2 : 1,
          .joint_order = second ? 2 : 1,
          .impact_order = 1,
          .constraints = ConstraintLevel::position_and_velocity,
          .varies_step = true,
          .is_for_study = splitting == Splitting::decoupled_neglected,
          .restriction = splitting == Splitting::coupled
                             ? "the sweeps of the coupled scheme converge slowly at large steps"
                             : ""};
}

void GeneralizedAlphaOptions::complain(std::vector<Complaint>& complaints) const {
  const int given =
      parameters.hht.has_value() + parameters.newmark.has_value() + parameters.explicit_.has_value();
  if (!accelerated && splitting != Splitting::coupled)
    complaints.push_back(
        {"integrator.accelerated", "it has a meaning for `splitting: coupled` only; leave it out"});
  if (given > 1)
    complaints.push_back({"integrator.parameters", "give one of hht, newmark and explicit, not several"});
}

namespace {

/// docs/theory/generalized_alpha.md; [Cosimo 2020, Algorithm 1].
class GeneralizedAlpha final : public Integrator {
 public:
  GeneralizedAlpha(const GeneralizedAlphaOptions& options, const SolverChoice& solver)
      : options_(options), solver_(solver) {}

  /// The pseudo-acceleration a and the acceleration of the smooth motion.
  int memory_size(const System& system) const override { return 2 * system.dof_count(); }
  std::unique_ptr<Workspace> make_workspace(const Assembly& assembly) const override {
    return std::make_unique<AlphaScratch>(assembly, solver_, options_);
  }
  StepReport advance(const StepContext& context, State& state, Workspace& workspace) const override;

 private:
  GeneralizedAlphaOptions options_;
  SolverChoice solver_;
};

StepReport GeneralizedAlpha::advance(const StepContext& context, State& state, Workspace& workspace) const {
  auto& w = static_cast<AlphaScratch&>(workspace);
  const Assembly& assembly = context.assembly;
  const double h = context.h;
  const int n = assembly.system.dof_count();
  StepReport report;
  w.clock.start(w.measure_time);
  if (state.step == 0) state.memory << assembly.start.acceleration, assembly.start.acceleration;
  AlphaStep step(assembly, options_, h, state, w, report);
  report.status = options_.splitting == Splitting::coupled ? step.coupled() : step.decoupled();
  report.iterations = report.by_level[0] + report.by_level[1] + report.by_level[2];
  if (report.status != SolveStatus::converged) return report;
  if (!std::isfinite(w.v.sum() + w.q.sum())) {
    report.status = SolveStatus::not_finite;
    return report;
  }
  state.q = w.q;
  state.v = w.v;
  state.memory.head(n) = w.pseudo_acceleration;
  state.memory.tail(n) = w.acceleration;
  w.multipliers = h * w.smooth_multipliers + w.impulses;
  finish_step(assembly.system, w.end().kinematics, w.multipliers, h, state);
  w.impacts.store(w.list(), w.hit, state);
  w.clock.mark(report.seconds.forces);
  return report;
}

}  // namespace

std::unique_ptr<Integrator> make_generalized_alpha(const GeneralizedAlphaOptions& options,
                                                   const SolverChoice& solver) {
  return std::make_unique<GeneralizedAlpha>(options, solver);
}

}  // namespace percuss
