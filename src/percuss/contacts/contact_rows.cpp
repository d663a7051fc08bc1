#include "percuss/contacts/contact_rows.h"

namespace percuss {

int write_rows(const System& system, const Kinematics& kinematics, int body, const Vector3& point,
               const Vector3* directions, int rows, double sign, int stride, double* out) {
  if (body < 0 || system.bodies[body].kind == BodyKind::frame) return 0;
  const BodyData& data = system.bodies[body];
  const PoseAndVelocity& pose = kinematics.of(body);
  if (data.kind == BodyKind::floating) {  // J is R
    int count = 0;
    for (int axis = 0; axis < 3 && data.dof[axis] >= 0; ++axis, ++count)
      for (int row = 0; row < rows; ++row)
        out[row * stride + axis] = sign * directions[row].dot(pose.R.col(axis));
    return count;
  }
  const BodyJacobian J = jacobian(data, pose, {body, to_body_axes(data, pose, point)});
  int count = 0;
  for (int coordinate = 0; coordinate < J.cols(); ++coordinate) {
    if (data.dof[coordinate] < 0) continue;
    for (int row = 0; row < rows; ++row)
      out[row * stride + count] = sign * directions[row].dot(J.col(coordinate));
    ++count;
  }
  return count;
}

Vector3 prescribed_velocity(const System& system, const Kinematics& kinematics, int body,
                            const Vector3& point) {
  if (body < 0 || system.bodies[static_cast<size_t>(body)].kind != BodyKind::frame) return Vector3::Zero();
  const PoseAndVelocity& frame = kinematics.of(body);
  return frame.v + frame.R_dot * (frame.R.transpose() * (point - frame.x));
}

}  // namespace percuss
