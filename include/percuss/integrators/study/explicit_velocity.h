#pragma once

#include "percuss/integrators/half_explicit.h"

namespace percuss {

/// Whether contact forces at velocity level see the other forces: the options of [Schindler 2014, eq. 100].
enum class Projection { without_forces, with_forces };
template <>
struct EnumNames<Projection> {
  static constexpr std::array<std::pair<Projection, std::string_view>, 2> values = {
      {{Projection::without_forces, "without-forces"}, {Projection::with_forces, "with-forces"}}};
};

struct ExplicitVelocityOptions {
  static constexpr std::string_view scheme = "explicit-velocity";
  static constexpr std::string_view about =
      "explicit trapezoidal rule, contact forces from the velocities at hand: for study, closed contacts "
      "sink";
  Projection projection = Projection::without_forces;
  std::optional<double> activation_tolerance;

  SchemeFacts facts() const;
  static void fields(auto& self, auto& visit) {
    visit(
        "projection", self.projection,
        Field{.help = "whether a contact force stops the velocity of its instant (`without-forces`) or that "
                      "which the other forces would lead to in a step (`with-forces`)"});
    visit("activation_tolerance", self.activation_tolerance, activation_fields::tolerance);
  }
};

std::unique_ptr<Integrator> make_half_explicit(const ExplicitVelocityOptions& options,
                                               const SolverChoice& solver);

}  // namespace percuss
