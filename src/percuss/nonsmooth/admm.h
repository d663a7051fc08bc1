#pragma once

#include <limits>
#include <memory>

#include "percuss/nonsmooth/admm_system.h"
#include "percuss/nonsmooth/anderson.h"
#include "percuss/nonsmooth/global_problem.h"
#include "percuss/nonsmooth/solver.h"

namespace percuss {

struct AdmmOptions : SolverOptions {
  double rho = 0.1;         ///< first penalty, relative to the mean diagonal of a contact's block of W
  double relaxation = 1.5;  ///< alpha in (0, 2)  (NA-7)
  int memory = 20;          ///< iterates that the acceleration remembers (NA-12); 0: none
  int check_every = 5;      ///< iterations between two looks at the residual
  /// If the residual does not fall to 1/5 within this many iterations, rho is changed (NA-14); 0: never.
  int stall_limit = 100;

  void validate() const;  ///< throws std::invalid_argument naming the field
};

/// Alternating directions (NA-7): a linear solve with a factorisation that is kept, then a projection of
/// every contact onto its cone, with De Saxcé's shift following the velocities, so that the fixed point is
/// the exact law. Good for strongly braced contacts (walls, arches), where Gauss-Seidel crawls.
class AdmmSolver final : public Solver {
 public:
  static constexpr int default_iterations = 10000;

  explicit AdmmSolver(const AdmmOptions& options = {});

  void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  /// W is formed only if there are few rows to many coordinates.
  void solve_global(const GlobalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  void reserve(int rows) override;
  void set_tolerance(double tolerance) { options_.tolerance = tolerance; }

 private:
  SolveStatus iterate(AdmmSystem& contacts, double norm, Solution& out);
  bool set_rho(AdmmSystem& contacts, double rho);
  void start(AdmmSystem& contacts, const std::vector<double>& r);
  void map(AdmmSystem& contacts);
  bool step_back(double g_norm);
  bool is_slow(int iteration);
  bool change_rho(AdmmSystem& contacts);

  AdmmOptions options_;
  Anderson anderson_;
  double rho_ = 1.0;
  int rho_changes_ = 0;
  Eigen::VectorXd x_;              ///< the iterate: z - û / rho  (NA-6)
  Eigen::VectorXd z_, p_, r_, g_;  ///< of the map at x
  Eigen::VectorXd plain_, best_;   ///< successor of the last good x without acceleration; best z
  Eigen::VectorXd next_, u_;
  double good_norm_ = 0.0;       ///< |g| of the last good x
  bool is_accelerated_ = false;  ///< x is a proposal of the acceleration
  double best2_ = 0.0;           ///< square of the residual of best_
  double mark2_ = 0.0;           ///< the same when patience began to be counted,
  int mark_ = 0;                 ///< in this iteration
};

}  // namespace percuss
