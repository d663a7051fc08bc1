#include "percuss/dynamics/floating.h"

#include "percuss/dynamics/forces.h"
#include "percuss/math/columns.h"

namespace percuss {
namespace {

Vector3 cayley_vector(const Quaternion& rotation) { return 2 / rotation.w() * rotation.vec(); }

/// M of the body's own coordinates times each column.
MatrixX multiply_own_mass(const System& system, const FloatingFrame& frame, const MatrixX& fields) {
  MatrixX result = system.mass.segment(frame.first, frame.size).asDiagonal() * fields;
  const SparseMatrix& M = system.constant.mass.matrix;
  for (int j = 0; j < frame.size && M.nonZeros() > 0; ++j)
    for (SparseMatrix::InnerIterator it(M, frame.first + j); it; ++it) {
      const auto i = it.row() - frame.first;
      result.row(i) += it.value() * fields.row(j);
      if (i != j) result.row(j) += it.value() * fields.row(i);
    }
  return result;
}

/// Phi^T M Phi has zeros where a plane body cannot move.
Eigen::Matrix<double, 6, 6> inverse_where_it_moves(const Eigen::Matrix<double, 6, 6>& M) {
  Eigen::Matrix<double, 6, 6> padded = M;
  for (int i = 0; i < 6; ++i)
    if (M(i, i) == 0) padded(i, i) = 1;
  Eigen::Matrix<double, 6, 6> inverse = padded.inverse();
  for (int i = 0; i < 6; ++i)
    if (M(i, i) == 0) inverse(i, i) = 0;
  return inverse;
}

}  // namespace

void finish_frame(const System& system, FloatingFrame& frame) {
  const int d = frame.dimension;
  frame.rigid.setZero(frame.size, 6);
  frame.rest.setZero(3, frame.nodal / d);
  MatrixX linear = MatrixX::Zero(frame.size, 9);
  const FlexibleData& flexible = system.flexibles[static_cast<size_t>(frame.flexible)];
  for (int a = 0; a < frame.rest.cols(); ++a) {
    const int node = flexible.reduction ? flexible.reduction->kept[static_cast<size_t>(a)] : a;
    const Vector3 X = flexible.mesh->nodes[static_cast<size_t>(node)] - frame.origin;
    frame.nodes.push_back(flexible.first_node + node);
    frame.rest.col(a) = X;
    frame.rigid.block(d * a, 0, d, 3) = Matrix3::Identity().topRows(d);
    frame.rigid.block(d * a, 3, d, 3) = -skew(X).topRows(d);
    for (int axis = 0; axis < d; ++axis)  // the field S X with S by columns
      for (int k = 0; k < 3; ++k) linear(d * a + axis, 3 * k + axis) = X[k];
  }
  frame.momenta = multiply_own_mass(system, frame, frame.rigid);
  if (frame.linear_momenta.rows() == 0) frame.linear_momenta = multiply_own_mass(system, frame, linear);
  const Eigen::Matrix<double, 6, 6> M = frame.rigid.transpose() * frame.momenta;
  const Eigen::Matrix<double, 6, 6> inverse = inverse_where_it_moves(M);
  frame.mass = M(0, 0);
  frame.inertia = M.bottomRightCorner<3, 3>();
  frame.inverse_inertia = inverse.bottomRightCorner<3, 3>();
  frame.measures = frame.momenta * inverse;
}

FrameMotion frame_motion(const FloatingFrame& frame, const VectorX& w) {
  Eigen::Matrix<double, 6, 1> V;
  dot_columns(frame.measures, w.data() + frame.first, V.data());
  return {V.head<3>(), V.tail<3>()};
}

void add_rigid_motion(const FloatingFrame& frame, const FrameMotion& motion, Eigen::Ref<VectorX> x) {
  Eigen::Matrix<double, 6, 1> V;
  V << motion.v, motion.omega;
  add_columns(frame.rigid, V.data(), x.data());
}

void add_frame_weight(const System& system, const FloatingFrame& frame, const Matrix3& R, VectorX& f) {
  frame.of(f).noalias() += frame.momenta.leftCols<3>() * (R.transpose() * system.gravity);
}

void add_frame_moment(const System& system, const FloatingFrame& frame, const VectorX& q,
                      const VectorX& internal, VectorX& f) {
  const int d = frame.dimension;
  Vector3 moment = Vector3::Zero();
  for (int i = 0; i < frame.nodal; i += d) {
    Vector3 displacement = Vector3::Zero(), force = Vector3::Zero();
    const int at = frame.first + i;
    displacement.head(d) = q.segment(at, d) - system.constant.reference.segment(at, d);
    force.head(d) = internal.segment(at, d);
    moment -= displacement.cross(force);
  }
  frame.of(f).noalias() += frame.momenta.rightCols<3>() * (frame.inverse_inertia * moment);
}

void add_frame_forces(const System& system, const VectorX& q, const VectorX& v, const VectorX& internal,
                      Kinematics& kinematics, VectorX& f) {
  multiply_mass(system, q, v, kinematics, kinematics.momentum);
  for (const auto& frame : system.floating) {
    const FrameMotion motion = frame_motion(frame, v);
    add_frame_weight(system, frame, frame.attitude(q).toRotationMatrix(), f);
    const Matrix3 spin = skew(motion.omega);
    if (!frame.is_exact) {
      frame.of(f).noalias() -= frame.momenta.leftCols<3>() * motion.omega.cross(motion.v);
      const Matrix3 square = spin * spin;
      frame.of(f).noalias() -= frame.linear_momenta * square.reshaped();
      continue;
    }
    frame.add_rotated(-spin, kinematics.momentum.data() + frame.first, f);
    add_frame_moment(system, frame, q, internal, f);
  }
}

void FloatingFrame::rotate(const Matrix3& Q, VectorX& x) const {
  for (int i = 0; i < nodal; i += dimension) {
    Vector3 node = Vector3::Zero();
    node.head(dimension) = x.segment(i, dimension);
    x.segment(i, dimension) = (Q * node).head(dimension);
  }
}

void FloatingFrame::add_rotated(const Matrix3& Q, const double* x, VectorX& y) const {
  for (int i = 0; i < nodal; i += dimension) {
    Vector3 node = Vector3::Zero();
    node.head(dimension) = Eigen::Map<const VectorX>(x + i, dimension);
    y.segment(first + i, dimension) += (Q * node).head(dimension);
  }
}

/// (I + S) psi_1 = (I - S) psi_0 + increment - displacement - 2 S X.
void move_nodes(const FloatingFrame& frame, const Vector3& rotation, const Vector3& displacement,
                const Eigen::Ref<const VectorX>& increments, VectorX& q) {
  const int d = frame.dimension;
  const Matrix3 S = 0.5 * skew(rotation);
  const Matrix3 plus = (Matrix3::Identity() + S).inverse();
  for (int a = 0; a < frame.rest.cols(); ++a) {
    Vector3 psi = Vector3::Zero(), moved = -displacement - rotation.cross(frame.rest.col(a));
    psi.head(d) = q.segment(frame.first + d * a, d);
    moved.head(d) += increments.segment(d * a, d);
    psi = plus * (psi - S * psi + moved);
    q.segment(frame.first + d * a, d) = psi.head(d);
  }
}

void retract(const FloatingFrame& frame, const VectorX& increment, VectorX& q) {
  const FrameMotion motion = frame_motion(frame, increment);
  const Quaternion attitude = frame.attitude(q);
  const Matrix3 S = 0.5 * skew(motion.omega);
  const Vector3 step = motion.v + S * motion.v;
  frame.set(frame.place(q) + attitude * step, (attitude * cayley(motion.omega)).normalized(), q);
  if (!frame.is_exact) {
    frame.of(q) += frame.of(increment);
    add_rigid_motion(frame, -1.0 * motion, frame.of(q));
    return;
  }
  move_nodes(frame, motion.omega, motion.v, frame.of(increment), q);
}

void difference(const FloatingFrame& frame, const VectorX& from, const VectorX& to, VectorX& increment) {
  const Quaternion start = frame.attitude(from);
  const Vector3 turn = cayley_vector(start.conjugate() * frame.attitude(to));
  const Matrix3 S = 0.5 * skew(turn);
  const Vector3 step =
      (Matrix3::Identity() + S).inverse() * (start.conjugate() * (frame.place(to) - frame.place(from)));
  if (!frame.is_exact) {
    frame.of(increment) = frame.of(to) - frame.of(from);
    add_rigid_motion(frame, {step, turn}, frame.of(increment));
    return;
  }
  const int d = frame.dimension;
  for (int a = 0; a < frame.rest.cols(); ++a) {
    const int i = frame.first + d * a;
    Vector3 before = Vector3::Zero(), after = Vector3::Zero();
    before.head(d) = from.segment(i, d);
    after.head(d) = to.segment(i, d);
    increment.segment(i, d) =
        (step + turn.cross(frame.rest.col(a)) + after - before + S * (after + before)).head(d);
  }
}

}  // namespace percuss
