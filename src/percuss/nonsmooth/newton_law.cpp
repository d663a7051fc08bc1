#include "percuss/nonsmooth/newton_law.h"

#include <algorithm>
#include <cmath>

#include "percuss/nonsmooth/cones.h"

namespace percuss {
namespace {

/// Rows of F of the linear pieces: F_i = u_i.
void newton_hold(NewtonLinearisation& out, int i, double u) {
  out.F[i] = u;
  out.A[3 * i + i] = 1.0;
  out.depends_on_u = true;
}

/// F_i = (r_i - goal) / rho.
void newton_fix(NewtonLinearisation& out, int i, double scale, double distance) {
  out.F[i] = scale * distance;
  out.B[3 * i + i] = scale;
}

void linearise_row(const Cone& cone, double scale, double r, double u, NewtonLinearisation& out) {
  const double trial = scale * r - u;
  if (cone.kind == ConeKind::equality || (cone.kind == ConeKind::nonnegative && trial > 0.0) ||
      (cone.kind == ConeKind::interval && std::abs(trial) < scale * cone.bound))
    newton_hold(out, 0, u);
  else
    newton_fix(out, 0, scale, cone.kind == ConeKind::interval ? r - std::copysign(cone.bound, trial) : r);
}

/// (NN-3), (NN-4): F_T = y_T - P_disk(R)(y_T - u_T), y = scale r, R = mu (s_T / s_N) [s_N r_N - u_N]^+, or
/// without u_N.
void linearise_disk(NewtonFormulation formulation, const Cone& cone, const NewtonScale& scale,
                    const double* r, const double* u, NewtonLinearisation& out) {
  const int n = cone.rows();
  const bool trial_radius = formulation == NewtonFormulation::alart_curnier;
  const double trial_n = scale.normal * r[0] - u[0];
  if (trial_n > 0.0)
    newton_hold(out, 0, u[0]);
  else
    newton_fix(out, 0, scale.normal, r[0]);
  const double reaction = std::max(0.0, trial_radius ? trial_n / scale.normal : r[0]);
  const double radius = cone.bound * scale.tangent * reaction;
  double trial[3] = {0.0, 0.0, 0.0}, length2 = 0.0;
  for (int i = 1; i < n; ++i) {
    trial[i] = scale.tangent * r[i] - u[i];
    length2 += trial[i] * trial[i];
  }
  if (radius > 0.0 && length2 <= radius * radius) {
    for (int i = 1; i < n; ++i) newton_hold(out, i, u[i]);
    return;
  }
  if (radius <= 0.0) {
    for (int i = 1; i < n; ++i) newton_fix(out, i, scale.tangent, r[i]);
    return;
  }
  const double length = std::sqrt(length2), ratio = radius / length;
  out.depends_on_u = true;
  for (int i = 1; i < n; ++i) {
    const double t_i = trial[i] / length;
    out.F[i] = scale.tangent * r[i] - radius * t_i;
    // dR = mu s_T (dr_N - du_N / s_N)
    out.B[3 * i] = -cone.bound * scale.tangent * t_i;
    if (trial_radius) out.A[3 * i] = cone.bound * scale.tangent / scale.normal * t_i;
    for (int j = 1; j < n; ++j) {
      const double turn = ratio * ((i == j) - t_i * trial[j] / length);
      out.A[3 * i + j] = turn;
      out.B[3 * i + j] = scale.tangent * ((i == j) - turn);
    }
  }
}

/// d|u_T| / du_T; zero at u_T = 0, which is an element of the generalised gradient.
void newton_slip_direction(const Cone& cone, const double* u, double* s) {
  const double norm = tangential_norm(cone, u);
  for (int i = 1; i < cone.rows(); ++i) s[i] = norm > 0.0 ? u[i] / norm : 0.0;
}

/// (NN-5): F = y - P_K(y - û).
void linearise_natural(const Cone& cone, double scale, const double* r, const double* u,
                       NewtonLinearisation& out) {
  const int n = cone.rows();
  const double mu = cone.bound;
  double shifted[3], x[3], p[3], s[3] = {};
  shift_velocity(cone, u, shifted);
  newton_slip_direction(cone, u, s);
  for (int i = 0; i < n; ++i) x[i] = scale * r[i] - shifted[i];
  project(cone, x, p);
  const double a = tangential_norm(cone, x);
  if (a > mu * x[0] && mu * a <= -x[0]) {  // the polar cone: open
    for (int i = 0; i < n; ++i) newton_fix(out, i, scale, r[i]);
    return;
  }
  out.depends_on_u = true;
  // dP as a matrix, then dF = s dr - dP (s dr - dû).
  double dP[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (a > mu * x[0]) {
    const double c = 1.0 / (1.0 + mu * mu), turn = mu * p[0] / a;
    dP[0] = c;
    for (int i = 1; i < n; ++i) {
      const double t_i = x[i] / a;
      dP[i] = dP[3 * i] = c * mu * t_i;
      for (int j = 1; j < n; ++j) {
        const double t_ij = t_i * x[j] / a;
        dP[3 * i + j] = c * mu * mu * t_ij + turn * ((i == j) - t_ij);
      }
    }
  }
  for (int i = 0; i < n; ++i) {
    out.F[i] = scale * r[i] - p[i];
    for (int j = 0; j < n; ++j) {
      out.A[3 * i + j] = dP[3 * i + j] + (j > 0 ? dP[3 * i] * mu * s[j] : 0.0);
      out.B[3 * i + j] = scale * ((i == j) - dP[3 * i + j]);
    }
  }
}

/// Square root w of x² + y² in the Jordan algebra of the second-order cone, by its two eigenvalues.
struct JordanRoot {
  double w[3];
  double small, large;  ///< eigenvalues of w
};

JordanRoot jordan_root(int n, const double* x, const double* y) {
  double v[3] = {0.0, 0.0, 0.0}, norm2 = 0.0;
  for (int i = 0; i < n; ++i) v[0] += x[i] * x[i] + y[i] * y[i];
  for (int i = 1; i < n; ++i) {
    v[i] = 2.0 * (x[0] * x[i] + y[0] * y[i]);
    norm2 += v[i] * v[i];
  }
  const double norm = std::sqrt(norm2);
  JordanRoot root{{0.0, 0.0, 0.0}, std::sqrt(std::max(0.0, v[0] - norm)), std::sqrt(v[0] + norm)};
  root.w[0] = 0.5 * (root.small + root.large);
  for (int i = 1; i < n; ++i) root.w[i] = norm > 0.0 ? 0.5 * (root.large - root.small) * v[i] / norm : 0.0;
  return root;
}

/// M = L_w^-1 L_x, columns: L_w m = x ∘ e_j. L_w = [w0 w1^T; w1 w0 I].
void jordan_quotient(int n, const double* w, double determinant, const double* x, double* M) {
  for (int j = 0; j < n; ++j) {
    double b[3] = {x[j], 0.0, 0.0};
    for (int i = 1; i < n; ++i) b[i] = j == 0 ? x[i] : (i == j ? x[0] : 0.0);
    double dot = 0.0;
    for (int i = 1; i < n; ++i) dot += w[i] * b[i];
    const double m0 = (w[0] * b[0] - dot) / determinant;
    M[j] = m0;
    for (int i = 1; i < n; ++i) M[3 * i + j] = (b[i] - w[i] * m0) / w[0];
  }
}

/// (NN-6): F = x + y - (x² + y²)^(1/2) with x = s (mu r_N, r_T), y = (û_N, mu u_T), both in the same cone.
void linearise_jordan(const Cone& cone, double scale, const double* r, const double* u,
                      NewtonLinearisation& out) {
  const int n = cone.rows();
  const double mu = cone.bound;
  double y[3], x[3], s[3] = {};
  shift_velocity(cone, u, y);
  newton_slip_direction(cone, u, s);
  for (int i = 0; i < n; ++i) x[i] = scale * r[i] * (i == 0 ? mu : 1.0);
  for (int i = 1; i < n; ++i) y[i] *= mu;
  JordanRoot root = jordan_root(n, x, y);
  for (int i = 0; i < n; ++i) out.F[i] = x[i] + y[i] - root.w[i];
  // At the kinks (an eigenvalue is zero) the derivative is that of a slightly smoothed root.
  const double floor = 1e-10 * std::max(root.large, 1e-100);
  root.w[0] += std::max(0.0, floor - root.small);
  const double determinant = std::max(root.small, floor) * (root.large + std::max(0.0, floor - root.small));
  double Mx[9], My[9];
  jordan_quotient(n, root.w, determinant, x, Mx);
  jordan_quotient(n, root.w, determinant, y, My);
  out.depends_on_u = true;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double dx = (i == j) - Mx[3 * i + j], dy = (i == j) - My[3 * i + j], dy0 = (i == 0) - My[3 * i];
      out.B[3 * i + j] = scale * dx * (j == 0 ? mu : 1.0);
      out.A[3 * i + j] = j == 0 ? dy : mu * dy + dy0 * mu * s[j];
    }
}

/// Fischer-Burmeister of one nonnegative row: s r + u - |(s r, u)|.
void linearise_scalar_root(double scale, double r, double u, NewtonLinearisation& out) {
  const double y = scale * r, norm = std::hypot(y, u);
  out.F[0] = y + u - norm;
  out.A[0] = norm > 0.0 ? 1.0 - u / norm : 1.0;
  out.B[0] = scale * (norm > 0.0 ? 1.0 - y / norm : 1.0);
  out.depends_on_u = true;
}

}  // namespace

void newton_linearise(NewtonFormulation formulation, const Cone& cone, const NewtonScale& scale,
                      const double* r, const double* u, NewtonLinearisation& out) {
  std::fill(out.F, out.F + 3, 0.0);
  std::fill(out.A, out.A + 9, 0.0);
  std::fill(out.B, out.B + 9, 0.0);
  out.depends_on_u = false;
  const bool root = formulation == NewtonFormulation::fischer_burmeister;
  if (root && (cone.kind == ConeKind::nonnegative || (cone.has_friction() && cone.bound == 0.0))) {
    linearise_scalar_root(scale.normal, r[0], u[0], out);
    for (int i = 1; i < cone.rows(); ++i) newton_fix(out, i, scale.tangent, r[i]);
  } else if (!cone.has_friction()) {
    linearise_row(cone, scale.normal, r[0], u[0], out);
  } else if (root) {
    linearise_jordan(cone, scale.normal, r, u, out);
  } else if (formulation == NewtonFormulation::natural_map) {
    linearise_natural(cone, scale.normal, r, u, out);
  } else {
    linearise_disk(formulation, cone, scale, r, u, out);
  }
}

double newton_residual2(NewtonFormulation formulation, const Cone& cone, const NewtonScale& scale,
                        const double* r, const double* u) {
  NewtonLinearisation at;
  newton_linearise(formulation, cone, scale, r, u, at);
  return at.F[0] * at.F[0] + at.F[1] * at.F[1] + at.F[2] * at.F[2];
}

}  // namespace percuss
