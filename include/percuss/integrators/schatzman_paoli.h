#pragma once

#include "percuss/integrators/one_step/solver_choice.h"
#include "percuss/integrators/scheme_facts.h"

namespace percuss {

class Integrator;

struct SchatzmanPaoliOptions {
  static constexpr std::string_view scheme = "schatzman-paoli";
  static constexpr std::string_view about =
      "Schatzman-Paoli: central differences with impacts at position level, the law holds after two steps";
  double theta = 0.5;

  SchemeFacts facts() const {
    return {.constraints = ConstraintLevel::position,
            .has_friction = false,
            .any_restitution = false,
            .restriction = "velocities are those of the last step on the mean"};
  }

  static void fields(auto& self, auto& visit) {
    visit(
        "theta", self.theta,
        Field{
            .help =
                "where in the step the forces are taken: 0 at its start (explicit in springs), 1 at its end",
            .range = allow::unit_interval});
  }
};

std::unique_ptr<Integrator> make_schatzman_paoli(const SchatzmanPaoliOptions& options,
                                                 const SolverChoice& solver);

}  // namespace percuss
