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

/// Of how many vertices of the other shape the heights over each face are kept: of none where both are large.
size_t kept_vertices(const ConvexShape& own, const ConvexShape& other) {
  constexpr size_t most = 4096;
  return own.faces.size() * other.vertices.size() <= most ? other.vertices.size() : 0;
}

/// For each face: how high the middle of the other shape is over it, and normal . x of the kept vertices.
void measure_heights(const ConvexShape& own, const ConvexShape& other, std::vector<double>& heights) {
  Vector3 sum = Vector3::Zero();
  for (const Vector3& vertex : other.vertices) sum += vertex;
  const Vector3 middle = sum / static_cast<double>(other.vertices.size());
  const size_t kept = kept_vertices(own, other);
  heights.clear();
  for (const auto& face : own.faces) {
    heights.push_back(face.normal.dot(middle) - face.offset);
    for (size_t v = 0; v < kept; ++v) heights.push_back(face.normal.dot(other.vertices[v]));
  }
}

}  // namespace

double FeatureFinder::separation(const PlacedShape& a, const PlacedShape& b) {
  a_ = a.shape;
  reach_ = std::numeric_limits<double>::infinity();
  const Matrix3 to_a = a.R.transpose();
  place(*b.shape, to_a * b.R, to_a * (b.x - a.x), b_);
  look_along_normals();
  const double faces = std::max(along_faces(first).distance, along_faces(second).distance);
  return std::max(faces, along_edges(faces).distance);
}

/// A face whose plane has the middle of the other shape behind it cannot separate, nor can its edges.
void FeatureFinder::look_along_normals() {
  measure_heights(*a_, b_, heights_[first]);
  measure_heights(b_, *a_, heights_[second]);
}

bool FeatureFinder::are_apart_along_faces() {
  measure_heights(*a_, b_, heights_[first]);
  of_first_ = along_faces(first);
  if (of_first_.distance > reach_) return true;
  measure_heights(b_, *a_, heights_[second]);
  of_second_ = along_faces(second);
  return of_second_.distance > reach_;
}

/// Takes the faces that outlast the widest one, if there are any (StepSeparation).
bool FeatureFinder::slides_past() {
  const Side side = of_second_.distance > of_first_.distance ? second : first;
  const StepSeparation widest = along_face(side, side == first ? of_first_.face : of_second_.face);
  if (!widest.shrinks(preference * std::min(a_->size, b_.size))) return false;
  const Separation lasting[] = {along_lasting_faces(first, widest), along_lasting_faces(second, widest)};
  if (lasting[first].face < 0 && lasting[second].face < 0) return false;
  of_first_ = lasting[first];
  of_second_ = lasting[second];
  return true;
}

StepSeparation FeatureFinder::along_face(Side side, int face) const {
  const ConvexShape &own = shape(side), &other = shape(side == first ? second : first);
  const auto& plane = own.faces[static_cast<size_t>(face)];
  const double sign = side == first ? -1 : 1;  // the second moves the other way
  constexpr double infinity = std::numeric_limits<double>::infinity();
  StepSeparation least{infinity, infinity};
  for (const Vector3& vertex : other.vertices) {
    const double height = plane.normal.dot(vertex) - plane.offset;
    const double rise = sign * plane.normal.dot(motion_.second_half(vertex));
    least = {std::min(least.now, height), std::min(least.at_end, height + rise)};
  }
  return least;
}

FeatureFinder::Separation FeatureFinder::along_lasting_faces(Side side, const StepSeparation& other) const {
  Separation widest{-std::numeric_limits<double>::infinity()};
  for (int f = 0; f < static_cast<int>(shape(side).faces.size()); ++f) {
    const StepSeparation apart = along_face(side, f);
    if (apart.outlasts(other) && apart.now > widest.distance) widest = {apart.now, f};
  }
  return widest;
}

void FeatureFinder::faces_on_faces() {
  const double bias = preference * std::min(a_->size, b_.size);
  const bool slides = slides_past();
  const double faces = std::max(of_first_.distance, of_second_.distance);
  const double least = faces + bias;
  Separation of_edges{-std::numeric_limits<double>::infinity()};
  if (!slides && !touches_inside(first, of_first_.face, least) &&
      !touches_inside(second, of_second_.face, least))
    of_edges = along_edges(least);
  if (of_edges.distance > least) {
    if (of_edges.distance <= reach_) out_->push_back(of_edges.edges);
    return;
  }
  const size_t before = out_->size();
  const bool is_second = of_second_.distance > of_first_.distance + bias;
  if (meet_at_parallel_edges(bias)) {
    add_patch(first, of_first_.face, of_first_.distance, Borders::with_ends);
    add_patch(second, of_second_.face, of_second_.distance, Borders::with_ends);
  } else if (is_second) {
    add_patch(second, of_second_.face, of_second_.distance);
  } else {
    add_patch(first, of_first_.face, of_first_.distance);
  }
  // Shapes that overlap touch somewhere: where no corner is over a face and only parallel edges cross.
  if (out_->size() == before && faces <= 0 && !slides)
    add_deepest(is_second ? second : first, is_second ? of_second_.face : of_first_.face);
}

/// Whether a face of each separates as widely as the other's without lying on it. Then edges lie on each
/// other, as those of two cards that lean, and the normal is any between those of the two faces.
bool FeatureFinder::meet_at_parallel_edges(double bias) const {
  if (of_first_.face < 0 || of_second_.face < 0) return false;
  if (std::abs(of_second_.distance - of_first_.distance) > bias) return false;
  const Vector3 &normal = a_->faces[static_cast<size_t>(of_first_.face)].normal,
                &other = b_.faces[static_cast<size_t>(of_second_.face)].normal;
  return normal.dot(other) < 0 && normal.cross(other).norm() > parallel;
}

FeatureFinder::Separation FeatureFinder::along_faces(Side side) const {
  const ConvexShape &own = shape(side), &other = shape(side == first ? second : first);
  const size_t kept = kept_vertices(own, other);
  const double rounding = feature_tolerance * (own.size + other.size);
  Separation widest{-std::numeric_limits<double>::infinity()};
  for (int f = 0; f < static_cast<int>(own.faces.size()); ++f) {
    const double* heights = heights_[side].data() + static_cast<size_t>(f) * (1 + kept);
    if (heights[0] + rounding < widest.distance) continue;
    const auto& face = own.faces[static_cast<size_t>(f)];
    double nearest = std::numeric_limits<double>::infinity();
    for (size_t v = 0; v < kept; ++v) nearest = std::min(nearest, heights[1 + v]);
    if (kept == 0)
      for (const Vector3& vertex : other.vertices) nearest = std::min(nearest, face.normal.dot(vertex));
    const double distance = nearest - face.offset;
    if (distance <= widest.distance) continue;
    widest = {distance, f};
    if (widest.distance > reach_) break;
  }
  return widest;
}

/// Edges that may separate by more than `least`. Along a unit normal between those of the two faces of an
/// edge, n = s n_left + t n_right, each x of the other shape is beyond it by s h_left(x) + t h_right(x),
/// where s + t >= 1, and s and t are at most 1 / sin(n_left, n_right), or 1 if the angle is right or less.
void FeatureFinder::list_facing_edges(Side side, double least, std::vector<int>& out) const {
  const ConvexShape &own = shape(side), &other = shape(side == first ? second : first);
  const size_t kept = kept_vertices(own, other);
  const double rounding = 4 * feature_tolerance * (own.size + other.size);
  size_t last = 1;  // vertex that told it of the edge before
  const auto may_separate = [&](const ConvexShape::Edge& edge) {
    const auto left = static_cast<size_t>(edge.left), right = static_cast<size_t>(edge.right);
    const double* on_left = heights_[side].data() + left * (1 + kept);
    const double* on_right = heights_[side].data() + right * (1 + kept);
    if (std::max(on_left[0], on_right[0]) < std::min(least, 0.0) - rounding) return false;
    const double cosine = own.faces[left].normal.dot(own.faces[right].normal);
    const double scale = cosine < 0 ? 1 / std::sqrt(std::max(1 - cosine * cosine, 1e-12)) : 1.0;
    const double enough = (least - rounding) / scale;
    const auto keeps_close = [&](size_t v) {
      const double h_left = on_left[v] - own.faces[left].offset,
                   h_right = on_right[v] - own.faces[right].offset;
      return least < 0 ? std::max(h_left, h_right) <= least - rounding
                       : std::max(h_left, 0.0) + std::max(h_right, 0.0) <= enough;
    };
    if (kept > 0 && keeps_close(last)) return false;
    for (size_t v = 1; v <= kept; ++v)
      if (keeps_close(v)) {
        last = v;
        return false;
      }
    return true;
  };
  out.clear();
  for (int e = 0; e < static_cast<int>(own.edges.size()); ++e) {
    const auto& edge = own.edges[static_cast<size_t>(e)];
    if (edge.left < 0 || may_separate(edge)) out.push_back(e);  // of segments all
  }
}

FeatureFinder::Separation FeatureFinder::along_edges(double least) {
  Separation widest{-std::numeric_limits<double>::infinity()};
  list_facing_edges(first, least, edges_of_first_);
  if (edges_of_first_.empty()) return widest;
  list_facing_edges(second, least, edges_of_second_);
  // What face_each_other() says without tilt, but for rounding: with the normal n of the face on the left of
  // a (a x b) . into_left = -(b . n), and so on. Segments have no faces.
  const auto along = [](const ConvexShape::Edge& edge, const ConvexShape& of, int face) {
    return face < 0 ? 0.0 : edge.direction.dot(of.faces[static_cast<size_t>(face)].normal);
  };
  const auto may_face_each_other = [&](const ConvexShape::Edge& a, const ConvexShape::Edge& b) {
    const double left = along(b, *a_, a.left), right = along(b, *a_, a.right);
    const bool is_along = left >= -preference && right <= preference,
               is_reversed = left <= preference && right >= -preference;
    if (!is_along && !is_reversed) return false;
    const double left_of_b = along(a, b_, b.left), right_of_b = along(a, b_, b.right);
    return (is_along && left_of_b >= -preference && right_of_b <= preference) ||
           (is_reversed && left_of_b <= preference && right_of_b >= -preference);
  };
  const auto may_be_wider = [&](const ConvexShape::Edge& a, const ConvexShape::Edge& b) {
    constexpr double rounding = 1e-3;
    const double known = std::max(least, widest.distance);
    if (known < 0) return true;
    const Vector3 across = a.direction.cross(b.direction);
    const double distance = across.dot(b_.vertex(b.from) - a_->vertex(a.from));
    return distance * distance >= (1 - rounding) * known * known * across.squaredNorm();
  };
  EdgePair pair;
  for (const int i : edges_of_first_)
    for (const int j : edges_of_second_) {
      const auto &a = a_->edges[static_cast<size_t>(i)], &b = b_.edges[static_cast<size_t>(j)];
      if (may_face_each_other(a, b) && may_be_wider(a, b) && face_each_other(i, j, 0, pair) &&
          pair.distance > widest.distance)
        widest = {pair.distance, -1, pair.features};
    }
  return widest;
}

/// Whether a corner of the other side is before a face, by no more than a height. Then nothing separates the
/// shapes by more: no plane fits between the corner and its projection.
bool FeatureFinder::touches_inside(Side side, int face, double height) const {
  const ConvexShape &own = shape(side), &other = shape(side == first ? second : first);
  const auto& plane = own.faces[static_cast<size_t>(face)];
  return std::ranges::any_of(other.vertices, [&](const Vector3& vertex) {
    return std::abs(plane.normal.dot(vertex) - plane.offset) <= height &&
           distance_outside(own, face, vertex) <= 0;
  });
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

bool FeatureFinder::cross_inside(const EdgePair& pair, double beside_a, double beside_b) const {
  const auto& a = a_->edges[static_cast<size_t>(pair.features.a)];
  const auto& b = b_.edges[static_cast<size_t>(pair.features.b)];
  const Vector3 offset = b_.vertex(b.from) - a_->vertex(a.from);
  const double cosine = a.direction.dot(b.direction), sine2 = 1 - cosine * cosine;
  const double on_a = offset.dot(a.direction), on_b = offset.dot(b.direction);
  const double s = (on_a - cosine * on_b) / sine2, t = (cosine * on_a - on_b) / sine2;
  return s > -beside_a && s < a.length + beside_a && t > -beside_b && t < b.length + beside_b;
}
bool FeatureFinder::cross_inside(const EdgePair& pair) const {
  return cross_inside(pair, -tolerance(), -tolerance());
}

/// A face of one side and what of the other lies before it: corners over the face, its own corners under a
/// face of the other side, and crossing edges. None may be deeper than the shapes overlap: its normal would
/// be a wrong one.
void FeatureFinder::add_patch(Side side, int face, double distance, Borders borders) {
  const Side opposite = side == first ? second : first;
  const ConvexShape &own = shape(side), &other = shape(opposite);
  const auto& plane = own.faces[static_cast<size_t>(face)];
  const double least = distance - preference * std::min(a_->size, b_.size);
  int facing = 0;
  for (int v = 0; v < static_cast<int>(other.vertices.size()); ++v) {
    const double height = plane.normal.dot(other.vertex(v)) - plane.offset;
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
  if (!own.is_planar) add_edges_of_patch(side, face, least, borders);
}

/// The corner of the other side that is deepest behind a face.
void FeatureFinder::add_deepest(Side side, int face) {
  const Side opposite = side == first ? second : first;
  const Vector3& normal = shape(side).faces[static_cast<size_t>(face)].normal;
  const auto& corners = shape(opposite).vertices;
  const auto deepest =
      std::ranges::min_element(corners, {}, [&](const Vector3& corner) { return normal.dot(corner); });
  add(opposite, FeatureKind::point_face, static_cast<int>(deepest - corners.begin()), face);
}

void FeatureFinder::add_edges_of_patch(Side side, int face, double least, Borders borders) {
  const ConvexShape &own = shape(side), &other = shape(side == first ? second : first);
  const auto& plane = own.faces[static_cast<size_t>(face)];
  // Where two edges cross they are at most this far beside each other, since their normal is near the face's.
  const double beside = 2 * near_normal * std::max(std::abs(least), reach_) + tolerance();
  const auto outside = [&](int corner, const Vector3& x) {
    const auto k = static_cast<size_t>(corner);
    return own.outwards[k].dot(x - own.vertex(own.corners[k]));
  };
  const auto is_beyond = [&](const Vector3& x, const Vector3& y) {
    for (int k = plane.first; k < plane.first + plane.count; ++k)
      if (outside(k, x) > beside && outside(k, y) > beside) return true;
    return false;
  };
  // An edge of the other shape that lies on one of the face ends at its corners or beyond them. There it
  // crosses the next edges of the face, and their normal is that of the face.
  const double own_ends = borders == Borders::with_ends ? tolerance() : -tolerance();
  const auto crosses = [&](const EdgePair& pair) {
    return side == first ? cross_inside(pair, own_ends, -tolerance())
                         : cross_inside(pair, -tolerance(), own_ends);
  };
  EdgePair pair;
  for (int e = 0; e < static_cast<int>(other.edges.size()); ++e) {
    const auto& edge = other.edges[static_cast<size_t>(e)];
    const double from = plane.normal.dot(other.vertex(edge.from)) - plane.offset,
                 to = plane.normal.dot(other.vertex(edge.to)) - plane.offset;
    if (std::min(from, to) > reach_ || is_beyond(other.vertex(edge.from), other.vertex(edge.to))) continue;
    for (int k = plane.first; k < plane.first + plane.count; ++k) {
      if (std::max(outside(k, other.vertex(edge.from)), outside(k, other.vertex(edge.to))) < -beside)
        continue;
      const int border = own.sides[static_cast<size_t>(k)];
      const bool is_candidate = side == first ? face_each_other(border, e, near_normal, pair)
                                              : face_each_other(e, border, near_normal, pair);
      if (!is_candidate || pair.distance > reach_ || pair.distance < least) continue;
      const double cosine = (side == first ? 1 : -1) * pair.normal.dot(plane.normal);
      if (cosine > 0 && cosine * cosine >= 1 - near_normal * near_normal && crosses(pair) &&
          std::ranges::find(*out_, pair.features) == out_->end())
        out_->push_back(pair.features);
    }
  }
}

}  // namespace percuss
