#pragma once

#include <cstdint>

#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// How the law of a contact is written as an equation F(r, u) = 0.
enum class NewtonFormulation : std::uint8_t {
  alart_curnier,      ///< normal and tangent are projected apart; the disk has the radius of the trial (NN-3)
  jean_moreau,        ///< the same with the radius of the reaction (NN-4)
  natural_map,        ///< projection onto the cone with De Saxcé's shift (NN-5)
  fischer_burmeister  ///< the algebra of the second-order cone with the same shift (NN-6)
};

/// 1 / rho of the rows of one cone [1/kg]: makes velocities of reactions (NN-2).
struct NewtonScale {
  double normal = 1.0;
  double tangent = 1.0;
};

/// F [m/s] and an element of its generalised derivative: dF = A du + B dr. Blocks are 3 x 3 by rows.
struct NewtonLinearisation {
  double F[3];
  double A[9];
  double B[9];
  bool depends_on_u;  ///< false: A = 0 and B = diag(scale), so dr = -F / scale is known at once
};

void newton_linearise(NewtonFormulation formulation, const Cone& cone, const NewtonScale& scale,
                      const double* r, const double* u, NewtonLinearisation& out);

/// |F|² without the derivative, for line searches [m²/s²].
double newton_residual2(NewtonFormulation formulation, const Cone& cone, const NewtonScale& scale,
                        const double* r, const double* u);

}  // namespace percuss
