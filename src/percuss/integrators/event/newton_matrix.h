#pragma once

#include <vector>

#include "percuss/integrators/event/contact_forces.h"

namespace percuss {

/// (I - gamma J) x = r for the increments and velocities of the motion in fixed modes, with the tangents of the
/// forces, joints and closed contacts. What is left out (the turning of normals and joints, the change of M)
/// is not stiff.  docs/theory/event_driven.md (EV-14)
class NewtonMatrix {
 public:
  explicit NewtonMatrix(const Assembly& assembly);

  /// `mechanics` must be at (q, v, t); `rows` are those of the closed contacts.
  bool factorise(Mechanics& mechanics, const VectorX& q, const VectorX& v, double t, double gamma,
                 const std::vector<ForceRow>& rows);
  /// r and x: increments, then velocities.
  void solve(const double* r, double* x);

 private:
  void respond(const VectorX& force, const VectorX& rate, VectorX& x);
  void find_contact_response(const Mechanics& mechanics, const std::vector<ForceRow>& rows);

  const System& system_;
  int n_, m_;
  double gamma_ = 0;
  SaddlePoint saddle_;      ///< A = M + gamma C + gamma^2 K
  SparseMatrix stiffness_;  ///< M + K, lower triangle
  SparseMatrix mass_;       ///< M, lower triangle
  MatrixX H_, columns_, W_;  ///< of closed rows: directions, A^-1 F on the motions that joints allow, H^T A^-1 F
  VectorX r_delta_, r_v_, force_, rate_, dv_, b_, z_, dx_;
};

}  // namespace percuss
