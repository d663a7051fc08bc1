#pragma once

#include <vector>

#include "percuss/nonsmooth/interior_system.h"
#include "percuss/nonsmooth/lorentz.h"

namespace percuss {

/// The iteration on the scaled problem (NI-3).
class InteriorIteration {
 public:
  /// The derivative of the shift enters by this share: 1 is Newton's method, less is slower and more patient.
  InteriorIteration(const InteriorRows& rows, const VectorX& q, InteriorSystem& system, double shift_share);

  const VectorX& x() const { return x_; }
  const VectorX& velocity() const { return u_; }  ///< W' x + q
  double gap() const { return gap_; }             ///< mean of x o z  (NI-7)

  /// One predictor and corrector. False if nothing more can be gained: the factorisation broke down or the
  /// step is lost in rounding.
  bool advance(double step_share);

 private:
  void measure();
  void prepare_cones();
  void complementarity_rhs(double target, bool corrected);
  void find_direction(double fraction);
  double longest_step() const;
  double gap_after(double step) const;

  const InteriorRows& rows_;
  const VectorX& q_;
  InteriorSystem& system_;
  double shift_share_;
  int degree_ = 0;                 ///< number of products x o z
  VectorX x_, z_, lower_, upper_;  ///< box: z = lower - upper
  VectorX u_, residual_;           ///< residual of (NI-4)
  VectorX t_, dx_, dz_, dlower_, dupper_, rhs_;
  VectorX lower_target_, upper_target_;
  double gap_ = 0.0;
  int lost_steps_ = 0;
  std::vector<lorentz::Scaling> scalings_;
  std::vector<Matrix3> shift_;   ///< B: derivative of z - |z_T| e_1  (NI-8)
  std::vector<Matrix3> blocks_;  ///< B S
};

}  // namespace percuss
