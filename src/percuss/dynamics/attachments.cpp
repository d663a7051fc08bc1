#include "percuss/dynamics/attachments.h"

#include "percuss/model/references.h"

namespace percuss {

Attached find_point(const Model& model, const System& system, const std::string& reference) {
  const std::string owner = owner_of(reference);
  if (owner == "ground") return {};
  Attached point{find_body(system, find_flexible(system, owner) ? reference : owner), Vector3::Zero()};
  if (find_flexible(system, owner)) {
    if (const Vector3* arm = find_named(system.bodies[static_cast<size_t>(point.body)].points,
                                        reference.substr(owner.size() + 1)))
      point.local = *arm;
    return point;
  }
  if (owner == reference) return point;
  const NamedMap<Vector3>* points = nullptr;
  for (const auto& body : model.bodies)
    if (name_of(body) == owner) points = points_of(body);
  for (const auto& frame : model.frames)
    if (frame.name == owner) points = &frame.points;
  point.local = *find_named(*points, reference.substr(owner.size() + 1));
  return point;
}

Attached attach_point(const Kinematics& start, int body, const Vector3& in_space) {
  const PoseAndVelocity& p = start.of(body);
  return {body, p.R.transpose() * (in_space - p.x)};
}
Attached attach_direction(const Kinematics& start, int body, const Vector3& in_space) {
  return {body, start.of(body).R.transpose() * in_space, Attached::Kind::direction};
}

}  // namespace percuss
