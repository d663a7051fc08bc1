#pragma once

#include <vector>

#include "percuss/integrators/event/mechanics.h"

namespace percuss {

/// (I - gamma J) x = r for the changes and velocities of the smooth motion, with the tangents of the
/// forces and with the joints. What is left out is not stiff (the turning of joints, the change of M), or of
/// low rank (closed contacts).  docs/theory/event_driven.md (EV-14)
class NewtonMatrix {
 public:
  explicit NewtonMatrix(const Assembly& assembly);

  /// `mechanics` must be at (q, v, t). False if the matrix is singular.
  bool factorise(Mechanics& mechanics, const VectorX& q, const VectorX& v, double t, double gamma);
  /// r and x: the changes of a chart (dynamics/chart.h), then velocities.
  void solve(const double* r, double* x);

 private:
  const System& system_;
  int n_, chart_, m_;
  double gamma_ = 0;
  SaddlePoint saddle_;                       ///< A = M + gamma C + gamma^2 K with the joints
  SparseMatrix mass_, mass_plus_stiffness_;  ///< lower triangles; K alone is never assembled
  VectorX r_delta_, r_v_, rate_, b_, z_, dx_;
  std::vector<Matrix3> attitudes_;  ///< of the floating frames
};

}  // namespace percuss
