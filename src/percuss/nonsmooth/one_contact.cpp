#include "percuss/nonsmooth/one_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "percuss/nonsmooth/cones.h"

namespace percuss {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int max_iterations = 100;  // bisection alone needs fewer

/// t_i = b_i / (a_i + s); a direction in which nothing moves and nothing pulls has no reaction.
double tangential(double b, double a, double s) { return b == 0.0 ? 0.0 : b / (a + s); }

}  // namespace

void OneContact::prepare(const double* block, int rows) {
  rows_ = rows;
  std::fill_n(W_, 9, 0.0);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j) W_[3 * i + j] = 0.5 * (block[rows * i + j] + block[rows * j + i]);
  const double* W = W_;
  w_nn_ = W[0];
  smallest_pivot_ = 8 * epsilon * (std::abs(W[0]) + std::abs(W[4]) + std::abs(W[8]));
  if (!(w_nn_ > smallest_pivot_)) {
    w_nn_ = 0.0;
    return;
  }
  w_tn_[0] = W[3] / w_nn_;
  w_tn_[1] = W[6] / w_nn_;
  const double a11 = W[4] - W[3] * w_tn_[0], a12 = W[5] - W[3] * w_tn_[1], a22 = W[8] - W[6] * w_tn_[1];
  const double mean = 0.5 * (a11 + a22), half = 0.5 * (a11 - a22), radius = std::hypot(half, a12);
  a_[0] = mean + radius;
  // The smaller eigenvalue by the determinant: no cancellation.
  a_[1] = a_[0] > 0.0 ? (a11 * a22 - a12 * a12) / a_[0] : 0.0;
  for (double& a : a_)
    if (!(a > smallest_pivot_)) a = 0.0;
  axis_[0] = 1.0;
  axis_[1] = 0.0;
  if (radius > 0.0) {
    const double x = half >= 0.0 ? half + radius : a12, y = half >= 0.0 ? a12 : radius - half;
    const double length = std::hypot(x, y);
    axis_[0] = x / length;
    axis_[1] = y / length;
  }
  coupling_[0] = axis_[0] * w_tn_[0] + axis_[1] * w_tn_[1];
  coupling_[1] = -axis_[1] * w_tn_[0] + axis_[0] * w_tn_[1];
}

void OneContact::update(const double* u, double mu, double* r) const {
  // Whatever block is taken here, a solution of the problem is left alone; the symmetric part has one.
  const double r_2 = rows_ == 3 ? r[2] : 0.0, u_2 = rows_ == 3 ? u[2] : 0.0;
  const double q[3] = {u[0] - W_[0] * r[0] - W_[1] * r[1] - W_[2] * r_2,
                       u[1] - W_[3] * r[0] - W_[4] * r[1] - W_[5] * r_2,
                       u_2 - W_[6] * r[0] - W_[7] * r[1] - W_[8] * r_2};
  solve(q, mu, r);
}

bool OneContact::solve(const double* q, double mu, double* r) const {
  for (int i = 0; i < rows_; ++i) r[i] = 0.0;
  if (q[0] >= 0.0) return true;
  if (w_nn_ == 0.0) return false;
  const double c = -q[0] / w_nn_;
  if (mu <= negligible_friction) {
    r[0] = c;
    return true;
  }
  const double q_2 = rows_ == 3 ? q[2] : 0.0;
  const double x = -q[1] + w_tn_[0] * q[0], y = -q_2 + w_tn_[1] * q[0];
  double b1 = axis_[0] * x + axis_[1] * y, b2 = -axis_[1] * x + axis_[0] * y;
  // Where nothing can move, rounding in q is no sliding.
  const double rounding = 64 * epsilon * (std::abs(q[0]) + std::abs(q[1]) + std::abs(q_2));
  if (a_[0] == 0.0 && std::abs(b1) <= rounding) b1 = 0.0;
  if (a_[1] == 0.0 && std::abs(b2) <= rounding) b2 = 0.0;
  const double t1 = tangential(b1, a_[0], 0.0), t2 = tangential(b2, a_[1], 0.0);
  const double normal = c - coupling_[0] * t1 - coupling_[1] * t2;
  const bool can_stick = (a_[0] > 0.0 || b1 == 0.0) && (a_[1] > 0.0 || b2 == 0.0);
  const bool sticks = can_stick && std::sqrt(t1 * t1 + t2 * t2) <= mu * normal && normal >= 0.0;
  const double s = sticks ? 0.0 : slide(mu, c, b1, b2);
  if (s < 0.0) return false;
  const double f1 = tangential(b1, a_[0], s), f2 = tangential(b2, a_[1], s);
  r[0] = c - coupling_[0] * f1 - coupling_[1] * f2;
  r[1] = axis_[0] * f1 - axis_[1] * f2;
  if (rows_ == 3) r[2] = axis_[1] * f1 + axis_[0] * f2;
  return true;
}

/// The root of psi(s) = mu r_N / |t| - 1, which is nearly linear in s: Newton inside a bracket. -1 if there
/// is none, which takes a tangent that cannot move and jams: W singular and mu large.
double OneContact::slide(double mu, double c, double b1, double b2) const {
  const double b = std::sqrt(b1 * b1 + b2 * b2);
  const double w = std::sqrt(coupling_[0] * coupling_[0] + coupling_[1] * coupling_[1]);
  double excess = 0.0, norm = 0.0;  // psi is their quotient
  double low = 0.0, high = b * (1.0 + mu * w) / (mu * c);
  double s = std::min(b / (mu * c), 0.5 * high);
  for (int k = 0; k < max_iterations; ++k) {
    const double inverse_1 = tangential(1.0, a_[0], s), inverse_2 = tangential(1.0, a_[1], s);
    const double t1 = b1 == 0.0 ? 0.0 : b1 * inverse_1, t2 = b2 == 0.0 ? 0.0 : b2 * inverse_2;
    const double norm2 = t1 * t1 + t2 * t2;
    norm = std::sqrt(norm2);
    const double normal = c - coupling_[0] * t1 - coupling_[1] * t2;
    excess = mu * normal - norm;
    if (std::abs(excess) <= 4 * epsilon * norm) break;
    (excess < 0.0 ? low : high) = s;
    if (high - low <= epsilon * high) break;
    // psi' = mu (r_N' |t| - r_N |t|') / |t|^2 with |t| |t|' = -(t_1^2 / d_1 + t_2^2 / d_2)
    const double normal_rate = coupling_[0] * t1 * inverse_1 + coupling_[1] * t2 * inverse_2;
    const double decrease = t1 * t1 * inverse_1 + t2 * t2 * inverse_2;
    const double next = s - excess * norm2 / (mu * (normal_rate * norm2 + normal * decrease));
    s = next > low && next < high ? next : 0.5 * (low + high);
  }
  return std::abs(excess) < 1e-6 * norm ? s : -1.0;
}

}  // namespace percuss
