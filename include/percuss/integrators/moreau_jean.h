#pragma once

#include <optional>

#include "percuss/integrators/one_step/activation_rule.h"
#include "percuss/integrators/one_step/solver_choice.h"
#include "percuss/integrators/scheme_facts.h"

namespace percuss {

class Integrator;

/// What keeps joints and contacts closed at position level (M-17).
enum class Stabilisation { none, combined_projection };
template <>
struct EnumNames<Stabilisation> {
  static constexpr std::array<std::pair<Stabilisation, std::string_view>, 2> values = {
      {{Stabilisation::none, "none"}, {Stabilisation::combined_projection, "combined-projection"}}};
};

struct MoreauJeanOptions {
  static constexpr std::string_view scheme = "moreau-jean";
  static constexpr std::string_view about = "Moreau-Jean: the theta-method with impacts at velocity level";
  double theta = 0.5;
  Activation activation = Activation::half_step_gap;
  std::optional<double> activation_tolerance;
  Stabilisation stabilisation = Stabilisation::none;
  double newton_tolerance = 1e-12;
  int newton_iterations = 30;

  SchemeFacts facts() const {
    return {.smooth_order = theta == 0.5 ? 2 : 1,
            .joint_order = theta == 0.5 ? 2 : 1,
            .constraints = stabilisation == Stabilisation::none ? ConstraintLevel::velocity
                                                                : ConstraintLevel::position_and_velocity,
            .varies_step = true};
  }

  static void fields(auto& self, auto& visit) {
    visit(
        "theta", self.theta,
        Field{.help = "weight of the end of the step: 0.5 is of second order in smooth motion and keeps the "
                      "energy, 1 damps",
              .range = {.low = 0.5, .high = 1}});
    visit("activation", self.activation, activation_fields::rule);
    visit("activation_tolerance", self.activation_tolerance, activation_fields::tolerance);
    visit("stabilisation", self.stabilisation,
          Field{.help = "`none`: joints drift and contacts overlap by small amounts; `combined-projection`: "
                        "they are closed at position and velocity level in every step"});
    visit("newton_tolerance", self.newton_tolerance,
          Field{.help = "relative residual of the equations of motion, where they are nonlinear",
                .range = allow::positive});
    visit("newton_iterations", self.newton_iterations,
          Field{.help = "largest number of Newton iterations in a step", .range = {.low = 1, .high = 1000}});
  }
};

std::unique_ptr<Integrator> make_moreau_jean(const MoreauJeanOptions& options, const SolverChoice& solver);

}  // namespace percuss
