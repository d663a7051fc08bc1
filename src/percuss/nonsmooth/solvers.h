#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "percuss/nonsmooth/solver.h"

namespace percuss {

enum class SolverName { automatic, nlgs, lemke, interior_point };
inline constexpr std::array<std::pair<SolverName, std::string_view>, 4> solver_names = {
    {{SolverName::automatic, "auto"},
     {SolverName::nlgs, "nlgs"},
     {SolverName::lemke, "lemke"},
     {SolverName::interior_point, "interior-point"}}};

std::unique_ptr<Solver> make_solver(SolverName name, const SolverOptions& options);

}  // namespace percuss
