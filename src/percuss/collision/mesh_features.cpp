#include "percuss/collision/mesh_features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <Eigen/Geometry>

// Triangles of a mesh against polyhedra and other triangles. Points and segments: mesh_round.cpp.
namespace percuss {
namespace {

/// Sines of angles up to which two edges count as parallel, and a normal as that of a patch.
constexpr double parallel_sine = 1e-4, near_sine = 0.1;
/// How near a shallower contact must be to take the place of a deeper one, in depths of that; and the cosine
/// between their normals from which on they are of one patch.
constexpr double neighbourhood = 1.5, same_patch = 0.9;
/// How far beside a face a corner may be beneath a valley.
constexpr double hollow_part = 1e-2;
/// Of places on a mesh, as a part of its size.
constexpr double place_rounding = 1e-14;
constexpr double nowhere = std::numeric_limits<double>::infinity();

/// Two edges with the direction in which they can touch.
struct CrossedEdges {
  bool is_reversed;
  Vector3 normal;   ///< out of the first
  double distance;  ///< along it
};

/// False if the edges are parallel, or if their normal is by more than the sine `tilt` outside of what their
/// faces allow.
bool cross(const ConvexShape& first, const ConvexShape::Edge& a, const ConvexShape& second,
           const ConvexShape::Edge& b, double tilt, CrossedEdges& out) {
  const Vector3 across = a.direction.cross(b.direction);
  const double sine = across.norm();
  if (sine < parallel_sine) return false;
  for (const double sign : {1.0, -1.0}) {
    const Vector3 n = sign / sine * across;
    if (n.dot(outwards(a)) <= 0 || n.dot(outwards(b)) >= 0) continue;
    if (n.dot(a.into_left) > tilt || n.dot(a.into_right) > tilt || -n.dot(b.into_left) > tilt ||
        -n.dot(b.into_right) > tilt)
      continue;
    out = {sign > 0, n, n.dot(second.vertex(b.from) - first.vertex(a.from))};
    return true;
  }
  return false;
}

/// Bodies that move in the plane may be drawn at different heights.
Vector3 offset_between(const PlacedMesh& mesh, const Vector3& offset) {
  return mesh.surface->is_planar() ? Vector3(offset.x(), offset.y(), 0) : offset;
}

}  // namespace

void find_features_on_plane(const PlacedMesh& a, const Vector3& point, const Vector3& normal, double reach,
                            std::vector<FeaturePair>& out) {
  const Vector3 n = a.R.transpose() * normal;
  const double height = normal.dot(a.x - point);
  for (const int v : a.surface->outermost())
    if (height + n.dot(a.surface->vertex(v)) <= reach) out.push_back({FeatureKind::point_face, v, 0});
}

void MeshFeatureFinder::begin(const MeshSurface& mesh, double reach, std::vector<FeaturePair>& out) {
  mesh_ = &mesh;
  reach_ = reach;
  out_ = &out;
  near_.clear();
  found_.clear();
}

void MeshFeatureFinder::find(const PlacedMesh& mesh, const PlacedShape& other, double reach,
                             std::vector<FeaturePair>& out, const Vector3& turn) {
  begin(*mesh.surface, reach, out);
  const Matrix3 to_mesh = mesh.R.transpose();
  place(*other.shape, to_mesh * other.R, offset_between(mesh, to_mesh * (other.x - mesh.x)), other_.shape);
  other_.mesh = nullptr;
  const Eigen::AlignedBox3d box = box_around(other_.shape);
  const Vector3 margin = Vector3::Constant(reach);
  mesh_->visit_triangles_in({box.min() - margin, box.max() + margin}, [&](int t) { near_.push_back(t); });
  std::ranges::sort(near_);
  size_ = std::min(other_.shape.size, mesh_->box().sizes().norm());
  // Particles have no size; then it is the rounding of places.
  tolerance_ = std::max(feature_tolerance * size_, place_rounding * mesh_->box().sizes().norm());
  deepest_ = -0.5 * std::min(other_.shape.thickness, mesh_->thickness());
  const bool is_curved = other_.shape.is_curved();
  if (!is_curved && other_.shape.is_point()) return point_on_mesh(0);
  if (!is_curved && other_.shape.is_segment()) return segment_on_mesh();
  for (const int t : near_) {
    take_triangle(own_, t, Matrix3::Identity(), Vector3::Zero());
    is_curved ? curved_on_element(to_mesh * turn) : element_on_element();
  }
  add_valid();
}

void MeshFeatureFinder::find(const PlacedMesh& mesh, const PlacedMesh& other, double reach,
                             std::vector<FeaturePair>& out) {
  begin(*mesh.surface, reach, out);
  const Matrix3 R = mesh.R.transpose() * other.R;
  const Vector3 x = offset_between(mesh, mesh.R.transpose() * (other.x - mesh.x));
  other_.mesh = other.surface;
  other_.to_mesh = R.transpose();
  other_origin_ = x;
  size_ = std::min(mesh_->box().sizes().norm(), other.surface->box().sizes().norm());
  tolerance_ = feature_tolerance * size_;
  deepest_ = -0.5 * std::min(other.surface->thickness(), mesh_->thickness());
  const auto turned = [](const Eigen::AlignedBox3d& box, const Matrix3& by, const Vector3& to,
                         double margin) {
    const Vector3 centre = by * box.center() + to;
    const Vector3 half = by.cwiseAbs() * (0.5 * box.sizes()) + Vector3::Constant(margin);
    return Eigen::AlignedBox3d(centre - half, centre + half);
  };
  const auto around_mesh = turned(mesh_->box(), R.transpose(), -(R.transpose() * x), reach);
  near_other_.clear();
  other.surface->visit_triangles_in(around_mesh, [&](int t) { near_other_.push_back(t); });
  std::ranges::sort(near_other_);
  for (const int t_other : near_other_) {
    take_triangle(other_, t_other, R, x);
    Eigen::AlignedBox3d box;
    for (const Vector3& vertex : other_.shape.vertices) box.extend(vertex);
    const Vector3 margin = Vector3::Constant(reach);
    near_.clear();
    mesh_->visit_triangles_in({box.min() - margin, box.max() + margin}, [&](int t) { near_.push_back(t); });
    std::ranges::sort(near_);
    for (const int t : near_) {
      take_triangle(own_, t, Matrix3::Identity(), Vector3::Zero());
      element_on_element();
    }
  }
  add_valid();
}

/// A triangle of the mesh of an element; of the second one in the axes of the first.
void MeshFeatureFinder::take_triangle(Element& element, int t, const Matrix3& R, const Vector3& x) {
  if (&element == &own_) {
    element.mesh = mesh_;
    element.to_mesh.setIdentity();
  }
  const MeshSurface& mesh = *element.mesh;
  const auto& triangle = mesh.triangle(t);
  ConvexShape& shape = element.shape;
  element.triangle = t;
  shape.vertices.clear();
  shape.edges.clear();
  shape.outwards.clear();
  shape.corners.assign({0, 1, 2});
  shape.sides.assign({-1, -1, -1});
  shape.radius = 0;
  for (const int v : triangle.vertices) shape.vertices.emplace_back(R * mesh.vertex(v) + x);
  const auto& face = mesh.face(triangle.face);
  const Vector3 normal = R * face.normal;
  shape.faces.assign(1, {normal, face.offset + normal.dot(x), 0, 3});
  shape.size =
      std::max((shape.vertex(1) - shape.vertex(0)).norm(), (shape.vertex(2) - shape.vertex(0)).norm());
  for (int k = 0; k < 3; ++k) {
    const Vector3 along = (shape.vertex((k + 1) % 3) - shape.vertex(k)).normalized();
    shape.outwards.emplace_back(along.cross(normal));
    const int number = triangle.edges[static_cast<size_t>(k)];
    if (number < 0) continue;
    ConvexShape::Edge edge = mesh.edge(number);
    edge.from = edge.from == triangle.vertices[static_cast<size_t>(k)] ? k : (k + 1) % 3;
    edge.to = edge.from == k ? (k + 1) % 3 : k;
    edge.direction = R * edge.direction;
    edge.into_left = R * edge.into_left;
    edge.into_right = R * edge.into_right;
    element.edges[shape.edges.size()] = number;
    shape.edges.push_back(edge);
  }
}

void MeshFeatureFinder::add(FeatureKind kind, int own, int other) {
  const FeaturePair pair{kind, own, other};
  if (std::ranges::find(*out_, pair) == out_->end()) out_->push_back(pair);
}

FeaturePair MeshFeatureFinder::numbered(FeatureKind kind, int own, int other) const {
  const auto number = [](const Element& of, FeatureType type, int k) {
    if (!of.mesh) return k;
    const auto& triangle = of.mesh->triangle(of.triangle);
    if (type == FeatureType::line) return of.edges[static_cast<size_t>(k)];
    return type == FeatureType::point ? triangle.vertices[static_cast<size_t>(k)] : triangle.face;
  };
  return {kind, number(own_, first_type(kind), own), number(other_, second_type(kind), other)};
}

void MeshFeatureFinder::element_on_element() {
  // A body that is wholly behind a triangle is not before the surface there.
  const auto& face = own_.shape.faces[0];
  const auto is_behind = [&](const Vector3& v) { return face.normal.dot(v) < face.offset; };
  if (!other_.mesh && std::ranges::all_of(other_.shape.vertices, is_behind)) return;
  for (const Side side : {first, second})
    for (const auto& plane : element(side).shape.faces) {
      const auto& vertices = element(side == first ? second : first).shape.vertices;
      const auto is_far = [&](const Vector3& v) { return plane.normal.dot(v) - plane.offset > reach_; };
      if (std::ranges::all_of(vertices, is_far)) return;
    }
  corners_on_faces(second);
  corners_on_faces(first);
  edges_on_edges();
}

bool MeshFeatureFinder::is_corner_along(Side side, int vertex, const Vector3& direction, double tilt) const {
  const Element& of = element(side);
  if (!of.mesh) return true;
  const int number = of.mesh->triangle(of.triangle).vertices[static_cast<size_t>(vertex)];
  return of.mesh->points_along(number, of.to_mesh * direction, tilt);
}

bool MeshFeatureFinder::is_corner(const Element& of, int vertex) {
  return !of.mesh || of.mesh->is_corner(of.mesh->triangle(of.triangle).vertices[static_cast<size_t>(vertex)]);
}

/// Corners of one side before a face of the other. Of the faces of a convex body the one before which the
/// corner is farthest, of those that it can touch. Before a triangle every corner counts, also one whose
/// edges go deeper from there: in a valley they leave the triangle first; but one from which everything goes
/// deeper, or level, belongs to a body behind it.
void MeshFeatureFinder::corners_on_faces(Side side) {
  const Side opposite = side == first ? second : first;
  const Element &own = element(side), &other = element(opposite);
  // Of two ends in one plane, as those of gears, neither is before the other.
  const auto lies_behind = [&](int v, const Vector3& normal) {
    if (own.mesh) return is_corner_along(side, v, normal, same_part);
    return std::ranges::all_of(own.shape.vertices, [&](const Vector3& vertex) {
      return normal.dot(vertex - own.shape.vertex(v)) <= same_part * size_;
    });
  };
  for (int v = 0; v < static_cast<int>(own.shape.vertices.size()); ++v) {
    const Vector3& corner = own.shape.vertex(v);
    if (!is_corner(own, v)) continue;
    double highest = -nowhere;
    int face = -1;
    for (int f = 0; f < static_cast<int>(other.shape.faces.size()); ++f) {
      const auto& plane = other.shape.faces[static_cast<size_t>(f)];
      const double height = plane.normal.dot(corner) - plane.offset;
      if (height <= highest || (!other.mesh && !is_corner_along(side, v, -plane.normal, near_sine))) continue;
      highest = height;
      face = f;
    }
    if (face < 0 || highest > reach_ || highest < deepest_) continue;
    if (!is_over(other, face, corner, highest)) continue;
    const Vector3& normal = other.shape.faces[static_cast<size_t>(face)].normal;
    if (other.mesh && lies_behind(v, normal)) continue;
    const Vector3 foot = corner - highest * normal;
    if (side == first && is_listed_corner(corner, normal)) continue;
    if (highest < -same_part * size_ && !is_inside(opposite, corner, foot)) continue;
    const Vector3 on_surface =
        other.mesh ? Vector3((other.shape.vertex(0) + other.shape.vertex(1) + other.shape.vertex(2)) / 3)
                   : foot;
    if (side == second)
      found_.push_back(
          {numbered(FeatureKind::face_point, face, v), highest, normal, foot, corner, on_surface, corner});
    else
      found_.push_back(
          {numbered(FeatureKind::point_face, v, face), highest, -normal, corner, foot, corner, on_surface});
  }
}

/// Beneath a valley a corner is beside both faces by up to its depth.
bool MeshFeatureFinder::is_over(const Element& of, int face, const Vector3& point, double height) const {
  if (!of.mesh) return distance_outside(of.shape, face, point) <= tolerance_;
  const auto& edges = of.mesh->triangle(of.triangle).edges;
  for (int k = 0; k < 3; ++k) {
    const auto at = static_cast<size_t>(k);
    const bool is_hollow = edges[at] == MeshSurface::hollow;
    const double allowed = is_hollow ? std::clamp(-height, tolerance_, hollow_part * size_) : tolerance_;
    if (of.shape.outwards[at].dot(point - of.shape.vertex(k)) > allowed) return false;
  }
  return true;
}

/// Whether the way between two features that have passed through each other is inside of a side: otherwise
/// they are parts of bodies that touch somewhere else, or not at all.
bool MeshFeatureFinder::is_inside(Side side, const Vector3& from, const Vector3& to) const {
  const MeshSurface* mesh = element(side).mesh;
  if (!mesh) {
    const ConvexShape& shape = element(side).shape;
    const Vector3 middle = 0.5 * (from + to);
    return shape.faces.size() == 2 ||
           contains(shape, middle, tolerance_);  // a segment has two sides, no inside
  }
  const auto in_mesh = [&](const Vector3& p) {
    return side == first ? p : Vector3(other_.to_mesh * (p - other_origin_));
  };
  const Vector3 begin = in_mesh(from), end = in_mesh(to);
  Eigen::AlignedBox3d box(begin, begin);
  box.extend(end);
  bool is_inside = true;
  mesh->visit_triangles_in(box,
                           [&](int t) { is_inside = is_inside && !mesh->cuts(t, begin, end, tolerance_); });
  return is_inside;
}

/// Whether another contact takes the place of one that is deeper: the free space outside of a crest is that
/// before one face or the other, and what has passed through leaves where it is least deep. In a valley it is
/// before both: there the surface of the one contact is before that of the other.
bool MeshFeatureFinder::is_replaced(const Found& deep, const Found& by) const {
  if (deep.gap >= -same_part * size_ || by.gap > touching_part * size_) return false;
  if (std::tuple(by.gap, by.pair) <= std::tuple(deep.gap, deep.pair)) return false;
  if (deep.normal.dot(by.normal) > same_patch) return false;
  const double near = neighbourhood * -deep.gap;
  if ((by.on_own - deep.on_own).norm() > near && (by.on_other - deep.on_other).norm() > near) return false;
  return by.normal.dot(deep.place_own - by.on_own) <= tolerance_ &&
         -by.normal.dot(deep.place_other - by.on_other) <= tolerance_;
}

void MeshFeatureFinder::add_valid() {
  for (const Found& own : found_)
    if (std::ranges::none_of(found_, [&](const Found& other) { return is_replaced(own, other); }))
      add(own.pair.kind, own.pair.a, own.pair.b);
}

/// Whether a corner of the second side is at this place, but for what is along the normal.
bool MeshFeatureFinder::is_listed_corner(const Vector3& corner, const Vector3& normal) const {
  for (int v = 0; v < static_cast<int>(other_.shape.vertices.size()); ++v) {
    const Vector3 apart = other_.shape.vertex(v) - corner;
    const double along = normal.dot(apart);
    if (std::abs(along) <= reach_ + same_part * size_ && (apart - along * normal).norm() <= 2 * tolerance_ &&
        is_corner(other_, v))
      return true;
  }
  return false;
}

void MeshFeatureFinder::edges_on_edges() {
  const double least_cosine = std::sqrt(1 - near_sine * near_sine);
  const auto is_near_face = [&](const ConvexShape::Edge& edge, const Vector3& n) {
    return n.dot(edge.direction.cross(edge.into_left)) >= least_cosine ||
           n.dot(edge.into_right.cross(edge.direction)) >= least_cosine;
  };
  CrossedEdges pair;
  for (int i = 0; i < static_cast<int>(own_.shape.edges.size()); ++i)
    for (int j = 0; j < static_cast<int>(other_.shape.edges.size()); ++j) {
      const auto& a = own_.shape.edges[static_cast<size_t>(i)];
      const auto& b = other_.shape.edges[static_cast<size_t>(j)];
      if (!cross(own_.shape, a, other_.shape, b, near_sine, pair)) continue;
      if (pair.distance > reach_ || pair.distance < deepest_) continue;
      // Outside of what their faces allow they count with the patch of faces whose corners they bound.
      if (!is_near_face(a, pair.normal) && !is_near_face(b, -pair.normal) &&
          !cross(own_.shape, a, other_.shape, b, feature_tolerance, pair))
        continue;
      const Vector3 offset = other_.shape.vertex(b.from) - own_.shape.vertex(a.from);
      const double cosine = a.direction.dot(b.direction), sine2 = 1 - cosine * cosine;
      const double along_a = offset.dot(a.direction), along_b = offset.dot(b.direction);
      const double s = (along_a - cosine * along_b) / sine2, t = (cosine * along_a - along_b) / sine2;
      if (s <= tolerance_ || s >= a.length - tolerance_ || t <= tolerance_ || t >= b.length - tolerance_)
        continue;
      const Vector3 on_a = own_.shape.vertex(a.from) + s * a.direction,
                    on_b = other_.shape.vertex(b.from) + t * b.direction;
      if (pair.distance < -same_part * size_ &&
          (!is_inside(first, on_b, on_a) || !is_inside(second, on_a, on_b)))
        continue;
      const FeaturePair numbers =
          numbered(pair.is_reversed ? FeatureKind::line_line_reversed : FeatureKind::line_line, i, j);
      found_.push_back({numbers, pair.distance, pair.normal, on_a, on_b, on_a, on_b});
    }
}

}  // namespace percuss
