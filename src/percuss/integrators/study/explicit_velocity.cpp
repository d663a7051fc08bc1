#include "percuss/integrators/study/explicit_velocity.h"

#include "percuss/integrators/galerkin/galerkin_step.h"

namespace percuss {

SchemeFacts ExplicitVelocityOptions::facts() const {
  return {.smooth_order = 2,
          .is_explicit = true,
          .restriction = projection == Projection::without_forces
                             ? "for study: a body at rest on a floor sinks"
                             : "for study: closed contacts may open"};
}

std::unique_ptr<Integrator> make_half_explicit(const ExplicitVelocityOptions& options,
                                               const SolverChoice& solver) {
  const bool sees_forces = options.projection == Projection::with_forces;
  return make_half_explicit(
      GalerkinRules{.law = sees_forces ? ForceLaw::velocity_with_forces : ForceLaw::velocity,
                    .activation_tolerance = options.activation_tolerance},
      solver);
}

}  // namespace percuss
