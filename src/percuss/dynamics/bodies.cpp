#include "percuss/dynamics/bodies.h"

#include <cassert>

#include "percuss/dynamics/reduction.h"
#include "percuss/dynamics/shaft_node.h"

namespace percuss {
namespace {

bool turns(const BodyData& body) { return body.kind == BodyKind::planar || body.kind == BodyKind::spatial; }

/// The three angular velocities about body axes; a planar body has only the last.
Vector3 body_rates(const BodyData& body, const VectorX& v) {
  if (body.kind == BodyKind::planar) return {0, 0, v[body.dof[5]]};
  return v.segment<3>(body.dof[3]);
}

struct FrameRotation {
  Matrix3 R, first, second;
};
FrameRotation rotation_of(const Motion& motion, double t) {
  const Jet angle = motion.angle.jet(t);
  const Matrix3 S = skew(motion.axis);
  const Matrix3 R = exp_rotation(angle.value * motion.axis).toRotationMatrix();
  return {R, angle.first * R * S, R * (angle.second * S + angle.first * angle.first * S * S)};
}

PoseAndVelocity place_frame(const Motion& motion, double t) {
  PoseAndVelocity p;
  for (int axis = 0; axis < 3; ++axis) {
    const Jet x = motion.position[axis].jet(t);
    p.x[axis] = x.value;
    p.v[axis] = x.first;
  }
  const FrameRotation rotation = rotation_of(motion, t);
  p.R = rotation.R;
  p.R_dot = rotation.first;
  return p;
}

}  // namespace

bool has_rotations(const BodyData& body) {
  return std::ranges::any_of(body.dof.begin() + 3, body.dof.end(), [](int dof) { return dof >= 0; });
}

bool moves_in_plane(const BodyData& body) {
  switch (body.kind) {
    case BodyKind::translating: return body.dof[2] < 0;
    case BodyKind::planar: return true;
    case BodyKind::spatial:
    case BodyKind::natural:
    case BodyKind::shaft:
    case BodyKind::flexible: return false;
    case BodyKind::floating: return body.dof[2] < 0;
    case BodyKind::frame: break;
  }
  const bool tilts = std::abs(body.motion->axis.z()) != 1 &&
                     !(body.motion->angle.is_constant() && body.motion->angle.value(0) == 0);
  return body.motion->position[2].is_constant() && !tilts;
}

void place_in_floating_frame(const BodyData& node, const Matrix3& R, const VectorX& q, const VectorX& v,
                             PoseAndVelocity& pose) {
  Vector3 local = node.kind == BodyKind::flexible ? Vector3::Zero() : Vector3(node.start - node.frame_origin);
  Vector3 velocity = Vector3::Zero();
  for (int axis = 0; axis < 3; ++axis)
    if (const int i = node.dof[axis]; i >= 0) {
      local[axis] += q[i];
      velocity[axis] = v[i];
    }
  if (node.reduction) {
    local += node.reduction->at_node(node.node, q);
    velocity = node.reduction->at_node(node.node, v);
  }
  pose.R = R;
  pose.x = frame_place(node, q) + R * local;
  pose.v = R * velocity;
}

PoseAndVelocity place(const BodyData& body, const VectorX& q, const VectorX& v, double t) {
  if (body.kind == BodyKind::frame) return place_frame(*body.motion, t);
  if (body.frame_q >= 0) {
    PoseAndVelocity p;
    place_in_floating_frame(body, frame_attitude(body, q).toRotationMatrix(), q, v, p);
    return p;
  }
  if (body.kind == BodyKind::shaft) return place_shaft_node(body, q, v);
  PoseAndVelocity p;
  p.x = body.start;
  for (int axis = 0; axis < 3; ++axis)
    if (const int i = body.dof[axis]; i >= 0) {
      p.x[axis] = q[i];
      p.v[axis] = v[i];
    }
  switch (body.kind) {
    case BodyKind::planar: {
      const double c = std::cos(q[body.dof[5]]), s = std::sin(q[body.dof[5]]);
      p.R << c, -s, 0, s, c, 0, 0, 0, 1;
      break;
    }
    case BodyKind::spatial: p.R = read_quaternion(body, q).toRotationMatrix(); break;
    case BodyKind::natural:
      for (int k = 0; k < 3; ++k) {
        p.R.col(k) = q.segment<3>(body.dof[3 + 3 * k]);
        p.R_dot.col(k) = v.segment<3>(body.dof[3 + 3 * k]);
      }
      break;
    case BodyKind::translating:
    case BodyKind::frame:
    case BodyKind::flexible:
    case BodyKind::shaft:
    case BodyKind::floating: break;
  }
  if (turns(body)) p.R_dot = p.R * skew(body_rates(body, v));
  return p;
}

BiasAcceleration bias_acceleration(const BodyData& body, const PoseAndVelocity& pose, double t) {
  BiasAcceleration d;
  if (body.kind == BodyKind::frame) {
    for (int axis = 0; axis < 3; ++axis) d.x[axis] = body.motion->position[axis].jet(t).second;
    d.R = rotation_of(*body.motion, t).second;
  } else if (turns(body)) {
    d.R = pose.R_dot * (pose.R.transpose() * pose.R_dot);
  } else if (body.kind == BodyKind::floating) {
    d.x = pose.R_dot * (pose.R.transpose() * pose.v);
  } else if (body.kind == BodyKind::shaft) {
    const Matrix3 axes = spin_axes(body, pose);
    const Vector3 rates = spin_rates(body, pose);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          d.R.col(k) += rates[i] * rates[j] * second_turn(axes, i, j, pose.R.col(k));
  }
  return d;
}

BodyJacobian jacobian(const BodyData& body, const PoseAndVelocity& pose, const Attached& attached) {
  assert(!body.reduction && "forces act on nodes that are kept");
  BodyJacobian J(3, body.coordinate_count());
  if (attached.kind == Attached::Kind::point)
    J.leftCols<3>() = body.kind == BodyKind::floating ? pose.R : Matrix3(Matrix3::Identity());
  else
    J.leftCols<3>().setZero();
  if (turns(body)) {
    J.rightCols<3>() = -pose.R * skew(attached.local);
  } else if (body.kind == BodyKind::shaft) {
    if (attached.kind == Attached::Kind::point) J.leftCols<3>() = body.axes;
    J.rightCols<3>() = -skew(pose.R * attached.local) * spin_axes(body, pose);
  }
  if (body.kind == BodyKind::natural)
    for (int k = 0; k < 3; ++k) J.middleCols<3>(3 + 3 * k) = attached.local[k] * Matrix3::Identity();
  return J;
}

BodyMatrix jacobian_tangent(const BodyData& body, const PoseAndVelocity& pose, const Attached& attached,
                            const Vector3& p) {
  BodyMatrix tangent = BodyMatrix::Zero(body.coordinate_count(), body.coordinate_count());
  // J^T p = local x (R^T p), and d(R^T p) = (R^T p) x d(phi).
  if (turns(body)) tangent.bottomRightCorner<3, 3>() = skew(attached.local) * skew(pose.R.transpose() * p);
  if (body.kind == BodyKind::shaft) {
    const Matrix3 axes = spin_axes(body, pose);
    const Vector3 w = pose.R * attached.local;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) tangent(3 + i, 3 + j) = p.dot(second_turn(axes, i, j, w));
  }
  return tangent;
}

BodyJacobian jacobian_rate(const BodyData& body, const PoseAndVelocity& pose, const Attached& attached) {
  BodyJacobian rate(3, body.coordinate_count());
  rate.setZero();
  // R_dot local = R (omega x local), and d(R) = R skew(d(phi)).
  if (turns(body)) rate.rightCols<3>() = -pose.R * skew(pose.R.transpose() * (pose.R_dot * attached.local));
  if (body.kind == BodyKind::shaft) {
    const Matrix3 axes = spin_axes(body, pose);
    const Vector3 rates = spin_rates(body, pose), w = pose.R * attached.local;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) rate.col(3 + i) += rates[j] * second_turn(axes, i, j, w);
  }
  return rate;
}

}  // namespace percuss
