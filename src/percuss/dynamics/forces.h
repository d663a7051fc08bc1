#pragma once

#include "percuss/dynamics/system.h"

namespace percuss {

/// f(q, v, t): everything but contact reactions [N].  docs/theory/forces.md (F-1)
void evaluate_force(const System& system, const VectorX& q, const VectorX& v, double t, VectorX& f);

/// The part of f that is neither gravity nor a spring: given loads at time t, added to f.
void add_loads(const System& system, double t, VectorX& f);

/// A = M + c C + k K in the fixed pattern of system.pattern, lower triangle. The tangent of a damped distance
/// spring is symmetrised: a Newton iteration with it ends at the same solution, and the Delassus operator
/// stays symmetric.  docs/theory/forces.md (F-5)
void assemble_iteration_matrix(const System& system, const VectorX& q, const VectorX& v, double c, double k,
                               SparseMatrix& A);

}  // namespace percuss
