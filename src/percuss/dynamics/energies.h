#pragma once

#include "percuss/dynamics/system.h"

namespace percuss {

double kinetic_energy(const System& system, const VectorX& q, const VectorX& v, Kinematics& kinematics,
                      VectorX& scratch);  ///< [J]
/// Gravity, zero at the gravity datum, and what users' systems call potential [J].
double potential_energy(const System& system, const VectorX& q, Kinematics& kinematics);
/// Of springs and flexible bodies [J]. `kinematics` must be at q, if the system needs placements.
double strain_energy(const System& system, const VectorX& q, const Kinematics& kinematics);
/// Power lost in dampers [W], never negative. `kinematics` must be at (q, v).
double damping_power(const System& system, const VectorX& q, const VectorX& v, const Kinematics& kinematics);

/// Power that moving frames put into the springs and dampers attached to them [W]. `kinematics` as above.
double prescribed_power(const System& system, const Kinematics& kinematics);

}  // namespace percuss
