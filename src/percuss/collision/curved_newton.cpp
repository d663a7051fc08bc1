#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include "percuss/collision/curved_gap.h"

// Gaps of ellipsoids without closed form: Newton's method for the normal, from a start that depends on the
// places alone.
namespace percuss {
namespace {

constexpr int newton_steps = 60;
/// Curvatures are not taken for smaller than this part of the size.
constexpr double flattest = 1e-12;

/// Newton's step near a maximum; elsewhere along the axes of the curvature, upwards on each.
Eigen::Vector2d step_up(const Eigen::Matrix2d& hessian, const Eigen::Vector2d& slope,
                        double least_curvature) {
  const double mean = 0.5 * (hessian(0, 0) + hessian(1, 1)), half = 0.5 * (hessian(0, 0) - hessian(1, 1));
  const double spread = std::hypot(half, hessian(0, 1)), angle = 0.5 * std::atan2(hessian(0, 1), half);
  const Eigen::Vector2d first(std::cos(angle), std::sin(angle)), second(-first.y(), first.x());
  return first.dot(slope) / std::max(std::abs(mean + spread), least_curvature) * first +
         second.dot(slope) / std::max(std::abs(mean - spread), least_curvature) * second;
}

/// Support function of an ellipsoid, rim or point about its centre, with two derivatives.
struct Support {
  Matrix3 square;  ///< E E^T

  double value(const Vector3& n) const { return std::sqrt(std::max(0.0, n.dot(square * n))); }
  /// Subtracts h, x and the derivative of x.
  void subtract(const Vector3& n, double& h, Vector3& x, Matrix3& dx) const {
    const Vector3 image = square * n;
    const double length = std::sqrt(std::max(0.0, n.dot(image)));
    if (length <= 0) return;
    h -= length;
    x -= image / length;
    dx -= square / length - image * image.transpose() / (length * length * length);
  }
};

Support support_of(const Feature& round) {
  if (round.type == FeatureType::circle)
    return {round.radius * round.radius *
            (Matrix3::Identity() - round.direction * round.direction.transpose())};
  return {round.half_axes * round.half_axes.transpose()};
}

/// A normal that separates both, grown or shrunk by one factor until they touch: n ~ ((1-k) A + k B)^-1 w
/// where k (1-k) w . ((1-k) A + k B)^-1 w is largest, a concave function of k (Perram, Wertheim).
Vector3 normal_of_scaled(const Matrix3& A, const Matrix3& B, const Vector3& w) {
  const auto solve = [&](double k) -> Vector3 { return ((1 - k) * A + k * B).ldlt().solve(w); };
  double low = 1e-3, high = 1 - low;
  constexpr double golden = 0.38196601125010515;
  double left = low + golden * (high - low), right = high - golden * (high - low);
  const auto value = [&](double k) { return k * (1 - k) * w.dot(solve(k)); };
  double at_left = value(left), at_right = value(right);
  for (int i = 0; i < 24; ++i) {
    if (at_left > at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = low + golden * (high - low);
      at_left = value(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = high - golden * (high - low);
      at_right = value(right);
    }
  }
  const Vector3 n = solve(0.5 * (low + high));
  const double length = n.norm();
  return length > 0 && std::isfinite(length) ? Vector3(n / length) : Vector3::UnitZ();
}

}  // namespace

/// (W-11): the largest s(n) = n . w - h_A(n) - h_B(n), w = c_A - c_B, over the sphere. Its gradient across n
/// is that of g(n) = w - x_A - x_B, its second derivative that of s less s itself, since n . g = s.
ClosestPoints ellipsoid_on_ellipsoid(const Feature& first, const Feature& second) {
  const Support a = support_of(first), b = support_of(second);
  const Vector3 w = first.point - second.point;
  const double size = w.norm() + std::sqrt(a.square.trace() + b.square.trace());
  const auto separation = [&](const Vector3& m) { return m.dot(w) - a.value(m) - b.value(m); };
  Vector3 n = normal_of_scaled(a.square, b.square, w);
  double gap = separation(n);
  for (int step = 0; step < newton_steps; ++step) {
    double s = n.dot(w);
    Vector3 g = w;
    Matrix3 dg = Matrix3::Zero();
    a.subtract(n, s, g, dg);
    b.subtract(n, s, g, dg);
    const Vector3 u = any_across(n), v = n.cross(u);
    const Eigen::Vector2d slope(g.dot(u), g.dot(v));
    if (slope.norm() <= 1e-16 * size) break;
    Eigen::Matrix2d hessian;
    hessian << u.dot(dg * u) - s, u.dot(dg * v), v.dot(dg * u), v.dot(dg * v) - s;
    Eigen::Vector2d move = step_up(hessian, slope, flattest * size);
    if (move.norm() > 0.5) move *= 0.5 / move.norm();
    Vector3 next;
    double reached = 0;
    bool is_higher = false;
    for (int half = 0; half < 30 && !is_higher; ++half, move *= 0.5) {
      next = (n + move[0] * u + move[1] * v).normalized();
      reached = separation(next);
      is_higher = reached >= gap - 4e-16 * size;
    }
    if (!is_higher) break;
    const bool stays = (next - n).norm() <= 2e-16;
    n = next;
    gap = std::max(gap, reached);
    if (stays) break;
  }
  return {separation(n), support_point(first, -n), support_point(second, n), n};
}

/// (W-11) with n . axis = sine: n goes round the axis of the cone.
ClosestPoints round_on_cone(const Feature& round, const Feature& cone) {
  const Support a = support_of(round);
  const Vector3 w = round.point - cone.point, axis = cone.direction;
  const double size = w.norm() + std::sqrt(a.square.trace()), cosine = std::sqrt(1 - cone.sine * cone.sine);
  const Vector3 u = towards(w, axis), v = axis.cross(u);
  const auto across = [&](double angle) -> Vector3 { return std::cos(angle) * u + std::sin(angle) * v; };
  const auto separation = [&](double angle) {
    const Vector3 n = cone.sine * axis + cosine * across(angle);
    return n.dot(w) - a.value(n);
  };
  constexpr int starts = 16;
  double angle = 0, gap = separation(0);
  for (int k = 1; k < starts; ++k) {
    const double start = 2 * std::numbers::pi * k / starts, s = separation(start);
    if (s <= gap) continue;
    gap = s;
    angle = start;
  }
  for (int step = 0; step < newton_steps; ++step) {
    const Vector3 outwards = cosine * across(angle), n = cone.sine * axis + outwards;
    const Vector3 turning = axis.cross(outwards);
    double s = 0;
    Vector3 g = w;
    Matrix3 dg = Matrix3::Zero();
    a.subtract(n, s, g, dg);
    const double slope = g.dot(turning), curvature = turning.dot(dg * turning) - g.dot(outwards);
    if (std::abs(slope) <= 1e-16 * size) break;
    double move = curvature < 0 ? -slope / curvature : slope / size;
    move = std::clamp(move, -0.3, 0.3);
    bool is_higher = false;
    double reached = gap;
    for (int half = 0; half < 30 && !is_higher; ++half) {
      reached = separation(angle + move);
      is_higher = reached >= gap - 4e-16 * size;
      if (!is_higher) move *= 0.5;
    }
    if (!is_higher) break;
    angle += move;
    gap = std::max(gap, reached);
    if (std::abs(move) <= 2e-16) break;
  }
  const Vector3 n = cone.sine * axis + cosine * across(angle);
  const Vector3 on_round = support_point(round, -n);
  return {separation(angle), on_round, on_round - n.dot(on_round - cone.point) * n, n};
}

}  // namespace percuss
