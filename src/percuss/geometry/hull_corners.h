#pragma once

#include <vector>

#include "percuss/math/vector.h"

namespace percuss {

/// The corners of the convex hull of points, also of very many of which most lie inside. Throws
/// std::invalid_argument as convex_hull does, and if more than `most_hull_points` are left to look at.
std::vector<Vector3> hull_corners(const std::vector<Vector3>& points);
inline constexpr std::size_t most_hull_points = 20'000;

}  // namespace percuss
