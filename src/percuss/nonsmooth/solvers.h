#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "percuss/nonsmooth/solver.h"

namespace percuss {

enum class SolverName { automatic, nlgs, lemke, newton, proximal };
inline constexpr std::array<std::pair<SolverName, std::string_view>, 5> solver_names = {
    {{SolverName::automatic, "auto"},
     {SolverName::nlgs, "nlgs"},
     {SolverName::lemke, "lemke"},
     {SolverName::newton, "newton"},
     {SolverName::proximal, "proximal"}}};

std::unique_ptr<Solver> make_solver(SolverName name, const SolverOptions& options);

}  // namespace percuss
