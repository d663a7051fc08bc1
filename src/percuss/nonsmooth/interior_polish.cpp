#include "percuss/nonsmooth/interior_polish.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "percuss/nonsmooth/cones.h"
#include "percuss/nonsmooth/lorentz.h"

namespace percuss {
namespace {

/// Stands for the zeros of G and of I - G in (NI-13).
constexpr double polish_regularisation = 1e-9;

/// P of the cone at y and an element G of its derivative.
void project_scaled(const InteriorCone& cone, const double* y, double* p, Matrix3& G) {
  constexpr ConeKind lorentz[] = {ConeKind::nonnegative, ConeKind::planar_coulomb, ConeKind::coulomb};
  Cone scaled{ConeKind::equality, 1.0};
  if (cone.kind == InteriorCone::Kind::box) scaled = {ConeKind::interval, cone.bound};
  if (cone.kind == InteriorCone::Kind::lorentz) scaled.kind = lorentz[cone.rows - 1];
  double derivative[9];
  project_with_derivative(scaled, y, p, derivative);
  G.setIdentity();
  for (int i = 0; i < cone.rows; ++i)
    for (int j = 0; j < cone.rows; ++j) G(i, j) = derivative[i * cone.rows + j];
}

}  // namespace

InteriorPolish::InteriorPolish(const InteriorRows& rows, const VectorX& q, InteriorSystem& system,
                               const VectorX& start)
    : rows_(rows), q_(q), system_(system), x_(start), rhs_(rows.size()), blocks_(rows.cones.size()) {
  measure();
}

void InteriorPolish::measure() {
  system_.multiply(x_, u_);
  u_ += q_;
}

/// Block and right-hand side of one cone in (NI-13).
void InteriorPolish::linearise(int c) {
  const InteriorCone& cone = rows_.cones[c];
  const int i = cone.first, n = cone.rows;
  Vector3 y = Vector3::Zero(), p = Vector3::Zero();
  y.head(n) = x_.segment(i, n) - u_.segment(i, n);
  Matrix3 G, shift = Matrix3::Identity();
  const double slip = cone.kind == InteriorCone::Kind::lorentz ? lorentz::tail_norm(n, &u_[i]) : 0.0;
  if (slip > 0.0) {
    y[0] -= slip;
    for (int k = 1; k < n; ++k) shift(0, k) = u_[i + k] / slip;
  }
  project_scaled(cone, y.data(), p.data(), G);
  const Matrix3 identity = Matrix3::Identity();
  const Eigen::PartialPivLU<Matrix3> factor((G + polish_regularisation * identity) * shift);
  p.head(n) -= x_.segment(i, n);
  rhs_.segment(i, n) = factor.solve(p).head(n);
  blocks_[c] = factor.solve((1.0 + polish_regularisation) * identity - G);
}

bool InteriorPolish::advance() {
  if (!x_.allFinite() || !u_.allFinite()) return false;  // pivoting finds no pivot among them
  for (size_t c = 0; c < rows_.cones.size(); ++c) linearise(static_cast<int>(c));
  if (!system_.factorise(blocks_)) return false;
  system_.solve_refined(blocks_, rhs_, dx_);
  x_ += dx_;
  for (const InteriorCone& cone : rows_.cones) {
    Vector3 y = Vector3::Zero();
    y.head(cone.rows) = x_.segment(cone.first, cone.rows);
    Matrix3 G;
    project_scaled(cone, y.data(), &x_[cone.first], G);
  }
  measure();
  return x_.allFinite();
}

}  // namespace percuss
