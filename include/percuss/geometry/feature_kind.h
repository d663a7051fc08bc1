#pragma once

#include <cstdint>

namespace percuss {

/// What of the first and of the second surface face each other. A line is an edge or the axis of a capsule.
enum class FeatureKind : std::int32_t {
  whole = 0,  ///< the interaction has one contact only: its features are given with it
  point_point = 1,
  point_line = 2,
  line_point = 3,
  point_face = 4,
  face_point = 5,
  line_line = 6,           ///< the normal is along (direction of the first) x (direction of the second)
  line_line_reversed = 7,  ///< the normal is against it
};

}  // namespace percuss
