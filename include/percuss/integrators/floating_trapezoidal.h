#pragma once

#include <optional>

#include "percuss/integrators/one_step/activation_rule.h"
#include "percuss/integrators/one_step/solver_choice.h"
#include "percuss/integrators/scheme_facts.h"

namespace percuss {

class Integrator;
struct FloatingFrame;
struct System;

/// Centrifugal, Euler and Coriolis forces in floating frames: all; those of the undeformed body; none, which
/// is wrong in contact and there to show it (FF-11).
enum class FrameForces { full, reduced, none };
template <>
struct EnumNames<FrameForces> {
  static constexpr std::array<std::pair<FrameForces, std::string_view>, 3> values = {
      {{FrameForces::full, "full"}, {FrameForces::reduced, "reduced"}, {FrameForces::none, "none"}}};
};

/// How the equations of a step are solved: with the tangents, or with the matrix of the undeformed bodies.
enum class InnerIteration { newton, fixed_point };
template <>
struct EnumNames<InnerIteration> {
  static constexpr std::array<std::pair<InnerIteration, std::string_view>, 2> values = {
      {{InnerIteration::newton, "newton"}, {InnerIteration::fixed_point, "fixed-point"}}};
};

struct FloatingTrapezoidalOptions {
  static constexpr std::string_view scheme = "floating-trapezoidal";
  static constexpr std::string_view about =
      "trapezoidal rule for bodies in floating frames, theta-weighted contact laws";
  double theta = 1;
  std::optional<FrameForces> rotational_forces;
  InnerIteration iteration = InnerIteration::newton;
  double inner_tolerance = 1e-10;
  double outer_tolerance = 1e-10;
  int max_iterations = 500;
  std::optional<double> activation_tolerance;

  SchemeFacts facts() const {
    return {.smooth_order = 2,
            .has_joints = false,
            .restriction = "no joints; theta < 1 adds (1 - theta) / theta to restitution"};
  }

  FrameForces forces_of(const FloatingFrame& frame) const;
  /// Bodies that ask for other forces than the scheme.
  void complain_about(const System& system, std::vector<Complaint>& complaints) const;

  static void fields(auto& self, auto& visit) {
    visit("theta", self.theta,
          Field{.help = "contact laws hold for theta u_{n+1} + (1 - theta) u_n: 1 for impacts without "
                        "rebound, 0.5 for elastic ones",
                .range = {.low = 0.5, .high = 1}});
    visit("rotational_forces", self.rotational_forces,
          Field{.help = "in floating frames: `full`, `reduced` to those of the undeformed body, or `none`, "
                        "for comparison only: contacts then turn a body twice; default: what the body "
                        "says, or reduced"});
    visit("iteration", self.iteration,
          Field{.help = "`newton`, or `fixed-point` with the matrix of the undeformed bodies; the same for "
                        "bodies in floating frames, whose matrices are constant"});
    visit("inner_tolerance", self.inner_tolerance,
          Field{.help = "relative change of the velocities that ends the iteration of a step",
                .range = allow::positive});
    visit("outer_tolerance", self.outer_tolerance,
          Field{.help = "the same for the reactions", .range = allow::positive});
    visit("max_iterations", self.max_iterations,
          Field{.help = "largest number of iterations in a step", .range = {.low = 1, .high = 100000}});
    visit("activation_tolerance", self.activation_tolerance, activation_fields::tolerance);
  }
};

std::unique_ptr<Integrator> make_floating_trapezoidal(const FloatingTrapezoidalOptions& options,
                                                      const SolverChoice& solver);

}  // namespace percuss
