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
    visit(
        "activation", self.activation,
        Field{.help = "a contact takes part in a step if g + c h u <= tolerance, with c = 0 (start-gap), 1/2 "
                      "(half-step-gap) or 1 (predicted-gap)"});
    visit("activation_tolerance", self.activation_tolerance,
          Field{.unit = "m", .help = "default: 1e-12 of the model's size", .range = allow::nonnegative});
  }
};

std::unique_ptr<Integrator> make_moreau_explicit(const MoreauExplicitOptions& options,
                                                 const SolverChoice& solver);

}  // namespace percuss
