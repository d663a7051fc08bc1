#pragma once

#include "percuss/collision/convex_shape.h"

namespace percuss {

/// Euclidean distance of two shapes in the same axes that do not overlap and are not curved [m]: of all
/// corners from the other shape, and of all pairs of edges. For people who ask; steps look at near features.
double open_distance(const ConvexShape& a, const ConvexShape& b);

}  // namespace percuss
