#pragma once

#include <vector>

#include "percuss/nonsmooth/multifrontal_lu.h"
#include "percuss/nonsmooth/newton_law.h"
#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// max(|u_free|, residual_floor): what the relative residual refers to [m/s].
double speed_scale(const LocalProblem& problem);

/// False where the formulation is one of cones with a single disc.
bool can_treat(NewtonFormulation formulation, const std::vector<Cone>& cones);

/// Semismooth Newton iterations on F(r, W r + u_free + alpha D (r - centre)) = 0 (NN-7), with D = 1 / rho per
/// cone: alpha = 0 is the problem itself, alpha > 0 one step of the proximal method (NN-15). What the solvers
/// of both names share.
class NewtonCore {
 public:
  struct Settings {
    NewtonFormulation formulation = NewtonFormulation::alart_curnier;
    double regularisation = 1e-10;  ///< smallest; in units of D (NN-10)
    bool keeps_factors = false;     ///< as long as steps with them are good (NN-13a)
    Deadline deadline = {};         ///< looked at between iterations
  };
  struct Attempt {
    double alpha = 0.0;           ///< weight of the proximal term (NN-15)
    double caution = 0.0;         ///< first weight of the regularisation, per relative residual (NN-11)
    double tangent_factor = 1.0;  ///< on 1 / rho_T (NN-2)
  };
  struct Outcome {
    bool converged;
    int iterations;
    double residual;  ///< natural residual (N-20) of the best iterate, with the proximal term [m/s]
  };

  void load(const LocalProblem& problem, const Settings& settings);
  /// A problem with the W and the cones of the last one.
  void load_velocities(const LocalProblem& problem);
  void reserve(int rows);

  void set_reactions(const std::vector<double>& rows);  ///< start, in the rows of the problem
  /// Best iterate, projected onto K, in the rows of the problem.
  void get_reactions(std::vector<double>& rows) const;
  void set_centre() { centre_ = r_; }
  void move_to_centre() { r_ = centre_; }

  /// Until the natural residual is at most `goal` [m/s]. Leaves the best iterate as the next start.
  /// `history`, if given, gets the relative residuals.
  Outcome run(const Attempt& attempt, double goal, int max_iterations, std::vector<double>* history);

 private:
  void choose_scales(double tangent_factor);
  void choose_order();
  void multiply(const std::vector<double>& x, std::vector<double>& y) const;
  void find_velocity(double alpha);
  double natural_residual() const;
  double linearise_all();
  void choose_pattern();
  void assemble(double weight);
  bool factorise(double weight);
  bool find_step(double alpha);
  double merit_at(double length) const;
  double search(double merit, double& reached);
  bool step(double alpha, double residual);

  const LocalProblem* problem_ = nullptr;
  Settings settings_;
  const BlockMatrix& W() const { return problem_->W; }

  std::vector<NewtonScale> scale_;
  std::vector<int> place_;
  std::vector<double> r_, u_, centre_, best_, dr_, du_;
  /// The linearised laws: F by rows, blocks A and B one cone after the other.
  std::vector<double> F_, A_, B_;
  std::vector<int> square_;         ///< place of the blocks of a cone
  std::vector<char> depends_on_u_;  ///< of a cone; otherwise A = 0 and B is diagonal
  std::vector<int> active_, analysed_, local_, active_place_;  ///< cones in the linear system
  BlockMatrix system_;
  std::vector<int> source_;  ///< block of W of each of its blocks
  MultifrontalLu lu_;
  bool trusts_factors_ = false;  ///< the last step was good
  std::vector<double> right_side_, recent_merits_;
  double regularisation_ = 0.0, caution_ = 0.0, least_caution_ = 0.0;
  double speed_ = 1.0;  ///< [m/s]
};

}  // namespace percuss
