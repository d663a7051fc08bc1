#pragma once

namespace percuss {

/// Outcome of a solve, and what Solution::r and Solution::u then are. Except for `not_finite`, r is finite
/// and in K, u = W r + u_free, and the residual is that of residual_of().
enum class SolveStatus {
  converged,        ///< r solves the problem to the tolerance asked for
  iteration_limit,  ///< r is the last iterate
  time_limit,       ///< the deadline passed; r is the best found, with `nlgs` and `lemke` the last iterate
  stalled,          ///< the method ended, but the residual is above the tolerance; r is the best found
  singular,         ///< W cannot be a Delassus operator there (not semidefinite); r is zero on such parts
  infeasible,       ///< no solution exists; r solves the problem with u_free raised until one exists, or is 0
  unsupported,      ///< the method cannot treat one of the cones; r is zero
  not_finite,       ///< data or result overflow or are NaN (or nothing was computed yet); r and u are NaN
};

const char* to_string(SolveStatus status);

}  // namespace percuss
