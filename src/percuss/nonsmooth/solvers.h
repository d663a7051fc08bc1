#pragma once

#include <memory>
#include <string_view>

#include "percuss/nonsmooth/solver.h"
#include "percuss/nonsmooth/solver_names.h"

namespace percuss {

/// An option that is given although the method does not have it, and who has; no name if there is none.
struct MisplacedOption {
  std::string_view name, methods;
};
MisplacedOption find_misplaced(SolverName solver, const MethodOptions& options);

/// `auto` solves the islands of a problem apart; the others solve it as one.
std::unique_ptr<Solver> make_solver(SolverName name, SolverOptions options, const MethodOptions& own = {});

}  // namespace percuss
