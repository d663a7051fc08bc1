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
  motion_ = {};
  own_b_ = b.shape;
  const Matrix3 to_a = a.R.transpose();
  const Vector3 x = to_a * (b.x - a.x);
  R_ = to_a * b.R;
  place_faces(*b.shape, R_, x, b_);
  place_all_edges(x);
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
  if (!widest.shrinks(bias())) return false;
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

void FeatureFinder::find_polyhedra(const BoxAxes& boxes) {
  b_.edges.resize(own_b_->edges.size());
  b_.outwards.resize(own_b_->outwards.size());
  is_edge_placed_.assign(b_.edges.size(), 0);
  is_outward_placed_.assign(b_.outwards.size(), 0);
  if (a_->of_box && own_b_->of_box) return find_boxes(boxes);
  if (are_apart_along_faces()) return;
  const bool slides = slides_past();
  const double least = std::max(of_first_.distance, of_second_.distance) + bias();
  const bool is_face = slides || touches_inside(first, of_first_.face, least) ||
                       touches_inside(second, of_second_.face, least);
  add_widest(is_face ? Separation{} : along_edges(least), slides);
}

/// All axes along which boxes may be apart are known.
void FeatureFinder::find_boxes(const BoxAxes& boxes) {
  const auto along_face = [](const BoxAxes::Widest& widest, const ConvexShape& box) {
    return Separation{widest.distance, box.of_box->faces[static_cast<size_t>(widest.face)]};
  };
  of_first_ = along_face(boxes.along_faces_of_first(), *a_);
  of_second_ = along_face(boxes.along_faces_of_second(), *own_b_);
  if (slides_past()) return add_widest({}, true);
  Separation of_edges;
  EdgePair pair;
  boxes.visit_edges(std::max(of_first_.distance, of_second_.distance), [&](const BoxAxes::Edges& edges) {
    const int on_first = a_->of_box->edges[static_cast<size_t>(edges.of_first)],
              on_second = own_b_->of_box->edges[static_cast<size_t>(edges.of_second)];
    if (face_each_other(on_first, on_second, 0, pair) && pair.distance > of_edges.distance)
      of_edges = {pair.distance, -1, pair.features};
  });
  add_widest(of_edges, false);
}

/// The features of the widest of the separations along edges and along the faces of both.
void FeatureFinder::add_widest(const Separation& of_edges, bool slides) {
  const double faces = std::max(of_first_.distance, of_second_.distance);
  if (of_edges.distance > faces + bias()) {
    if (of_edges.distance <= reach_) out_->push_back(of_edges.edges);
    return;
  }
  const size_t before = out_->size();
  const bool is_second = of_second_.distance > of_first_.distance + bias();
  if (meet_at_parallel_edges()) {
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
bool FeatureFinder::meet_at_parallel_edges() const {
  if (of_first_.face < 0 || of_second_.face < 0) return false;
  if (std::abs(of_second_.distance - of_first_.distance) > bias()) return false;
  const Vector3 &normal = a_->faces[static_cast<size_t>(of_first_.face)].normal,
                &other = b_.faces[static_cast<size_t>(of_second_.face)].normal;
  return normal.dot(other) < 0 && normal.cross(other).norm() > parallel;
}

const ConvexShape::Edge& FeatureFinder::edge(Side side, int e) {
  const auto at = static_cast<size_t>(e);
  if (side == first) return a_->edges[at];
  if (!is_edge_placed_[at]) {
    is_edge_placed_[at] = 1;
    b_.edges[at] = turned(own_b_->edges[at], R_);
  }
  return b_.edges[at];
}

const Vector3& FeatureFinder::outward(Side side, int corner) {
  const auto at = static_cast<size_t>(corner);
  if (side == first) return a_->outwards[at];
  if (!is_outward_placed_[at]) {
    is_outward_placed_[at] = 1;
    b_.outwards[at] = R_ * own_b_->outwards[at];
  }
  return b_.outwards[at];
}

double FeatureFinder::outside(Side side, int face, const Vector3& point) {
  const ConvexShape& own = shape(side);
  const auto& of = own.faces[static_cast<size_t>(face)];
  double farthest = -std::numeric_limits<double>::infinity();
  for (int k = of.first; k < of.first + of.count; ++k) {
    const int corner = unplaced(side).corners[static_cast<size_t>(k)];
    farthest = std::max(farthest, outward(side, k).dot(point - own.vertex(corner)));
  }
  return farthest;
}

FeatureFinder::Separation FeatureFinder::along_faces(Side side) const {
  const ConvexShape &own = shape(side), &other = shape(side == first ? second : first);
  const size_t kept = kept_vertices(own, other);
  const double rounding = feature_tolerance * (own.size + other.size);
  Separation widest;
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
  const ConvexShape &own = shape(side), &other = shape(opposite(side));
  const size_t kept = kept_vertices(own, other);
  const double rounding = 4 * feature_tolerance * (own.size + other.size);
  size_t last = 1;  // vertex that told it of the edge before
  const auto may_separate = [&](const ConvexShape::Edge& of) {
    const auto left = static_cast<size_t>(of.left), right = static_cast<size_t>(of.right);
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
  const auto& edges = unplaced(side).edges;
  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    const auto& of = edges[static_cast<size_t>(e)];
    if (of.left < 0 || may_separate(of)) out.push_back(e);  // of segments all
  }
}

FeatureFinder::Separation FeatureFinder::along_edges(double least) {
  Separation widest;
  list_facing_edges(first, least, edges_of_first_);
  if (edges_of_first_.empty()) return widest;
  list_facing_edges(second, least, edges_of_second_);
  // What face_each_other() says without tilt, but for rounding: with the normal n of the face on the left of
  // a (a x b) . into_left = -(b . n), and so on. Segments have no faces.
  const auto along = [](const ConvexShape::Edge& line, const ConvexShape& of, int face) {
    return face < 0 ? 0.0 : line.direction.dot(of.faces[static_cast<size_t>(face)].normal);
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
      const auto &a = edge(first, i), &b = edge(second, j);
      if (may_face_each_other(a, b) && may_be_wider(a, b) && face_each_other(i, j, 0, pair) &&
          pair.distance > widest.distance)
        widest = {pair.distance, -1, pair.features};
    }
  return widest;
}

/// Whether a corner of the other side is before a face, by no more than a height. Then nothing separates the
/// shapes by more: no plane fits between the corner and its projection.
bool FeatureFinder::touches_inside(Side side, int face, double height) {
  const auto& plane = shape(side).faces[static_cast<size_t>(face)];
  return std::ranges::any_of(shape(opposite(side)).vertices, [&](const Vector3& vertex) {
    return std::abs(plane.normal.dot(vertex) - plane.offset) <= height && outside(side, face, vertex) <= 0;
  });
}

bool FeatureFinder::face_each_other(int edge_a, int edge_b, double tilt, EdgePair& pair) {
  const auto &a = edge(first, edge_a), &b = edge(second, edge_b);
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
  // They must not become parallel within the step, where their normal would be none.
  if (sine < parallel + 0.5 * motion_.turn.norm()) return false;
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

bool FeatureFinder::cross_inside(const EdgePair& pair, double beside_a, double beside_b) {
  const auto &a = edge(first, pair.features.a), &b = edge(second, pair.features.b);
  const Vector3 offset = b_.vertex(b.from) - a_->vertex(a.from);
  const double cosine = a.direction.dot(b.direction), sine2 = 1 - cosine * cosine;
  const double on_a = offset.dot(a.direction), on_b = offset.dot(b.direction);
  const double s = (on_a - cosine * on_b) / sine2, t = (cosine * on_a - on_b) / sine2;
  return s > -beside_a && s < a.length + beside_a && t > -beside_b && t < b.length + beside_b;
}
bool FeatureFinder::cross_inside(const EdgePair& pair) {
  return cross_inside(pair, -tolerance(), -tolerance());
}

/// A face of one side and what of the other lies before it: corners over the face, its own corners under a
/// face of the other side, and crossing edges. None may be deeper than the shapes overlap: its normal would
/// be a wrong one.
void FeatureFinder::add_patch(Side side, int face, double distance, Borders borders) {
  const ConvexShape &own = shape(side), &other = shape(opposite(side));
  const auto& plane = own.faces[static_cast<size_t>(face)];
  const double least = distance - bias();
  const size_t count = other.vertices.size();
  measure_patch(side, face);
  const auto is_over = [&](size_t v) {
    for (size_t k = 0; k < static_cast<size_t>(plane.count); ++k)
      if (outside_patch_[k * count + v] > tolerance()) return false;
    return true;
  };
  for (size_t v = 0; v < count; ++v)
    if (over_patch_[v] <= reach_ && is_over(v))
      add(opposite(side), FeatureKind::point_face, static_cast<int>(v), face);
  int facing = 0;
  for (int f = 1; f < static_cast<int>(other.faces.size()); ++f)
    if (plane.normal.dot(other.faces[static_cast<size_t>(f)].normal) <
        plane.normal.dot(other.faces[static_cast<size_t>(facing)].normal))
      facing = f;
  const auto& under = other.faces[static_cast<size_t>(facing)];
  const auto is_listed_corner = [&](const Vector3& corner) {
    for (int k = under.first; k < under.first + under.count; ++k) {
      const Vector3 apart = other.vertex(unplaced(opposite(side)).corners[static_cast<size_t>(k)]) - corner;
      if ((apart - plane.normal.dot(apart) * plane.normal).norm() <= 2 * tolerance()) return true;
    }
    return false;
  };
  if (plane.normal.dot(under.normal) < opposed)
    for (int k = plane.first; k < plane.first + plane.count; ++k) {
      const int v = unplaced(side).corners[static_cast<size_t>(k)];
      const Vector3& corner = own.vertex(v);
      const double height = under.normal.dot(corner) - under.offset;
      if (height <= reach_ && height >= least && outside(opposite(side), facing, corner) <= tolerance() &&
          !is_listed_corner(corner))
        add(side, FeatureKind::point_face, v, facing);
    }
  if (!own.is_planar) add_edges_of_patch(side, face, least, borders);
}

/// The corner of the other side that is deepest behind a face.
void FeatureFinder::add_deepest(Side side, int face) {
  const Vector3& normal = shape(side).faces[static_cast<size_t>(face)].normal;
  const auto& corners = shape(opposite(side)).vertices;
  const auto deepest =
      std::ranges::min_element(corners, {}, [&](const Vector3& corner) { return normal.dot(corner); });
  add(opposite(side), FeatureKind::point_face, static_cast<int>(deepest - corners.begin()), face);
}

void FeatureFinder::measure_patch(Side side, int face) {
  const ConvexShape &own = shape(side), &other = shape(opposite(side));
  const auto& plane = own.faces[static_cast<size_t>(face)];
  over_patch_.clear();
  for (const Vector3& vertex : other.vertices) over_patch_.push_back(plane.normal.dot(vertex) - plane.offset);
  outside_patch_.clear();
  for (int k = plane.first; k < plane.first + plane.count; ++k) {
    const Vector3 &corner = own.vertex(unplaced(side).corners[static_cast<size_t>(k)]),
                  &away = outward(side, k);
    for (const Vector3& vertex : other.vertices) outside_patch_.push_back(away.dot(vertex - corner));
  }
}

void FeatureFinder::add_edges_of_patch(Side side, int face, double least, Borders borders) {
  const auto& plane = shape(side).faces[static_cast<size_t>(face)];
  // Where two edges cross they are at most half of this beside each other, since their normal is near the
  // face's. What is across an edge that rises by more than this part of its length is not.
  const double beside = 2 * near_normal * std::max(std::abs(least), reach_) + tolerance();
  constexpr double rise = near_normal + feature_tolerance;
  // An edge of the other shape that lies on one of the face ends at its corners or beyond them. There it
  // crosses the next edges of the face, and their normal is that of the face.
  const double own_ends = borders == Borders::with_ends ? tolerance() : -tolerance();
  const auto crosses = [&](const EdgePair& of) {
    return side == first ? cross_inside(of, own_ends, -tolerance())
                         : cross_inside(of, -tolerance(), own_ends);
  };
  EdgePair pair;
  const auto& edges = unplaced(opposite(side)).edges;
  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    const auto& of = edges[static_cast<size_t>(e)];
    const double from = over_patch_[static_cast<size_t>(of.from)],
                 to = over_patch_[static_cast<size_t>(of.to)];
    if (std::min(from, to) > reach_ || std::abs(from - to) > rise * of.length) continue;
    const auto outside_of = [&, count = over_patch_.size()](int k) {
      const double* outside_k = outside_patch_.data() + static_cast<size_t>(k) * count;
      return std::pair(outside_k[of.from], outside_k[of.to]);
    };
    // The part of it that is over the face.
    double begin = 0, end = 1;
    for (int k = 0; k < plane.count && begin <= end; ++k) {
      const auto [at_from, at_to] = outside_of(k);
      const double crossing = (at_from - beside) / (at_from - at_to);
      if (at_from > beside) begin = at_to > beside ? 2 : std::max(begin, crossing);
      if (at_from <= beside && at_to > beside) end = std::min(end, crossing);
    }
    if (begin > end) continue;
    for (int k = 0; k < plane.count; ++k) {
      const auto [at_from, at_to] = outside_of(k);
      if (at_from + std::max(begin * (at_to - at_from), end * (at_to - at_from)) < -beside) continue;
      const int border = unplaced(side).sides[static_cast<size_t>(plane.first + k)];
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
