#pragma once

#include "percuss/geometry/feature_kind.h"
#include "percuss/math/vector.h"

namespace percuss {

/// A feature in space.
struct Feature {
  FeatureType type = FeatureType::point;
  Vector3 point = Vector3::Zero();      ///< of it; a centre; the apex of a cone
  Vector3 direction = Vector3::Zero();  ///< of a line; outwards on a rim's or a face's flat; to the apex
  double radius = 0;                    ///< of a ball, around a line, of a rim
  double sine = 0;                      ///< cone: normal . direction on its side
  /// Ellipsoid: columns are the half axes; rim: the same with one of no length.
  Matrix3 half_axes = Matrix3::Zero();
};

}  // namespace percuss
