#pragma once

#include "percuss/nonsmooth/cone.h"
#include "percuss/nonsmooth/solver_names.h"

namespace percuss {

/// 1 / rho of the rows of one cone [1/kg]: makes velocities of reactions (NN-2).
struct NewtonScale {
  double unit = 1.0;           ///< mean of the diagonal of W_cc
  double normal = 1.0;         ///< of N
  double disc[3] = {1, 1, 1};  ///< of each disc
};
/// From the block of the cone on the diagonal of W.
NewtonScale newton_scale(NewtonFormulation formulation, const Cone& cone, const double* block);

/// F [m/s] and an element of its generalised derivative: dF = A du + B dr, all by the rows of the cone.
struct NewtonRows {
  double *F, *A, *B;
};

/// False if A = 0 and B is diagonal, so that dr = -F / B is known at once.
bool newton_linearise(NewtonFormulation formulation, const Cone& cone, const NewtonScale& scale,
                      const double* r, const double* u, const NewtonRows& out);

/// |F|² without the derivative, for line searches [m²/s²].
double newton_residual2(NewtonFormulation formulation, const Cone& cone, const NewtonScale& scale,
                        const double* r, const double* u);

}  // namespace percuss
