#pragma once

#include "percuss/dynamics/saddle_point.h"
#include "percuss/integrators/one_step/contact_stage.h"

namespace percuss {

/// The smallest displacement that closes the joints and takes contacts out of each other:
///   M U = G^T nu + H mu,   g(q * U) = 0,   0 <= gap(q * U)  ⟂  mu >= 0     docs/theory/moreau.md (M-17)
/// with G and H at q * U. It moves no coordinate that needs no moving.
class PositionProjection {
 public:
  PositionProjection(const Assembly& assembly, const SolverChoice& solver);

  /// Starts from U as it is. `active` are the contacts that take part; dry joints among them do not count.
  SolveStatus project(const Assembly& assembly, const State& state, double h, const VectorX& q,
                      const VectorX& v, const ActiveContacts& active, VectorX& U, Workspace& work,
                      StepReport& report);
  /// Of all contacts after the projection [m].
  const std::vector<double>& gaps() const { return at_.gap; }

 private:
  double constraint_residual(const System& system, const ContactList& contacts) const;

  SaddlePoint saddle_;
  bool is_factorised_ = false;  ///< for good: M alone is constant
  ContactStage gaps_;
  ActiveContacts closed_;
  Kinematics kinematics_;
  ContactKinematics at_;
  VectorX q_, momentum_, nu_, g_, b_, dx_;
};

}  // namespace percuss
