#include "percuss/contacts/contact_rows.h"

namespace percuss {

int write_rows(const System& system, const Kinematics& kinematics, int body, const Vector3& point,
               const Vector3* directions, int rows, double sign, int stride, double* out) {
  if (body < 0 || system.bodies[body].kind == BodyKind::frame) return 0;
  const BodyData& data = system.bodies[body];
  const Placement& placement = kinematics.of(body);
  if (data.kind == BodyKind::floating) {  // J is R
    int count = 0;
    for (int axis = 0; axis < 3 && data.dof[axis] >= 0; ++axis, ++count)
      for (int row = 0; row < rows; ++row)
        out[row * stride + axis] = sign * directions[row].dot(placement.R.col(axis));
    return count;
  }
  const SlotJacobian J = jacobian(data, placement, {body, to_body_axes(data, placement, point)});
  int count = 0;
  for (int slot = 0; slot < J.cols(); ++slot) {
    if (data.dof[slot] < 0) continue;
    for (int row = 0; row < rows; ++row) out[row * stride + count] = sign * directions[row].dot(J.col(slot));
    ++count;
  }
  return count;
}

}  // namespace percuss
