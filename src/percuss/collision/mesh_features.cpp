#include "percuss/collision/mesh_features.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

// Triangles of a mesh against polyhedra and other triangles. Points and segments: mesh_round.cpp.
namespace percuss {
namespace {

/// Sines of angles up to which two edges count as parallel, and a normal as that of a patch.
constexpr double parallel_sine = 1e-4, near_sine = 0.1;
/// By this part of the smaller size separations that are the same may differ by rounding.
constexpr double same_part = 1e-6;
/// Features of a triangle may be deeper than it really is in the other body by this part of the smaller size:
/// a corner near the border of two triangles is in one of them by less than it is deep.
constexpr double shared_depth = 1e-3;
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
}

void MeshFeatureFinder::find(const PlacedMesh& mesh, const PlacedShape& other, double reach,
                             std::vector<FeaturePair>& out) {
  begin(*mesh.surface, reach, out);
  const Matrix3 to_mesh = mesh.R.transpose();
  place(*other.shape, to_mesh * other.R, to_mesh * (other.x - mesh.x), other_.shape);
  other_.mesh = nullptr;
  Eigen::AlignedBox3d box;
  for (const Vector3& vertex : other_.shape.vertices) box.extend(vertex);
  const Vector3 margin = Vector3::Constant(reach + other_.shape.radius);
  mesh_->visit_triangles_in({box.min() - margin, box.max() + margin}, [&](int t) { near_.push_back(t); });
  std::ranges::sort(near_);
  size_ = std::min(other_.shape.size, mesh_->box().sizes().norm());
  tolerance_ = feature_tolerance * size_;
  if (other_.shape.is_point()) return point_on_mesh(0);
  if (other_.shape.is_segment()) return segment_on_mesh();
  for (const int t : near_) {
    take_triangle(own_, t, Matrix3::Identity(), Vector3::Zero());
    element_on_element();
  }
}

void MeshFeatureFinder::find(const PlacedMesh& mesh, const PlacedMesh& other, double reach,
                             std::vector<FeaturePair>& out) {
  begin(*mesh.surface, reach, out);
  const Matrix3 R = mesh.R.transpose() * other.R;
  const Vector3 x = mesh.R.transpose() * (other.x - mesh.x);
  other_.mesh = other.surface;
  other_.to_mesh = R.transpose();
  size_ = std::min(mesh_->box().sizes().norm(), other.surface->box().sizes().norm());
  tolerance_ = feature_tolerance * size_;
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

void MeshFeatureFinder::add_pair(FeatureKind kind, int own, int other) {
  const auto number = [](const Element& of, FeatureKind as, bool is_first, int k) {
    if (!of.mesh) return k;
    const auto& triangle = of.mesh->triangle(of.triangle);
    if (as == FeatureKind::line_line || as == FeatureKind::line_line_reversed)
      return of.edges[static_cast<size_t>(k)];
    const bool is_point = (as == FeatureKind::point_face) == is_first;
    return is_point ? triangle.vertices[static_cast<size_t>(k)] : triangle.face;
  };
  add(kind, number(own_, kind, true, own), number(other_, kind, false, other));
}

void MeshFeatureFinder::element_on_element() {
  // What is wholly behind a triangle is not before the surface there.
  for (const Side side : {first, second}) {
    if (!element(side).mesh) continue;
    const auto& face = element(side).shape.faces[0];
    const auto& vertices = element(side == first ? second : first).shape.vertices;
    if (std::ranges::all_of(vertices, [&](const Vector3& v) { return face.normal.dot(v) < face.offset; }))
      return;
  }
  const Separation widest = widest_separation();
  if (!(widest.distance <= reach_) || widest.distance == -nowhere) return;
  double least = widest.distance - same_part * size_;
  if (widest.distance < -shared_depth * size_)
    least = std::max(least, std::min(separation_in_all_directions(), 0.0) - shared_depth * size_);
  corners_on_faces(second, least);
  corners_on_faces(first, least);
  edges_on_edges(widest, least);
}

/// Among the normals of faces and the common normals of edges along which both surfaces can touch. More than
/// the reach if they are so far apart in any of these directions.
MeshFeatureFinder::Separation MeshFeatureFinder::widest_separation() const {
  Separation widest{-nowhere, Vector3::Zero()};
  for (const Side side : {first, second}) {
    const Side opposite = side == first ? second : first;
    for (const auto& face : element(side).shape.faces) {
      double nearest = nowhere;
      for (const Vector3& vertex : element(opposite).shape.vertices)
        nearest = std::min(nearest, face.normal.dot(vertex));
      const double distance = nearest - face.offset;
      if (distance > reach_) return {distance, face.normal};
      if (distance > widest.distance && touches_along(opposite, -face.normal))
        widest = {distance, (side == first ? 1.0 : -1.0) * face.normal};
    }
  }
  CrossedEdges pair;
  for (const auto& a : own_.shape.edges)
    for (const auto& b : other_.shape.edges)
      if (cross(own_.shape, a, other_.shape, b, feature_tolerance, pair) && pair.distance > widest.distance)
        widest = {pair.distance, pair.normal};
  return widest;
}

/// How far the triangle itself is from the other one: negative if it is cut by it.
double MeshFeatureFinder::separation_in_all_directions() const {
  double widest = -nowhere;
  const auto offer = [&](const Vector3& n) {
    double low_a = nowhere, high_a = -nowhere, low_b = nowhere, high_b = -nowhere;
    for (const Vector3& vertex : own_.shape.vertices) {
      low_a = std::min(low_a, n.dot(vertex));
      high_a = std::max(high_a, n.dot(vertex));
    }
    for (const Vector3& vertex : other_.shape.vertices) {
      low_b = std::min(low_b, n.dot(vertex));
      high_b = std::max(high_b, n.dot(vertex));
    }
    widest = std::max({widest, low_b - high_a, low_a - high_b});
  };
  const auto offer_cross = [&](const Vector3& a, const Vector3& b) {
    const Vector3 across = a.cross(b);
    const double length = across.norm();
    if (length > parallel_sine * a.norm() * b.norm()) offer(across / length);
  };
  for (const Element* of : {&own_, &other_})
    for (const auto& face : of->shape.faces) offer(face.normal);
  const auto side_of = [](const Element& of, int k) {
    return Vector3(of.shape.vertex((k + 1) % 3) - of.shape.vertex(k));
  };
  for (int k = 0; k < 3; ++k) {
    const Vector3 along = side_of(own_, k);
    if (other_.mesh)
      for (int l = 0; l < 3; ++l) offer_cross(along, side_of(other_, l));
    else
      for (const auto& edge : other_.shape.edges) offer_cross(along, edge.direction);
  }
  return widest;
}

/// Whether what is farthest along a direction is something that touches in it: the whole triangle, one of its
/// edges or a corner.
bool MeshFeatureFinder::touches_along(Side side, const Vector3& direction) const {
  const Element& of = element(side);
  if (!of.mesh) return true;
  double highest = -nowhere;
  for (const Vector3& vertex : of.shape.vertices) highest = std::max(highest, direction.dot(vertex));
  std::array<int, 3> top{};
  int count = 0;
  for (int k = 0; k < 3; ++k)
    if (direction.dot(of.shape.vertex(k)) >= highest - tolerance_) top[static_cast<size_t>(count++)] = k;
  if (count == 3) return direction.dot(of.shape.faces[0].normal) > 0;
  if (count == 1) return is_corner_along(side, top[0], direction, feature_tolerance);
  return std::ranges::any_of(of.shape.edges, [&](const ConvexShape::Edge& edge) {
    return std::minmax(edge.from, edge.to) == std::minmax(top[0], top[1]) &&
           direction.dot(edge.into_left) <= feature_tolerance &&
           direction.dot(edge.into_right) <= feature_tolerance;
  });
}

bool MeshFeatureFinder::is_corner_along(Side side, int vertex, const Vector3& direction, double tilt) const {
  const Element& of = element(side);
  if (!of.mesh) return true;
  const int number = of.mesh->triangle(of.triangle).vertices[static_cast<size_t>(vertex)];
  return of.mesh->points_along(number, of.to_mesh * direction, tilt);
}

/// Corners of one side before a face of the other; of several faces that the corner can touch the one before
/// which it is farthest.
void MeshFeatureFinder::corners_on_faces(Side side, double least) {
  const Side opposite = side == first ? second : first;
  const Element &own = element(side), &other = element(opposite);
  for (int v = 0; v < static_cast<int>(own.shape.vertices.size()); ++v) {
    const Vector3& corner = own.shape.vertex(v);
    double highest = -nowhere;
    int face = -1;
    for (int f = 0; f < static_cast<int>(other.shape.faces.size()); ++f) {
      const auto& plane = other.shape.faces[static_cast<size_t>(f)];
      const double height = plane.normal.dot(corner) - plane.offset;
      if (height <= highest || !is_corner_along(side, v, -plane.normal, near_sine)) continue;
      highest = height;
      face = f;
    }
    if (face < 0 || highest > reach_ || highest < least) continue;
    if (distance_outside(other.shape, face, corner) > tolerance_) continue;
    if (side == second)
      add_pair(FeatureKind::face_point, face, v);
    else if (!is_listed_corner(corner, other.shape.faces[static_cast<size_t>(face)].normal))
      add_pair(FeatureKind::point_face, v, face);
  }
}

/// Whether a corner of the second side is at this place, but for what is along the normal.
bool MeshFeatureFinder::is_listed_corner(const Vector3& corner, const Vector3& normal) const {
  for (int v = 0; v < static_cast<int>(other_.shape.vertices.size()); ++v) {
    const Vector3 apart = other_.shape.vertex(v) - corner;
    const double along = normal.dot(apart);
    if (std::abs(along) <= reach_ + same_part * size_ && (apart - along * normal).norm() <= 2 * tolerance_ &&
        is_corner_along(second, v, -own_.shape.faces[0].normal, near_sine))
      return true;
  }
  return false;
}

void MeshFeatureFinder::edges_on_edges(const Separation& widest, double least) {
  CrossedEdges pair;
  for (int i = 0; i < static_cast<int>(own_.shape.edges.size()); ++i)
    for (int j = 0; j < static_cast<int>(other_.shape.edges.size()); ++j) {
      const auto& a = own_.shape.edges[static_cast<size_t>(i)];
      const auto& b = other_.shape.edges[static_cast<size_t>(j)];
      if (!cross(own_.shape, a, other_.shape, b, near_sine, pair)) continue;
      if (pair.distance > reach_ || pair.distance < least) continue;
      // Outside of what their faces allow they count with the patch whose corners they bound.
      const bool is_near = pair.normal.dot(widest.normal) >= std::sqrt(1 - near_sine * near_sine);
      if (!is_near && !cross(own_.shape, a, other_.shape, b, feature_tolerance, pair)) continue;
      const Vector3 offset = other_.shape.vertex(b.from) - own_.shape.vertex(a.from);
      const double cosine = a.direction.dot(b.direction), sine2 = 1 - cosine * cosine;
      const double on_a = offset.dot(a.direction), on_b = offset.dot(b.direction);
      const double s = (on_a - cosine * on_b) / sine2, t = (cosine * on_a - on_b) / sine2;
      if (s <= tolerance_ || s >= a.length - tolerance_ || t <= tolerance_ || t >= b.length - tolerance_)
        continue;
      add_pair(pair.is_reversed ? FeatureKind::line_line_reversed : FeatureKind::line_line, i, j);
    }
}

}  // namespace percuss
