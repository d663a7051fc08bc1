#pragma once

#include <initializer_list>

#include "percuss/nonsmooth/admm.h"
#include "percuss/nonsmooth/interior_point.h"
#include "percuss/nonsmooth/lemke.h"
#include "percuss/nonsmooth/newton.h"
#include "percuss/nonsmooth/nlgs.h"
#include "percuss/nonsmooth/proximal.h"
#include "percuss/nonsmooth/solver_names.h"

namespace percuss {

/// The default: chooses methods by the problem and goes on to the next one, from the best reactions so far,
/// until the residual is within the tolerance (N-25):
///  - without friction, up to `lemke_rows` rows: Lemke's method, exact; beyond, and if it fails, like
///  friction;
///  - with friction: Gauss-Seidel sweeps, a few, or as long as they are promising, which solve most steps of
///    a simulation; then Newton, interior point, proximal Newton, ADMM, Gauss-Seidel to its limit; large
///    problems with many couplings go on with ADMM, because one factorisation is cheaper than many;
///  - if none succeeds the methods start once more from the guess, as they would alone: where the others lead
///    is not always a good place to start. One that ends at its limit gets another turn as long as turns
///    halve the residual. Where the residual is `acceptable`, only proximal Newton does.
/// Solution::method names the one that gave the answer, its residual is the certificate.
class AutoSolver final : public Solver {
 public:
  static constexpr int lemke_rows = 200;

  explicit AutoSolver(const SolverOptions& options);

  void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  /// Condenses, unless the factorisation of the coordinates is smaller and the contacts are strongly coupled.
  void solve_global(const GlobalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  void reserve(int rows) override;
  void set_tolerance(double tolerance);

 private:
  bool keep_better(Solution& out);
  bool take_turns(const LocalProblem& problem, Solver& method, const std::vector<double>& start,
                  Solution& out);
  bool improve(const LocalProblem& problem, std::initializer_list<Solver*> methods, Solution& out);
  bool improve_by_admm(const LocalProblem& problem, const std::vector<double>& guess, Solution& out);
  void solve_patiently(const LocalProblem& problem, const std::vector<double>& guess, Solution& out);
  bool solve_alone(const LocalProblem& problem, std::initializer_list<SolverName> methods,
                   const std::vector<double>& guess, Solution& out);
  void end_unsolved(Solution& out) const;

  SolverOptions options_;
  LemkeSolver lemke_;
  NlgsSolver sweeps_, coupled_sweeps_, patient_sweeps_;
  NewtonSolver newton_;
  ProximalSolver proximal_;
  InteriorPointSolver interior_point_;
  AdmmSolver admm_;
  Solution trial_;
};

}  // namespace percuss
