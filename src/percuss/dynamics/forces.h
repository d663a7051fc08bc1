#pragma once

#include <vector>

#include "percuss/dynamics/system.h"

namespace percuss {

/// f(q, v, t): everything but joint and contact reactions [N].  docs/theory/forces.md (F-1)
/// `kinematics` must have been updated to (q, v, t).
void evaluate_force(const System& system, const VectorX& q, const VectorX& v, double t,
                    Kinematics& kinematics, VectorX& f);
/// The same without weight and rotational forces of floating bodies.
void evaluate_force_without_frames(const System& system, const VectorX& q, const VectorX& v, double t,
                                   Kinematics& kinematics, VectorX& f);
/// The same without the inertia forces of floating frames; `with_moments`, for each frame: with the moment of
/// the internal forces about the deformed nodes, which belongs to the complete motion (FF-4).
void evaluate_force_in_frames(const System& system, const VectorX& q, const VectorX& v, double t,
                              Kinematics& kinematics, const std::vector<bool>& with_moments, VectorX& f);

/// A = M + c C + k K in the fixed pattern of system.pattern, lower triangle; with c = k = 0 this is M(q).
/// What is not symmetric (gyroscopic terms, dampers, followers) enters with its symmetric part: a Newton
/// iteration with it ends at the same solution, and the Delassus operator stays symmetric.
/// docs/theory/forces.md (F-5)
void assemble_iteration_matrix(const System& system, const VectorX& q, const VectorX& v, double t, double c,
                               double k, Kinematics& kinematics, SparseMatrix& A);

/// The exact tangents K = -df/dq (by increments) and C = -df/dv, dense: for tests and small systems.
void dense_tangents(const System& system, const VectorX& q, const VectorX& v, double t,
                    Kinematics& kinematics, MatrixX& K, MatrixX& C);

/// y = M(q) x.
void multiply_mass(const System& system, const VectorX& q, const VectorX& x, Kinematics& kinematics,
                   VectorX& y);

}  // namespace percuss
