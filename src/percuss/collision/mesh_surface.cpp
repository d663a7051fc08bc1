#include "percuss/collision/mesh_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include <Eigen/Geometry>

#include "percuss/geometry/hull_corners.h"

namespace percuss {
namespace {

/// Triangles are of one face if their normals differ by less than this sine, and their corners are within
/// this part of the mesh's size of the same plane. Files have numbers with seven digits.
constexpr double flat_sine = 1e-5, flat_part = 1e-7;

}  // namespace

/// An edge of a triangle, from its corner k to the next.
struct MeshSurface::Side {
  int low, high;  ///< its ends; equal for the two triangles at an edge
  int triangle, k;
  int opposite = -1;  ///< the triangle on its other side, -1 at a border
};

MeshSurface::MeshSurface(const TriangleMesh& mesh, const Matrix3& R, const Vector3& x) {
  vertices_.reserve(mesh.vertices.size());
  for (const Vector3& vertex : mesh.vertices) vertices_.push_back(R * vertex + x);
  triangles_.reserve(mesh.triangles.size());
  for (const auto& corners : mesh.triangles) triangles_.push_back({corners, {flat, flat, flat}, -1});
  for (const auto& triangle : triangles_)
    for (const int v : triangle.vertices) box_.extend(vertex(v));

  std::vector<Side> sides;
  sides.reserve(3 * triangles_.size());
  for (int t = 0; t < triangle_count(); ++t)
    for (int k = 0; k < 3; ++k) {
      const auto& v = triangle(t).vertices;
      const auto [low, high] = std::minmax(v[static_cast<size_t>(k)], v[static_cast<size_t>((k + 1) % 3)]);
      sides.push_back({low, high, t, k});
    }
  const auto ends = [](const Side& side) { return std::tie(side.low, side.high, side.triangle); };
  std::ranges::sort(sides, {}, ends);
  for (size_t i = 0; i + 1 < sides.size(); ++i) {
    Side &one = sides[i], &other = sides[i + 1];
    if (one.low != other.low || one.high != other.high) continue;
    one.opposite = other.triangle;
    other.opposite = one.triangle;
  }
  merge_planes(sides);
  add_edges(sides);
  measure();
}

/// The triangle of a side stands right over its first corner: then everything in the plane is exactly in it.
MeshSurface::MeshSurface(const std::vector<Vector2>& polygon, const Vector3& x) : is_planar_(true) {
  const int n = static_cast<int>(polygon.size());
  for (const Vector2& corner : polygon) vertices_.emplace_back(corner.x() + x.x(), corner.y() + x.y(), 0);
  for (const Vector3& corner : vertices_) {
    box_.extend(corner);
    reach_ = std::max(reach_, corner.norm());
  }
  thickness_ = std::min(box_.sizes().x(), box_.sizes().y());
  const auto is_hollow = [&](int v) {
    const Vector3 before = vertex(v) - vertex((v + n - 1) % n), after = vertex((v + 1) % n) - vertex(v);
    return before.cross(after).z() < 0;
  };
  first_neighbour_.assign(static_cast<size_t>(2 * n + 1), 0);
  for (int v = 0; v < n; ++v) {
    const int next = (v + 1) % n;
    const Vector3 along = (vertex(next) - vertex(v)).normalized(), normal(along.y(), -along.x(), 0);
    faces_.push_back({normal, normal.dot(vertex(v))});
    triangles_.push_back(
        {{v, next, n + v}, {flat, is_hollow(next) ? hollow : flat, is_hollow(v) ? hollow : flat}, v});
    if (!is_hollow(v)) {
      neighbours_.insert(neighbours_.end(), {(v + n - 1) % n, next});
      outermost_.push_back(v);
    }
    first_neighbour_[static_cast<size_t>(v + 1)] = static_cast<int>(neighbours_.size());
  }
  std::fill(first_neighbour_.begin() + n, first_neighbour_.end(), static_cast<int>(neighbours_.size()));
  const double height = box_.sizes().norm();
  for (int v = 0; v < n; ++v) vertices_.push_back(vertex(v) + Vector3(0, 0, height));
  build_tree();
}

/// Planes grow from the largest triangles, so that small ones, whose normals are less certain, follow.
void MeshSurface::merge_planes(const std::vector<Side>& sides) {
  const size_t count = triangles_.size();
  std::vector<std::array<int, 3>> across(count, {-1, -1, -1});
  for (const Side& side : sides)
    across[static_cast<size_t>(side.triangle)][static_cast<size_t>(side.k)] = side.opposite;
  std::vector<Vector3> areas(count);
  for (size_t t = 0; t < count; ++t) {
    const auto& [a, b, c] = triangles_[t].vertices;
    areas[t] = (vertex(b) - vertex(a)).cross(vertex(c) - vertex(a));
  }
  std::vector<int> order(count), waiting;
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](int t) { return areas[static_cast<size_t>(t)].squaredNorm(); });
  const double tolerance = flat_part * box_.sizes().norm();
  for (const int seed : order) {
    if (triangle(seed).face >= 0) continue;
    const int number = static_cast<int>(faces_.size());
    const Vector3 normal = areas[static_cast<size_t>(seed)].normalized();
    const double offset = normal.dot(vertex(triangle(seed).vertices[0]));
    faces_.push_back({normal, offset});
    triangles_[static_cast<size_t>(seed)].face = number;
    waiting = {seed};
    while (!waiting.empty()) {
      const auto t = static_cast<size_t>(waiting.back());
      waiting.pop_back();
      for (const int next : across[t]) {
        if (next < 0 || triangle(next).face >= 0) continue;
        const Vector3& area = areas[static_cast<size_t>(next)];
        const bool is_parallel = normal.dot(area) > 0 && normal.cross(area).norm() <= flat_sine * area.norm();
        const bool is_near = std::ranges::all_of(triangle(next).vertices, [&](int v) {
          return std::abs(normal.dot(vertex(v)) - offset) <= tolerance;
        });
        if (!is_parallel || !is_near) continue;
        triangles_[static_cast<size_t>(next)].face = number;
        waiting.push_back(next);
      }
    }
  }
}

void MeshSurface::add_edges(const std::vector<Side>& sides) {
  std::vector<char> is_corner(vertices_.size(), 0);
  for (size_t i = 0; i < sides.size(); ++i) {
    const Side& side = sides[i];
    if (side.opposite >= 0 && side.opposite < side.triangle) continue;  // the other one has come before
    Triangle& own = triangles_[static_cast<size_t>(side.triangle)];
    const auto k = static_cast<size_t>(side.k);
    const int from = own.vertices[k], to = own.vertices[(k + 1) % 3];
    const Face& plane = face(own.face);
    int right = -1;
    if (side.opposite >= 0) {
      const Triangle& other = triangle(side.opposite);
      if (other.face == own.face) continue;
      const auto is_third = [&](int v) { return v != from && v != to; };
      const int third = *std::ranges::find_if(other.vertices, is_third);
      const bool is_hollow = plane.normal.dot(vertex(third) - vertex(from)) >= 0;
      const int number = is_hollow ? hollow : static_cast<int>(edges_.size());
      for (size_t j = 0; j < 3; ++j)
        if (other.vertices[j] == to && other.vertices[(j + 1) % 3] == from)
          triangles_[static_cast<size_t>(side.opposite)].edges[j] = number;
      own.edges[k] = number;
      if (is_hollow) continue;
      right = other.face;
    } else {
      has_border_ = true;
    }
    own.edges[k] = static_cast<int>(edges_.size());
    edges_.push_back({from, to, own.face, right});
    is_corner[static_cast<size_t>(from)] = is_corner[static_cast<size_t>(to)] = 1;
  }

  std::vector<std::pair<int, int>> pairs;  // corner, neighbour
  for (size_t i = 0; i < sides.size(); ++i) {
    const Side& side = sides[i];
    if (side.opposite >= 0 && side.opposite < side.triangle) continue;
    for (const auto& [own, other] : {std::pair(side.low, side.high), std::pair(side.high, side.low)}) {
      if (!is_corner[static_cast<size_t>(own)]) continue;
      pairs.emplace_back(own, other);
      if (side.opposite < 0) pairs.emplace_back(own, -1 - triangle(side.triangle).face);
    }
  }
  std::ranges::sort(pairs);
  first_neighbour_.assign(vertices_.size() + 1, 0);
  for (const auto& [own, other] : pairs) {
    ++first_neighbour_[static_cast<size_t>(own) + 1];
    neighbours_.push_back(other);
  }
  std::partial_sum(first_neighbour_.begin(), first_neighbour_.end(), first_neighbour_.begin());
}

void MeshSurface::measure() {
  for (const auto& triangle : triangles_)
    for (const int v : triangle.vertices) reach_ = std::max(reach_, vertex(v).norm());
  thickness_ = has_border_ ? std::numeric_limits<double>::infinity() : box_.sizes().minCoeff();
  build_tree();
  std::vector<int> corners;
  for (int v = 0; v < static_cast<int>(vertices_.size()); ++v)
    if (is_corner(v)) corners.push_back(v);
  try {
    std::vector<Vector3> places;
    for (const int v : corners) places.push_back(vertex(v));
    const auto less = [](const Vector3& a, const Vector3& b) {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    };
    std::vector<Vector3> hull = hull_corners(places);
    std::ranges::sort(hull, less);
    for (const int v : corners)
      if (std::ranges::binary_search(hull, vertex(v), less)) outermost_.push_back(v);
  } catch (const std::invalid_argument&) {
    outermost_ = std::move(corners);  // flat, or too many: all of them may be outermost
  }
}

void MeshSurface::build_tree() {
  tree_.build(triangle_count(), [&](int t) {
    Eigen::AlignedBox3d around;
    for (const int v : triangle(t).vertices) around.extend(vertex(v));
    return around;
  });
}

ConvexShape::Edge MeshSurface::edge(int e) const {
  const Edge& of = edges_[static_cast<size_t>(e)];
  const Vector3 along = vertex(of.to) - vertex(of.from);
  ConvexShape::Edge edge;
  edge.from = of.from;
  edge.to = of.to;
  edge.length = along.norm();
  edge.direction = along / edge.length;
  const Vector3& left = face(of.left).normal;
  edge.into_left = left.cross(edge.direction);
  edge.into_right = of.right >= 0 ? Vector3(edge.direction.cross(face(of.right).normal)) : Vector3(-left);
  return edge;
}

double MeshSurface::distance_to_triangle(int t, const Vector3& point) const {
  const auto& corners = triangle(t).vertices;
  const Vector3& normal = face(triangle(t).face).normal;
  double least = std::numeric_limits<double>::infinity();
  bool is_over = true;
  for (size_t k = 0; k < 3; ++k) {
    const Vector3 &from = vertex(corners[k]), along = vertex(corners[(k + 1) % 3]) - from, to = point - from;
    is_over = is_over && normal.dot(along.cross(to)) >= 0;
    const double s = std::clamp(to.dot(along) / along.squaredNorm(), 0.0, 1.0);
    least = std::min(least, (to - s * along).norm());
  }
  return is_over ? std::abs(normal.dot(point - vertex(corners[0]))) : least;
}

bool MeshSurface::cuts(int t, const Vector3& from, const Vector3& to, double margin) const {
  const auto& corners = triangle(t).vertices;
  const Vector3& normal = face(triangle(t).face).normal;
  const double before = normal.dot(from - vertex(corners[0])), after = normal.dot(to - vertex(corners[0]));
  const double length = (to - from).norm();
  if (before * after >= 0) return false;
  const double s = before / (before - after);
  if (s * length <= margin || (1 - s) * length <= margin) return false;
  const Vector3 hit = from + s * (to - from);
  for (size_t k = 0; k < 3; ++k) {
    const Vector3& corner = vertex(corners[k]);
    if (normal.dot((vertex(corners[(k + 1) % 3]) - corner).cross(hit - corner)) < 0) return false;
  }
  return true;
}

bool MeshSurface::points_along(int v, const Vector3& n, double tilt) const {
  const auto around = neighbours(v);
  return !around.empty() && std::ranges::all_of(around, [&](int other) {
    const Vector3 along =
        other >= 0 ? Vector3((vertex(other) - vertex(v)).normalized()) : Vector3(-face(-1 - other).normal);
    return n.dot(along) <= tilt;
  });
}

int count_of(const MeshSurface& mesh, FeatureType type) {
  switch (type) {
    case FeatureType::point: return static_cast<int>(mesh.vertices().size());
    case FeatureType::line: return static_cast<int>(mesh.edges().size());
    case FeatureType::face: return static_cast<int>(mesh.faces().size());
    default: return 0;
  }
}

Feature feature_of(const MeshSurface& mesh, FeatureType type, int number) {
  if (type == FeatureType::point) return {type, mesh.vertex(number)};
  if (type == FeatureType::face)
    return {type, mesh.face(number).offset * mesh.face(number).normal, mesh.face(number).normal};
  const ConvexShape::Edge edge = mesh.edge(number);
  return {type, mesh.vertex(edge.from), edge.direction};
}

}  // namespace percuss
