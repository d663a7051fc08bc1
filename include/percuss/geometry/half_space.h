#pragma once

#include <array>
#include <string_view>

#include "percuss/math/vector.h"

namespace percuss {

/// The solid { x : normal . (x - point) <= 0 }; the unit normal points into the free side.
struct HalfSpace {
  Vector3 point = Vector3::Zero();
  Vector3 normal = Vector3::UnitZ();
};

/// Distance of x from the surface, negative inside the solid.
inline double signed_distance(const HalfSpace& solid, const Vector3& x) {
  return solid.normal.dot(x - solid.point);
}

inline constexpr std::array<std::string_view, 6> box_face_names = {"x_min", "x_max", "y_min",
                                                                   "y_max", "z_min", "z_max"};

/// Face 0..5 (in the order of box_face_names) of the hollow box between two corners, as the wall that keeps a
/// body inside.
HalfSpace box_face(const Vector3& lower, const Vector3& upper, int face);

/// Contact frame: the normal and two unit tangents, right-handed, a continuous function of the normal except
/// at one direction.
struct Frame {
  Vector3 normal, tangent1, tangent2;
};
Frame frame_from_normal(const Vector3& normal);

}  // namespace percuss
