#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "percuss/math/fields.h"
#include "percuss/nonsmooth/newton_law.h"
#include "percuss/nonsmooth/nlgs.h"
#include "percuss/nonsmooth/solver.h"

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
struct EnumNames<NlgsOptions::Local> {
  static constexpr std::array<std::pair<NlgsOptions::Local, std::string_view>, 3> values = {
      {{NlgsOptions::Local::exact, "exact"},
       {NlgsOptions::Local::projection, "projection"},
       {NlgsOptions::Local::fixed_point, "fixed-point"}}};
};

/// Options of single methods, where somebody gives them.
struct MethodOptions {
  std::optional<NewtonFormulation> formulation;
  std::optional<NlgsOptions::Local> local;
  std::optional<int> threads, acceleration;

  static void fields(auto& self, auto& visit) {
    visit("formulation", self.formulation,
          Field{.help = "of newton and proximal: the equations that stand for the law, alart-curnier by "
                        "default (docs/theory/nonsmooth_newton.md, NN-3 to NN-6)"});
    visit("local", self.local,
          Field{.help = "of nlgs: how one contact is solved in a sweep, exact by default "
                        "(docs/theory/nonsmooth.md, N-22)"});
    visit("threads", self.threads,
          Field{.help = "of nlgs: cores that share a sweep over 4000 contacts and more; the answer does not "
                        "depend on it",
                .range = {.low = 1, .high = 256}});
    visit("acceleration", self.acceleration,
          Field{.help = "of nlgs and admm: iterates that Anderson's acceleration remembers, 0 for none; nlgs "
                        "has none by default, admm 20",
                .range = {.low = 0, .high = 1000}});
  }
};
/// An option that is given although the method does not have it, and who has; no name if there is none.
struct MisplacedOption {
  std::string_view name, methods;
};
MisplacedOption find_misplaced(SolverName solver, const MethodOptions& options);

std::unique_ptr<Solver> make_solver(SolverName name, const SolverOptions& options,
                                    const MethodOptions& own = {});

}  // namespace percuss
