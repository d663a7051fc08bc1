#pragma once

#include "percuss/math/vector.h"

namespace percuss {

/// Where a body is and how it moves. A natural body's R has its directors as columns.
struct PoseAndVelocity {
  Vector3 x = Vector3::Zero(), v = Vector3::Zero();
  Matrix3 R = Matrix3::Identity(), R_dot = Matrix3::Zero();
};

}  // namespace percuss
