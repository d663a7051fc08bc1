#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "percuss/integrators/one_step/activation_rule.h"
#include "percuss/integrators/one_step/solver_choice.h"
#include "percuss/integrators/scheme_facts.h"

namespace percuss {

class Integrator;

/// Where the smooth forces are taken: at (q_n, v_n), or at (q_{n+1}, v_n).
enum class ForcePlace { start, end };
template <>
struct EnumNames<ForcePlace> {
  static constexpr std::array<std::pair<ForcePlace, std::string_view>, 2> values = {
      {{ForcePlace::start, "start"}, {ForcePlace::end, "end"}}};
};

struct MoreauExplicitOptions {
  static constexpr std::string_view scheme = "moreau-explicit";
  static constexpr std::string_view about =
      "the explicit Moreau-Jean scheme; the step is limited by stiffness";
  Activation activation = Activation::half_step_gap;
  std::optional<double> activation_tolerance;
  ForcePlace forces = ForcePlace::start;

  SchemeFacts facts() const { return {.is_explicit = true, .varies_step = true}; }

  static void fields(auto& self, auto& visit) {
    visit("activation", self.activation, activation_fields::rule);
    visit("activation_tolerance", self.activation_tolerance, activation_fields::tolerance);
    visit("forces", self.forces,
          Field{.help = "where given forces and springs are taken: at the `start` of the step, which lets "
                        "undamped oscillations grow, or at the places of its `end`, which keeps them bounded "
                        "while h omega < 2"});
  }
};

std::unique_ptr<Integrator> make_moreau_explicit(const MoreauExplicitOptions& options,
                                                 const SolverChoice& solver);

}  // namespace percuss
