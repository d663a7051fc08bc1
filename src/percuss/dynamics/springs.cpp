#include "percuss/dynamics/springs.h"

namespace percuss {

SpringLine spring_line(const DistanceSpring& spring, const VectorX& q) {
  const Vector3 relative = spring.to.position(q) - spring.from.position(q);
  const double length = relative.norm();
  return {relative, length > 0 ? Vector3(relative / length) : Vector3::Zero(), length};
}

double spring_rate(const DistanceSpring& spring, const SpringLine& line, const VectorX& v) {
  return line.direction.dot(spring.to.velocity(v) - spring.from.velocity(v));
}

Vector3 spring_force(const DistanceSpring& spring, const VectorX& q, const VectorX& v) {
  const SpringLine line = spring_line(spring, q);
  return -spring.stiffness * line.relative +
         (spring.stiffness * spring.rest_length - spring.damping * spring_rate(spring, line, v)) *
             line.direction;
}

SpringTangents spring_tangents(const DistanceSpring& spring, const VectorX& q, const VectorX& v) {
  using Matrix3 = Eigen::Matrix3d;
  const SpringLine line = spring_line(spring, q);
  const Vector3& n = line.direction;
  SpringTangents tangents{spring.stiffness * Matrix3::Identity(), spring.damping * n * n.transpose()};
  if (line.length == 0) return tangents;
  const Matrix3 across = (Matrix3::Identity() - n * n.transpose()) / line.length;  // dn/dx
  const Vector3 relative_velocity = spring.to.velocity(v) - spring.from.velocity(v);
  const double rate = n.dot(relative_velocity);
  tangents.K += (spring.damping * rate - spring.stiffness * spring.rest_length) * across +
                spring.damping * n * (across * relative_velocity).transpose();
  return tangents;
}

}  // namespace percuss
