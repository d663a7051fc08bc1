#include "percuss/contacts/thing_distance.h"

#include <algorithm>
#include <limits>

#include "percuss/collision/open_distance.h"
#include "percuss/dynamics/scalar_function.h"

namespace percuss {
namespace {

constexpr double unknown_distance = std::numeric_limits<double>::infinity();

double over_plane(const Things& things, const Thing& thing, const Thing& plane,
                  const Kinematics& kinematics) {
  const PoseAndVelocity &pose = kinematics.of(thing.body), &carrier = kinematics.of(plane.body);
  const Vector3 normal = carrier.R * plane.plane.normal, point = carrier.x + carrier.R * plane.plane.point;
  const Vector3 down = -(pose.R.transpose() * normal);
  double lowest = unknown_distance;
  for (int k = 0; k < thing.pieces; ++k) {
    const Piece& piece = things.pieces[static_cast<size_t>(thing.first_piece + k)];
    double reach = piece.mesh < 0 ? extent(things.shape(piece), down) : -unknown_distance;
    if (piece.mesh >= 0)
      for (const Vector3& vertex : things.mesh(piece).vertices()) reach = std::max(reach, down.dot(vertex));
    lowest = std::min(lowest, normal.dot(pose.x - point) - reach);
  }
  return lowest;
}

bool is_flat(const Things& things, const Thing& thing) {
  for (int k = 0; k < thing.pieces; ++k) {
    const Piece& piece = things.pieces[static_cast<size_t>(thing.first_piece + k)];
    if (piece.mesh >= 0 || things.shape(piece).is_curved()) return false;
  }
  return true;
}

std::vector<ConvexShape> pieces_in_space(const Things& things, const Thing& thing,
                                         const Kinematics& kinematics) {
  std::vector<ConvexShape> placed(static_cast<size_t>(thing.pieces));
  const PoseAndVelocity& pose = kinematics.of(thing.body);
  for (int k = 0; k < thing.pieces; ++k)
    place(things.shape(things.pieces[static_cast<size_t>(thing.first_piece + k)]), pose.R, pose.x,
          placed[static_cast<size_t>(k)]);
  return placed;
}

}  // namespace

double distance_of_things(const Things& things, const Thing& a, const Thing& b, const Kinematics& kinematics,
                          double enough) {
  if (a.is_flexible() || b.is_flexible()) return unknown_distance;
  if (b.is_plane) return over_plane(things, a, b, kinematics);
  if (a.is_plane) return over_plane(things, b, a, kinematics);
  const double centres = (kinematics.of(a.body).x - kinematics.of(b.body).x).norm();
  if (centres - a.reach - b.reach > enough || !is_flat(things, a) || !is_flat(things, b))
    return unknown_distance;
  double closest = unknown_distance;
  const std::vector<ConvexShape> of_b = pieces_in_space(things, b, kinematics);
  for (const ConvexShape& piece : pieces_in_space(things, a, kinematics))
    for (const ConvexShape& other : of_b) closest = std::min(closest, open_distance(piece, other));
  return closest;
}

}  // namespace percuss
