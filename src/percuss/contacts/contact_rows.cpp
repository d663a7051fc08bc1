#include "percuss/contacts/contact_rows.h"

namespace percuss {

int RowWriter::point(int body, const Vector3& point, double factor, double* out) const {
  if (body < 0 || system.bodies[static_cast<size_t>(body)].kind == BodyKind::frame) return 0;
  const BodyData& data = system.bodies[static_cast<size_t>(body)];
  const PoseAndVelocity& pose = kinematics.of(body);
  if (data.kind == BodyKind::floating) {  // J is R
    int count = 0;
    for (int axis = 0; axis < 3 && data.dof[static_cast<size_t>(axis)] >= 0; ++axis, ++count)
      for (int row = 0; row < rows; ++row)
        out[row * stride + axis] = factor * directions[row].dot(pose.R.col(axis));
    return count;
  }
  const BodyJacobian J = jacobian(data, pose, {body, to_body_axes(data, pose, point)});
  int count = 0;
  for (int coordinate = 0; coordinate < J.cols(); ++coordinate) {
    if (data.dof[static_cast<size_t>(coordinate)] < 0) continue;
    for (int row = 0; row < rows; ++row)
      out[row * stride + count] = factor * directions[row].dot(J.col(coordinate));
    ++count;
  }
  return count;
}

int RowWriter::side(int body, int next, const Vector3& at, double factor, double* out) const {
  if (next < 0) return point(body, at, factor, out);
  const Vector3 &x1 = kinematics.of(body).x, &x2 = kinematics.of(next).x;
  const PointOnBeam place(x1, x2, at);
  const int count = point(body, x1 + place.arm, factor * (1 - place.t), out);
  return count + point(next, x2 + place.arm, factor * place.t, out + count);
}

/// A vector d that is fixed in the body moves with omega x d, so that n . omega = n_2 . (omega x n_1) for
/// n = n_1 x n_2: the Jacobian of n_1 has that of omega for every kind of body.
int RowWriter::turn(int body, double factor, double* out) const {
  if (body < 0 || system.bodies[static_cast<size_t>(body)].kind == BodyKind::frame) return 0;
  const BodyData& data = system.bodies[static_cast<size_t>(body)];
  const PoseAndVelocity& pose = kinematics.of(body);
  int count = 0;
  for (int row = 0; row < rows; ++row) {
    const double length = directions[row].norm();
    const Frame across = frame_from_normal(directions[row] / length);
    const Vector3 local = to_body_axes(data, pose, pose.x + across.tangent1);
    const BodyJacobian J = jacobian(data, pose, {body, local, Attached::Kind::direction});
    count = 0;
    for (int coordinate = 0; coordinate < data.coordinate_count(); ++coordinate)
      if (data.dof[static_cast<size_t>(coordinate)] >= 0)
        out[row * stride + count++] = factor * length * across.tangent2.dot(J.col(coordinate));
  }
  return count;
}

int RowWriter::turn_of_side(int body, int next, const Vector3& point, double factor, double* out) const {
  if (next < 0) return turn(body, factor, out);
  const double t = PointOnBeam(kinematics.of(body).x, kinematics.of(next).x, point).t;
  const int count = turn(body, factor * (1 - t), out);
  return count + turn(next, factor * t, out + count);
}

PointOnBeam::PointOnBeam(const Vector3& x1, const Vector3& x2, const Vector3& point) {
  const Vector3 along = x2 - x1;
  t = along.dot(point - x1) / along.squaredNorm();
  arm = point - x1 - t * along;
}

Vector3 prescribed_velocity(const System& system, const Kinematics& kinematics, int body,
                            const Vector3& point) {
  if (body < 0 || system.bodies[static_cast<size_t>(body)].kind != BodyKind::frame) return Vector3::Zero();
  const PoseAndVelocity& frame = kinematics.of(body);
  return frame.v + frame.R_dot * (frame.R.transpose() * (point - frame.x));
}

Vector3 prescribed_spin(const System& system, const Kinematics& kinematics, int body) {
  if (body < 0 || system.bodies[static_cast<size_t>(body)].kind != BodyKind::frame) return Vector3::Zero();
  const Matrix3 spin = kinematics.of(body).R_dot * kinematics.of(body).R.transpose();
  return {spin(2, 1), spin(0, 2), spin(1, 0)};
}

}  // namespace percuss
