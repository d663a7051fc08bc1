#pragma once

#include <vector>

#include "percuss/dynamics/elements/solid_set.h"
#include "percuss/math/workers.h"

namespace percuss {

// Sums over the elements of solids. Several threads compute the elements, one adds them up in their order, so
// that the result has the same bits for any number of threads. `scratch` is that of Kinematics; without
// workers one thread does everything.

/// f += forces on the nodes.
void add_solid_forces(const SolidSet& set, const VectorX& q, const VectorX& v, Workers* workers,
                      std::vector<double>& scratch, VectorX& f);

/// A += k K of solids without viscosity: the symmetric part is all there is.
void add_solid_stiffness(const SolidSet& set, const VectorX& q, double k, Workers* workers,
                         std::vector<double>& scratch, double* values);

}  // namespace percuss
