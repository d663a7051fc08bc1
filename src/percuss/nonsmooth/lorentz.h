#pragma once

#include <cmath>

/// Algebra of the Lorentz cone L = { x : x_1 >= |x_T| } in one, two or three dimensions. Its product is
/// x o y = (x^T y, x_1 y_T + y_1 x_T) with the unit element e = (1, 0, 0).
/// docs/theory/nonsmooth_interior_point.md
namespace percuss::lorentz {

inline double tail_norm(int n, const double* x) {
  return n == 3 ? std::hypot(x[1], x[2]) : n == 2 ? std::abs(x[1]) : 0.0;
}

inline double dot(int n, const double* x, const double* y) {
  double sum = x[0] * y[0];
  for (int i = 1; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/// x_1² - |x_T|², without its cancellation; positive inside of the cone.
inline double determinant(int n, const double* x) {
  const double tail = tail_norm(n, x);
  return (x[0] - tail) * (x[0] + tail);
}

inline void product(int n, const double* x, const double* y, double* xy) {
  const double first = dot(n, x, y), x0 = x[0], y0 = y[0];
  for (int i = 1; i < n; ++i) xy[i] = x0 * y[i] + y0 * x[i];
  xy[0] = first;
}

/// y with x o y = b.
inline void divide(int n, const double* x, const double* b, double* y) {
  const double product_of_tails = dot(n, x, b) - x[0] * b[0];
  const double first = (x[0] * b[0] - product_of_tails) / determinant(n, x);
  for (int i = 1; i < n; ++i) y[i] = (b[i] - first * x[i]) / x[0];
  y[0] = first;
}

/// Largest t <= t_max with x + t d in the cone, for x inside.  (NI-10)
inline double step_to_boundary(int n, const double* x, const double* d, double t_max) {
  const double root = std::sqrt(determinant(n, x));
  const double x0 = x[0] / root, d0 = d[0] / root;
  double first = x0 * d0;
  for (int i = 1; i < n; ++i) first -= x[i] / root * (d[i] / root);
  double tail[3] = {0.0, 0.0, 0.0};
  for (int i = 1; i < n; ++i) tail[i] = (d[i] - (first + d0) / (x0 + 1.0) * x[i]) / root;
  const double inverse = tail_norm(n, tail) - first;
  return inverse * t_max > 1.0 ? 1.0 / inverse : t_max;
}

/// The Nesterov-Todd scaling N of a pair x, z inside of the cone: symmetric, N maps the cone onto itself, and
/// N z = N^-1 x = lambda.  (NI-5)
struct Scaling {
  int n = 1;
  double eta = 1.0;              ///< N = eta (2 v v^T - J), J = diag(1, -1, -1)
  double v[3] = {1, 0, 0};       ///< the square root of w
  double w[3] = {1, 0, 0};       ///< N² = eta² (2 w w^T - J), det w = 1
  double lambda[3] = {1, 0, 0};  ///< the scaled point

  void set(int rows, const double* x, const double* z) {
    n = rows;
    const double root_x = std::sqrt(determinant(n, x)), root_z = std::sqrt(determinant(n, z));
    const double gamma = std::sqrt(0.5 * (1.0 + dot(n, x, z) / (root_x * root_z)));
    for (int i = 0; i < n; ++i) w[i] = (x[i] / root_x + (i == 0 ? 1 : -1) * z[i] / root_z) / (2.0 * gamma);
    const double tail = tail_norm(n, w);
    w[0] = std::sqrt(1.0 + tail * tail);  // det w = 1 against rounding
    const double scale = 1.0 / std::sqrt(2.0 * (w[0] + 1.0));
    for (int i = 0; i < n; ++i) v[i] = (w[i] + (i == 0 ? 1.0 : 0.0)) * scale;
    eta = std::sqrt(root_x / root_z);
    apply(z, lambda);
  }
  void apply(const double* y, double* Ny) const { reflect(y, Ny, 1.0, eta); }
  void apply_inverse(const double* y, double* Ny) const { reflect(y, Ny, -1.0, 1.0 / eta); }
  /// Entry (i, j) of S = N^-2, for which S x = z.  (NI-6)
  double inverse_square(int i, int j) const {
    const double wi = i == 0 ? w[0] : -w[i], wj = j == 0 ? w[0] : -w[j];
    return (2.0 * wi * wj - (i != j ? 0.0 : i == 0 ? 1.0 : -1.0)) / (eta * eta);
  }

 private:
  /// (2 a a^T - J) y with a = (v_1, sign v_T), times `factor`.
  void reflect(const double* y, double* out, double sign, double factor) const {
    double twice = v[0] * y[0];
    for (int i = 1; i < n; ++i) twice += sign * v[i] * y[i];
    twice *= 2.0;
    out[0] = factor * (twice * v[0] - y[0]);
    for (int i = 1; i < n; ++i) out[i] = factor * (twice * sign * v[i] + y[i]);
  }
};

}  // namespace percuss::lorentz
