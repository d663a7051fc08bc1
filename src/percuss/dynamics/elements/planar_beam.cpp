#include "percuss/dynamics/elements/planar_beam.h"

#include <cmath>

namespace percuss {

PlanarBeam::Vector6 PlanarBeam::gather(const VectorX& q) const {
  Vector6 x;
  for (int i = 0; i < 6; ++i) x[i] = dof[i] < 0 ? start[i] : q[dof[i]];
  return x;
}
PlanarBeam::Vector6 PlanarBeam::velocity(const VectorX& v) const {
  Vector6 rates;
  for (int i = 0; i < 6; ++i) rates[i] = dof[i] < 0 ? 0.0 : v[dof[i]];
  return rates;
}

PlanarBeam::Strain PlanarBeam::strain(const Vector6& x) const {
  const double angle = direction + 0.5 * (x[2] + x[5] - start[2] - start[5]);
  const double c = std::cos(angle), s = std::sin(angle);
  const double dx = (x[3] - x[0]) / length, dy = (x[4] - x[1]) / length;
  const double along = c * dx + s * dy, across = -s * dx + c * dy;
  Strain strain;
  strain.value << along - 1, across, (x[5] - x[2] - start[5] + start[2]) / length;
  strain.B << -c / length, -s / length, 0.5 * across, c / length, s / length, 0.5 * across,  //
      s / length, -c / length, -0.5 * along, -s / length, c / length, -0.5 * along,          //
      0, 0, -1 / length, 0, 0, 1 / length;
  return strain;
}

Vector3 PlanarBeam::section_forces(const Strain& at, const Vector6& v) const {
  return stiffness.cwiseProduct(at.value + viscosity * (at.B * v));
}

PlanarBeam::Vector6 PlanarBeam::force(const Vector6& x, const Vector6& v) const {
  const Strain at = strain(x);
  return -length * (at.B.transpose() * section_forces(at, v));
}

void PlanarBeam::tangents(const Vector6& x, const Vector6& v, Matrix6& K, Matrix6& C) const {
  const Strain at = strain(x);
  const Vector3 n = section_forces(at, v);
  const Eigen::Matrix<double, 3, 6> EB = length * stiffness.asDiagonal() * at.B;
  // Only the mean angle turns B: d(row 1) = row 2 d(angle) and d(row 2) = -row 1 d(angle) in the
  // translations, and the columns of the angles hold the strains themselves.
  Vector6 turn = Vector6::Zero();
  turn[2] = turn[5] = 0.5;
  Eigen::Matrix<double, 1, 6> axial = at.B.row(0), shear = at.B.row(1);
  axial[2] = axial[5] = shear[2] = shear[5] = 0;
  const double along = at.value[0] + 1, across = at.value[1];
  // Second derivatives of both strains.
  const auto second = [&](const Eigen::Matrix<double, 1, 6>& other, double sign, double own) -> Matrix6 {
    return sign * (other.transpose() * turn.transpose() + turn * other) - own * turn * turn.transpose();
  };
  const Matrix6 axial_second = second(shear, 1, along), shear_second = second(axial, -1, across);
  C = viscosity * at.B.transpose() * EB;
  K = at.B.transpose() * EB + length * (n[0] * axial_second + n[1] * shear_second);
  if (viscosity > 0)  // the rate of strain depends on x too
    K += viscosity * (EB.row(0).transpose() * (axial_second * v).transpose() +
                      EB.row(1).transpose() * (shear_second * v).transpose());
}

double PlanarBeam::energy(const Vector6& x) const {
  const Vector3 e = strain(x).value;
  return 0.5 * length * e.dot(stiffness.cwiseProduct(e));
}

double PlanarBeam::damping_power(const Vector6& x, const Vector6& v) const {
  const Vector3 rate = strain(x).B * v;
  return viscosity * length * rate.dot(stiffness.cwiseProduct(rate));
}

}  // namespace percuss
