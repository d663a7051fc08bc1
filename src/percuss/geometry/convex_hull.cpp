#include "percuss/geometry/convex_hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <Eigen/Geometry>

// The hull of triangles is grown point by point with exact orientations, so that its topology is right for
// any input; tolerances come in only afterwards, when triangles are merged into polygons.
namespace percuss {
namespace {

using Triangle = std::array<int, 3>;
using Edge = std::pair<int, int>;
using Polygon = std::vector<int>;

/// Points in whole units of about 2^-51 of their extent: differences of coordinates are exact, products
/// neither overflow nor underflow.
template <class Vector>
struct GridPoints {
  std::vector<Vector> points;
  double tolerance;
};

template <class Vector>
GridPoints<Vector> onto_grid(const std::vector<Vector>& points) {
  const auto dimension = static_cast<std::size_t>(Vector::SizeAtCompileTime);
  if (points.size() < dimension + 1)
    throw std::invalid_argument("convex hull needs at least " + std::to_string(dimension + 1) +
                                " points, got " + std::to_string(points.size()));
  Vector lower = points[0], upper = points[0];
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite())
      throw std::invalid_argument("convex hull: point " + std::to_string(i) + " is not finite");
    lower = lower.cwiseMin(points[i]);
    upper = upper.cwiseMax(points[i]);
  }
  const Vector centre = 0.5 * lower + 0.5 * upper;
  const double extent = std::max((upper - centre).maxCoeff(), (centre - lower).maxCoeff());
  if (extent == 0) throw std::invalid_argument("convex hull: all points coincide");
  const int shift = 51 - std::ilogb(extent) - 1;
  const auto to_grid = [shift](double x) { return std::nearbyint(std::ldexp(x, shift)); };
  GridPoints<Vector> grid{{}, hull_tolerance * std::ldexp(extent, shift)};
  for (const Vector& point : points) grid.points.emplace_back((point - centre).unaryExpr(to_grid));
  return grid;
}

/// Indices of the points that are not within the tolerance of an earlier one.
template <class Vector>
std::vector<int> distinct_points(const GridPoints<Vector>& grid) {
  std::vector<int> distinct;
  for (int i = 0; i < std::ssize(grid.points); ++i)
    if (std::none_of(distinct.begin(), distinct.end(),
                     [&](int j) { return (grid.points[i] - grid.points[j]).norm() <= grid.tolerance; }))
      distinct.push_back(i);
  return distinct;
}

/// Sign of the exact sum of at most 24 numbers (Shewchuk 1997, grow-expansion): `parts` is the exact sum so
/// far, as numbers that do not overlap, in increasing order.
int sign_of_sum(std::span<const double> terms) {
  std::array<double, 24> parts;
  std::size_t size = 0;
  for (double total : terms) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double sum = total + parts[i];
      const double added = sum - total;
      const double error = (total - (sum - added)) + (parts[i] - added);
      if (error != 0) parts[kept++] = error;
      total = sum;
    }
    if (total != 0) parts[kept++] = total;
    size = kept;
  }
  if (size == 0) return 0;
  return parts[size - 1] > 0 ? 1 : -1;
}

/// The exact product as a sum of two numbers.
std::array<double, 2> exact_product(double x, double y) {
  const double product = x * y;
  return {product, std::fma(x, y, -product)};
}

/// Sign of (b - a) x (c - a) . (d - a): positive if d is on the outer side of the counter-clockwise triangle.
int orientation(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const Vector3 ab = b - a, ac = c - a, ad = d - a;
  const double determinant = ab.cross(ac).dot(ad);
  const double rounding = 1e-15 * ab.cwiseAbs().sum() * ac.cwiseAbs().sum() * ad.cwiseAbs().sum();
  if (std::abs(determinant) > rounding) return determinant > 0 ? 1 : -1;
  std::array<double, 24> terms;
  std::size_t count = 0;
  const auto add = [&](double x, double y, double z) {
    for (const double part : exact_product(x, y))
      for (const double term : exact_product(part, z)) terms[count++] = term;
  };
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    add(ab[i], ac[j], ad[k]);
    add(-ab[i], ac[k], ad[j]);
  }
  return sign_of_sum(terms);
}

/// Positive if a, b, c turn to the left.
int orientation(const Vector2& a, const Vector2& b, const Vector2& c) {
  const Vector2 ab = b - a, ac = c - a;
  const auto left = exact_product(ab.x(), ac.y()), right = exact_product(-ab.y(), ac.x());
  return sign_of_sum(std::array{left[0], left[1], right[0], right[1]});
}

/// Four points that span space, counter-clockwise such that the last is inside of the first three.
std::array<int, 4> first_tetrahedron(const GridPoints<Vector3>& grid, const std::vector<int>& candidates) {
  const auto& points = grid.points;
  const auto farthest = [&](auto distance, const char* shape) {
    const int best = *std::max_element(candidates.begin(), candidates.end(),
                                       [&](int i, int j) { return distance(i) < distance(j); });
    if (distance(best) <= 10 * grid.tolerance)
      throw std::invalid_argument(std::string("convex hull: all points ") + shape);
    return best;
  };
  const int a = candidates[0];
  const int b = farthest([&](int i) { return (points[i] - points[a]).norm(); }, "coincide");
  const Vector3 along = (points[b] - points[a]).normalized();
  const int c = farthest([&](int i) { return along.cross(points[i] - points[a]).norm(); }, "lie on one line");
  const Vector3 normal = along.cross(points[c] - points[a]).normalized();
  const int d =
      farthest([&](int i) { return std::abs(normal.dot(points[i] - points[a])); }, "lie in one plane");
  if (orientation(points[a], points[b], points[c], points[d]) > 0) return {a, c, b, d};
  return {a, b, c, d};
}

/// Each point outside replaces the triangles that it sees by a fan from their rim. A triangle in whose plane
/// it lies is not seen: then it is never on the line of a rim edge, and no triangle degenerates.
std::vector<Triangle> hull_triangles(const GridPoints<Vector3>& grid) {
  const auto& points = grid.points;
  const std::vector<int> candidates = distinct_points(grid);
  const auto [a, b, c, d] = first_tetrahedron(grid, candidates);
  std::vector<Triangle> triangles = {{a, b, c}, {a, d, b}, {b, d, c}, {c, d, a}};
  for (const int i : candidates) {
    std::set<Edge> rim;
    std::erase_if(triangles, [&](const Triangle& t) {
      if (orientation(points[t[0]], points[t[1]], points[t[2]], points[i]) <= 0) return false;
      for (const Edge& edge : {Edge(t[0], t[1]), Edge(t[1], t[2]), Edge(t[2], t[0])})
        if (rim.erase({edge.second, edge.first}) == 0) rim.insert(edge);
      return true;
    });
    for (const auto& [from, to] : rim) triangles.push_back({from, to, i});
  }
  return triangles;
}

/// Twice the area of a polygon times its normal.
Vector3 area_vector(const std::vector<Vector3>& points, std::span<const int> loop) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t i = 2; i < loop.size(); ++i)
    sum += (points[loop[i - 1]] - points[loop[0]]).cross(points[loop[i]] - points[loop[0]]);
  return sum;
}

/// Joins triangles in a common plane to polygons, the largest first because its plane is known best.
class CoplanarMerger {
 public:
  CoplanarMerger(const std::vector<Vector3>& points, const std::vector<Triangle>& triangles, double tolerance)
      : points_(points), triangles_(triangles), tolerance_(tolerance), is_taken_(triangles.size(), false) {
    for (int t = 0; t < std::ssize(triangles); ++t)
      for (int i = 0; i < 3; ++i) triangle_at_[{triangles[t][i], triangles[t][(i + 1) % 3]}] = t;
  }

  std::vector<Polygon> merge() {
    std::vector<std::pair<double, int>> by_area(triangles_.size());
    for (int t = 0; t < std::ssize(triangles_); ++t)
      by_area[t] = {-area_vector(points_, triangles_[t]).norm(), t};
    std::ranges::sort(by_area);
    std::vector<Polygon> polygons;
    for (const auto& [area, seed] : by_area)
      if (!is_taken_[seed]) polygons.push_back(boundary(triangles_in_plane_of(seed)));
    return polygons;
  }

 private:
  int neighbour(int t, int i) const {
    return triangle_at_.at({triangles_[t][(i + 1) % 3], triangles_[t][i]});
  }

  std::set<int> triangles_in_plane_of(int seed) {
    const Vector3 normal = area_vector(points_, triangles_[seed]).normalized();
    const auto is_in_plane = [&](int i) {
      return std::abs(normal.dot(points_[i] - points_[triangles_[seed][0]])) <= tolerance_;
    };
    std::set<int> group;
    std::vector<int> pending = {seed};
    while (!pending.empty()) {
      const int t = pending.back();
      pending.pop_back();
      if (is_taken_[t] || (t != seed && !std::ranges::all_of(triangles_[t], is_in_plane))) continue;
      is_taken_[t] = true;
      group.insert(t);
      for (int i = 0; i < 3; ++i) pending.push_back(neighbour(t, i));
    }
    return group;
  }

  /// The loop around the group, empty if its boundary is not one simple loop.
  Polygon boundary(const std::set<int>& group) const {
    std::map<int, int> next;
    std::size_t edges = 0;
    for (const int t : group)
      for (int i = 0; i < 3; ++i)
        if (!group.contains(neighbour(t, i))) {
          next[triangles_[t][i]] = triangles_[t][(i + 1) % 3];
          ++edges;
        }
    if (next.empty() || next.size() != edges) return {};
    Polygon loop = {next.begin()->first};
    while (next.at(loop.back()) != loop[0]) loop.push_back(next.at(loop.back()));
    return loop.size() == edges ? loop : Polygon();
  }

  const std::vector<Vector3>& points_;
  const std::vector<Triangle>& triangles_;
  double tolerance_;
  std::vector<bool> is_taken_;
  std::map<Edge, int> triangle_at_;
};

/// A vertex of only two convex faces is inside an edge: left out, and with it what is then no polygon.
void drop_vertices_inside_edges(std::vector<Polygon>& polygons) {
  for (bool changed = true; changed;) {
    changed = false;
    std::map<int, int> uses;
    for (const Polygon& polygon : polygons)
      for (const int i : polygon) ++uses[i];
    for (Polygon& polygon : polygons)
      changed |= std::erase_if(polygon, [&](int i) { return uses[i] < 3; }) > 0;
    changed |= std::erase_if(polygons, [](const Polygon& polygon) { return polygon.size() < 3; }) > 0;
  }
}

bool is_convex(const std::vector<Vector3>& points, const Polygon& polygon, double tolerance) {
  const Vector3 normal = area_vector(points, polygon).normalized();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector3& previous = points[polygon[(i + polygon.size() - 1) % polygon.size()]];
    const Vector3 chord = points[polygon[(i + 1) % polygon.size()]] - previous;
    if ((points[polygon[i]] - previous).cross(chord).dot(normal) < -tolerance * chord.norm()) return false;
  }
  return true;
}

/// Whether each edge joins two polygons and V - E + F = 2.
bool is_closed(const std::vector<Polygon>& polygons) {
  std::set<int> vertices;
  std::set<Edge> edges;
  std::size_t sides = 0;
  for (const Polygon& polygon : polygons)
    for (std::size_t i = 0; i < polygon.size(); ++i, ++sides) {
      vertices.insert(polygon[i]);
      edges.emplace(polygon[i], polygon[(i + 1) % polygon.size()]);
    }
  return edges.size() == sides && vertices.size() + polygons.size() == sides / 2 + 2 &&
         std::ranges::all_of(edges, [&](const Edge& e) {
           return edges.contains({e.second, e.first});
         });
}

std::vector<Polygon> hull_polygons(const GridPoints<Vector3>& grid) {
  const std::vector<Triangle> triangles = hull_triangles(grid);
  // Bumps of the size of the tolerance tear faces into ragged patches; a smaller tolerance leaves them apart.
  std::vector<Polygon> polygons;
  polygons.reserve(triangles.size());
  double tolerance = grid.tolerance;
  while (tolerance > 1) {
    polygons = CoplanarMerger(grid.points, triangles, tolerance).merge();
    drop_vertices_inside_edges(polygons);
    const auto is_good = [&](const Polygon& polygon) { return is_convex(grid.points, polygon, tolerance); };
    if (is_closed(polygons) && std::ranges::all_of(polygons, is_good)) return polygons;
    tolerance /= 10;
  }
  polygons.clear();
  for (const Triangle& t : triangles) polygons.emplace_back(t.begin(), t.end());
  return polygons;
}

}  // namespace

ConvexPolyhedron convex_hull(const std::vector<Vector3>& points) {
  const GridPoints<Vector3> grid = onto_grid(points);
  const std::vector<Polygon> polygons = hull_polygons(grid);

  ConvexPolyhedron hull;
  std::map<int, int> new_index;
  for (const Polygon& polygon : polygons)
    for (const int i : polygon) new_index[i] = 0;
  for (auto& [old_index, index] : new_index) {
    index = static_cast<int>(hull.vertices.size());
    hull.vertices.push_back(points[old_index]);
  }
  for (const Polygon& polygon : polygons) {
    Face face{{}, area_vector(grid.points, polygon).normalized(), 0};
    for (const int i : polygon) face.vertices.push_back(new_index.at(i));
    face.offset = face.normal.dot(hull.vertices[0]);
    for (const Vector3& vertex : hull.vertices) face.offset = std::max(face.offset, face.normal.dot(vertex));
    hull.faces.push_back(std::move(face));
  }
  return hull;
}

ConvexPolygon planar_convex_hull(const std::vector<Vector2>& points) {
  const GridPoints<Vector2> grid = onto_grid(points);
  std::vector<int> order = distinct_points(grid);
  std::ranges::sort(order, [&](int i, int j) {
    const Vector2 &a = grid.points[i], &b = grid.points[j];
    return std::pair(a.x(), a.y()) < std::pair(b.x(), b.y());
  });
  // Andrew's chains: the lower one from left to right, the upper one back.
  std::vector<int> loop;
  for (int chain = 0; chain < 2; ++chain) {
    const std::size_t start = loop.size();
    for (const int i : order) {
      while (loop.size() >= start + 2 &&
             orientation(grid.points[loop[loop.size() - 2]], grid.points[loop.back()], grid.points[i]) <= 0)
        loop.pop_back();
      loop.push_back(i);
    }
    loop.pop_back();
    std::ranges::reverse(order);
  }
  const auto is_flat_at = [&](std::size_t i) {
    const Vector2& previous = grid.points[loop[(i + loop.size() - 1) % loop.size()]];
    const Vector2 chord = grid.points[loop[(i + 1) % loop.size()]] - previous;
    const Vector2 side = grid.points[loop[i]] - previous;
    return side.x() * chord.y() - side.y() * chord.x() <= grid.tolerance * chord.norm();
  };
  for (std::size_t i = 0; i < loop.size();) {
    if (is_flat_at(i)) {
      loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  if (loop.size() < 3) throw std::invalid_argument("convex hull: all points lie on one line");
  ConvexPolygon hull;
  for (const int i : loop) hull.vertices.push_back(points[i]);
  return hull;
}

}  // namespace percuss
