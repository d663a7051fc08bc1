#pragma once

#include <memory>

#include "percuss/nonsmooth/anderson.h"
#include "percuss/nonsmooth/contact_operator.h"
#include "percuss/nonsmooth/solver.h"

namespace percuss {

struct AdmmOptions : SolverOptions {
  double rho = 1.0;         ///< first penalty, relative to the mean diagonal of a contact's block of W
  double relaxation = 1.5;  ///< alpha in (0, 2)  (NA-7)
  int memory = 10;          ///< iterates that the acceleration remembers (NA-11); 0: none
  int check_every = 5;      ///< iterations between two looks at the judge's residual
  double refactor_factor = 4.0;  ///< rho changes only by more than this factor; infinite: never  (NA-12)

  void validate() const;  ///< throws std::invalid_argument naming the field
};

/// Alternating directions (NA-7): a linear solve with one factorisation that is kept, then a projection of
/// every contact onto its cone, with De Saxcé's shift following the velocities, so that the fixed point is
/// the exact law. Good for strongly braced contacts (walls, arches, towers), where Gauss-Seidel crawls.
class AdmmSolver final : public Solver {
 public:
  static constexpr int default_iterations = 5000;

  explicit AdmmSolver(const AdmmOptions& options = {});

  void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  /// The same for the global form, without forming W; `out` as for the condensed problem. Where bodies have
  /// many contacts this is much cheaper. M that is not positive definite: `singular`, r is zero.
  void solve_global(const GlobalProblem& problem, const std::vector<double>& guess, Solution& out);
  void reserve(int rows) override;

 private:
  SolveStatus iterate(ContactOperator& given, double goal, double norm, Solution& out);
  void start(const std::vector<double>& r);
  void map();
  double residual2();
  bool adapt_rho();

  AdmmOptions options_;
  Anderson anderson_;
  ContactOperator* contacts_ = nullptr;
  double rho_ = 1.0;
  Eigen::VectorXd x_, z_, r_, p_, u_, g_, next_, best_, safe_, z_before_;
};

}  // namespace percuss
