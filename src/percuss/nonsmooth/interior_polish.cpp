#include "percuss/nonsmooth/interior_polish.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <Eigen/LU>

#include "percuss/nonsmooth/lorentz.h"

namespace percuss {
namespace {

/// Stand for the zeros of G and I - G in (NI-13).
double polish_regularisation() { static double v = getenv("EPS") ? atof(getenv("EPS")) : 1e-9; return v; }

/// P of the cone at y and an element G of its derivative.
void project_with_derivative(const InteriorCone& cone, const double* y, double* p, Matrix3& G) {
  G.setIdentity();
  for (int i = 0; i < cone.rows; ++i) p[i] = y[i];
  if (cone.kind == InteriorCone::Kind::free) return;
  if (cone.kind == InteriorCone::Kind::box) {
    p[0] = std::clamp(y[0], -cone.bound, cone.bound);
    if (std::abs(y[0]) > cone.bound) G(0, 0) = 0.0;
    return;
  }
  const double tail = lorentz::tail_norm(cone.rows, y);
  if (y[0] >= tail) return;
  G.setZero();
  for (int i = 0; i < cone.rows; ++i) p[i] = 0.0;
  if (y[0] <= -tail) return;
  double n[3] = {0.0, 0.0, 0.0};
  for (int i = 1; i < cone.rows; ++i) n[i] = y[i] / tail;
  const double ratio = y[0] / tail;
  p[0] = 0.5 * (y[0] + tail);
  G(0, 0) = 0.5;
  for (int i = 1; i < cone.rows; ++i) {
    p[i] = p[0] * n[i];
    G(0, i) = G(i, 0) = 0.5 * n[i];
    for (int j = 1; j < cone.rows; ++j) G(i, j) = 0.5 * ((i == j ? 1.0 + ratio : 0.0) - ratio * n[i] * n[j]);
  }
}

}  // namespace

InteriorPolish::InteriorPolish(const InteriorRows& rows, const VectorX& q, InteriorSystem& system,
                               const VectorX& start)
    : rows_(rows), q_(q), system_(system), x_(start) {
  blocks_.assign(rows.cones.size(), Matrix3::Identity());
  rhs_.resize(rows.size());
  dx_ = correction_ = rhs_;
  measure();
}

void InteriorPolish::measure() {
  system_.multiply(x_, u_);
  u_ += q_;
}

bool InteriorPolish::advance() {
  const double eps = polish_regularisation();
  for (size_t c = 0; c < rows_.cones.size(); ++c) {
    const InteriorCone& cone = rows_.cones[c];
    const int i = cone.first, n = cone.rows;
    double y[3], p[3];
    Matrix3 G, shift = Matrix3::Identity();
    const bool friction = cone.kind == InteriorCone::Kind::lorentz && n > 1;
    const double slip = friction ? lorentz::tail_norm(n, &u_[i]) : 0.0;
    for (int k = 0; k < n; ++k) y[k] = x_[i + k] - u_[i + k];
    if (slip > 0.0) {
      y[0] -= slip;
      for (int k = 1; k < n; ++k) shift(0, k) = u_[i + k] / slip;
    }
    project_with_derivative(cone, y, p, G);
    const Matrix3 K = (G + eps * Matrix3::Identity()) * shift;
    const auto solver = K.topLeftCorner(n, n).eval().partialPivLu();
    Eigen::VectorXd F(n);
    for (int k = 0; k < n; ++k) F[k] = p[k] - x_[i + k];
    rhs_.segment(i, n) = solver.solve(F);
    blocks_[c].topLeftCorner(n, n) =
        solver.solve(((1.0 + eps) * Matrix3::Identity() - G).topLeftCorner(n, n).eval());
  }
  if (!system_.factorise(blocks_)) return false;
  system_.solve(rhs_, dx_);
  system_.multiply(dx_, product_);
  product_ = rhs_ - product_;
  for (size_t c = 0; c < rows_.cones.size(); ++c) {
    const InteriorCone& cone = rows_.cones[c];
    product_.segment(cone.first, cone.rows) -=
        blocks_[c].topLeftCorner(cone.rows, cone.rows) * dx_.segment(cone.first, cone.rows);
  }
  system_.solve(product_, correction_);
  dx_ += correction_;
  x_ += dx_;
  for (const InteriorCone& cone : rows_.cones) {
    Matrix3 G;
    const Vector3 y = Vector3::NullaryExpr([&](Eigen::Index k) { return k < cone.rows ? x_[cone.first + k] : 0.0; });
    project_with_derivative(cone, y.data(), &x_[cone.first], G);
  }
  measure();
  return x_.allFinite();
}

}  // namespace percuss
