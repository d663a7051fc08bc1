#pragma once

#include <optional>

#include "percuss/integrators/one_step/solver_choice.h"
#include "percuss/integrators/scheme_facts.h"

namespace percuss {

class Integrator;

/// How the smooth motion and its nonsmooth corrections depend on each other (G-4).
enum class Splitting { decoupled, coupled, decoupled_neglected };
template <>
struct EnumNames<Splitting> {
  static constexpr std::array<std::pair<Splitting, std::string_view>, 3> values = {
      {{Splitting::decoupled, "decoupled"},
       {Splitting::coupled, "coupled"},
       {Splitting::decoupled_neglected, "decoupled-neglected"}}};
};

/// The four numbers of the family.
struct AlphaCoefficients {
  double alpha_m = 0, alpha_f = 0, gamma = 0.5, beta = 0.25;

  static void fields(auto& self, auto& visit) {
    visit("alpha_m", self.alpha_m,
          Field{.help = "weight of the old pseudo-acceleration", .range = {.low = -1, .high = 0.5}});
    visit("alpha_f", self.alpha_f,
          Field{.help = "weight of the old acceleration", .range = {.low = 0, .high = 0.5}});
    visit("gamma", self.gamma,
          Field{.help = "1/2 + alpha_f - alpha_m gives order 2", .range = {.low = 0.5, .high = 2}});
    visit("beta", self.beta, Field{.help = "(gamma + 1/2)^2/4 damps most", .range = allow::positive});
  }
};
struct HhtParameter {
  double alpha_f = 0.1;

  static void fields(auto& self, auto& visit) {
    visit("alpha_f", self.alpha_f, Field{.help = "damping", .range = {.low = 0, .high = 1.0 / 3}});
  }
};
struct NewmarkParameters {
  double gamma = 0.5, beta = 0.25;

  static void fields(auto& self, auto& visit) {
    visit("gamma", self.gamma, Field{.help = "0.5 gives order 2", .range = {.low = 0.5, .high = 2}});
    visit("beta", self.beta, Field{.help = "at least gamma/2 for any step", .range = allow::positive});
  }
};
/// At most one of them; without any the spectral radius decides.
struct AlphaParameters {
  std::optional<HhtParameter> hht;
  std::optional<NewmarkParameters> newmark;
  std::optional<AlphaCoefficients> explicit_;

  static void fields(auto& self, auto& visit) {
    visit("hht", self.hht, Field{.help = "those of Hilber, Hughes and Taylor"});
    visit("newmark", self.newmark, Field{.help = "those of Newmark"});
    visit("explicit", self.explicit_, Field{.help = "all four"});
  }
};

/// When a sub-problem counts as solved: |r| <= relative (sum of |terms of r| + force).  [Cosimo 2020, eq. 51]
struct AlphaTolerance {
  double relative = 1e-10;
  double force = 1e-5;

  static void fields(auto& self, auto& visit) {
    visit("relative", self.relative,
          Field{.help = "residual against the terms in it", .range = allow::positive});
    visit("force", self.force, Field{.unit = "N", .help = "added to them", .range = allow::nonnegative});
  }
};
struct AlphaScaling {
  double mass = 1;

  static void fields(auto& self, auto& visit) {
    visit("mass", self.mass, Field{.unit = "kg", .help = "characteristic mass", .range = allow::positive});
  }
};

struct GeneralizedAlphaOptions {
  static constexpr std::string_view scheme = "generalized-alpha";
  static constexpr std::string_view about =
      "nonsmooth generalized-alpha: order 2 in smooth motion, adjustable damping, constraints at position "
      "and velocity level";
  double spectral_radius = 0.8;
  AlphaParameters parameters;
  Splitting splitting = Splitting::decoupled;
  bool accelerated = true;
  AlphaTolerance tolerance;
  std::optional<AlphaScaling> scaling;
  std::optional<double> activation_tolerance;
  int newton_iterations = 100;

  AlphaCoefficients coefficients() const;
  SchemeFacts facts() const;
  void complain(std::vector<Complaint>& complaints) const;

  static void fields(auto& self, auto& visit) {
    visit(
        "spectral_radius", self.spectral_radius,
        Field{.help = "what is left of the fastest vibrations after a step: 1 keeps the energy, 0 damps most",
              .range = allow::unit_interval});
    visit("parameters", self.parameters,
          Field{.help = "other coefficients than those of the spectral radius"});
    visit("splitting", self.splitting,
          Field{.help = "`decoupled` solves smooth motion, positions and velocities one after the other; "
                        "`coupled` iterates on all three; `decoupled-neglected` leaves the forces that the "
                        "corrections cause to the next step"});
    visit("accelerated", self.accelerated,
          Field{.help =
                    "the sweeps of `coupled` that converge slowly; `false`: plain sweeps, as in the paper"});
    visit("tolerance", self.tolerance, Field{.help = "when a sub-problem counts as solved"});
    visit("scaling", self.scaling,
          Field{.help = "weight of gaps against impulses when the active contacts are sought; default: the "
                        "mean mass of a coordinate"});
    visit("activation_tolerance", self.activation_tolerance,
          Field{.unit = "m",
                .help = "a gap up to this counts as closed; default: 1e-12 of the model's size",
                .range = allow::nonnegative});
    visit("newton_iterations", self.newton_iterations,
          Field{.help = "largest number of iterations in a sub-problem, or of sweeps of the coupled scheme",
                .range = {.low = 1, .high = 10000}});
  }
};

std::unique_ptr<Integrator> make_generalized_alpha(const GeneralizedAlphaOptions& options,
                                                   const SolverChoice& solver);

}  // namespace percuss
