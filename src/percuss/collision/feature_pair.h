#pragma once

#include <compare>

#include "percuss/collision/convex_shape.h"
#include "percuss/geometry/feature_kind.h"

namespace percuss {

/// Numbers of vertices, edges, faces or curves of the two shapes.
struct FeaturePair {
  FeatureKind kind;
  int a = 0, b = 0;

  auto operator<=>(const FeaturePair&) const = default;
};

/// Part of the smaller size by which features may miss each other and still coincide.
inline constexpr double feature_tolerance = 1e-9;

}  // namespace percuss
