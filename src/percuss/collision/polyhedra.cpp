#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "percuss/collision/features.h"

// Polyhedra, and polygons in the plane. Of all faces and pairs of edges the one with the widest separation
// decides; then all corners of the patch that it selects are contacts, each with a gap of its own.
namespace percuss {
namespace {

/// Sines of angles up to which two edges count as parallel, and a normal as that of a patch.
constexpr double parallel = 1e-4, near_normal = 0.1;
/// By this part of the smaller size the separation of two edges must exceed that of faces, and that of a face
/// of the second shape that of one of the first: where they are the same but for rounding the choice stays.
constexpr double preference = 1e-6;
/// Cosine between the normals of two faces that lie on each other.
constexpr double opposed = -0.9;

}  // namespace

double FeatureFinder::separation(const PlacedShape& a, const PlacedShape& b) {
  a_ = a.shape;
  reach_ = std::numeric_limits<double>::infinity();
  const Matrix3 to_a = a.R.transpose();
  place(*b.shape, to_a * b.R, to_a * (b.x - a.x), b_);
  return std::max({along_faces(first).distance, along_faces(second).distance, along_edges().distance});
}

void FeatureFinder::faces_on_faces() {
  const double bias = preference * std::min(a_->size, b_.size);
  const Separation of_first = along_faces(first);
  if (of_first.distance > reach_) return;
  const Separation of_second = along_faces(second);
  if (of_second.distance > reach_) return;
  const Separation of_edges = along_edges();
  const double faces = std::max(of_first.distance, of_second.distance);
  if (of_edges.distance > faces + bias) {
    if (of_edges.distance <= reach_) out_->push_back(of_edges.edges);
  } else if (of_second.distance > of_first.distance + bias) {
    add_patch(second, of_second.face, of_second.distance);
  } else {
    add_patch(first, of_first.face, of_first.distance);
    // Parallel edges on each other, as of two cards that lean: the normal is any between those of the two
    // faces.
    const bool are_equal = of_second.distance >= of_first.distance - bias;
    const Vector3 &normal = a_->faces[static_cast<size_t>(of_first.face)].normal,
                  &other = b_.faces[static_cast<size_t>(of_second.face)].normal;
    if (are_equal && normal.dot(other) < 0 && normal.dot(other) > opposed)
      add_patch(second, of_second.face, of_second.distance);
  }
}

FeatureFinder::Separation FeatureFinder::along_faces(Side side) const {
  const ConvexShape &own = shape(side), &other = shape(side == first ? second : first);
  Separation widest{-std::numeric_limits<double>::infinity()};
  for (int f = 0; f < static_cast<int>(own.faces.size()); ++f) {
    const auto& face = own.faces[static_cast<size_t>(f)];
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vector3& vertex : other.vertices) nearest = std::min(nearest, face.normal.dot(vertex));
    if (nearest - face.offset <= widest.distance) continue;
    widest = {nearest - face.offset, f};
    if (widest.distance > reach_) break;
  }
  return widest;
}

FeatureFinder::Separation FeatureFinder::along_edges() const {
  Separation widest{-std::numeric_limits<double>::infinity()};
  EdgePair pair;
  for (int a = 0; a < static_cast<int>(a_->edges.size()); ++a)
    for (int b = 0; b < static_cast<int>(b_.edges.size()); ++b)
      if (face_each_other(a, b, 0, pair) && pair.distance > widest.distance)
        widest = {pair.distance, -1, pair.features};
  return widest;
}

bool FeatureFinder::face_each_other(int edge_a, int edge_b, double tilt, EdgePair& pair) const {
  const auto& a = a_->edges[static_cast<size_t>(edge_a)];
  const auto& b = b_.edges[static_cast<size_t>(edge_b)];
  const Vector3 across = a.direction.cross(b.direction);
  const double allowed = tilt + feature_tolerance;
  double left = across.dot(a.into_left), right = across.dot(a.into_right);
  const double from_b = std::max(-across.dot(b.into_left), -across.dot(b.into_right));
  const double from_b_reversed = std::max(across.dot(b.into_left), across.dot(b.into_right));
  // |across| <= 1: these tests come before the square root.
  const bool may_be_along = std::max(left, right) <= allowed && from_b <= allowed;
  const bool may_be_reversed = std::max(-left, -right) <= allowed && from_b_reversed <= allowed;
  if (!may_be_along && !may_be_reversed) return false;
  const double sine = across.norm();
  if (sine < parallel) return false;
  const bool is_along = std::max(left, right) <= allowed * sine && from_b <= allowed * sine;
  const bool is_reversed = std::max(-left, -right) <= allowed * sine && from_b_reversed <= allowed * sine;
  if (!is_along && !is_reversed) return false;
  // The normal of a contact points to the first shape.
  const bool out_of_a_along = is_along;
  pair.normal = (out_of_a_along ? 1 / sine : -1 / sine) * across;
  pair.distance = pair.normal.dot(b_.vertex(b.from) - a_->vertex(a.from));
  pair.features = {out_of_a_along ? FeatureKind::line_line_reversed : FeatureKind::line_line, edge_a, edge_b};
  return true;
}

bool FeatureFinder::cross_inside(const EdgePair& pair) const {
  const auto& a = a_->edges[static_cast<size_t>(pair.features.a)];
  const auto& b = b_.edges[static_cast<size_t>(pair.features.b)];
  const Vector3 offset = b_.vertex(b.from) - a_->vertex(a.from);
  const double cosine = a.direction.dot(b.direction), sine2 = 1 - cosine * cosine;
  const double on_a = offset.dot(a.direction), on_b = offset.dot(b.direction);
  const double s = (on_a - cosine * on_b) / sine2, t = (cosine * on_a - on_b) / sine2;
  const double margin = tolerance();
  return s > margin && s < a.length - margin && t > margin && t < b.length - margin;
}

/// A face of one side and what of the other lies before it: corners over the face, its own corners under a
/// face of the other side, and crossing edges. None may be deeper than the shapes overlap: its normal would
/// be a wrong one.
void FeatureFinder::add_patch(Side side, int face, double distance) {
  const Side opposite = side == first ? second : first;
  const ConvexShape &own = shape(side), &other = shape(opposite);
  const auto& plane = own.faces[static_cast<size_t>(face)];
  const double least = distance - preference * std::min(a_->size, b_.size);
  const size_t before = out_->size();
  int deepest = 0, facing = 0;
  for (int v = 0; v < static_cast<int>(other.vertices.size()); ++v) {
    const double height = plane.normal.dot(other.vertex(v)) - plane.offset;
    if (height < plane.normal.dot(other.vertex(deepest)) - plane.offset) deepest = v;
    if (height <= reach_ && distance_outside(own, face, other.vertex(v)) <= tolerance())
      add(opposite, FeatureKind::point_face, v, face);
  }
  for (int f = 1; f < static_cast<int>(other.faces.size()); ++f)
    if (plane.normal.dot(other.faces[static_cast<size_t>(f)].normal) <
        plane.normal.dot(other.faces[static_cast<size_t>(facing)].normal))
      facing = f;
  const auto& under = other.faces[static_cast<size_t>(facing)];
  const auto is_listed_corner = [&](const Vector3& corner) {
    for (int k = under.first; k < under.first + under.count; ++k) {
      const Vector3& known = other.vertex(other.corners[static_cast<size_t>(k)]);
      const Vector3 apart = known - corner;
      if ((apart - plane.normal.dot(apart) * plane.normal).norm() <= 2 * tolerance()) return true;
    }
    return false;
  };
  if (plane.normal.dot(under.normal) < opposed)
    for (int k = plane.first; k < plane.first + plane.count; ++k) {
      const int v = own.corners[static_cast<size_t>(k)];
      const Vector3& corner = own.vertex(v);
      const double height = under.normal.dot(corner) - under.offset;
      if (height <= reach_ && height >= least && distance_outside(other, facing, corner) <= tolerance() &&
          !is_listed_corner(corner))
        add(side, FeatureKind::point_face, v, facing);
    }
  if (!own.is_planar) add_edges_of_patch(side, face, least);
  // Shapes that overlap touch somewhere: where no corner is over a face and only parallel edges cross.
  if (out_->size() == before && distance <= 0) add(opposite, FeatureKind::point_face, deepest, face);
}

void FeatureFinder::add_edges_of_patch(Side side, int face, double least) {
  const ConvexShape &own = shape(side), &other = shape(side == first ? second : first);
  const auto& plane = own.faces[static_cast<size_t>(face)];
  EdgePair pair;
  for (int e = 0; e < static_cast<int>(other.edges.size()); ++e) {
    const auto& edge = other.edges[static_cast<size_t>(e)];
    const double from = plane.normal.dot(other.vertex(edge.from)) - plane.offset,
                 to = plane.normal.dot(other.vertex(edge.to)) - plane.offset;
    if (std::min(from, to) > reach_) continue;
    for (int k = plane.first; k < plane.first + plane.count; ++k) {
      const int border = own.sides[static_cast<size_t>(k)];
      const bool is_candidate = side == first ? face_each_other(border, e, near_normal, pair)
                                              : face_each_other(e, border, near_normal, pair);
      if (!is_candidate || pair.distance > reach_ || pair.distance < least) continue;
      const double cosine = (side == first ? 1 : -1) * pair.normal.dot(plane.normal);
      if (cosine > 0 && cosine * cosine >= 1 - near_normal * near_normal && cross_inside(pair))
        out_->push_back(pair.features);
    }
  }
}

}  // namespace percuss
