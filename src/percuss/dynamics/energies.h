#pragma once

#include "percuss/dynamics/system.h"

namespace percuss {

double kinetic_energy(const System& system, const VectorX& q, const VectorX& v, Kinematics& kinematics,
                      VectorX& scratch);  ///< [J]
/// Gravity, zero at the gravity datum, and what users' systems call potential [J].
double potential_energy(const System& system, const VectorX& q, Kinematics& kinematics);
// The functions below look at where bodies are placed, as springs do, only if
// System::pools_need_poses(): then `kinematics` must be at (q, v).

/// Of springs and flexible bodies [J].
double strain_energy(const System& system, const VectorX& q, Kinematics& kinematics);
/// Power lost in dampers [W], never negative.
double damping_power(const System& system, const VectorX& q, const VectorX& v, Kinematics& kinematics);

/// Power that moving frames put into the springs and dampers attached to them [W].
double prescribed_power(const System& system, const Kinematics& kinematics);

}  // namespace percuss
