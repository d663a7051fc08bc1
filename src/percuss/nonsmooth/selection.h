#pragma once

#include <memory>

#include "percuss/nonsmooth/solver.h"

namespace percuss {

/// Moves the reactions of a converged solution to those of least norm among all with the same velocities
/// (N-27), (N-28). If their residual is not within the tolerance the solution stays as it was.
/// Solution::selection tells.
void select_minimum_norm(const LocalProblem& problem, double tolerance, Solution& solution);

/// `solver`, followed by the selection.
std::unique_ptr<Solver> with_selection(std::unique_ptr<Solver> solver, Selection selection, double tolerance);

}  // namespace percuss
