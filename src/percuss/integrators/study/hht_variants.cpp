#include "percuss/integrators/study/hht_variants.h"

#include "percuss/integrators/hht/hht_step.h"

namespace percuss {
namespace {

SchemeFacts position_facts(const HhtCoefficients& c) {
  SchemeFacts facts = hht_facts(c);
  facts.impact_order = 0;
  facts.constraints = ConstraintLevel::position;
  facts.has_friction = false;
  facts.is_for_study = true;
  facts.restriction = "for study only: there is no impact law";
  return facts;
}

std::unique_ptr<Integrator> make_at_position_level(const HhtCoefficients& coefficients,
                                                   const SolverChoice& solver) {
  return make_hht(
      HhtForm{.coefficients = coefficients, .impulses_are_forces = true, .level = ContactLevel::position},
      solver);
}

}  // namespace

SchemeFacts HhtDirectOptions::facts() const {
  SchemeFacts facts = hht_facts(coefficients());
  const HhtCoefficients c = coefficients();
  facts.impact_order = c.gamma == 1 && c.alpha_f == 0 ? 1 : 0;
  facts.is_for_study = facts.impact_order == 0;
  facts.restriction = "for study only: wrong restitution unless gamma is 1 and alpha_f 0";
  return facts;
}
SchemeFacts HhtPositionOptions::facts() const { return position_facts(coefficients()); }
SchemeFacts NewmarkPositionOptions::facts() const { return position_facts(coefficients()); }

std::unique_ptr<Integrator> make_hht(const HhtDirectOptions& options, const SolverChoice& solver) {
  return make_hht(HhtForm{.coefficients = options.coefficients(),
                          .impulses_are_forces = true,
                          .activation = options.activation,
                          .activation_tolerance = options.activation_tolerance},
                  solver);
}
std::unique_ptr<Integrator> make_hht(const HhtPositionOptions& options, const SolverChoice& solver) {
  return make_at_position_level(options.coefficients(), solver);
}
std::unique_ptr<Integrator> make_hht(const NewmarkPositionOptions& options, const SolverChoice& solver) {
  return make_at_position_level(options.coefficients(), solver);
}

}  // namespace percuss
