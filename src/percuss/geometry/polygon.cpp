#include "percuss/geometry/polygon.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace percuss {
namespace {

/// Relative to the size of a polygon: points that are closer coincide, what bends by less is straight.
constexpr double polygon_tolerance = 1e-9;

double cross_product(const Vector2& a, const Vector2& b) { return a.x() * b.y() - a.y() * b.x(); }
/// Twice the area of a triangle, positive counter-clockwise.
double turn_of(const Vector2& a, const Vector2& b, const Vector2& c) { return cross_product(b - a, c - a); }

std::string point_text(const Vector2& point) { return fmt::format("[{:.6g}, {:.6g}]", point.x(), point.y()); }

double size_of(const std::vector<Vector2>& corners) {
  Eigen::AlignedBox2d box;
  for (const Vector2& corner : corners) box.extend(corner);
  return box.sizes().norm();
}

double distance_to_edge(const Vector2& from, const Vector2& to, const Vector2& point) {
  const Vector2 along = to - from;
  const double s = std::clamp((point - from).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (point - from - s * along).norm();
}

/// Whether two edges cross, or come closer than a margin: then an end of one is near the other.
bool edges_meet(const Vector2& a, const Vector2& b, const Vector2& c, const Vector2& d, double margin) {
  for (int axis = 0; axis < 2; ++axis)
    if (std::max(a[axis], b[axis]) + margin < std::min(c[axis], d[axis]) ||
        std::max(c[axis], d[axis]) + margin < std::min(a[axis], b[axis]))
      return false;
  if (turn_of(a, b, c) * turn_of(a, b, d) < 0 && turn_of(c, d, a) * turn_of(c, d, b) < 0) return true;
  return std::min({distance_to_edge(a, b, c), distance_to_edge(a, b, d), distance_to_edge(c, d, a),
                   distance_to_edge(c, d, b)}) <= margin;
}

bool lie_on_a_line(const std::vector<Vector2>& corners, double margin) {
  const auto distance = [&](const Vector2& corner) { return (corner - corners[0]).norm(); };
  const Vector2 along = (*std::ranges::max_element(corners, {}, distance) - corners[0]).normalized();
  return std::ranges::all_of(corners, [&](const Vector2& corner) {
    return std::abs(cross_product(along, corner - corners[0])) <= margin;
  });
}

/// Between two neighbouring edges, and between all others.
std::string crossing_defect(const std::vector<Vector2>& corners, double margin) {
  const std::size_t n = corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vector2 &before = corners[(i + n - 1) % n], &here = corners[i], &after = corners[(i + 1) % n];
    if ((here - before).dot(after - here) < 0 &&
        std::min(distance_to_edge(before, here, after), distance_to_edge(here, after, before)) <= margin)
      return fmt::format("at corner {} at {} the outline turns back onto itself", i, point_text(here));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n - (i == 0); ++j) {
      const std::size_t i_end = i + 1, j_end = (j + 1) % n;
      if (edges_meet(corners[i], corners[i_end], corners[j], corners[j_end], margin))
        return fmt::format(
            "the edges from corner {} at {} to {} and from corner {} at {} to {} cross or touch", i,
            point_text(corners[i]), i_end, j, point_text(corners[j]), j_end);
    }
  return {};
}

/// Cuts off one corner after the other.
class EarCutter {
 public:
  explicit EarCutter(const std::vector<Vector2>& corners) : corners_(corners) {
    const int n = static_cast<int>(corners.size());
    for (int i = 0; i < n; ++i) left_.push_back({i, (i + n - 1) % n, (i + 1) % n});
    for (int i = 0; i < n; ++i) corner(i).is_convex = turn(corner(i)) > 0;
    for (int i = 0; i < n; ++i) judge(i);
  }

  std::vector<std::array<int, 3>> run() {
    std::vector<std::array<int, 3>> triangles;
    int start = 0;
    for (std::size_t count = corners_.size(); count > 3; --count) {
      const int ear = best_ear(start);
      const int before = corner(ear).before, after = corner(ear).after;
      triangles.push_back({before, ear, after});
      corner(before).after = after;
      corner(after).before = before;
      start = after;
      for (const int i : {before, after}) corner(i).is_convex = turn(corner(i)) > 0;
      for (const int i : {before, after}) judge(i);
    }
    triangles.push_back({corner(start).before, start, corner(start).after});
    return triangles;
  }

 private:
  struct Corner {
    int number, before, after;
    bool is_convex = false;
    double shape = 0;  ///< of its ear: twice the area by the square of the longest side; not positive: no ear
  };

  Corner& corner(int i) { return left_[static_cast<std::size_t>(i)]; }
  const Corner& corner(int i) const { return left_[static_cast<std::size_t>(i)]; }
  const Vector2& at(int i) const { return corners_[static_cast<std::size_t>(i)]; }
  double turn(const Corner& of) const { return turn_of(at(of.before), at(of.number), at(of.after)); }

  void judge(int i) {
    Corner& ear = corner(i);
    const Vector2 &a = at(ear.before), &b = at(i), &c = at(ear.after);
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    ear.shape = turn(ear) / longest;
    if (!ear.is_convex) return;
    // Of what is inside of the triangle some corner is not convex.
    for (int other = corner(ear.after).after; other != ear.before; other = corner(other).after) {
      const Vector2& p = at(other);
      if (!corner(other).is_convex && turn_of(a, b, p) >= 0 && turn_of(b, c, p) >= 0 &&
          turn_of(c, a, p) >= 0) {
        ear.shape = 0;
        return;
      }
    }
  }

  /// What is no ear may become one when others are gone.
  int best_ear(int start) {
    for (const bool is_again : {false, true}) {
      int best = start, i = start;
      do {
        if (is_again) judge(i);
        if (corner(i).shape > corner(best).shape) best = i;
        i = corner(i).after;
      } while (i != start);
      if (corner(best).shape > 0) return best;
    }
    throw std::invalid_argument("the polygon cannot be cut into triangles: its edges are too close");
  }

  const std::vector<Vector2>& corners_;
  std::vector<Corner> left_;
};

}  // namespace

double signed_area(const std::vector<Vector2>& corners) {
  double twice = 0;
  for (std::size_t i = 2; i < corners.size(); ++i) twice += turn_of(corners[0], corners[i - 1], corners[i]);
  return twice / 2;
}

std::string polygon_defect(const std::vector<Vector2>& corners) {
  const std::size_t n = corners.size();
  if (n < 3) return fmt::format("{} corners bound no area; give at least 3", n);
  if (n > most_polygon_corners)
    return fmt::format("{} corners are too many; give at most {}", n, most_polygon_corners);
  for (std::size_t i = 0; i < n; ++i)
    if (!corners[i].allFinite()) return fmt::format("corner {} is not finite", i);
  const double size = size_of(corners), margin = polygon_tolerance * size;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t next = (i + 1) % n;
    if ((corners[next] - corners[i]).norm() <= margin)
      return fmt::format("the corners {} and {} are both at {}; leave one out{}", i, next,
                         point_text(corners[i]), next == 0 ? ": the outline closes by itself" : "");
  }
  if (lie_on_a_line(corners, margin)) return "it has no area: its corners lie on a line";
  return crossing_defect(corners, margin);
}

std::vector<Vector2> tidy_polygon(std::vector<Vector2> corners) {
  if (signed_area(corners) < 0) std::ranges::reverse(corners);
  const double margin = polygon_tolerance * size_of(corners);
  std::vector<Vector2> tidy;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector2& before = tidy.empty() ? corners.back() : tidy.back();
    if (distance_to_edge(before, corners[(i + 1) % corners.size()], corners[i]) > margin)
      tidy.push_back(corners[i]);
  }
  return tidy;
}

std::vector<std::array<int, 3>> triangulate(const std::vector<Vector2>& corners) {
  return EarCutter(corners).run();
}

TriangleMesh prism_mesh(const std::vector<Vector2>& corners, double depth) {
  TriangleMesh mesh;
  const int n = static_cast<int>(corners.size());
  for (const double z : {-depth / 2, depth / 2})
    for (const Vector2& corner : corners) mesh.vertices.emplace_back(corner.x(), corner.y(), z);
  for (const auto& [a, b, c] : triangulate(corners)) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({n + a, n + b, n + c});
  }
  for (int i = 0; i < n; ++i) {
    const int next = (i + 1) % n;
    mesh.triangles.push_back({i, next, n + next});
    mesh.triangles.push_back({i, n + next, n + i});
  }
  return mesh;
}

}  // namespace percuss
