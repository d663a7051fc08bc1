#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "percuss/collision/curved_gap.h"

// Gaps of rims against what has no flat: a search round the rim. One over normals would meet a kink where the
// normal is along the rim's axis.
namespace percuss {
namespace {

constexpr int settling_steps = 60;

/// Newton's method for the points r e and R f of two rims whose tangents are across their distance.
void settle_on_rims(const Feature& first, const Feature& second, Vector3& e, Vector3& f) {
  const Vector3 offset = second.point - first.point;
  const double r = first.radius, R = second.radius;
  for (int step = 0; step < settling_steps; ++step) {
    const Vector3 s = first.direction.cross(e), t = second.direction.cross(f),
                  between = r * e - offset - R * f;
    const double st = s.dot(t);
    Eigen::Matrix2d slope;
    slope << r - e.dot(between), -R * st, r * st, -R - f.dot(between);
    const double determinant = slope.determinant();
    if (determinant == 0) break;
    const Eigen::Vector2d residual(s.dot(between), t.dot(between));
    const Eigen::Vector2d move = -Eigen::Vector2d(slope(1, 1) * residual[0] - slope(0, 1) * residual[1],
                                                  slope(0, 0) * residual[1] - slope(1, 0) * residual[0]) /
                                 determinant;
    if (move.norm() <= 1e-16 || move.norm() > 1) break;
    e = (std::cos(move[0]) * e + std::sin(move[0]) * s).normalized();
    f = (std::cos(move[1]) * f + std::sin(move[1]) * t).normalized();
  }
}

/// The angle on a rim, from e, at which a function is least: the best of some samples, then the root of its
/// slope between its neighbours by the rule of Illinois.
template <class Value, class Slope>
double lowest_angle(const Value& value, const Slope& slope) {
  constexpr int samples = 24;
  constexpr double apart = 2 * std::numbers::pi / samples;
  double best = 0, least = value(0);
  for (int k = 1; k < samples; ++k) {
    const double here = value(k * apart);
    if (here >= least) continue;
    least = here;
    best = k * apart;
  }
  double low = best - apart, high = best + apart, at_low = slope(low), at_high = slope(high);
  if (at_low >= 0 || at_high <= 0) return best;
  int stayed = 0;
  for (int step = 0; step < 100 && high - low > 1e-16 * (1 + std::abs(low)); ++step) {
    double middle = high - at_high * (high - low) / (at_high - at_low);
    if (middle <= low || middle >= high) middle = 0.5 * (low + high);
    const double here = slope(middle);
    if (here == 0) return middle;
    if (here < 0) {
      low = middle;
      at_low = here;
      if (stayed == -1) at_high *= 0.5;
      stayed = -1;
    } else {
      high = middle;
      at_high = here;
      if (stayed == 1) at_low *= 0.5;
      stayed = 1;
    }
    best = middle;
  }
  return best;
}

}  // namespace

/// (W-11) of the point of a rim that is least far from an ellipsoid. Where no point inside of the rim is
/// closer, this is the largest s(n).
ClosestPoints ellipsoid_on_circle(const Feature& ellipsoid, const Feature& circle) {
  const Vector3 u = towards(ellipsoid.point - circle.point, circle.direction), v = circle.direction.cross(u);
  const auto at = [&](double angle) {
    return ball_on_ellipsoid({circle.point + circle.radius * (std::cos(angle) * u + std::sin(angle) * v)},
                             ellipsoid);
  };
  const double angle =
      lowest_angle([&](double x) { return at(x).gap; },
                   [&](double x) { return at(x).normal.dot(std::cos(x) * v - std::sin(x) * u); });
  const ClosestPoints closest = at(angle);
  return {closest.gap, closest.on_second, closest.on_first, -closest.normal};
}

/// (W-12) round the rims: where they are least apart.
ClosestPoints circle_on_circle(const Feature& first, const Feature& second) {
  const Vector3 offset = second.point - first.point;
  const Vector3 u = towards(offset, first.direction), v = first.direction.cross(u);
  const auto between = [&](double angle) -> Vector3 {
    const Vector3 on_first = first.point + first.radius * (std::cos(angle) * u + std::sin(angle) * v);
    return on_first - support_point(second, on_first - second.point);
  };
  const double angle =
      lowest_angle([&](double x) { return between(x).squaredNorm(); },
                   [&](double x) { return between(x).dot(std::cos(x) * v - std::sin(x) * u); });
  Vector3 e = std::cos(angle) * u + std::sin(angle) * v;
  Vector3 f = towards(first.radius * e - offset, second.direction);
  settle_on_rims(first, second, e, f);
  Vector3 n = first.direction.cross(e).cross(second.direction.cross(f));
  n = n.norm() > 0 ? n.normalized() : f;
  if (n.dot(f - e) < 0) n = -n;
  const Vector3 on_first = first.point + first.radius * e, on_second = second.point + second.radius * f;
  return {n.dot(on_first - on_second), on_first, on_second, n};
}

/// (W-12): the point of the rim whose tangent is across its distance from the line, near where the line seen
/// along the rim's axis cuts it. The normal leads out of the flat.
ClosestPoints circle_across_line(const Feature& circle, const Line& line, int branch) {
  const Vector3 &a = circle.direction, &d = line.direction;
  const Vector3 flat = d - d.dot(a) * a, offset = line.point - circle.point;
  const Vector3 in_flat = offset - offset.dot(a) * a;
  const double q = std::max(flat.squaredNorm(), 1e-300), b = in_flat.dot(flat) / q;
  const double root = std::max(0.0, b * b - (in_flat.squaredNorm() - circle.radius * circle.radius) / q);
  const Vector3 start = in_flat + (-b + (branch == 1 ? -1 : 1) * std::sqrt(root)) * flat;
  Vector3 e = towards(start, a);
  Vector3 tangent = a.cross(e), apart;
  for (int step = 0; step < settling_steps; ++step) {
    apart = circle.radius * e - offset;
    apart -= d.dot(apart) * d;
    const double along = d.dot(tangent);
    const double slope = circle.radius * (1 - along * along) - apart.dot(e);
    const double move = slope > 0 ? -apart.dot(tangent) / slope : 0;
    if (std::abs(move) <= 1e-16 || std::abs(move) > 1) break;
    e = (std::cos(move) * e + std::sin(move) * tangent).normalized();
    tangent = a.cross(e);
  }
  apart = circle.radius * e - offset;
  Vector3 n = tangent.cross(d);
  n = n.norm() > 0 ? n.normalized() : a;
  if (n.dot(a) > 0) n = -n;
  const Vector3 on_circle = circle.point + circle.radius * e;
  const Vector3 on_line = line.point + d.dot(apart) * d;
  return {n.dot(apart) - line.radius, on_circle, on_line + line.radius * n, n};
}

/// (W-12) for two rims whose flats lie on each other.
ClosestPoints circle_across_circle(const Feature& first, const Feature& second, int branch) {
  const Vector3 &a = first.direction, &b = second.direction;
  const Vector3 offset = second.point - first.point;
  const Vector3 in_flat = offset - offset.dot(a) * a;
  const double apart = in_flat.norm();
  const Vector3 u = towards(offset, a);
  const double r = first.radius, R = second.radius;
  const double x = apart > 0 ? std::clamp((apart * apart + r * r - R * R) / (2 * apart), -r, r) : 0;
  const double y = (branch == 1 ? -1 : 1) * std::sqrt(std::max(0.0, r * r - x * x));
  Vector3 e = (x * u + y * a.cross(u)) / r;
  Vector3 f = towards(r * e - offset, b);
  settle_on_rims(first, second, e, f);
  Vector3 n = a.cross(e).cross(b.cross(f));
  n = n.norm() > 0 ? n.normalized() : b;
  if (n.dot(b) < 0) n = -n;
  const Vector3 on_first = first.point + r * e, on_second = second.point + R * f;
  return {n.dot(on_first - on_second), on_first, on_second, n};
}

}  // namespace percuss
