#include "percuss/nonsmooth/newton_law.h"

#include <algorithm>
#include <cmath>

#include "percuss/nonsmooth/cones.h"

namespace percuss {
namespace {

/// What is known of one cone while its rows are written.
struct Rows {
  int n;
  NewtonRows to;
  bool depends_on_u = false;

  double& F(int i) const { return to.F[i]; }
  double& A(int i, int j) const { return to.A[i * n + j]; }
  double& B(int i, int j) const { return to.B[i * n + j]; }
  /// F_i = u_i.
  void hold(int i, double u) {
    F(i) = u;
    A(i, i) = 1.0;
    depends_on_u = true;
  }
  /// F_i = (r_i - goal) / rho.
  void fix(int i, double scale, double distance) {
    F(i) = scale * distance;
    B(i, i) = scale;
  }
};

void linearise_row(const Cone& cone, double scale, double r, double u, Rows& out) {
  const double trial = scale * r - u;
  if (cone.kind == ConeKind::equality || (cone.kind == ConeKind::nonnegative && trial > 0.0) ||
      (cone.kind == ConeKind::interval && std::abs(trial) < scale * cone.bound))
    out.hold(0, u);
  else
    out.fix(0, scale, cone.kind == ConeKind::interval ? r - std::copysign(cone.bound, trial) : r);
}

/// (NN-3), (NN-4) of one disc: F_T = y_T - P_disc(R)(y_T - u_T), y = s_T r, with the radius R of the disc for
/// the normal `reaction`, which is [r_N - u_N / s_N]^+ or, without u_N, [r_N]^+.
void linearise_disc(const Disc& disc, double scale, double reaction, double trial_of_normal, const double* r,
                    const double* u, Rows& out) {
  const double radius = disc.bound * scale * reaction;
  const int end = disc.first + disc.rows;
  double trial[max_cone_rows], length2 = 0.0;
  for (int i = disc.first; i < end; ++i) {
    trial[i] = scale * r[i] - u[i];
    length2 += trial[i] * trial[i];
  }
  if (radius > 0.0 && length2 <= radius * radius) {
    for (int i = disc.first; i < end; ++i) out.hold(i, u[i]);
    return;
  }
  if (radius <= 0.0) {
    for (int i = disc.first; i < end; ++i) out.fix(i, scale, r[i]);
    return;
  }
  const double length = std::sqrt(length2), ratio = radius / length;
  out.depends_on_u = true;
  for (int i = disc.first; i < end; ++i) {
    const double t_i = trial[i] / length;
    out.F(i) = scale * r[i] - radius * t_i;
    // dR = mu s_T (dr_N - du_N / s_N)
    out.B(i, 0) = -disc.bound * scale * t_i;
    out.A(i, 0) = disc.bound * scale * trial_of_normal * t_i;
    for (int j = disc.first; j < end; ++j) {
      const double turn = ratio * ((i == j) - t_i * trial[j] / length);
      out.A(i, j) = turn;
      out.B(i, j) = scale * ((i == j) - turn);
    }
  }
}

void linearise_discs(NewtonFormulation formulation, const Cone& cone, const NewtonScale& scale,
                     const double* r, const double* u, Rows& out) {
  const bool trial_radius = formulation == NewtonFormulation::alart_curnier;
  const double trial = scale.normal * r[0] - u[0];
  if (trial > 0.0)
    out.hold(0, u[0]);
  else
    out.fix(0, scale.normal, r[0]);
  const double reaction = std::max(0.0, trial_radius ? trial / scale.normal : r[0]);
  const double* disc_scale = scale.disc;
  for_each_disc(cone, [&](const Disc& disc) {
    linearise_disc(disc, *disc_scale++, reaction, trial_radius ? 1.0 / scale.normal : 0.0, r, u, out);
  });
}

/// (NN-5): F = y - P_K(y - û).
void linearise_natural(const Cone& cone, double scale, const double* r, const double* u, Rows& out) {
  const int n = cone.rows();
  double shifted[max_cone_rows], x[max_cone_rows], p[max_cone_rows], s[max_cone_rows];
  double dP[max_cone_rows * max_cone_rows];
  shift_velocity(cone, u, shifted);
  shift_gradient(cone, u, s);
  for (int i = 0; i < n; ++i) x[i] = scale * r[i] - shifted[i];
  project_with_derivative(cone, x, p, dP);
  if (!(p[0] > 0.0)) {  // the polar cone: open
    for (int i = 0; i < n; ++i) out.fix(i, scale, r[i]);
    return;
  }
  out.depends_on_u = true;
  // dF = s dr - dP (s dr - dû)
  for (int i = 0; i < n; ++i) {
    out.F(i) = scale * r[i] - p[i];
    for (int j = 0; j < n; ++j) {
      out.A(i, j) = dP[i * n + j] + dP[i * n] * s[j];
      out.B(i, j) = scale * ((i == j) - dP[i * n + j]);
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
void linearise_jordan(const Cone& cone, double scale, const double* r, const double* u, Rows& out) {
  const int n = cone.rows();
  const double mu = cone.bound;
  double y[3], x[3], s[3] = {};
  shift_velocity(cone, u, y);
  shift_gradient(cone, u, s);
  for (int i = 0; i < n; ++i) x[i] = scale * r[i] * (i == 0 ? mu : 1.0);
  for (int i = 1; i < n; ++i) y[i] *= mu;
  JordanRoot root = jordan_root(n, x, y);
  for (int i = 0; i < n; ++i) out.F(i) = x[i] + y[i] - root.w[i];
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
      out.B(i, j) = scale * dx * (j == 0 ? mu : 1.0);
      out.A(i, j) = j == 0 ? dy : mu * dy + dy0 * s[j];
    }
}

/// Fischer-Burmeister of one nonnegative row: s r + u - |(s r, u)|.
void linearise_scalar_root(double scale, double r, double u, Rows& out) {
  const double y = scale * r, norm = std::hypot(y, u);
  out.F(0) = y + u - norm;
  out.A(0, 0) = norm > 0.0 ? 1.0 - u / norm : 1.0;
  out.B(0, 0) = scale * (norm > 0.0 ? 1.0 - y / norm : 1.0);
  out.depends_on_u = true;
}

}  // namespace

NewtonScale newton_scale(NewtonFormulation formulation, const Cone& cone, const double* block) {
  const int n = cone.rows();
  const auto sum_of = [&](int first, int rows) {
    double sum = 0.0;
    for (int i = first; i < first + rows; ++i) sum += block[i * (n + 1)];
    return sum;
  };
  const double trace = sum_of(0, n), unit = trace > 0.0 ? trace / n : 1.0;
  NewtonScale scale{unit, unit, {unit, unit, unit}};
  const bool apart =
      formulation == NewtonFormulation::alart_curnier || formulation == NewtonFormulation::jean_moreau;
  if (!apart || n == 1) return scale;
  const auto choose = [unit](double mean, double& chosen) {
    if (mean > 1e-6 * unit) chosen = mean;
  };
  choose(block[0], scale.normal);
  double* disc_scale = scale.disc;
  for_each_disc(cone,
                [&](const Disc& disc) { choose(sum_of(disc.first, disc.rows) / disc.rows, *disc_scale++); });
  return scale;
}

bool newton_linearise(NewtonFormulation formulation, const Cone& cone, const NewtonScale& scale,
                      const double* r, const double* u, const NewtonRows& out) {
  const int n = cone.rows();
  std::fill_n(out.A, n * n, 0.0);
  std::fill_n(out.B, n * n, 0.0);
  Rows rows{n, out};
  const bool root = formulation == NewtonFormulation::fischer_burmeister;
  if (root && (cone.kind == ConeKind::nonnegative || (cone.has_friction() && cone.bound == 0.0))) {
    linearise_scalar_root(scale.normal, r[0], u[0], rows);
    for (int i = 1; i < n; ++i) rows.fix(i, scale.disc[0], r[i]);
  } else if (!cone.has_friction()) {
    linearise_row(cone, scale.normal, r[0], u[0], rows);
  } else if (root) {
    linearise_jordan(cone, scale.normal, r, u, rows);
  } else if (formulation == NewtonFormulation::natural_map) {
    linearise_natural(cone, scale.normal, r, u, rows);
  } else {
    linearise_discs(formulation, cone, scale, r, u, rows);
  }
  return rows.depends_on_u;
}

double newton_residual2(NewtonFormulation formulation, const Cone& cone, const NewtonScale& scale,
                        const double* r, const double* u) {
  double F[max_cone_rows], A[max_cone_rows * max_cone_rows], B[max_cone_rows * max_cone_rows], sum = 0.0;
  newton_linearise(formulation, cone, scale, r, u, {F, A, B});
  for (int i = 0; i < cone.rows(); ++i) sum += F[i] * F[i];
  return sum;
}

}  // namespace percuss
