#include "percuss/nonsmooth/cones.h"

namespace percuss {

Cone rolling_cone(int sliding_rows, double friction, int rolling_rows, double rolling, int spinning_rows,
                  double spinning) {
  Cone cone{ConeKind::rolling, friction};
  cone.sliding_rows = static_cast<std::uint8_t>(sliding_rows);
  cone.rolling_rows = static_cast<std::uint8_t>(rolling_rows);
  cone.spinning_rows = static_cast<std::uint8_t>(spinning_rows);
  cone.rolling_bound = rolling;
  cone.spinning_bound = spinning;
  return cone;
}

void shift_gradient(const Cone& cone, const double* u, double* gradient) {
  std::fill_n(gradient, cone.rows(), 0.0);
  for (const Disc& disc : cone.discs()) {
    const double norm = norm_in(disc, u);
    if (norm > 0.0)
      for (int i = disc.first; i < disc.first + disc.rows; ++i) gradient[i] = disc.bound * u[i] / norm;
  }
}

/// Discs are taken in the order in which a growing normal reaches x: the one that is reached last first, as
/// long as the normal that they ask for together does not reach the next.
DiscProjection project_discs(const Discs& discs, const double* x) {
  DiscProjection out;
  for (int k = 0; k < discs.count; ++k) out.length[k] = norm_in(discs.disc[k], x);
  out.normal = x[0];
  double lift = 0;  // sum of bound (|x_k| - bound x_N), weight times the growth of the normal
  for (int taken = 0; taken < discs.count; ++taken) {
    int next = -1;
    double farthest = 0;
    for (int k = 0; k < discs.count; ++k) {
      const double bound = discs.disc[k].bound;
      if (out.is_outside[k] || !(out.length[k] > bound * out.normal)) continue;
      const double reached_at = bound > 0 ? out.length[k] / bound : std::numeric_limits<double>::infinity();
      if (next >= 0 && !(reached_at > farthest)) continue;
      next = k;
      farthest = reached_at;
    }
    if (next < 0) break;
    const double bound = discs.disc[next].bound;
    out.is_outside[next] = true;
    lift += bound * (out.length[next] - bound * x[0]);
    out.weight += bound * bound;
    out.raised = lift / out.weight;
    out.normal = x[0] + out.raised;
  }
  if (out.normal > 0) return out;
  out.is_in_polar = true;
  out.normal = 0;
  return out;
}

void project_rolling(const Cone& cone, const double* x, double* p) {
  const Discs discs = cone.discs();
  const DiscProjection at = project_discs(discs, x);
  p[0] = at.normal;
  for (int k = 0; k < discs.count; ++k) {
    const Disc& disc = discs.disc[k];
    const double factor = at.is_in_polar     ? 0.0
                          : at.is_outside[k] ? disc.bound * at.normal / at.length[k]
                                             : 1.0;
    for (int i = disc.first; i < disc.first + disc.rows; ++i) p[i] = factor * x[i];
  }
}

void project_with_derivative(const Cone& cone, const double* x, double* p, double* derivative) {
  const int n = cone.rows();
  std::fill_n(derivative, n * n, 0.0);
  if (!cone.has_friction()) {
    const double at = x[0];
    project(cone, x, p);
    derivative[0] = p[0] == at ? 1.0 : 0.0;
    return;
  }
  const Discs discs = cone.discs();
  const DiscProjection at = project_discs(discs, x);
  if (at.is_in_polar) {
    std::fill_n(p, n, 0.0);
    return;
  }
  // dN = ray · dx / weight, with ray = (1, bound e_k) over the discs outside of which x lies, e_k = x_k /
  // |x_k|
  double ray[max_cone_rows] = {1.0};
  for (int k = 0; k < discs.count; ++k) {
    const Disc& disc = discs.disc[k];
    for (int i = disc.first; at.is_outside[k] && i < disc.first + disc.rows; ++i)
      ray[i] = disc.bound * x[i] / at.length[k];
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) derivative[i * n + j] = ray[i] * ray[j] / at.weight;
  double projected[max_cone_rows] = {at.normal};
  for (int k = 0; k < discs.count; ++k) {
    const Disc& disc = discs.disc[k];
    const double shortened = at.is_outside[k] ? disc.bound * at.normal / at.length[k] : 1.0;
    for (int i = disc.first; i < disc.first + disc.rows; ++i) {
      projected[i] = shortened * x[i];
      derivative[i * n + i] += shortened;
      if (!at.is_outside[k]) continue;
      for (int j = disc.first; j < disc.first + disc.rows; ++j)
        derivative[i * n + j] -= shortened * (x[i] / at.length[k]) * (x[j] / at.length[k]);
    }
  }
  std::copy_n(projected, n, p);
}

void add_rolling_residual(const Cone& cone, double rho, const double* r, const double* trial, double* error) {
  const Discs discs = cone.discs();
  const DiscProjection at = project_discs(discs, trial);
  if (at.is_in_polar) {  // open
    for (int i = 0; i < cone.rows(); ++i) error[i] = r[i] / rho;
    return;
  }
  error[0] -= at.raised;
  for (int k = 0; k < discs.count; ++k) {
    if (!at.is_outside[k]) continue;
    const Disc& disc = discs.disc[k];
    const double outside = (at.length[k] - disc.bound * trial[0]) - disc.bound * at.raised;
    for (int i = disc.first; i < disc.first + disc.rows; ++i) error[i] += outside * trial[i] / at.length[k];
  }
}

}  // namespace percuss
