#include "percuss/collision/features.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

// Points and segments with a radius: balls, capsules and discs. Their distances are Euclidean, so every pair
// of features that is the closest one of its neighbourhood may be listed. Polyhedra: polyhedra.cpp.
namespace percuss {
namespace {

void find_curves_on_plane(const PlacedShape& a, const Vector3& point, const Vector3& normal, double reach,
                          const Vector3& turn, std::vector<FeaturePair>& out) {
  const ConvexShape& shape = *a.shape;
  const Vector3 n = a.R.transpose() * normal, rate = a.R.transpose() * turn;
  const double height = normal.dot(a.x - point);
  for (int v = shape.first_corner; v < static_cast<int>(shape.vertices.size()); ++v) {
    // Marks follow the corners, rim by rim.
    if (v >= shape.first_mark) {
      const auto rim = static_cast<size_t>((v - shape.first_mark) / marks_of_rim);
      if (!stands_on(shape.curves[rim], shape.vertex(v), n, rate)) continue;
    }
    if (height + n.dot(shape.vertex(v)) <= reach) out.push_back({FeatureKind::point_face, v, 0});
  }
  for (int c = 0; c < static_cast<int>(shape.curves.size()); ++c) {
    const Feature& curve = shape.curves[static_cast<size_t>(c)];
    if (curve.type == FeatureType::cone || (curve.type == FeatureType::circle && is_level(curve, n)))
      continue;
    if (height + n.dot(support_point(curve, -n)) <= reach)
      out.push_back({kind_of(curve.type, FeatureType::face), c, 0});
  }
}

/// Where on an edge a point is closest, as a length from its start that may lie outside.
double along(const ConvexShape& shape, const ConvexShape::Edge& edge, const Vector3& point) {
  return edge.direction.dot(point - shape.vertex(edge.from));
}

}  // namespace

FeaturePair exchanged(const FeaturePair& pair) {
  // The normal along a x b from b to a is that along b x a from a to b, so crossed lines keep their branch.
  return {kind_of(second_type(pair.kind), first_type(pair.kind), branch_of(pair.kind)), pair.b, pair.a};
}

void find_features_on_plane(const PlacedShape& a, const Vector3& point, const Vector3& normal, double reach,
                            std::vector<FeaturePair>& out, const Vector3& turn) {
  if (a.shape->is_curved()) return find_curves_on_plane(a, point, normal, reach, turn, out);
  const Vector3 n = a.R.transpose() * normal;
  const double height = normal.dot(a.x - point) - a.shape->radius;
  for (int v = 0; v < static_cast<int>(a.shape->vertices.size()); ++v)
    if (height + n.dot(a.shape->vertex(v)) <= reach) out.push_back({FeatureKind::point_face, v, 0});
}

void FeatureFinder::find(const PlacedShape& a, const PlacedShape& b, double reach,
                         std::vector<FeaturePair>& out, const StepMotion& motion) {
  if (a.shape->is_point() && b.shape->is_point()) {
    if (are_points_near(a, b, reach)) out.push_back({FeatureKind::point_point, 0, 0});
    return;
  }
  a_ = a.shape;
  reach_ = reach;
  out_ = &out;
  const Matrix3 to_a = a.R.transpose();
  motion_.way = to_a * motion.way;
  motion_.turn = to_a * motion.turn;
  R_ = to_a * b.R;
  own_b_ = b.shape;
  const Vector3 x = to_a * (b.x - a.x);
  BoxAxes boxes(a.shape->box, b.shape->box, R_, x);
  if (are_apart(boxes)) return;
  place_faces(*b.shape, R_, x, b_);
  const bool faces_a = a_->has_faces(), faces_b = b_.has_faces();
  const bool is_any_curved = a_->is_curved() || b.shape->is_curved();
  if (faces_a && faces_b && !is_any_curved) return find_polyhedra(boxes);
  place_all_edges(x);
  if (is_any_curved) return curved_.find(*a_, b_, reach, motion_, out);
  if (faces_a || faces_b) {
    const Side round = faces_a ? second : first;
    return shape(round).is_point() ? point_on_faces(round, 0) : segment_on_faces(round);
  }
  if (a_->is_point()) return point_on_segment(first, 0);
  if (b_.is_point()) return point_on_segment(second, 0);
  segment_on_segment();
}

/// What is in boxes is at least as far apart as these. Bodies that move in the plane may be drawn at
/// different heights.
bool FeatureFinder::are_apart(BoxAxes& boxes) const {
  const ConvexShape &a = *a_, &b = *own_b_;
  const bool have_boxes = !a.is_planar && !b.is_planar && !a.box.isEmpty() && !b.box.isEmpty();
  return have_boxes && boxes.are_apart(reach_, reach_ + bias());
}

void FeatureFinder::place_all_edges(const Vector3& x) {
  place_edges(*own_b_, R_, x, b_);
  is_edge_placed_.assign(b_.edges.size(), 1);
}

double FeatureFinder::bias() const { return preference * std::min(a_->size, own_b_->size); }

double FeatureFinder::tolerance() const { return feature_tolerance * std::min(a_->size, b_.size); }

void FeatureFinder::add(Side side, FeatureKind kind, int own, int other) {
  const FeaturePair given{kind, own, other}, pair = side == first ? given : exchanged(given);
  if (std::ranges::find(*out_, pair) == out_->end()) out_->push_back(pair);
}

bool FeatureFinder::are_points_near(const PlacedShape& a, const PlacedShape& b, double reach) {
  const Vector3 apart = b.x - a.x + (b.R * b.shape->vertex(0) - a.R * a.shape->vertex(0));
  return apart.norm() - a.shape->radius - b.shape->radius <= reach;
}

void FeatureFinder::point_on_point(int a, int b) {
  const double distance = (a_->vertex(a) - b_.vertex(b)).norm() - a_->radius - b_.radius;
  if (distance <= reach_) add(first, FeatureKind::point_point, a, b);
}

/// A vertex of one side before the segment of the other.
void FeatureFinder::point_on_segment(Side side, int vertex) {
  const ConvexShape &own = shape(side), &other = shape(side == first ? second : first);
  const Vector3& point = own.vertex(vertex);
  const auto& edge = other.edges[0];
  const double s = along(other, edge, point);
  if (s > 0 && s < edge.length) {
    const Vector3 foot = other.vertex(edge.from) + s * edge.direction;
    if ((point - foot).norm() - own.radius - other.radius <= reach_)
      add(side, FeatureKind::point_line, vertex, 0);
    return;
  }
  const int end = s <= 0 ? edge.from : edge.to;
  side == first ? point_on_point(vertex, end) : point_on_point(end, vertex);
}

/// Two capsules touch where their axes cross; nearly parallel ones also with their ends.
void FeatureFinder::segment_on_segment() {
  for (const int end : {0, 1}) {
    point_on_segment(first, end);
    point_on_segment(second, end);
  }
  EdgePair pair;
  if (!face_each_other(0, 0, 1, pair) || !cross_inside(pair)) return;
  if (pair.distance < 0) {  // edges of a segment have no faces that would tell its outside
    pair.distance = -pair.distance;
    pair.features.kind = FeatureKind::line_line;
  }
  if (pair.distance - a_->radius - b_.radius <= reach_) out_->push_back(pair.features);
}

/// The closest feature of a polyhedron or polygon to a ball; inside of it the face that is least deep.
void FeatureFinder::point_on_faces(Side side, int vertex) {
  const ConvexShape &own = shape(side), &other = shape(side == first ? second : first);
  const Vector3& point = own.vertex(vertex);
  const double infinity = std::numeric_limits<double>::infinity();
  double deepest = -infinity, closest = infinity;
  int outermost = 0, feature = 0;
  FeatureKind kind = FeatureKind::point_point;
  const auto offer = [&](FeatureKind offered, int number, double distance) {
    if (distance >= closest) return;
    closest = distance;
    kind = offered;
    feature = number;
  };
  for (int f = 0; f < static_cast<int>(other.faces.size()); ++f) {
    const auto& face = other.faces[static_cast<size_t>(f)];
    const double distance = face.normal.dot(point) - face.offset;
    if (distance > deepest) {
      deepest = distance;
      outermost = f;
    }
    if (distance > 0 && distance < closest && distance_outside(other, f, point) <= tolerance())
      offer(FeatureKind::point_face, f, distance);
  }
  if (deepest - own.radius > reach_) return;
  if (deepest <= 0) return add(side, FeatureKind::point_face, vertex, outermost);
  for (int e = 0; e < static_cast<int>(other.edges.size()); ++e) {
    const auto& edge = other.edges[static_cast<size_t>(e)];
    const double s = along(other, edge, point);
    if (s > 0 && s < edge.length)
      offer(FeatureKind::point_line, e,
            (point - other.vertex(edge.from) - s * edge.direction).norm() + tolerance());
  }
  for (int v = 0; v < static_cast<int>(other.vertices.size()); ++v)
    offer(FeatureKind::point_point, v, (point - other.vertex(v)).norm() + 2 * tolerance());
  if (closest - own.radius <= reach_ + 2 * tolerance()) add(side, kind, vertex, feature);
}

/// A capsule before a polyhedron: its ends as balls, its axis across edges and over corners. Where the axis
/// itself is inside, what is least deep.
void FeatureFinder::segment_on_faces(Side side) {
  constexpr double tilt = 0.05;
  const ConvexShape& other = shape(side == first ? second : first);
  look_along_normals();
  const Separation of_faces = along_faces(side == first ? second : first),
                   of_edges = along_edges(of_faces.distance);
  const double radius = shape(side).radius;
  if (std::max(of_edges.distance, of_faces.distance) - radius > reach_) return;
  if (of_edges.distance <= 0 && of_faces.distance <= 0) {
    if (of_edges.distance > of_faces.distance) return out_->push_back(of_edges.edges);
    const Vector3& normal = other.faces[static_cast<size_t>(of_faces.face)].normal;
    const auto& ends = shape(side).vertices;
    return add(side, FeatureKind::point_face, normal.dot(ends[0]) < normal.dot(ends[1]) ? 0 : 1,
               of_faces.face);
  }
  for (const int end : {0, 1}) point_on_faces(side, end);
  for (int e = 0; e < static_cast<int>(other.edges.size()); ++e) {
    EdgePair pair;
    if (face_each_other(side == first ? 0 : e, side == first ? e : 0, tilt, pair) && cross_inside(pair) &&
        pair.distance > 0 && pair.distance - radius <= reach_)
      out_->push_back(pair.features);
  }
  vertices_on_segment(side);
}

/// Corners of a polyhedron that are closer to the inside of a segment than what is around them.
void FeatureFinder::vertices_on_segment(Side side) {
  const ConvexShape &own = shape(side), &other = shape(side == first ? second : first);
  const auto& axis = own.edges[0];
  for (int v = 0; v < static_cast<int>(other.vertices.size()); ++v) {
    const double s = along(own, axis, other.vertex(v));
    if (s <= 0 || s >= axis.length) continue;
    const Vector3 away = own.vertex(axis.from) + s * axis.direction - other.vertex(v);
    if (away.norm() - own.radius > reach_) continue;
    const bool is_closest = std::ranges::all_of(other.edges, [&](const ConvexShape::Edge& edge) {
      if (edge.from != v && edge.to != v) return true;
      return (edge.from == v ? 1.0 : -1.0) * edge.direction.dot(away) <= tolerance();
    });
    if (is_closest) add(side, FeatureKind::line_point, 0, v);
  }
}

}  // namespace percuss
