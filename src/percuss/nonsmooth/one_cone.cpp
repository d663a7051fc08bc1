#include "percuss/nonsmooth/one_cone.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/newton_law.h"

namespace percuss {
namespace {

constexpr int cone_iterations = 60;
constexpr int cone_projections = 20;  ///< where a Newton step does not help
constexpr int shift_halvings = 60;    ///< of the bracket of De Saxcé's shift
constexpr int convex_rounds = 30;     ///< of projections and Newton steps, with the shift held
constexpr int few_cone_iterations = 5;
constexpr double enough_for_sweeps = 1e8;  ///< of the rounding, squared
constexpr double shortest_cone_step = 1.0 / 64;
/// Residuals below this part of the velocities that meet in one are rounding.
constexpr double cone_rounding = 4 * std::numeric_limits<double>::epsilon();

using ConeMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, max_cone_rows, max_cone_rows>;
using ConeVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_cone_rows, 1>;

void velocity(int n, const double* block, const double* q, const double* r, double* u) {
  for (int i = 0; i < n; ++i) {
    u[i] = q[i];
    for (int j = 0; j < n; ++j) u[i] += block[i * n + j] * r[j];
  }
}

/// The iterations of one cone.
class OneCone {
 public:
  OneCone(const Cone& cone, const double* block, const double* q)
      : cone_(cone), n_(cone.rows()), block_(block), q_(q), trace_(trace_of(n_, block)) {
    scale_ = newton_scale(NewtonFormulation::alart_curnier, cone, block);
    W_ = Eigen::Map<const ConeMatrix>(block, n_, n_);
  }

  /// [m/s], squared.
  double residual2(const ConeVector& r) const {
    double u[max_cone_rows];
    velocity(n_, block_, q_, r.data(), u);
    return cone_residual2(cone_, trace_, r.data(), u);
  }

  /// The velocities that cancel at r, squared.
  double rounding2(const ConeVector& r) const {
    double sum = 0;
    for (int i = 0; i < n_; ++i) {
      double size = std::abs(q_[i]);
      for (int j = 0; j < n_; ++j) size += std::abs(block_[i * n_ + j] * r[j]);
      sum += size * size;
    }
    return cone_rounding * cone_rounding * sum;
  }

  /// One Newton step with a line search on the residual; false if no length makes it smaller.
  bool step(ConeVector& r, double& residual2_at) const {
    double u[max_cone_rows], F[max_cone_rows], A[max_cone_rows * max_cone_rows],
        B[max_cone_rows * max_cone_rows];
    velocity(n_, block_, q_, r.data(), u);
    newton_linearise(NewtonFormulation::alart_curnier, cone_, scale_, r.data(), u, {F, A, B});
    const ConeMatrix J =
        Eigen::Map<const ConeMatrix>(A, n_, n_) * W_ + Eigen::Map<const ConeMatrix>(B, n_, n_);
    const Eigen::FullPivLU<ConeMatrix> lu(J);
    const ConeVector dr = lu.solve(-Eigen::Map<const ConeVector>(F, n_));
    if (!dr.allFinite()) return false;
    for (double length = 1; length >= shortest_cone_step; length /= 2) {
      const ConeVector trial = r + length * dr;
      const double at = residual2(trial);
      if (!(at < residual2_at)) continue;
      r = trial;
      residual2_at = at;
      return true;
    }
    return false;
  }

  double trace() const { return trace_; }

  /// With De Saxcé's shift as an unknown s of its own (N-22a): for every s the reactions solve a convex
  /// problem, and what is looked for is the s that is the shift of their velocities. At s = 0 it is too
  /// small, and where s opens the contact too large, so a bracket is known and the method cannot fail.
  void solve_by_shift(ConeVector& r) const {
    double low = 0, high = de_saxce_shift(cone_, q_) - q_[0];
    ConeVector u = ConeVector::Zero(n_);
    for (int k = 0; k < shift_halvings && high - low > cone_rounding * high; ++k) {
      const double middle = 0.5 * (low + high);
      solve_convex(middle, r);
      velocity(n_, block_, q_, r.data(), u.data());
      (de_saxce_shift(cone_, u.data()) > middle ? low : high) = middle;
    }
  }

 private:
  /// r - P(r - rho (W r + q + s N)) with rho = 1 / trace, and its derivative if J is given.
  ConeVector convex_map(double s, const ConeVector& r, ConeMatrix* J) const {
    const double rho = trace_ > 0 ? 1 / trace_ : 1;
    double x[max_cone_rows] = {}, p[max_cone_rows] = {}, G[max_cone_rows * max_cone_rows] = {};
    velocity(n_, block_, q_, r.data(), x);
    x[0] += s;
    for (int i = 0; i < n_; ++i) x[i] = r[i] - rho * x[i];
    project_with_derivative(cone_, x, p, G);
    const ConeMatrix unit = ConeMatrix::Identity(n_, n_);
    if (J) *J = unit - Eigen::Map<const ConeMatrix>(G, n_, n_) * (unit - rho * W_);
    return r - Eigen::Map<const ConeVector>(p, n_);
  }

  /// The convex problem: projected gradients, which come closer whatever happens, and Newton steps as long as
  /// they do better.
  void solve_convex(double s, ConeVector& r) const {
    for (int round = 0; round < convex_rounds; ++round) {
      for (int k = 0; k < cone_projections; ++k) r -= convex_map(s, r, nullptr);
      ConeMatrix J;
      double before = convex_map(s, r, &J).norm();
      while (before > cone_rounding * r.norm()) {
        const ConeVector trial = r - Eigen::FullPivLU<ConeMatrix>(J).solve(convex_map(s, r, nullptr));
        const double after = convex_map(s, trial, &J).norm();
        if (!(after < 0.5 * before)) break;
        r = trial;
        before = after;
      }
      if (before <= 4 * cone_rounding * r.norm()) return;
    }
  }

  const Cone& cone_;
  int n_;
  const double *block_, *q_;
  double trace_;
  NewtonScale scale_;
  ConeMatrix W_;
};

}  // namespace

void project_repeatedly(const Cone& cone, const double* block, double trace, const double* q, int steps,
                        double* r) {
  const int n = cone.rows();
  const double rho = trace > 0.0 ? 1.0 / trace : 1.0;
  for (int k = 0; k < steps; ++k) {
    double u[max_cone_rows], next[max_cone_rows], change = 0.0;
    velocity(n, block, q, r, u);
    shift_velocity(cone, u, u);
    for (int i = 0; i < n; ++i) next[i] = r[i] - rho * u[i];
    project(cone, next, next);
    for (int i = 0; i < n; ++i) {
      change += std::abs(next[i] - r[i]);
      r[i] = next[i];
    }
    if (change <= 1e-15 * std::abs(r[0])) break;
  }
}

void solve_one_cone(const Cone& cone, const double* block, const double* q, double* r) {
  const int n = cone.rows();
  if (q[0] >= 0) {
    std::fill_n(r, n, 0.0);
    return;
  }
  const OneCone one(cone, block, q);
  ConeVector x = Eigen::Map<const ConeVector>(r, n), best = x;
  double at = one.residual2(x), least = at;
  const auto keep_best = [&] {
    if (!(at < least)) return;
    least = at;
    best = x;
  };
  const auto improve = [&](int iterations) {
    for (int k = 0; k < iterations && at > one.rounding2(x); ++k) {
      if (!one.step(x, at)) {
        if (least <= 1e4 * one.rounding2(best)) break;  // nothing is left to gain
        project_repeatedly(cone, block, one.trace(), q, cone_projections, x.data());
        at = one.residual2(x);
      }
      keep_best();
    }
    return least <= enough_for_sweeps * one.rounding2(best);
  };
  if (!improve(cone_iterations)) {
    one.solve_by_shift(x);
    at = one.residual2(x);
    keep_best();
    improve(few_cone_iterations);
  }
  project(cone, best.data(), r);
}

}  // namespace percuss
