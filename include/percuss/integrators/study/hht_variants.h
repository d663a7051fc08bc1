#pragma once

#include "percuss/integrators/hht.h"

/// Relatives of the nonsmooth HHT scheme whose impacts come out wrong, to show how.  docs/theory/hht.md
namespace percuss {

inline constexpr Field allow_inconsistent_field = {
    .help = "must be true: impacts come out wrong however small the step is"};

/// HHT applied to the impulses as if they were forces [Chen 2012, eqs 22-23]: the restitution is wrong.
struct HhtDirectOptions : HhtParameters {
  static constexpr std::string_view scheme = "hht-direct";
  static constexpr std::string_view about =
      "for study: HHT with impulses in place of forces; its restitution is (1 + e)/((1 - alpha_f) gamma) - 1";
  bool allow_inconsistent = false;
  Activation activation = Activation::start_gap;
  std::optional<double> activation_tolerance;

  SchemeFacts facts() const;

  static void fields(auto& self, auto& visit) {
    visit("allow_inconsistent", self.allow_inconsistent, allow_inconsistent_field);
    HhtParameters::fields(self, visit);
    visit("activation", self.activation, activation_fields::rule);
    visit("activation_tolerance", self.activation_tolerance, activation_fields::tolerance);
  }
};

/// Classical HHT with gap >= 0 at the end of the step [Chen 2012, text after eq. 23].
struct HhtPositionOptions : HhtParameters {
  static constexpr std::string_view scheme = "hht-position";
  static constexpr std::string_view about =
      "for study: classical HHT with contacts at position level; there is no impact law";
  bool allow_inconsistent = false;

  SchemeFacts facts() const;

  static void fields(auto& self, auto& visit) {
    visit("allow_inconsistent", self.allow_inconsistent, allow_inconsistent_field);
    HhtParameters::fields(self, visit);
  }
};

struct NewmarkPositionOptions {
  static constexpr std::string_view scheme = "newmark-position";
  static constexpr std::string_view about =
      "for study: Newmark's scheme with contacts at position level; the rebound depends on where in a step "
      "the impact falls";
  bool allow_inconsistent = false;
  std::optional<double> gamma, beta;

  HhtCoefficients coefficients() const { return HhtCoefficients::derive(0, gamma, beta); }
  SchemeFacts facts() const;

  static void fields(auto& self, auto& visit) {
    visit("allow_inconsistent", self.allow_inconsistent, allow_inconsistent_field);
    visit("gamma", self.gamma, Field{.help = "default: 1/2", .range = {.low = 0.5, .high = 2}});
    visit("beta", self.beta, Field{.help = "default: (gamma + 1/2)^2/4", .range = allow::positive});
  }
};

std::unique_ptr<Integrator> make_hht(const HhtDirectOptions& options, const SolverChoice& solver);
std::unique_ptr<Integrator> make_hht(const HhtPositionOptions& options, const SolverChoice& solver);
std::unique_ptr<Integrator> make_hht(const NewmarkPositionOptions& options, const SolverChoice& solver);

}  // namespace percuss
