#pragma once

#include <optional>

#include "percuss/integrators/one_step/activation_rule.h"
#include "percuss/integrators/one_step/solver_choice.h"
#include "percuss/integrators/scheme_facts.h"

namespace percuss {

class Integrator;

/// The forms of the half-explicit scheme: [Schindler 2014, fig. 9], section 5.2, fig. 24.
enum class HalfExplicitVariant { galerkin, brasey, shortened };
template <>
struct EnumNames<HalfExplicitVariant> {
  static constexpr std::array<std::pair<HalfExplicitVariant, std::string_view>, 3> values = {
      {{HalfExplicitVariant::galerkin, "galerkin"},
       {HalfExplicitVariant::brasey, "brasey"},
       {HalfExplicitVariant::shortened, "shortened"}}};
};

struct HalfExplicitAccelerationOptions {
  static constexpr std::string_view scheme = "half-explicit-acceleration";
  static constexpr std::string_view about =
      "explicit trapezoidal rule, contact forces at acceleration level: closed contacts drift";
  std::optional<double> activation_tolerance;

  SchemeFacts facts() const;
  static void fields(auto& self, auto& visit) {
    visit("activation_tolerance", self.activation_tolerance, activation_fields::tolerance);
  }
};

struct HalfExplicitVelocityOptions {
  static constexpr std::string_view scheme = "half-explicit-velocity";
  static constexpr std::string_view about =
      "explicit trapezoidal rule, constraints at velocity level: order 2 between impacts; the step is "
      "limited "
      "by stiffness";
  HalfExplicitVariant variant = HalfExplicitVariant::galerkin;
  double impulsive_step_ratio = 0.1;
  std::optional<double> activation_tolerance;

  SchemeFacts facts() const;
  static void fields(auto& self, auto& visit) {
    visit(
        "variant", self.variant,
        Field{.help = "where an impact is looked for: at the end of the step (`galerkin`), or also where the "
                      "velocity of its start leads (`brasey`); `shortened` then walks through the step in "
                      "short steps until the impact is past"});
    visit("impulsive_step_ratio", self.impulsive_step_ratio,
          Field{.help = "of the variant `shortened`: length of a short step, as a part of the step",
                .range = {.low = 1e-6, .high = 1}});
    visit("activation_tolerance", self.activation_tolerance, activation_fields::tolerance);
  }
};

std::unique_ptr<Integrator> make_half_explicit(const HalfExplicitAccelerationOptions& options,
                                               const SolverChoice& solver);
std::unique_ptr<Integrator> make_half_explicit(const HalfExplicitVelocityOptions& options,
                                               const SolverChoice& solver);

}  // namespace percuss
