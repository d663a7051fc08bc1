#pragma once

#include <memory>

#include "percuss/nonsmooth/solver.h"

namespace percuss {

struct NlgsOptions : SolverOptions {
  using Local = LocalMethod;
  Local local = Local::exact;
  int check_every = 3;  ///< sweeps between two looks at the residual
  /// From this sweep on the method ends with `stalled` if the contraction between the last two looks does not
  /// promise the tolerance within max_iterations (N-23a); 0: never.
  int stall_limit = 0;
  /// Sweeps that Anderson's acceleration remembers (N-23b), below `coloured_from` cones; 0: none.
  int acceleration = 0;
};

/// Block Gauss-Seidel (N-23): contact after contact is solved with the others held. Good for many contacts
/// that are not strongly braced against each other; cost of a sweep linear in the blocks of W. Problems of
/// `coloured_from` cones and more are swept colour by colour, so that the cones of a colour, which do not
/// know of each other, are shared among the threads of `workers` with the same result for any number.
class NlgsSolver final : public Solver {
 public:
  static constexpr int default_sweeps = 10000;
  static constexpr int coloured_from = 4000;

  explicit NlgsSolver(const NlgsOptions& options = {});
  ~NlgsSolver() override;

  void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  /// Sweeps over the blocks of W, and looks at residuals by the factors of M.
  void solve_global(const GlobalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  void reserve(int rows) override;
  void set_tolerance(double tolerance) { options_.tolerance = tolerance; }

 private:
  class Sweeper;
  SolveStatus sweep(const LocalProblem& problem, const OperatorProblem& checked, Solution& out);
  SolveStatus solve_coloured(const LocalProblem& problem, double goal, Solution& out);

  NlgsOptions options_;
  std::unique_ptr<Sweeper> sweeper_;
};

}  // namespace percuss
