#pragma once

#include "percuss/dynamics/system.h"

namespace percuss {

/// Writes d^T J of a material point of a body, given in space, for each direction d, `stride` entries apart,
/// and returns the number of entries of one direction.
int write_rows(const System& system, const Kinematics& kinematics, int body, const Vector3& point,
               const Vector3* directions, int rows, double sign, int stride, double* out);

/// Velocity of a point in space as a part of a body whose motion is prescribed [m/s]; zero of others.
Vector3 prescribed_velocity(const System& system, const Kinematics& kinematics, int body,
                            const Vector3& point);

}  // namespace percuss
