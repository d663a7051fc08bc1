#pragma once

#include <optional>

#include "percuss/integrators/integrator.h"
#include "percuss/integrators/one_step/activation.h"
#include "percuss/integrators/one_step/solver_choice.h"

namespace percuss {

struct MoreauExplicitOptions {
  static constexpr std::string_view scheme = "moreau-explicit";
  static constexpr std::string_view about =
      "the explicit Moreau-Jean scheme; the step is limited by stiffness";
  Activation activation = Activation::half_step_gap;
  std::optional<double> activation_tolerance;

  SchemeFacts facts() const { return {.is_explicit = true}; }

  static void fields(auto& self, auto& visit) {
    visit("activation", self.activation, activation_fields::rule);
    visit("activation_tolerance", self.activation_tolerance, activation_fields::tolerance);
  }
};

std::unique_ptr<Integrator> make_moreau_explicit(const MoreauExplicitOptions& options,
                                                 const SolverChoice& solver);

}  // namespace percuss
