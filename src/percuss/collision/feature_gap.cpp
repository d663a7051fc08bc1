#include "percuss/collision/feature_gap.h"

#include <Eigen/Geometry>

namespace percuss {

ClosestPoints ball_before_plane(const Ball& ball, double distance, const Vector3& normal) {
  return {distance - ball.radius, ball.centre - ball.radius * normal, ball.centre - distance * normal,
          normal};
}

ClosestPoints ball_on_plane(const Ball& ball, const Vector3& point, const Vector3& normal) {
  return ball_before_plane(ball, normal.dot(ball.centre - point), normal);
}

ClosestPoints ball_on_ball(const Ball& first, const Ball& second) {
  const double distance = (first.centre - second.centre).norm();
  // Concentric spheres have no normal; any will do to push them apart.
  const Vector3 n = distance > 0 ? Vector3((first.centre - second.centre) / distance) : Vector3::UnitZ();
  return {distance - first.radius - second.radius, first.centre - first.radius * n,
          second.centre + second.radius * n, n};
}

ClosestPoints ball_on_line(const Ball& ball, const Line& line) {
  const Vector3 nearest = line.point + line.direction.dot(ball.centre - line.point) * line.direction;
  return ball_on_ball(ball, {nearest, line.radius});
}

ClosestPoints line_on_line(const Line& first, const Line& second) {
  const Vector3 across = first.direction.cross(second.direction), offset = second.point - first.point;
  const Vector3 n = across.normalized();
  const double cosine = first.direction.dot(second.direction), sine2 = across.squaredNorm();
  const double along_first = offset.dot(first.direction), along_second = offset.dot(second.direction);
  const Vector3 on_first = first.point + (along_first - cosine * along_second) / sine2 * first.direction;
  const Vector3 on_second = second.point + (cosine * along_first - along_second) / sine2 * second.direction;
  return {-n.dot(offset) - first.radius - second.radius, on_first - first.radius * n,
          on_second + second.radius * n, n};
}

ClosestPoints pin_in_hole(const Ball& pin, const Ball& hole, const Vector3& axis) {
  const double along = axis.dot(pin.centre - hole.centre);
  const Vector3 offset = pin.centre - hole.centre - along * axis;
  const double eccentricity = offset.norm();
  const double gap = hole.radius - pin.radius - eccentricity;
  if (eccentricity == 0) return {gap, pin.centre, pin.centre, Vector3::Zero()};
  const Vector3 outward = offset / eccentricity;
  return {gap, pin.centre + pin.radius * outward, hole.centre + along * axis + hole.radius * outward,
          -outward};
}

int farthest_face(std::span<const ConvexFace> faces, const Vector3& centre) {
  const auto distance_to = [&](int f) { return faces[f].normal.dot(centre) - faces[f].offset; };
  int face = 0;
  double distance = distance_to(0);
  for (int f = 1; f < static_cast<int>(faces.size()); ++f) {
    const double d = distance_to(f);
    if (d <= distance) continue;
    distance = d;
    face = f;
  }
  return face;
}

}  // namespace percuss
