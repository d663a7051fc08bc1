#pragma once

#include <cstdint>

namespace percuss {

/// What a surface touches with. The order is that in which the two sides of a contact are evaluated.
enum class FeatureType : std::int32_t {
  point = 0,      ///< a vertex, the centre of a ball, an end of a capsule's axis, a marked point of a rim
  ellipsoid = 1,  ///< all of its surface
  circle = 2,     ///< the rim of a cylinder, or of the base of a cone
  cone = 3,       ///< the side of a cone
  line = 4,       ///< an edge, the axis of a capsule, the side of a cylinder
  face = 5,       ///< a face of a polyhedron, an end of a cylinder, the base of a cone, a half-space
};

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
  /// From here on with an ellipsoid, a circle or the side of a cone: curved + 100 branch + 10 first + second,
  /// where the sides are FeatureTypes. The branch tells solutions apart, see collision/curved_gap.h.
  curved = 1000,
};

constexpr bool is_curved(FeatureKind kind) { return kind >= FeatureKind::curved; }
constexpr int branch_of(FeatureKind kind) {
  return is_curved(kind) ? static_cast<int>(kind) / 100 - static_cast<int>(FeatureKind::curved) / 100
                         : kind == FeatureKind::line_line_reversed;
}
constexpr FeatureType first_type(FeatureKind kind) {
  if (is_curved(kind)) return static_cast<FeatureType>(static_cast<int>(kind) % 100 / 10);
  switch (kind) {
    case FeatureKind::line_point:
    case FeatureKind::line_line:
    case FeatureKind::line_line_reversed: return FeatureType::line;
    case FeatureKind::face_point: return FeatureType::face;
    default: return FeatureType::point;
  }
}
constexpr FeatureType second_type(FeatureKind kind) {
  if (is_curved(kind)) return static_cast<FeatureType>(static_cast<int>(kind) % 10);
  switch (kind) {
    case FeatureKind::point_line:
    case FeatureKind::line_line:
    case FeatureKind::line_line_reversed: return FeatureType::line;
    case FeatureKind::point_face: return FeatureType::face;
    default: return FeatureType::point;
  }
}

/// The kind with these sides. Faces do not face faces, nor lines.
constexpr FeatureKind kind_of(FeatureType first, FeatureType second, int branch = 0) {
  for (int kind = 1; kind <= static_cast<int>(FeatureKind::line_line_reversed); ++kind) {
    const auto plain = static_cast<FeatureKind>(kind);
    if (first_type(plain) == first && second_type(plain) == second && branch_of(plain) == branch)
      return plain;
  }
  return static_cast<FeatureKind>(static_cast<int>(FeatureKind::curved) + 100 * branch +
                                  10 * static_cast<int>(first) + static_cast<int>(second));
}

}  // namespace percuss
