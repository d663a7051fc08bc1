#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "percuss/collision/mesh_features.h"

// Triangles of a mesh against cylinders, cones and ellipsoids: of the pairs of features that have a normal
// those whose normal both surfaces allow.
namespace percuss {
namespace {

/// Sines of angles by which a normal may be outside of what the faces at an edge or a corner allow: nearly
/// nothing, or wheels would bump on edges that they have not reached; more across a side or under an end,
/// where it belongs to a patch of contacts.
constexpr double rolling_sine = 2e-3, patch_sine = 0.1;

}  // namespace

bool MeshFeatureFinder::may_touch(const CurvedFinder::Candidate& candidate) const {
  const auto& [pair, at, separation, allowed, is_inside_own, is_inside_other] = candidate;
  if (at.gap > reach_ || at.gap < deepest_ || !is_inside_other) return false;
  // The other shape does not reach farther than its feature.
  const double farther = extent(other_.shape, at.normal) - at.normal.dot(at.on_second);
  if (farther > allowed + same_part * size_) return false;
  const Vector3 out = -at.normal;
  const FeatureType own = first_type(pair.kind), other = second_type(pair.kind);
  if (own == FeatureType::face) return is_over(own_, 0, at.on_first, at.gap);
  if (own == FeatureType::point)
    return is_corner(own_, pair.a) &&
           is_corner_along(first, pair.a, out, other == FeatureType::face ? patch_sine : rolling_sine);
  const auto& edge = own_.shape.edges[static_cast<size_t>(pair.a)];
  const bool is_patch = other == FeatureType::line || branch_of(pair.kind) > 0;
  const double tilt = is_patch ? patch_sine : rolling_sine;
  return is_inside_own && out.dot(outwards(edge)) > 0 && out.dot(edge.into_left) <= tilt &&
         out.dot(edge.into_right) <= tilt;
}

/// Whether a point beneath the surface comes out of it on a shorter way than this.
bool MeshFeatureFinder::leaves_elsewhere(const Vector3& point, double depth) const {
  return std::ranges::any_of(
      near_, [&](int t) { return mesh_->distance_to_triangle(t, point) < (1 - touching_part) * depth; });
}

void MeshFeatureFinder::curved_on_element(const Vector3& turn) {
  const auto& plane = own_.shape.faces[0];
  // A body that is wholly behind a triangle is not before the surface there.
  if (extent(other_.shape, plane.normal) < plane.offset) return;
  if (-extent(other_.shape, -plane.normal) - plane.offset > reach_) return;
  for (const auto& candidate : curved_.candidates(own_.shape, other_.shape, reach_, size_, turn)) {
    if (!may_touch(candidate)) continue;
    const auto& [pair, at, separation, allowed, is_inside_own, is_inside_other] = candidate;
    if (at.gap < -same_part * size_ &&
        (!is_inside(first, at.on_second, at.on_first) || !is_inside(second, at.on_first, at.on_second)))
      continue;
    if (at.gap < -touching_part * size_ && leaves_elsewhere(at.on_second, -at.gap)) continue;
    const bool is_face = first_type(pair.kind) == FeatureType::face;
    const Vector3 place =
        is_face ? Vector3((own_.shape.vertex(0) + own_.shape.vertex(1) + own_.shape.vertex(2)) / 3)
                : at.on_first;
    found_.push_back({numbered(pair.kind, pair.a, pair.b), at.gap, -at.normal, at.on_first, at.on_second,
                      place, at.on_second});
  }
}

}  // namespace percuss
