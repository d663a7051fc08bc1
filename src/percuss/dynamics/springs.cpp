#include "percuss/dynamics/springs.h"

namespace percuss {

SpringLine spring_line(const DistanceSpring& spring, const Kinematics& kinematics) {
  const Placement& to = kinematics.of(spring.to.body);
  const Placement& from = kinematics.of(spring.from.body);
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

SpringTangents spring_tangents(const DistanceSpring& spring, const SpringLine& line) {
  const Vector3& n = line.direction;
  SpringTangents tangents{spring.stiffness * Matrix3::Identity(), spring.damping * n * n.transpose()};
  if (line.length == 0) return tangents;
  const Matrix3 across = (Matrix3::Identity() - n * n.transpose()) / line.length;  // dn/dx
  tangents.K += (spring.damping * line.rate() - spring.stiffness * spring.rest_length) * across +
                spring.damping * n * (across * line.relative_velocity).transpose();
  return tangents;
}

void coordinate_spring_state(const CoordinateSpring& spring, const Kinematics& kinematics, double* value,
                             double* rates, double* tension) {
  const auto n = static_cast<Eigen::Index>(spring.functions.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    value[i] = evaluate(spring.functions[static_cast<size_t>(i)], kinematics);
    rates[i] = rate(spring.functions[static_cast<size_t>(i)], kinematics);
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    tension[i] = spring.preload[i];
    for (Eigen::Index j = 0; j < n; ++j)
      tension[i] += spring.stiffness(i, j) * value[j] + spring.damping(i, j) * rates[j];
  }
}

}  // namespace percuss
