#include "percuss/dynamics/elements/shaft_element.h"

namespace percuss {

BendingMatrices bending_matrices(const ShaftPiece& piece) {
  const double l = piece.length, l2 = l * l;
  BendingMatrices m;
  m.K << 12, 6 * l, -12, 6 * l,       //
      6 * l, 4 * l2, -6 * l, 2 * l2,  //
      -12, -6 * l, 12, -6 * l,        //
      6 * l, 2 * l2, -6 * l, 4 * l2;
  m.K *= piece.bending_stiffness / (l * l2);
  m.slopes << 36, 3 * l, -36, 3 * l,  //
      3 * l, 4 * l2, -3 * l, -l2,     //
      -36, -3 * l, 36, -3 * l,        //
      3 * l, -l2, -3 * l, 4 * l2;
  m.slopes /= 30 * l;
  m.M << 156, 22 * l, 54, -13 * l,      //
      22 * l, 4 * l2, 13 * l, -3 * l2,  //
      54, 13 * l, 156, -22 * l,         //
      -13 * l, -3 * l2, -22 * l, 4 * l2;
  m.M *= piece.line_mass * l / 420;
  m.M += piece.line_inertia * m.slopes;
  m.weight << l / 2, l2 / 12, l / 2, -l2 / 12;
  return m;
}

double SpinCoupling::spin(const VectorX& v) const {
  double sum = 0;
  for (int i = 0; i < spins; ++i) sum += v[dof[2 * coupled() + i]];
  return sum / spins;
}

SpinCoupling::Rates SpinCoupling::rates(const VectorX& v, int first) const {
  Rates result(coupled());
  for (int i = 0; i < coupled(); ++i) result[i] = dof[first + i] < 0 ? 0.0 : v[dof[first + i]];
  return result;
}

void SpinCoupling::add_force(const VectorX& v, VectorX& f) const {
  const int n = coupled();
  const double omega = spin(v);
  const Rates on_first = -omega * (Q * rates(v, n)), on_second = omega * (Q.transpose() * rates(v, 0));
  for (int i = 0; i < n; ++i) {
    if (dof[i] >= 0) f[dof[i]] += on_first[i];
    if (dof[n + i] >= 0) f[dof[n + i]] += on_second[i];
  }
}

SpinCoupling::Tangent SpinCoupling::damping(const VectorX& v) const {
  const int n = coupled();
  const double omega = spin(v);
  Tangent C = Tangent::Zero(dofs(), dofs());
  C.block(0, n, n, n) = omega * Q;
  C.block(n, 0, n, n) = -omega * Q.transpose();
  const Rates by_first = Q * rates(v, n) / spins, by_second = -Q.transpose() * rates(v, 0) / spins;
  for (int i = 0; i < spins; ++i) {
    C.col(2 * n + i).head(n) = by_first;
    C.col(2 * n + i).segment(n, n) = by_second;
  }
  return C;
}

SpinCoupling spin_coupling_of_element(const ShaftPiece& piece) {
  SpinCoupling coupling;
  // The polar inertia of a round section is twice that about a diameter. Rotations about the second axis are
  // slopes with the opposite sign.
  coupling.Q =
      2 * piece.line_inertia * bending_matrices(piece).slopes * Eigen::Vector4d(1, -1, 1, -1).asDiagonal();
  coupling.spins = 2;
  return coupling;
}

SpinCoupling spin_coupling_of_disc(double polar_inertia) {
  SpinCoupling coupling;
  coupling.Q = SpinCoupling::Block::Constant(1, 1, polar_inertia);
  return coupling;
}

}  // namespace percuss
