#pragma once

#include <optional>

#include "percuss/integrators/one_step/activation_rule.h"
#include "percuss/integrators/one_step/solver_choice.h"
#include "percuss/integrators/scheme_facts.h"

namespace percuss {

class Integrator;
struct System;

/// gamma and beta follow from alpha_f unless they are given [Chen 2012, after eq. 19].
struct HhtCoefficients {
  double alpha_f = 0, gamma = 0.5, beta = 0.25;

  /// The trapezoidal rule.
  bool damps_nothing() const { return alpha_f == 0 && gamma == 0.5; }
  static HhtCoefficients derive(double alpha_f, std::optional<double> gamma, std::optional<double> beta);
  bool has_second_order() const;
};

/// What the members of the family share.
struct HhtParameters {
  double alpha_f = 0.1;
  std::optional<double> gamma, beta;

  HhtCoefficients coefficients() const { return HhtCoefficients::derive(alpha_f, gamma, beta); }

  static void fields(auto& self, auto& visit) {
    visit("alpha_f", self.alpha_f,
          Field{.help = "numerical damping of fast vibrations", .range = {.low = 0, .high = 1.0 / 3}});
    visit("gamma", self.gamma,
          Field{.help = "default: 1/2 + alpha_f, which gives order 2", .range = {.low = 0.5, .high = 2}});
    visit("beta", self.beta, Field{.help = "default: (gamma + 1/2)^2/4", .range = allow::positive});
  }
};
/// The consistent scheme of [Chen 2012, eqs 26-28].
struct HhtOptions : HhtParameters {
  static constexpr std::string_view scheme = "hht";
  static constexpr std::string_view about =
      "nonsmooth HHT: Newmark's formulas with damping, impacts at velocity level in the middle of a step";
  Activation activation = Activation::start_gap;
  std::optional<double> activation_tolerance;

  SchemeFacts facts() const;
  /// Joints at position level need some damping.
  void complain_about(const System& system, std::vector<Complaint>& complaints) const;

  static void fields(auto& self, auto& visit) {
    HhtParameters::fields(self, visit);
    visit("activation", self.activation, activation_fields::rule);
    visit("activation_tolerance", self.activation_tolerance, activation_fields::tolerance);
  }
};

std::unique_ptr<Integrator> make_hht(const HhtOptions& options, const SolverChoice& solver);

}  // namespace percuss
