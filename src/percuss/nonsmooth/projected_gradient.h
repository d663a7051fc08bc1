#pragma once

#include "percuss/nonsmooth/scaled_contacts.h"
#include "percuss/nonsmooth/solver.h"

namespace percuss {

struct ProjectedGradientOptions : SolverOptions {
  enum class Method {
    psor,  ///< contact after contact, each with a projected step of its own length (NA-17)
    apgd   ///< all contacts at once, accelerated, with the step length found on the way (NA-18)
  };
  enum class Law {
    exact,   ///< Coulomb's law, by a sequence of convex problems (NA-16)
    relaxed  ///< only the convex relaxation (NA-15): sliding contacts separate by mu |u_T|
  };
  Method method = Method::apgd;
  Law law = Law::exact;
  double relaxation = 1.3;  ///< psor: in (0, 2)
  int check_every = 10;     ///< iterations between two looks at the residuals

  void validate() const;  ///< throws std::invalid_argument naming the field
};

/// First-order methods of the convex relaxation: cheap iterations without any factorisation, slow where W is
/// badly conditioned. With `relaxed` the status tells how well the relaxation is solved, while the residual
/// is still that of the exact law.
class ProjectedGradientSolver final : public Solver {
 public:
  static constexpr int default_iterations = 20000;

  explicit ProjectedGradientSolver(const ProjectedGradientOptions& options = {});

  void solve(const LocalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  /// `apgd` does not form W.
  void solve_global(const GlobalProblem& problem, const std::vector<double>& guess, Solution& out) override;
  void reserve(int rows) override;

 private:
  void end(const OperatorProblem& problem, bool is_solved, Solution& out);
  bool iterate(ScaledContacts& problem, Solution& out);
  double relaxation_residual2(const ScaledContacts& problem) const;
  void follow_shift(const ScaledContacts& problem);
  void choose_steps(const ScaledContacts& problem);
  void sweep(const ScaledContacts& problem);
  void restart_momentum(ScaledContacts& problem);
  void accelerated_step(ScaledContacts& problem);

  ProjectedGradientOptions options_;
  Eigen::VectorXd r_, u_;    ///< reactions; velocities without shift
  Eigen::VectorXd shift_;    ///< of the velocities, in normal rows
  Eigen::VectorXd best_;     ///< reactions with the smallest residual so far
  Eigen::VectorXd step_;     ///< psor: length per cone
  Eigen::VectorXd y_, u_y_;  ///< apgd: extrapolated reactions, and their velocities
  Eigen::VectorXd next_, u_next_;
  double lipschitz_ = 1.0, momentum_ = 1.0;
  BlockMatrix W_;  ///< psor: scaled
};

}  // namespace percuss
