#include "percuss/model/orientation.h"

#include <stdexcept>

#include "percuss/math/rotation.h"

namespace percuss {
namespace {

Orientation orientation_of(const Quaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }

Quaternion turn_about(const Vector3& axis, double angle) {
  return Quaternion(Eigen::AngleAxisd(angle, axis.normalized()));
}

/// R = R_first(a) R_second(b) R_third(c): each turn is about an axis that the turns before have moved.
Quaternion from_euler(const Vector3& angles, EulerOrder order) {
  Quaternion rotation = Quaternion::Identity();
  const std::string_view letters = enum_name(order);
  for (int k = 0; k < 3; ++k)
    rotation = rotation * turn_about(Vector3::Unit(letters[static_cast<size_t>(k)] - 'x'), angles[k]);
  return rotation;
}

}  // namespace

Matrix3 Orientation::matrix() const { return Quaternion(w, x, y, z).normalized().toRotationMatrix(); }

Orientation OrientationForms::value() const {
  const auto require = [](bool holds, const char* message) {
    if (!holds) throw std::invalid_argument(message);
  };
  const bool by_quaternion = w || x || y || z, by_axis = axis || angle, by_euler = euler || order;
  require(by_quaternion + by_axis + by_euler + rotation_vector.has_value() <= 1,
          "it is given in several ways; give exactly one of {w, x, y, z}, {axis, angle}, {euler, order} and "
          "{rotation_vector}");
  if (by_axis) {
    require(axis.has_value(), "the key 'axis' is missing: `angle` is about it");
    require(angle.has_value(), "the key 'angle' is missing: how far it is turned about `axis`");
    require(axis->norm() > 0, "axis: [0, 0, 0] is not allowed; it must have a direction");
    return orientation_of(turn_about(*axis, *angle));
  }
  if (by_euler) {
    require(euler.has_value(), "the key 'euler' is missing: the three angles");
    require(order.has_value(), "the key 'order' is missing: the axes of the three turns, such as zyx");
    return orientation_of(from_euler(*euler, *order));
  }
  if (rotation_vector) return orientation_of(exp_rotation(*rotation_vector));
  return {w.value_or(1), x.value_or(0), y.value_or(0), z.value_or(0)};
}

}  // namespace percuss
