#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/nonsmooth/cone.h"

/// What single cones know of geometry. Pointers are to the rows of one cone, N first.
namespace percuss {

/// Friction coefficients up to this one: the tangential impulse is lost in the rounding of the normal one,
/// and what divides by mu would overflow.
inline constexpr double negligible_friction = std::numeric_limits<double>::epsilon();

/// Of the block of a cone with itself.
inline double trace_of(int rows, const double* block) {
  double trace = 0.0;
  for (int i = 0; i < rows; ++i) trace += block[i * (rows + 1)];
  return trace;
}

/// |x_k| in the rows of a disc.
inline double norm_in(const Disc& disc, const double* x) {
  x += disc.first;
  if (disc.rows == 1) return std::abs(x[0]);
  return std::sqrt(x[0] * x[0] + x[1] * x[1]);
}

/// The same of a cone with one disc.
inline double tangential_norm(const Cone& cone, const double* x) {
  return cone.kind == ConeKind::coulomb ? std::sqrt(x[1] * x[1] + x[2] * x[2]) : std::abs(x[1]);
}

/// mu |u_T|, or the sum over all discs: what De Saxcé adds to u_N (N-18), (N-18a).
inline double de_saxce_shift(const Cone& cone, const double* u) {
  if (!cone.has_friction()) return 0;
  if (cone.is_coulomb()) return cone.bound * tangential_norm(cone, u);
  double shift = 0;
  for_each_disc(cone, [&](const Disc& disc) { shift += disc.bound * norm_in(disc, u); });
  return shift;
}

/// û = u + mu |u_T| N, De Saxcé's shift, which makes exact Coulomb friction a complementarity of cones
/// (N-18).
inline void shift_velocity(const Cone& cone, const double* u, double* shifted) {
  const double shift = de_saxce_shift(cone, u);
  for (int i = 0; i < cone.rows(); ++i) shifted[i] = u[i];
  shifted[0] += shift;
}

/// An element of the generalised gradient of the shift: zero in N and in a disc that does not move.
void shift_gradient(const Cone& cone, const double* u, double* gradient);

/// Of a point and a cone with several discs (N-19a).
struct DiscProjection {
  double normal = 0;         ///< of the projection; 0 where it is the origin
  double raised = 0;         ///< by how much the normal grows, without the cancellation of the difference
  double weight = 1;         ///< 1 + sum of bound² over the discs outside of which x lies
  bool is_outside[3] = {};   ///< of each disc, at the new normal
  double length[3] = {};     ///< |x_k|
  bool is_in_polar = false;  ///< the projection is the origin
};
DiscProjection project_discs(const Discs& discs, const double* x);

/// The projection onto a cone of the kind rolling. p may be x.
void project_rolling(const Cone& cone, const double* x, double* p);

/// The nearest point of K (N-19). p may be x.
inline void project(const Cone& cone, const double* x, double* p) {
  switch (cone.kind) {
    case ConeKind::equality: p[0] = x[0]; return;
    case ConeKind::nonnegative: p[0] = std::max(0.0, x[0]); return;
    case ConeKind::interval: p[0] = std::clamp(x[0], -cone.bound, cone.bound); return;
    case ConeKind::rolling: project_rolling(cone, x, p); return;
    case ConeKind::planar_coulomb:
    case ConeKind::coulomb: break;
  }
  const double mu = cone.bound, tangential = tangential_norm(cone, x);
  double factor = 0.0, normal = 0.0;
  if (tangential <= mu * x[0]) {
    factor = 1.0;
    normal = x[0];
  } else if (mu * tangential > -x[0]) {  // outside of K and of its polar cone
    normal = (x[0] + mu * tangential) / (1.0 + mu * mu);
    factor = mu * normal / tangential;
  }
  p[0] = normal;
  for (int i = 1; i < cone.rows(); ++i) p[i] = factor * x[i];
}

/// The same, and an element of the generalised derivative of the projection (N-19b): a symmetric matrix by
/// rows. Where `x` lies inside it is the unit matrix, where the projection is the origin zero.
void project_with_derivative(const Cone& cone, const double* x, double* p, double* derivative);

/// (cone_residual2) of a cone of the kind rolling: what the projection takes from the trial is added to
/// `error`.
void add_rolling_residual(const Cone& cone, double rho, const double* r, const double* trial, double* error);

/// The residual of one cone (N-5), (N-20): (r - P(r - rho û)) / rho with rho = rows / trace(W_cc), 1
/// if the trace is 0. Returns its squared norm [m²/s²]; NaN if anything is not finite.
inline double cone_residual2(const Cone& cone, double trace, const double* r, const double* u) {
  const int n = cone.rows();
  const double rho = trace > 0.0 ? n / trace : 1.0;
  double shifted[max_cone_rows], trial[max_cone_rows], error[max_cone_rows], sum = 0.0;
  shift_velocity(cone, u, shifted);
  for (int i = 0; i < n; ++i) {
    trial[i] = r[i] / rho - shifted[i];
    error[i] = shifted[i];
  }
  // û plus what the projection takes from the trial: the same without the cancellation of two large
  // reactions, in which any velocity could vanish.
  switch (cone.kind) {
    case ConeKind::equality: break;
    case ConeKind::nonnegative: error[0] = std::min(r[0] / rho, u[0]); break;
    case ConeKind::interval:  // shrinks with its reactions
      if (std::abs(trial[0]) > cone.bound / rho)
        error[0] = r[0] / rho - std::copysign(cone.bound / rho, trial[0]);
      break;
    case ConeKind::planar_coulomb:
    case ConeKind::coulomb: {
      const double mu = cone.bound, tangential = tangential_norm(cone, trial);
      if (tangential <= mu * trial[0]) break;
      if (mu * tangential <= -trial[0]) {  // open
        for (int i = 0; i < n; ++i) error[i] = r[i] / rho;
        break;
      }
      const double outside = (tangential - mu * trial[0]) / (1.0 + mu * mu);
      error[0] -= mu * outside;
      for (int i = 1; i < n; ++i) error[i] += outside * trial[i] / tangential;
      break;
    }
    case ConeKind::rolling: add_rolling_residual(cone, rho, r, trial, error); break;
  }
  for (int i = 0; i < n; ++i) sum += error[i] * error[i];
  // Approach is wrong whatever the friction; with a large mu the map alone would see little of it (N-20).
  if (cone.has_friction() && u[0] < 0.0) sum = std::max(sum, u[0] * u[0]);
  for (int i = 0; i < n; ++i) sum += (r[i] - r[i]) + (u[i] - u[i]);  // NaN unless finite
  return sum;
}

}  // namespace percuss
