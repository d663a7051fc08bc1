#pragma once

#include <cmath>

#include <Eigen/Geometry>

#include "percuss/math/vector.h"

/// Rotations: R <- R exp(increment), the increment in the body frame.  docs/theory/rigid_bodies.md
namespace percuss {

using Quaternion = Eigen::Quaterniond;

/// skew(a) b = a x b.
inline Matrix3 skew(const Vector3& a) {
  Matrix3 S;
  S << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return S;
}
/// The vector whose skew matrix is the antisymmetric part of S.
inline Vector3 unskew(const Matrix3& S) {
  return 0.5 * Vector3(S(2, 1) - S(1, 2), S(0, 2) - S(2, 0), S(1, 0) - S(0, 1));
}

/// The unit quaternion of the rotation by |phi| about phi; exact for every length, also for zero.
inline Quaternion exp_rotation(const Vector3& phi) {
  const double half = 0.5 * phi.norm();
  // sin(x)/x = 1 - x^2/6 + ...: below this size the next term is smaller than rounding.
  const double factor = half < 1e-4 ? 0.5 * (1 - half * half / 6) : 0.5 * std::sin(half) / half;
  const Vector3 imaginary = factor * phi;
  return {std::cos(half), imaginary.x(), imaginary.y(), imaginary.z()};
}

/// The rotation vector of a unit quaternion, |phi| <= pi.
inline Vector3 log_rotation(const Quaternion& rotation) {
  const double sign = rotation.w() < 0 ? -1.0 : 1.0;
  const Vector3 imaginary = sign * rotation.vec();
  const double sine = imaginary.norm();
  if (sine < 1e-8) return 2 * imaginary;
  return 2 * std::atan2(sine, sign * rotation.w()) / sine * imaginary;
}

/// How fast phi of R_0 exp(phi) changes where that rotation turns with omega: the inverse of the right
/// Jacobian of SO(3), for |phi| < 2 pi (EV-6).
inline Vector3 rotation_vector_rate(const Vector3& phi, const Vector3& omega) {
  const double angle = phi.norm();
  const double factor = angle < 1e-3
                            ? 1.0 / 12 + angle * angle / 720
                            : 1 / (angle * angle) - (1 + std::cos(angle)) / (2 * angle * std::sin(angle));
  const Vector3 cross = phi.cross(omega);
  return omega + 0.5 * cross + factor * phi.cross(cross);
}

}  // namespace percuss
