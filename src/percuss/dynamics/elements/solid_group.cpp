#include "percuss/dynamics/elements/solid_group.h"

#include <cmath>

#include "percuss/dynamics/elements/solid_kernels.h"

namespace percuss {
namespace {

using ConstVectorMap = Eigen::Map<const VectorX>;
using ConstMatrixMap = Eigen::Map<const MatrixX>;

constexpr int most_points = 27;      // hex20
constexpr int most_modal_dofs = 24;  // hex8

/// Calls the action with the kernel of the shape: the one decision of a call.
template <class Action>
decltype(auto) with_kernel(SolidShape shape, const Action& action) {
  switch (shape) {
    case SolidShape::tet4: return action(SolidKernel<3, 4>());
    case SolidShape::tet10: return action(SolidKernel<3, 10>());
    case SolidShape::hex8: return action(SolidKernel<3, 8>());
    case SolidShape::hex20: return action(SolidKernel<3, 20>());
    case SolidShape::tri3: return action(SolidKernel<2, 3>());
    case SolidShape::quad4: break;
  }
  return action(SolidKernel<2, 4>());
}

}  // namespace

SolidElementData SolidGroup::element(int e) const {
  const int points = static_cast<int>(rule_.size());
  return {reference_.data() + at(e, nodes_ * dimension_),
          gradients_.data() + at(e, points * functions_ * dimension_), weights_.data() + at(e, points),
          points, material_};
}

const double* SolidGroup::condensed_stiffness(int e) const {
  return condensed_.data() + at(e, dofs_per_element() * dofs_per_element());
}

void SolidGroup::force(int e, const double* x, const double* v, double* f) const {
  if (!options_.incompatible_modes)
    return with_kernel(options_.shape, [&](auto kernel) { kernel.force(element(e), x, v, f); });
  const int n = dofs_per_element();
  const double* rest = element(e).reference;
  double effective[most_modal_dofs];  // C = viscosity K
  for (int i = 0; i < n; ++i) effective[i] = x[i] - rest[i] + options_.viscosity * v[i];
  Eigen::Map<VectorX>(f, n).noalias() =
      -(ConstMatrixMap(condensed_stiffness(e), n, n) * ConstVectorMap(effective, n));
}

void SolidGroup::stiffness(int e, const double* x, Eigen::Ref<MatrixX> K) const {
  if (options_.incompatible_modes)
    K = ConstMatrixMap(condensed_stiffness(e), dofs_per_element(), dofs_per_element());
  else
    with_kernel(options_.shape, [&](auto kernel) { kernel.stiffness(element(e), x, K); });
}

void SolidGroup::tangents(int e, const double* x, const double* v, Eigen::Ref<MatrixX> K,
                          Eigen::Ref<MatrixX> C) const {
  stiffness(e, x, K);
  if (options_.viscosity == 0)
    C.setZero();
  else if (is_linear())
    C = options_.viscosity * K;
  else
    with_kernel(options_.shape, [&](auto kernel) { kernel.viscous_tangents(element(e), x, v, K, C); });
}

double SolidGroup::energy(int e, const double* x) const {
  if (!options_.incompatible_modes)
    return with_kernel(options_.shape, [&](auto kernel) { return kernel.energy(element(e), x); });
  double f[most_modal_dofs];
  const double no_velocity[most_modal_dofs] = {};
  force(e, x, no_velocity, f);
  const int n = dofs_per_element();
  return -0.5 * ConstVectorMap(f, n).dot(ConstVectorMap(x, n) - ConstVectorMap(element(e).reference, n));
}

double SolidGroup::damping_power(int e, const double* x, const double* v) const {
  if (options_.viscosity == 0) return 0;
  if (!options_.incompatible_modes)
    return with_kernel(options_.shape, [&](auto kernel) { return kernel.damping_power(element(e), x, v); });
  double f[most_modal_dofs];
  force(e, element(e).reference, v, f);
  return -ConstVectorMap(f, dofs_per_element()).dot(ConstVectorMap(v, dofs_per_element()));
}

int SolidGroup::stress_at_points(int e, const double* x, CauchyStress* at_points) const {
  const SolidElementData data = element(e);
  if (!options_.incompatible_modes) {
    with_kernel(options_.shape,
                [&](auto kernel) { kernel.stress(data, kernel.displacement(x, data.reference), at_points); });
    return data.points;
  }
  const auto with_modes = [&](auto kernel) {  // the modes are further functions, after those of the nodes
    using Kernel = decltype(kernel);
    constexpr int n = Kernel::dofs, internal = Kernel::dimensions * Kernel::dimensions;
    double u[n];
    for (int i = 0; i < n - internal; ++i) u[i] = x[i] - data.reference[i];
    const double* recovery = modes_.data() + at(e, internal * (n - internal));
    Eigen::Map<VectorX>(u + n - internal, internal).noalias() =
        ConstMatrixMap(recovery, internal, n - internal) * ConstVectorMap(u, n - internal);
    kernel.stress(data, kernel.velocity(u), at_points);
  };
  if (dimension_ == 3)
    with_modes(SolidKernel<3, 11>());
  else
    with_modes(SolidKernel<2, 6>());
  return data.points;
}

Matrix3 SolidGroup::cauchy_stress(int e, const double* x) const {
  CauchyStress at_points[most_points];
  const int points = stress_at_points(e, x, at_points);
  const double* weights = element(e).weights;
  Matrix3 sum = Matrix3::Zero();
  double volume_now = 0;
  for (int p = 0; p < points; ++p) {
    const double share = weights[p] * at_points[p].volume_ratio;
    sum += share * at_points[p].sigma;
    volume_now += share;
  }
  return sum / volume_now;
}

void SolidGroup::nodal_stress(int e, const double* x, Matrix3* sigma) const {
  CauchyStress at_points[most_points];
  const int points = stress_at_points(e, x, at_points);
  for (int a = 0; a < nodes_; ++a) {
    sigma[a].setZero();
    for (int p = 0; p < points; ++p) sigma[a] += extrapolation_(a, p) * at_points[p].sigma;
  }
}

double von_mises(const Matrix3& sigma) {
  const Matrix3 deviator = sigma - sigma.trace() / 3 * Matrix3::Identity();
  return std::sqrt(1.5) * deviator.norm();
}

}  // namespace percuss
