#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "percuss/nonsmooth/solver.h"

namespace percuss {

enum class SolverName { automatic, nlgs, newton, proximal, admm, interior_point, psor, apgd, lemke };
inline constexpr std::array<std::pair<SolverName, std::string_view>, 9> solver_names = {
    {{SolverName::automatic, "auto"},
     {SolverName::nlgs, "nlgs"},
     {SolverName::newton, "newton"},
     {SolverName::proximal, "proximal"},
     {SolverName::admm, "admm"},
     {SolverName::interior_point, "interior-point"},
     {SolverName::psor, "psor"},
     {SolverName::apgd, "apgd"},
     {SolverName::lemke, "lemke"}}};

std::unique_ptr<Solver> make_solver(SolverName name, const SolverOptions& options);

}  // namespace percuss
