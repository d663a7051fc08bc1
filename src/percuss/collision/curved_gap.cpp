#include "percuss/collision/curved_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

// Closed forms, and the closest point of an ellipse or ellipsoid as the root of one equation.
namespace percuss {
namespace {

/// The normal of sum (x_i / e_i)^2 = 1 at its point closest to y. With x_i = e_i^2 y_i / (t + e_i^2) it is
/// the largest root of F(t) = sum (e_i y_i / (t + e_i^2))^2 - 1. F falls and is convex, and F >= 0 at the
/// start: Newton's method comes from the left without overshooting.
template <int N>
Eigen::Matrix<double, N, 1> normal_at_closest(const Eigen::Matrix<double, N, 1>& e,
                                              const Eigen::Matrix<double, N, 1>& y) {
  double t = -std::numeric_limits<double>::infinity();
  int widest = 0;
  for (int i = 0; i < N; ++i) {
    const double start = e[i] * (std::abs(y[i]) - e[i]);
    if (start <= t) continue;
    t = start;
    widest = i;
  }
  double F = 0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    F = -1;
    double slope = 0;
    for (int i = 0; i < N; ++i) {
      if (e[i] * y[i] == 0) continue;
      const double d = t + e[i] * e[i], x = e[i] * y[i] / d;
      F += x * x;
      slope -= 2 * x * x / d;
    }
    if (F <= 0) break;
    const double next = t - F / slope;
    if (next <= t) break;
    t = next;
  }
  Eigen::Matrix<double, N, 1> n;
  for (int i = 0; i < N; ++i) {
    const double d = t + e[i] * e[i];
    n[i] = d > 0 ? y[i] / d : 0;
  }
  // In the middle between both sides, where none is closer, the upper one is taken.
  if (t + e[widest] * e[widest] <= 0)
    n[widest] = e[widest] > 0 ? std::sqrt(std::max(0.0, -F)) / e[widest] : 1;
  const double length = n.norm();
  if (length > 0 && std::isfinite(length)) return n / length;
  n.setZero();
  n[N - 1] = 1;
  return n;
}

/// Directions across a line, along the half axes of what an ellipsoid or rim looks like from there.
struct Outline {
  Vector3 major, minor;
  Eigen::Vector2d half_axes;
};
Outline outline(const Feature& round, const Vector3& d) {
  Outline seen;
  if (round.type == FeatureType::circle) {
    seen.major = towards(round.direction.cross(d), d);
    seen.minor = d.cross(seen.major);
    seen.half_axes = {round.radius, round.radius * std::abs(d.dot(round.direction))};
    return seen;
  }
  const Vector3 u = any_across(d), v = d.cross(u);
  const Vector3 gu = round.half_axes.transpose() * u, gv = round.half_axes.transpose() * v;
  const double uu = gu.squaredNorm(), vv = gv.squaredNorm(), uv = gu.dot(gv);
  const double angle = 0.5 * std::atan2(2 * uv, uu - vv);
  seen.major = std::cos(angle) * u + std::sin(angle) * v;
  seen.minor = d.cross(seen.major);
  // The product of both half axes is that of the area, without cancellation.
  const double longest = (round.half_axes.transpose() * seen.major).norm();
  seen.half_axes = {longest, gu.cross(gv).norm() / longest};
  return seen;
}

/// Of lines along a cone and another surface that touch along n, with their points where they are closest.
ClosestPoints along_lines(const Line& first, const Line& second, const Vector3& n) {
  const double cosine = first.direction.dot(second.direction), sine2 = 1 - cosine * cosine;
  const Vector3 offset = second.point - first.point;
  Vector3 on_first = first.point, on_second = second.point;
  if (sine2 > 0) {
    const double a = offset.dot(first.direction), b = offset.dot(second.direction);
    on_first += (a - cosine * b) / sine2 * first.direction;
    on_second += (cosine * a - b) / sine2 * second.direction;
  }
  return {-n.dot(offset) - first.radius - second.radius, on_first - first.radius * n,
          on_second + second.radius * n, n};
}

/// The generator of a cone that touches along its outward normal, from the apex.
Line generator(const Feature& cone, const Vector3& normal) {
  return {cone.point, -(cone.direction - cone.sine * normal).normalized()};
}

}  // namespace

Vector3 any_across(const Vector3& a) {
  int least = 0;
  a.cwiseAbs().minCoeff(&least);
  return (Vector3::Unit(least) - a[least] * a).normalized();
}

Vector3 towards(const Vector3& v, const Vector3& axis) {
  Vector3 part = v - v.dot(axis) * axis;
  const double length = part.norm();
  if (length <= 4e-16 * v.norm()) return any_across(axis);
  part /= length;
  // What was little more than rounding has rounding along the axis.
  return (part - part.dot(axis) * axis).normalized();
}

Vector3 support_point(const Feature& round, const Vector3& n) {
  if (round.type == FeatureType::circle) return round.point + round.radius * towards(n, round.direction);
  const Vector3 stretched = round.half_axes.transpose() * n;
  return round.point + round.half_axes * stretched / stretched.norm();
}

/// (W-5): the lowest point.
ClosestPoints round_on_plane(const Feature& round, const Vector3& point, const Vector3& normal) {
  const Vector3 lowest = support_point(round, -normal);
  const double extent = round.type == FeatureType::circle
                            ? round.radius * (normal - normal.dot(round.direction) * round.direction).norm()
                            : (round.half_axes.transpose() * normal).norm();
  const double gap = normal.dot(round.point - point) - extent;
  return {gap, lowest, lowest - gap * normal, normal};
}

/// (W-6)
ClosestPoints ball_on_circle(const Ball& ball, const Feature& circle) {
  return ball_on_ball(ball, {support_point(circle, ball.centre - circle.point)});
}

/// (W-7): n . axis = sine, and n leads to the side of the axis where the ball is.
ClosestPoints ball_on_cone(const Ball& ball, const Feature& cone) {
  const Vector3 offset = ball.centre - cone.point;
  const Vector3 across = towards(offset, cone.direction);
  const Vector3 n = cone.sine * cone.direction + std::sqrt(1 - cone.sine * cone.sine) * across;
  return ball_before_plane(ball, n.dot(offset), n);
}

/// (W-8)
ClosestPoints ball_on_ellipsoid(const Ball& ball, const Feature& ellipsoid) {
  const Vector3 e = ellipsoid.half_axes.colwise().norm();
  const Matrix3 axes = ellipsoid.half_axes * e.cwiseInverse().asDiagonal();
  const Vector3 offset = ball.centre - ellipsoid.point;
  const Vector3 n = axes * normal_at_closest<3>(e, axes.transpose() * offset);
  const double gap = n.dot(offset) - (ellipsoid.half_axes.transpose() * n).norm() - ball.radius;
  return {gap, ball.centre - ball.radius * n, support_point(ellipsoid, n), n};
}

/// (W-9): n is across the line, along which an ellipsoid or a rim looks like an ellipse.
ClosestPoints round_on_line(const Feature& round, const Line& line) {
  const Outline seen = outline(round, line.direction);
  const Vector3 offset = line.point - round.point;
  const Eigen::Vector2d n =
      normal_at_closest<2>(seen.half_axes, {seen.major.dot(offset), seen.minor.dot(offset)});
  const Vector3 outwards = n[0] * seen.major + n[1] * seen.minor;
  const Vector3 on_round = support_point(round, outwards);
  const double gap = outwards.dot(offset) - n.cwiseProduct(seen.half_axes).norm() - line.radius;
  const Vector3 on_line = line.point + line.direction.dot(on_round - line.point) * line.direction;
  return {gap, on_round, on_line - line.radius * outwards, -outwards};
}

/// (W-10): m . axis = sine and m . d = 0 for the normal m out of the cone.
ClosestPoints cone_on_line(const Feature& cone, const Line& line, int branch) {
  const double along = cone.direction.dot(line.direction), q = 1 - along * along;
  if (q <= 0)
    return along_lines(generator(cone, any_across(cone.direction)), line, any_across(line.direction));
  const double aside = std::sqrt(std::max(0.0, (1 - cone.sine * cone.sine / q) / q));
  const Vector3 m = (cone.sine / q * (cone.direction - along * line.direction) +
                     (branch == 0 ? aside : -aside) * cone.direction.cross(line.direction))
                        .normalized();
  return along_lines(generator(cone, m), line, -m);
}

/// (W-10): n . axis_b = sine_b, n . axis_a = -sine_a.
ClosestPoints cone_on_cone(const Feature& first, const Feature& second, int branch) {
  const double k = first.direction.dot(second.direction), q = 1 - k * k;
  const Vector3 across = first.direction.cross(second.direction);
  Vector3 n = any_across(second.direction);
  if (q > 0) {
    const double a = (-first.sine - k * second.sine) / q, b = (second.sine + k * first.sine) / q;
    const double rest = (1 - a * a - b * b - 2 * a * b * k) / q;
    const double aside = std::sqrt(std::max(0.0, rest));
    n = (a * first.direction + b * second.direction + (branch == 0 ? aside : -aside) * across).normalized();
  }
  return along_lines(generator(first, -n), generator(second, n), n);
}

ClosestPoints gap_of_curved(const Feature& first, const Feature& second, int branch) {
  const auto exchanged = [](const ClosestPoints& c) {
    return ClosestPoints{c.gap, c.on_second, c.on_first, -c.normal};
  };
  const Ball ball{first.point, first.radius};
  const Line line{second.point, second.direction, second.radius};
  if (first.type == FeatureType::point) {
    if (second.type == FeatureType::ellipsoid) return ball_on_ellipsoid(ball, second);
    return second.type == FeatureType::circle ? ball_on_circle(ball, second) : ball_on_cone(ball, second);
  }
  if (first.type == FeatureType::cone)
    return second.type == FeatureType::cone ? cone_on_cone(first, second, branch)
                                            : cone_on_line(first, line, branch);
  switch (second.type) {
    case FeatureType::face: return round_on_plane(first, second.point, second.direction);
    case FeatureType::line:
      return branch == 0 ? round_on_line(first, line) : circle_across_line(first, line, branch);
    case FeatureType::cone: return round_on_cone(first, second);
    default: break;
  }
  if (branch > 0) return circle_across_circle(first, second, branch);
  if (first.type != second.type) return ellipsoid_on_circle(first, second);
  // Of two rims and of two ellipsoids the same from both sides.
  const bool is_before = std::lexicographical_compare(first.point.begin(), first.point.end(),
                                                      second.point.begin(), second.point.end());
  const auto gap = first.type == FeatureType::circle ? circle_on_circle : ellipsoid_on_ellipsoid;
  return is_before ? gap(first, second) : exchanged(gap(second, first));
}

ClosestPoints gap_of_features(FeatureKind kind, const Feature& first, const Feature& second) {
  if (static_cast<int>(first_type(kind)) > static_cast<int>(second_type(kind))) {
    const ClosestPoints c =
        is_curved(kind) ? gap_of_curved(second, first, branch_of(kind))
        : kind == FeatureKind::line_point
            ? ball_on_line({second.point, second.radius}, {first.point, first.direction, first.radius})
            : ball_on_plane({second.point, second.radius}, first.point, first.direction);
    return {c.gap, c.on_second, c.on_first, -c.normal};
  }
  if (is_curved(kind)) return gap_of_curved(first, second, branch_of(kind));
  const Ball ball{first.point, first.radius};
  const Line line{second.point, second.direction, second.radius};
  switch (kind) {
    case FeatureKind::point_line: return ball_on_line(ball, line);
    case FeatureKind::point_face: return ball_on_plane(ball, second.point, second.direction);
    case FeatureKind::line_line: return line_on_line({first.point, first.direction, first.radius}, line);
    case FeatureKind::line_line_reversed:
      return line_on_line({first.point, -first.direction, first.radius}, line);
    default: return ball_on_ball(ball, {second.point, second.radius});
  }
}

}  // namespace percuss
