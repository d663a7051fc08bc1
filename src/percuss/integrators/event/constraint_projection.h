#pragma once

#include "percuss/integrators/event/contact_forces.h"
#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// Positions and velocities of closed contacts and joints, which the integration keeps only to its tolerance,
/// moved to where they belong by the smallest change in the sense of M.  (EV-9)
class ConstraintProjection {
 public:
  explicit ConstraintProjection(const Assembly& assembly);
  /// Joints and the gaps of contacts that are closed or hit.
  SolveStatus positions(Mechanics& mechanics, const std::vector<ContactMemory>& modes, double t,
                        const VectorX& v, VectorX& q);
  /// Joints, normal velocities of closed contacts, and the sliding of sticking ones. `mechanics` is at (q,
  /// v).
  void velocities(Mechanics& mechanics, const std::vector<ContactMemory>& modes, VectorX& v);

 private:
  void correct(Mechanics& mechanics, const VectorX& joint_residual, VectorX& x);

  ContactResponse response_;
  VectorX contact_residual_, change_, multipliers_, joint_residual_, no_force_;
};

}  // namespace percuss
