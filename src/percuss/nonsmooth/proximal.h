#pragma once

#include "percuss/nonsmooth/newton.h"

namespace percuss {

struct ProximalOptions : NewtonOptions {
  double first_weight = 100.0;  ///< alpha of the first step per relative residual, in units of D (NN-16)
  int inner_iterations = 25;    ///< Newton steps for one proximal step
};

/// Proximal point method around Newton (NN-15), for contacts that share a load in many ways: each step solves
/// the problem with W + alpha D, which is regular, near the reactions found so far; alpha falls with the
/// residual. The test is the on the given problem.
class ProximalSolver final : public Solver {
 public:
  static constexpr int default_iterations = 600;  ///< Newton steps in all

  explicit ProximalSolver(const ProximalOptions& options = {});

  void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  void solve_again(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  void reserve(int rows) override;
  void set_tolerance(double tolerance) { options_.tolerance = tolerance; }

 private:
  SolveStatus iterate(const LocalProblem& problem, Solution& out);

  ProximalOptions options_;
  NewtonCore core_;
  NewtonStart start_;
  std::vector<double> best_;
  bool knows_W_ = false;  ///< of the problem, from the last solve
};

}  // namespace percuss
