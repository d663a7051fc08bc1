#pragma once

#include "percuss/dynamics/system.h"

/// The steps of build_system.
namespace percuss {

void add_bodies(const Model& model, System& system);
/// `start` places the bodies as the model does.
void add_joints(const Model& model, System& system, const Kinematics& start);
void add_springs(const Model& model, System& system, const Kinematics& start);
void add_loads(const Model& model, System& system);
void build_pattern(System& system);

/// A reference such as `arm`, `arm.tip` or `ground`: the body and the point of it.
struct PointReference {
  std::string body, point;  ///< the point is empty for the centre
};
inline PointReference split_reference(const std::string& text) {
  const auto dot = text.find('.');
  return dot == text.npos ? PointReference{text, ""}
                          : PointReference{text.substr(0, dot), text.substr(dot + 1)};
}
/// The point a reference means. The model has been validated.
Attached find_point(const Model& model, const System& system, const std::string& reference);
/// A point or direction of space at the start, attached to a body (-1: ground).
Attached attach_point(const Kinematics& start, int body, const Vector3& in_space);
Attached attach_direction(const Kinematics& start, int body, const Vector3& in_space);

}  // namespace percuss
