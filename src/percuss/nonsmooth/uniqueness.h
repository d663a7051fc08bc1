#pragma once

#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// Sets Solution::uniqueness of a converged solution (N-30); leaves it empty otherwise. `tolerance` is the
/// one the solution was asked for.
void check_uniqueness(const LocalProblem& problem, double tolerance, Solution& solution);

}  // namespace percuss
