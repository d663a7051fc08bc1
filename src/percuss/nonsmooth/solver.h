#pragma once

#include <vector>

#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// What every solver of the one-step problem promises. The problem has passed validate() in the sense that
/// it would; solvers do not check it again. The outcome is a status, never an exception. The verdict in
/// `out.residual` is the judge's.
class Solver {
 public:
  virtual ~Solver() = default;

  /// Solves from `guess` (empty, or one reaction per row; a direct method may ignore it). `out` is passed in
  /// so that nothing is allocated once its capacity is there.
  virtual void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) = 0;

  /// Makes the scratch memory large enough for problems of this many rows.
  virtual void reserve(int rows) = 0;
};

}  // namespace percuss
