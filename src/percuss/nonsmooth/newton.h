#pragma once

#include "percuss/nonsmooth/newton_core.h"
#include "percuss/nonsmooth/nlgs.h"
#include "percuss/nonsmooth/solver.h"

namespace percuss {

struct NewtonOptions : SolverOptions {
  NewtonFormulation formulation = NewtonFormulation::alart_curnier;
  double regularisation = 1e-10;  ///< smallest multiple of D added to W in the linear systems (NN-10)
  int first_sweeps = 15;          ///< of Gauss-Seidel where there is no guess
  int rescue_sweeps = 30;         ///< of Gauss-Seidel where Newton stalls
  int rescues = 5;

  void validate() const;
};

/// Gauss-Seidel sweeps from which Newton starts, and starts again.
class NewtonStart {
 public:
  /// Improves r; true if that solved the problem.
  bool sweep(const LocalProblem& problem, const SolverOptions& options, int sweeps, std::vector<double>& r);

 private:
  Solution swept_;
};

/// Semismooth Newton on the exact law (docs/theory/nonsmooth_newton.md): few expensive iterations, quadratic
/// at the end. Good for strongly braced contacts; open contacts cost nothing. W may be rank-deficient.
class NewtonSolver final : public Solver {
 public:
  static constexpr int default_iterations = 300;

  explicit NewtonSolver(const NewtonOptions& options = {});

  void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  void reserve(int rows) override;
  void set_tolerance(double tolerance) { options_.tolerance = tolerance; }

 private:
  SolveStatus iterate(const LocalProblem& problem, Solution& out);

  NewtonOptions options_;
  NewtonCore core_;
  NewtonStart start_;
  std::vector<double> best_;
};

}  // namespace percuss
