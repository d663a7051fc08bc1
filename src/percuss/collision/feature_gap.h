#pragma once

#include <span>

#include "percuss/math/vector.h"

/// The gaps between features: the only place with formulas for them. With features fixed a gap is a smooth
/// function of the places, and the normal at the two closest points is its gradient.
namespace percuss {

/// Where two features are closest, in space. The normal points from the second to the first.
struct ClosestPoints {
  double gap = 0;
  Vector3 on_first = Vector3::Zero(), on_second = Vector3::Zero(), normal = Vector3::Zero();
};

/// A face of a convex body: outward unit normal and its distance from the origin of the body's axes.
struct ConvexFace {
  Vector3 normal;
  double offset;
};

/// A sphere, or with radius 0 a point.
struct Ball {
  Vector3 centre;
  double radius = 0;
};

/// At a distance of its centre from a plane.
ClosestPoints ball_before_plane(const Ball& ball, double distance, const Vector3& normal);
ClosestPoints ball_on_plane(const Ball& ball, const Vector3& point, const Vector3& normal);
ClosestPoints ball_on_ball(const Ball& first, const Ball& second);
/// A straight line with a radius around it: an edge, or the axis of a capsule.
struct Line {
  Vector3 point, direction;  ///< of unit length
  double radius = 0;
};
ClosestPoints ball_on_line(const Ball& ball, const Line& line);
/// Two lines that are not parallel; their normal is along first x second. It does not turn where they pass
/// through each other.
ClosestPoints line_on_line(const Line& first, const Line& second);
/// A round pin in a round hole whose axis passes through `hole.centre`. In the middle there is no normal.
ClosestPoints pin_in_hole(const Ball& pin, const Ball& hole, const Vector3& axis);
/// The face that the centre of a ball, given in the axes of the convex body, is farthest ahead of.
int farthest_face(std::span<const ConvexFace> faces, const Vector3& centre);

}  // namespace percuss
