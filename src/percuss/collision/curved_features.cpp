#include "percuss/collision/curved_features.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

// Every pair of features that may touch gives a normal. The widest separation of the whole shapes along one
// of these decides which is the normal of the contact; what touches along it, or nearly so, is listed.
namespace percuss {
namespace {

/// Sines of angles up to which lines count as parallel, a normal as that of a patch and as that of a flat.
constexpr double parallel_lines = 1e-4, patch_tilt = 0.1;
/// How far from its surface's own normals an edge or corner may touch, as a sine: no more, or wheels would
/// bump on edges that they have not reached.
constexpr double edge_tilt = 2e-3;
/// Part of the smaller size by which a gap must be less than another one to count.
constexpr double significant = 1e-6;
/// A rim is not crossed where a line or another rim cuts off less than this part of its radius: the two
/// points are those of a patch only while they are apart, and are lost where they meet.
constexpr double shallow_chord = 1e-2;
/// A cylinder that stands is turned by rounding, and by what its supports give way within a step.
constexpr double standing_tilt = 1e-6, level_tilt = 1e-9;
/// Cosine of the angle on a rim within which a mark is beside the lowest point, 20 degrees.
constexpr double beside_lowest = 0.94;

double sine_between(const Vector3& axis, const Vector3& n) { return (n - n.dot(axis) * axis).norm(); }

bool is_near_flat(const Feature& rim, const Vector3& n) {
  return sine_between(rim.direction, n) < patch_tilt;
}

}  // namespace

bool stands_on(const Feature& rim, const Vector3& mark, const Vector3& normal, const Vector3& turn) {
  const double cosine = rim.direction.dot(normal);
  if (cosine >= 0) return false;
  const Vector3 uphill = normal - cosine * rim.direction;
  const double tilt = uphill.norm();
  if (tilt <= standing_tilt + turn.cross(rim.direction).norm()) return true;
  return tilt < patch_tilt && -uphill.dot(mark - rim.point) < beside_lowest * tilt * rim.radius;
}

bool is_level(const Feature& rim, const Vector3& normal) {
  return sine_between(rim.direction, normal) <= level_tilt;
}

void CurvedFinder::find(const ConvexShape& a, const ConvexShape& b, double reach, const StepMotion& motion,
                        std::vector<FeaturePair>& out) {
  for (const auto& [own, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (const auto& face : own->faces)
      if (-extent(*other, -face.normal) - face.offset > reach) return;
  const double smaller = std::min(a.size, b.size);
  candidates(a, b, reach, smaller > 0 ? smaller : std::max(a.size, b.size),
             motion.turn);  // particles have no size
  choose(motion, out);
}

const std::vector<CurvedFinder::Candidate>& CurvedFinder::candidates(const ConvexShape& a,
                                                                     const ConvexShape& b, double reach,
                                                                     double size, const Vector3& turn) {
  a_ = &a;
  b_ = &b;
  reach_ = reach;
  turn_ = turn;
  size_ = size;
  candidates_.clear();
  for (const Side side : {first, second}) {
    add_points(side);
    add_lines(side);
    add_curves(side);
  }
  add_pairs_of_curves();
  return candidates_;
}

/// Corners, centres and ends of axes, and the marks of rims on faces.
void CurvedFinder::add_points(Side side) {
  const ConvexShape &own = shape(side), &other = shape(opposite(side));
  const bool is_round = own.is_rounded_core(), is_ball = own.is_point();
  // The distance of two corners does not tell on which side of each other they are; it is the gap of balls.
  const double on_curves = is_ball ? feature_tolerance : is_round ? patch_tilt : edge_tilt;
  const int end = std::min(own.first_mark, static_cast<int>(own.vertices.size()));
  for (int v = own.first_corner; v < static_cast<int>(own.vertices.size()); ++v) {
    const Vector3& point = own.vertex(v);
    if (is_far(other, point, own.radius)) continue;
    for (int f = 0; f < static_cast<int>(other.faces.size()); ++f) {
      const Vector3& normal = other.faces[static_cast<std::size_t>(f)].normal;
      if (v >= end &&
          !stands_on(own.curves[static_cast<std::size_t>((v - end) / marks_of_rim)], point, normal, turn_))
        continue;
      offer(side, FeatureType::point, v, FeatureType::face, f, std::numeric_limits<double>::infinity());
    }
    if (v >= end) continue;
    for (int e = 0; e < static_cast<int>(other.edges.size()); ++e)
      if (is_round || other.radius > 0 || other.edges[static_cast<std::size_t>(e)].radius > 0)
        offer(side, FeatureType::point, v, FeatureType::line, e, on_curves);
    if (is_round && other.is_curved())
      for (int w = other.first_corner;
           w < std::min(other.first_mark, static_cast<int>(other.vertices.size())); ++w)
        offer(side, FeatureType::point, v, FeatureType::point, w, feature_tolerance);
    for (int c = 0; c < static_cast<int>(other.curves.size()); ++c) {
      const FeatureType type = other.curves[static_cast<std::size_t>(c)].type;
      if (type != FeatureType::circle)
        offer(side, FeatureType::point, v, type, c, on_curves);
      else if (is_round)
        offer(side, FeatureType::point, v, type, c, feature_tolerance);
    }
  }
}

/// Edges, axes and sides of cylinders.
void CurvedFinder::add_lines(Side side) {
  const ConvexShape &own = shape(side), &other = shape(opposite(side));
  for (int e = 0; e < static_cast<int>(own.edges.size()); ++e) {
    const auto& edge = own.edges[static_cast<std::size_t>(e)];
    const double radius = own.radius + edge.radius;
    if (is_far(other, 0.5 * (own.vertex(edge.from) + own.vertex(edge.to)), 0.5 * edge.length + radius))
      continue;
    for (int f = 0; f < static_cast<int>(other.edges.size()) && side == first; ++f)
      if (edge.direction.cross(other.edges[static_cast<std::size_t>(f)].direction).norm() > parallel_lines)
        for (const int branch : {0, 1})
          offer(side, FeatureType::line, e, FeatureType::line, f, patch_tilt, branch);
    for (int c = 0; c < static_cast<int>(other.curves.size()); ++c) {
      const Feature& curve = other.curves[static_cast<std::size_t>(c)];
      if (curve.type == FeatureType::circle) {
        is_crossed_ = add_crossing(side, FeatureType::line, e, c);
        offer(side, FeatureType::line, e, curve.type, c, radius > 0 ? patch_tilt : edge_tilt);
        is_crossed_ = false;
      } else if (curve.type == FeatureType::ellipsoid) {
        offer(side, FeatureType::line, e, curve.type, c, feature_tolerance);
      } else if (sine_between(curve.direction, edge.direction) > curve.sine) {
        for (const int branch : {0, 1}) offer(side, FeatureType::line, e, curve.type, c, patch_tilt, branch);
      }
    }
  }
}

/// Rims and ellipsoids on faces.
void CurvedFinder::add_curves(Side side) {
  const ConvexShape &own = shape(side), &other = shape(opposite(side));
  for (int c = 0; c < static_cast<int>(own.curves.size()); ++c) {
    const Feature& curve = own.curves[static_cast<std::size_t>(c)];
    if (curve.type == FeatureType::cone) continue;
    for (int f = 0; f < static_cast<int>(other.faces.size()); ++f)
      if (curve.type != FeatureType::circle ||
          !is_level(curve, other.faces[static_cast<std::size_t>(f)].normal))
        offer(side, curve.type, c, FeatureType::face, f, std::numeric_limits<double>::infinity());
  }
}

void CurvedFinder::add_pairs_of_curves() {
  for (int c = 0; c < static_cast<int>(a_->curves.size()); ++c)
    for (int d = 0; d < static_cast<int>(b_->curves.size()); ++d) {
      const FeatureType own = a_->curves[static_cast<std::size_t>(c)].type,
                        other = b_->curves[static_cast<std::size_t>(d)].type;
      const bool are_cones = own == FeatureType::cone && other == FeatureType::cone;
      const bool are_circles = own == FeatureType::circle && other == FeatureType::circle;
      is_crossed_ = are_circles && add_crossing(first, FeatureType::circle, c, d);
      offer(first, own, c, other, d, are_cones ? patch_tilt : edge_tilt);
      is_crossed_ = false;
      if (are_cones) offer(first, own, c, other, d, patch_tilt, 1);
    }
}

/// Where a line or another rim cuts across a rim, nearly in its flat.
bool CurvedFinder::add_crossing(Side side, FeatureType type, int own, int circle) {
  const Feature &rim = shape(opposite(side)).curves[static_cast<std::size_t>(circle)],
                across = feature_of(shape(side), type, own);
  const Vector3 offset = across.point - rim.point,
                in_flat = offset - rim.direction.dot(offset) * rim.direction;
  if (type == FeatureType::line) {
    const Vector3 flat = across.direction - rim.direction.dot(across.direction) * rim.direction;
    if (flat.norm() < std::sqrt(1 - patch_tilt * patch_tilt)) return false;
    const double apart = (in_flat - in_flat.dot(flat) / flat.squaredNorm() * flat).norm();
    if (apart > (1 - shallow_chord) * rim.radius) return false;
  } else {
    if (across.direction.dot(rim.direction) > 0 || !is_near_flat(rim, across.direction)) return false;
    const double apart = in_flat.norm(), margin = shallow_chord * std::min(rim.radius, across.radius);
    if (apart > rim.radius + across.radius - margin || apart < std::abs(rim.radius - across.radius) + margin)
      return false;
  }
  for (const int branch : {1, 2}) offer(side, type, own, FeatureType::circle, circle, patch_tilt, branch);
  return true;
}

void CurvedFinder::offer(Side side, FeatureType own_type, int own, FeatureType other_type, int other,
                         double allowed, int branch) {
  const bool is_first = side == first;
  const FeatureType type_a = is_first ? own_type : other_type, type_b = is_first ? other_type : own_type;
  const int a = is_first ? own : other, b = is_first ? other : own;
  const FeatureKind kind = kind_of(type_a, type_b, branch);
  const Feature feature_a = feature_of(*a_, type_a, a), feature_b = feature_of(*b_, type_b, b);
  const ClosestPoints at = gap_of_features(kind, feature_a, feature_b);
  if (!std::isfinite(at.gap) || !at.normal.allFinite()) return;
  // Where no smooth normal makes the separation largest, as of an ellipsoid over an end, the pair does not
  // touch.
  if ((at.on_first - at.on_second - at.gap * at.normal).norm() > feature_tolerance * size_) return;
  // Where a rim is crossed in its flat, that point is the crossing's, once.
  if (is_crossed_ && branch == 0)
    for (const Feature* rim : {&feature_a, &feature_b})
      if (rim->type == FeatureType::circle && is_near_flat(*rim, at.normal)) return;
  const double separation = -extent(*a_, -at.normal) - extent(*b_, at.normal);
  candidates_.push_back({{kind, a, b},
                         at,
                         separation,
                         allowed * size_,
                         is_inside(*a_, type_a, a, at.on_first),
                         is_inside(*b_, type_b, b, at.on_second)});
}

bool CurvedFinder::is_inside(const ConvexShape& shape, FeatureType type, int number,
                             const Vector3& point) const {
  const double margin = feature_tolerance * size_;
  if (type == FeatureType::line) {
    const auto& edge = shape.edges[static_cast<std::size_t>(number)];
    const double s = edge.direction.dot(point - shape.vertex(edge.from));
    return s > margin && s < edge.length - margin;
  }
  if (type == FeatureType::cone) {
    const Feature& cone = shape.curves[static_cast<std::size_t>(number)];
    const double s = cone.direction.dot(cone.point - point),
                 height = cone.direction.dot(cone.point - shape.curves[0].point);
    return s > margin && s < height - margin;
  }
  return type != FeatureType::face || distance_outside(shape, number, point) <= margin;
}

/// Whether everything within `length` of a point is out of reach.
bool CurvedFinder::is_far(const ConvexShape& from, const Vector3& point, double length) const {
  const Vector3& centre = from.is_curved() ? from.curves[0].point : from.vertex(0);
  return (point - centre).norm() > from.size + length + std::max(reach_, 0.0);
}

void CurvedFinder::choose(const StepMotion& motion, std::vector<FeaturePair>& out) const {
  const auto along = [&](const Candidate& candidate) {
    const double rise = candidate.at.normal.dot(motion.second_half(candidate.at.on_first));
    return StepSeparation{candidate.separation, candidate.separation + rise};
  };
  const Candidate *widest = nullptr, *lasting = nullptr;
  for (const Candidate& candidate : candidates_)
    if (!widest || candidate.separation > widest->separation) widest = &candidate;
  if (!widest || widest->separation > reach_) return;
  if (along(*widest).shrinks(significant * size_))
    for (const Candidate& candidate : candidates_)
      if (along(candidate).outlasts(along(*widest)) &&
          (!lasting || candidate.separation > lasting->separation))
        lasting = &candidate;
  if (lasting) widest = lasting;
  const double least = widest->separation - significant * size_;
  const std::size_t before = out.size();
  for (const Candidate& candidate : candidates_) {
    if (!candidate.is_inside_a || !candidate.is_inside_b || candidate.at.gap > reach_ ||
        candidate.at.gap < least)
      continue;
    if (candidate.at.gap - candidate.separation > candidate.allowed + significant * size_) continue;
    if (lasting && along(candidate).shrinks(significant * size_)) continue;
    const bool is_near = candidate.at.normal.dot(widest->at.normal) > 0 &&
                         sine_between(candidate.at.normal, widest->at.normal) < patch_tilt;
    if (is_near || candidate.separation >= least) out.push_back(candidate.pair);
  }
  // Shapes that overlap touch somewhere.
  if (out.size() == before && widest->separation <= 0 && !lasting) out.push_back(widest->pair);
}

}  // namespace percuss
