#include "percuss/dynamics/pools/loads.h"

#include <algorithm>

#include "percuss/dynamics/shaft_node.h"

namespace percuss {
namespace {

Vector3 value_at(const std::array<Expression, 3>& value, double t) {
  return {value[0].value(t), value[1].value(t), value[2].value(t)};
}

using BodyForce = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_body_coordinates, 1>;

/// The generalised force of an attached load by coordinates.
BodyForce load_force(const AttachedLoad& load, const BodyData& body, const PoseAndVelocity& pose, double t) {
  const Vector3 given = value_at(load.value, t);
  const Vector3 in_space = load.in_body_axes ? Vector3(pose.R * given) : given;
  if (!load.is_torque) return jacobian(body, pose, load.point).transpose() * in_space;
  BodyForce force(body.coordinate_count());
  force.setZero();
  if (body.kind == BodyKind::natural)  // the virtual rotation is half the sum of d_k x delta d_k
    for (int k = 0; k < 3; ++k) force.segment<3>(3 + 3 * k) = 0.5 * in_space.cross(pose.R.col(k));
  else if (body.kind == BodyKind::shaft)
    force.tail<3>() = spin_axes(body, pose).transpose() * in_space;
  else if (body.coordinate_count() == 6)
    force.tail<3>() = pose.R.transpose() * in_space;
  return force;
}

/// Its tangent -d/d(coordinates).
BodyMatrix load_tangent(const AttachedLoad& load, const BodyData& body, const PoseAndVelocity& pose,
                        double t) {
  const Vector3 given = value_at(load.value, t);
  const Vector3 in_space = load.in_body_axes ? Vector3(pose.R * given) : given;
  BodyMatrix K = BodyMatrix::Zero(body.coordinate_count(), body.coordinate_count());
  const bool natural = body.kind == BodyKind::natural;
  if (!load.is_torque) {
    const BodyJacobian J = jacobian(body, pose, load.point);
    K = -jacobian_tangent(body, pose, load.point, in_space);
    if (!load.in_body_axes) return K;
    const Attached direction{load.point.body, given, Attached::Kind::direction};
    K -= J.transpose() * jacobian(body, pose, direction);
    return K;
  }
  if (natural) {
    for (int k = 0; k < 3; ++k) {
      if (load.in_body_axes)
        for (int j = 0; j < 3; ++j)
          K.block<3, 3>(3 + 3 * k, 3 + 3 * j) += 0.5 * given[j] * skew(pose.R.col(k));
      K.block<3, 3>(3 + 3 * k, 3 + 3 * k) -= 0.5 * skew(in_space);
    }
  } else if (body.kind == BodyKind::shaft) {
    // The outer rotations turn the axes of the inner ones; all of them turn a torque in body axes.
    const Matrix3 axes = spin_axes(body, pose);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const double turned = axes.col(j).cross(axes.col(i)).dot(in_space);
        K(3 + i, 3 + j) = (load.in_body_axes ? turned : 0.0) - (turns_axis(j, i) ? turned : 0.0);
      }
  } else if (body.coordinate_count() == 6 && !load.in_body_axes) {
    K.bottomRightCorner<3, 3>() = -skew(pose.R.transpose() * in_space);
  }
  return K;
}

}  // namespace

void SpreadLoad::add_to(const std::vector<BodyData>& bodies, const Kinematics& kinematics, const Vector3& at,
                        VectorX& f) const {
  for (const auto& share : shares) {
    const BodyData& node = bodies[static_cast<size_t>(share.body)];
    Vector3 force = share.weight * at;
    if (node.kind == BodyKind::floating) force = kinematics.of(share.body).R.transpose() * force;
    if (node.kind == BodyKind::shaft) force = node.axes.transpose() * force;
    for (int axis = 0; axis < 3; ++axis)
      if (node.dof[axis] >= 0) f[node.dof[axis]] += force[axis];
  }
}

void add_loads(const Loads& loads, const std::vector<BodyData>& bodies, const Kinematics& kinematics,
               double t, VectorX& f) {
  if (!loads.plain_constant.empty()) f += loads.constant;
  for (const auto& load : loads.plain)
    for (int axis = 0; axis < 3; ++axis)
      if (load.dof[axis] >= 0) f[load.dof[axis]] += load.value[axis].value(t);
  for (const auto& load : loads.spread) load.add_to(bodies, kinematics, value_at(load.value, t), f);
  for (const auto& load : loads.attached) {
    const BodyData& body = bodies[static_cast<size_t>(load.point.body)];
    scatter(load_force(load, body, kinematics.of(load.point.body), t), body.dof.data(), f);
  }
  double columns[pair_coordinates];
  for (const auto& load : loads.coordinate) {
    gradient(load.function, bodies, kinematics, columns);
    const double value = load.value.value(t);
    for (int c = 0; c < load.function.columns(); ++c)
      if (load.function.dof[c] >= 0) f[load.function.dof[c]] += value * columns[c];
  }
}

void Loads::list_blocks(const std::vector<BodyData>& bodies) {
  for (const AttachedLoad& load : attached) {
    const BodyData& body = bodies[static_cast<size_t>(load.point.body)];
    blocks.add({body.dof.data(), static_cast<size_t>(body.coordinate_count())});
  }
  for (const CoordinateLoad& load : coordinate) blocks.add(load.function.dof);
}

void Loads::add_force(const ForceArguments& at, VectorX& f) const {
  add_loads(*this, at.bodies, at.kinematics, at.t, f);
}

void Loads::add_tangents(const ForceArguments& at, const TangentSum& sum) const {
  int block = 0;
  for (const AttachedLoad& load : attached) {
    const BodyData& body = at.bodies[static_cast<size_t>(load.point.body)];
    sum.add_stiffness(blocks, block++, load_tangent(load, body, at.kinematics.of(load.point.body), at.t));
  }
  for (const CoordinateLoad& load : coordinate) {
    const int n = load.function.columns();
    Eigen::Map<MatrixX> second(at.kinematics.scratch.data(), n, n);
    second.setZero();
    add_second_derivative(load.function, at.bodies, at.kinematics, -load.value.value(at.t), second);
    sum.add_stiffness(blocks, block++, second);
  }
}

bool Loads::has_constant_tangents(const std::vector<BodyData>& bodies) const {
  // The turning of a floating frame is left out of the tangents.
  const auto in_frame = [&](const AttachedLoad& load) {
    return bodies[static_cast<size_t>(load.point.body)].kind == BodyKind::floating;
  };
  return coordinate.empty() && std::ranges::all_of(attached, in_frame);
}

}  // namespace percuss
