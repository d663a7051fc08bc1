#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "percuss/math/fields.h"

namespace percuss {

enum class SolverName { automatic, nlgs, newton, proximal, admm, interior_point, psor, apgd, lemke };
inline constexpr auto solver_names = std::to_array<std::pair<SolverName, std::string_view>>({
    {SolverName::automatic, "auto"},
    {SolverName::nlgs, "nlgs"},
    {SolverName::newton, "newton"},
    {SolverName::proximal, "proximal"},
    {SolverName::admm, "admm"},
    {SolverName::interior_point, "interior-point"},
    {SolverName::psor, "psor"},
    {SolverName::apgd, "apgd"},
    {SolverName::lemke, "lemke"},
});

/// How the law of a contact is written as an equation F(r, u) = 0.
enum class NewtonFormulation : std::uint8_t {
  alart_curnier,      ///< normal and discs are projected apart; a disc has the radius of the trial (NN-3)
  jean_moreau,        ///< the same with the radius of the reaction (NN-4)
  natural_map,        ///< projection onto the cone with De Saxcé's shift (NN-5)
  fischer_burmeister  ///< the algebra of the second-order cone with the same shift (NN-6); one disc only
};

/// How nlgs solves one contact in a sweep.
enum class LocalMethod : std::uint8_t {
  exact,       ///< open, stick or slide, to rounding (N-22)
  projection,  ///< one projection r <- P(r - rho û)
  fixed_point  ///< projections until they change nothing
};

/// Which of all reactions with the same velocities are returned.
enum class Selection : std::uint8_t {
  any,           ///< those the method ends at; they may depend on the guess and on the order of the contacts
  minimum_norm,  ///< those of least norm (N-28): unique, and as symmetric as the problem
};

inline constexpr std::array<std::pair<Selection, std::string_view>, 2> selection_names = {
    {{Selection::any, "any"}, {Selection::minimum_norm, "minimum-norm"}}};

template <>
struct EnumNames<Selection> {
  static constexpr auto values = selection_names;
};
template <>
struct EnumNames<SolverName> {
  static constexpr auto values = solver_names;
};
template <>
struct EnumNames<NewtonFormulation> {
  static constexpr std::array<std::pair<NewtonFormulation, std::string_view>, 4> values = {
      {{NewtonFormulation::alart_curnier, "alart-curnier"},
       {NewtonFormulation::jean_moreau, "jean-moreau"},
       {NewtonFormulation::natural_map, "natural-map"},
       {NewtonFormulation::fischer_burmeister, "fischer-burmeister"}}};
};
template <>
struct EnumNames<LocalMethod> {
  static constexpr std::array<std::pair<LocalMethod, std::string_view>, 3> values = {
      {{LocalMethod::exact, "exact"},
       {LocalMethod::projection, "projection"},
       {LocalMethod::fixed_point, "fixed-point"}}};
};

/// Options of single methods, where somebody gives them.
struct MethodOptions {
  std::optional<NewtonFormulation> formulation;
  std::optional<LocalMethod> local;
  std::optional<int> threads, acceleration;

  static void fields(auto& self, auto& visit) {
    visit("formulation", self.formulation,
          Field{.help = "of newton and proximal: the equations that stand for the law, alart-curnier by "
                        "default (docs/theory/nonsmooth_newton.md, NN-3 to NN-6)"});
    visit("local", self.local,
          Field{.help = "of nlgs: how one contact is solved in a sweep, exact by default "
                        "(docs/theory/nonsmooth.md, N-22)"});
    visit("threads", self.threads,
          Field{.help =
                    "of auto and nlgs: cores that share a sweep over 4000 contacts and more, with auto also "
                    "contacts that bodies do not connect; by default those of `--threads`. The answer does "
                    "not depend on it",
                .range = {.low = 1, .high = 256}});
    visit("acceleration", self.acceleration,
          Field{.help = "of nlgs and admm: iterates that Anderson's acceleration remembers, 0 for none; nlgs "
                        "has none by default, admm 20",
                .range = {.low = 0, .high = 1000}});
  }
};
}  // namespace percuss
