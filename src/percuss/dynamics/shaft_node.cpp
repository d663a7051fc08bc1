#include "percuss/dynamics/shaft_node.h"

namespace percuss {
namespace {

double coordinate_or_zero(const BodyData& node, int coordinate, const VectorX& x) {
  return node.dof[coordinate] < 0 ? 0.0 : x[node.dof[coordinate]];
}

}  // namespace

Vector3 shaft_node_place(const BodyData& node, const VectorX& q) {
  return node.start + node.axes.col(1) * coordinate_or_zero(node, 1, q) +
         node.axes.col(2) * coordinate_or_zero(node, 2, q);
}

/// R = E exp(beta_2 e_2) exp(beta_3 e_3) exp(phi e_1)  (SH-1)
PoseAndVelocity place_shaft_node(const BodyData& node, const VectorX& q, const VectorX& v) {
  PoseAndVelocity p;
  p.x = shaft_node_place(node, q);
  p.v = node.axes.col(1) * coordinate_or_zero(node, 1, v) + node.axes.col(2) * coordinate_or_zero(node, 2, v);
  const Vector3 angle(coordinate_or_zero(node, 3, q), coordinate_or_zero(node, 4, q),
                      coordinate_or_zero(node, 5, q));
  const Vector3 rate(coordinate_or_zero(node, 3, v), coordinate_or_zero(node, 4, v),
                     coordinate_or_zero(node, 5, v));
  const Vector3 c = angle.array().cos(), s = angle.array().sin();
  Matrix3 about_1, about_2, about_3;
  about_1 << 1, 0, 0, 0, c[0], -s[0], 0, s[0], c[0];
  about_2 << c[1], 0, s[1], 0, 1, 0, -s[1], 0, c[1];
  about_3 << c[2], -s[2], 0, s[2], c[2], 0, 0, 0, 1;
  p.R = node.axes * about_2 * about_3 * about_1;
  p.R_dot = skew(spin_axes(node, p) * rate) * p.R;
  return p;
}

Matrix3 spin_axes(const BodyData& node, const PoseAndVelocity& pose) {
  Matrix3 axes;
  axes.col(0) = pose.R.col(0);
  axes.col(1) = node.axes.col(1);
  axes.col(2) = axes.col(0).cross(axes.col(1)).normalized();
  return axes;
}

Vector3 spin_rates(const BodyData& node, const PoseAndVelocity& pose) {
  const Matrix3 axes = spin_axes(node, pose);
  const Vector3 along = axes.transpose() * unskew(pose.R_dot * pose.R.transpose());
  const double overlap = axes.col(0).dot(axes.col(1)), rest = 1 - overlap * overlap;
  return {(along[0] - overlap * along[1]) / rest, (along[1] - overlap * along[0]) / rest, along[2]};
}

Vector3 second_turn(const Matrix3& axes, int i, int j, const Vector3& w) {
  const int outer = turns_axis(i, j) ? i : j, inner = outer == i ? j : i;
  return axes.col(outer).cross(axes.col(inner).cross(w));
}

}  // namespace percuss
