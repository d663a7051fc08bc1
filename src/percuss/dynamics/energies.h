#pragma once

#include "percuss/dynamics/system.h"

namespace percuss {

double kinetic_energy(const System& system, const VectorX& v);     ///< [J]
double gravity_potential(const System& system, const VectorX& q);  ///< [J], zero at the gravity datum
double strain_energy(const System& system, const VectorX& q);      ///< [J], springs
/// Power lost in dampers if the system passes q with velocity v [W], never negative.
double damping_power(const System& system, const VectorX& q, const VectorX& v);
/// Work of the given loads, frozen at time t, over a displacement [J].
double load_work(const System& system, double t, const VectorX& displacement);

}  // namespace percuss
