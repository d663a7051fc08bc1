#include "percuss/dynamics/pools/distance_springs.h"

#include <algorithm>
#include <array>

namespace percuss {
namespace {

/// Tangents of the force on `to` with respect to its own position and velocity, with the sign of K and C:
/// dforce = -K dx - C dv.  docs/theory/forces.md (F-4). K is symmetric only without damper.
struct SpringTangents {
  Matrix3 K, C;
};
SpringTangents spring_tangents(const DistanceSpring& spring, const SpringLine& line) {
  const Vector3& n = line.direction;
  SpringTangents tangents{spring.stiffness * Matrix3::Identity(), spring.damping * n * n.transpose()};
  if (line.length == 0) return tangents;
  const Matrix3 across = (Matrix3::Identity() - n * n.transpose()) / line.length;  // dn/dx
  tangents.K += (spring.damping * line.rate() - spring.stiffness * spring.rest_length) * across +
                spring.damping * n * (across * line.relative_velocity).transpose();
  return tangents;
}

bool has_coordinates(const Attached& end, const std::vector<BodyData>& bodies) {
  return end.body >= 0 && bodies[static_cast<size_t>(end.body)].kind != BodyKind::frame;
}

void scatter_at(const Attached& point, const ForceArguments& at, const Vector3& force, VectorX& f) {
  if (point.body < 0) return;
  const BodyData& body = at.bodies[static_cast<size_t>(point.body)];
  if (body.kind == BodyKind::translating) return scatter(force, body.dof.data(), f);
  const auto generalised = (jacobian(body, at.kinematics.of(point.body), point).transpose() * force).eval();
  scatter(generalised, body.dof.data(), f);
}

}  // namespace

SpringLine spring_line(const DistanceSpring& spring, const Kinematics& kinematics) {
  const PoseAndVelocity& to = kinematics.of(spring.to.body);
  const PoseAndVelocity& from = kinematics.of(spring.from.body);
  SpringLine line;
  line.relative = spring.to.value(to) - spring.from.value(from);
  line.relative_velocity = spring.to.rate(to) - spring.from.rate(from);
  line.length = line.relative.norm();
  line.direction = line.length > 0 ? Vector3(line.relative / line.length) : Vector3::Zero();
  return line;
}

Vector3 spring_force(const DistanceSpring& spring, const SpringLine& line) {
  return -spring.stiffness * line.relative +
         (spring.stiffness * spring.rest_length - spring.damping * line.rate()) * line.direction;
}

void DistanceSprings::list_blocks(const std::vector<BodyData>& bodies) {
  for (const DistanceSpring& spring : elements) {
    std::vector<int> dof;
    for (const Attached* end : {&spring.to, &spring.from}) {
      if (!has_coordinates(*end, bodies)) continue;
      const BodyData& body = bodies[static_cast<size_t>(end->body)];
      dof.insert(dof.end(), body.dof.begin(), body.dof.begin() + body.coordinate_count());
    }
    blocks.add(dof);
  }
}

void DistanceSprings::add_force(const ForceArguments& at, VectorX& f) const {
  for (const DistanceSpring& spring : elements) {
    const Vector3 force = spring_force(spring, spring_line(spring, at.kinematics));
    scatter_at(spring.to, at, force, f);
    scatter_at(spring.from, at, -force, f);
  }
}

void DistanceSprings::add_tangents(const ForceArguments& at, const TangentSum& sum) const {
  for (size_t s = 0; s < size(); ++s) {
    const DistanceSpring& spring = elements[s];
    const SpringLine line = spring_line(spring, at.kinematics);
    const SpringTangents tangents = spring_tangents(spring, line);
    const Vector3 force = spring_force(spring, line);
    // d(force on `to`) = -K (J_to dq - J_from dq) - C (...) and the turning of the Jacobians.
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, pair_coordinates> J(3, pair_coordinates), Jdot;
    PairBlock K, C, turning = PairBlock::Zero(pair_coordinates, pair_coordinates);
    Jdot.setZero(3, pair_coordinates);
    int n = 0;
    for (const bool is_to : {true, false}) {
      const Attached& end = is_to ? spring.to : spring.from;
      if (!has_coordinates(end, at.bodies)) continue;
      const BodyData& body = at.bodies[static_cast<size_t>(end.body)];
      const PoseAndVelocity& pose = at.kinematics.of(end.body);
      const double sign = is_to ? 1.0 : -1.0;
      const int count = body.coordinate_count();
      J.middleCols(n, count) = sign * jacobian(body, pose, end);
      Jdot.middleCols(n, count) = sign * jacobian_rate(body, pose, end);
      turning.block(n, n, count, count) = jacobian_tangent(body, pose, end, sign * force);
      n += count;
    }
    const auto Jn = J.leftCols(n);
    K = Jn.transpose() * (tangents.K * Jn + tangents.C * Jdot.leftCols(n)) - turning.topLeftCorner(n, n);
    C = Jn.transpose() * tangents.C * Jn;
    sum.add(blocks, static_cast<int>(s), K, C);
  }
}

double DistanceSprings::strain_energy(const ForceArguments& at) const {
  double energy = 0;
  for (const DistanceSpring& spring : elements) {
    const double elongation = spring_line(spring, at.kinematics).length - spring.rest_length;
    energy += 0.5 * spring.stiffness * elongation * elongation;
  }
  return energy;
}

double DistanceSprings::damping_power(const ForceArguments& at) const {
  double power = 0;
  for (const DistanceSpring& spring : elements) {
    if (spring.damping == 0) continue;
    const double rate = spring_line(spring, at.kinematics).rate();
    power += spring.damping * rate * rate;
  }
  return power;
}

double DistanceSprings::prescribed_power(const std::vector<BodyData>& bodies,
                                         const Kinematics& kinematics) const {
  const auto velocity = [&](const Attached& end) -> Vector3 {
    const bool is_frame = end.body >= 0 && bodies[static_cast<size_t>(end.body)].kind == BodyKind::frame;
    return is_frame ? end.rate(kinematics.of(end.body)) : Vector3::Zero();
  };
  double power = 0;
  for (const DistanceSpring& spring : elements) {
    const Vector3 moved = velocity(spring.to) - velocity(spring.from);
    if (!moved.isZero(0)) power -= spring_force(spring, spring_line(spring, kinematics)).dot(moved);
  }
  return power;
}

bool DistanceSprings::has_constant_tangents(const std::vector<BodyData>& bodies) const {
  const auto is_translating = [&](const Attached& end) {
    return end.body < 0 || bodies[static_cast<size_t>(end.body)].kind == BodyKind::translating;
  };
  return std::ranges::all_of(elements, [&](const DistanceSpring& spring) {
    return spring.is_linear() && is_translating(spring.from) && is_translating(spring.to);
  });
}

bool DistanceSprings::has_dampers() const {
  return std::ranges::any_of(elements, [](const DistanceSpring& spring) { return spring.damping > 0; });
}

}  // namespace percuss
