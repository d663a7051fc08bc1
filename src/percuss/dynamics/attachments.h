#pragma once

#include "percuss/dynamics/system.h"

/// From what a model says about places to points and directions that are attached to bodies.
namespace percuss {

/// The point that a reference such as `arm`, `arm.tip` or `ground` means. The model has been validated.
Attached find_point(const Model& model, const System& system, const std::string& reference);
/// A point or direction of space, attached to a body (-1: ground) where `start` has placed it.
Attached attach_point(const Kinematics& start, int body, const Vector3& in_space);
Attached attach_direction(const Kinematics& start, int body, const Vector3& in_space);

}  // namespace percuss
