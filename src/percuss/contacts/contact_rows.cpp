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

}  // namespace percuss
