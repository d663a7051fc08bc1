#pragma once

#include <Eigen/Geometry>

#include "percuss/math/vector.h"

/// How shapes move within a step, as far as it matters for the choice of features.
namespace percuss {

/// How far the first shape moves against the second within a step: the origin of its axes [m], and how it
/// turns [rad].
struct StepMotion {
  Vector3 way = Vector3::Zero(), turn = Vector3::Zero();

  /// Of a point of the first, from the middle of the step to its end.
  Vector3 second_half(const Vector3& x) const { return 0.5 * (way + turn.cross(x)); }
};

/// How far shapes are apart along a normal, in the middle of a step and at its end [m].
///
/// What slides onto a neighbour that is flush with the ground is before its side until it is over it, and
/// would hit that side. So a normal along which shapes are apart but come nearer gives way to one along which
/// they are apart and stay so; but for a small part of the way by which they come nearer, since bodies that
/// rest overlap a little.
struct StepSeparation {
  double now, at_end;

  bool shrinks(double rounding) const { return now >= 0 && now - at_end > rounding; }
  bool outlasts(const StepSeparation& other) const {
    const double allowed = 0.1 * (other.now - other.at_end);
    return now >= -allowed && now - at_end <= allowed;
  }
};

}  // namespace percuss
