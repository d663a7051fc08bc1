#pragma once

#include "percuss/collision/feature.h"
#include "percuss/collision/feature_gap.h"

/// Gaps of rims, sides of cones and ellipsoids. Each feature has a support function h(n), its extent along a
/// unit normal n that may touch it, at the support point x(n). Along n, which points out of the second
/// feature, two features are s(n) = -h_A(-n) - h_B(n) apart; the gap is a stationary value of s. There dg/dt
/// = n . (v_A - v_B) at the two support points, since a change of n does nothing to first order.
/// docs/theory/worlds.md (W-5) to (W-12)
namespace percuss {

/// The support point of an ellipsoid or rim: of the surface, farthest along n.
Vector3 support_point(const Feature& round, const Vector3& n);

/// The gap of two features of which one is an ellipsoid, a rim or the side of a cone. The type of the first
/// is at most that of the second. Branches tell solutions apart:
///  - a rim and a line or another rim: 0 round the rim, 1 and 2 where they cross, nearly in the rim's flat;
///  - the side of a cone and a line or another side: 0 and 1, the common normals along +- d_a x d_b.
ClosestPoints gap_of_curved(const Feature& first, const Feature& second, int branch);
/// The gap of any pair of features.
ClosestPoints gap_of_features(FeatureKind kind, const Feature& first, const Feature& second);

/// A vector of unit length across another one.
Vector3 any_across(const Vector3& a);
/// The one that leads to v; any if v is along the axis.
Vector3 towards(const Vector3& v, const Vector3& axis);

// Parts of the above, each for its pair of types.
ClosestPoints round_on_plane(const Feature& round, const Vector3& point, const Vector3& normal);
ClosestPoints ball_on_circle(const Ball& ball, const Feature& circle);
ClosestPoints ball_on_cone(const Ball& ball, const Feature& cone);
ClosestPoints ball_on_ellipsoid(const Ball& ball, const Feature& ellipsoid);
ClosestPoints round_on_line(const Feature& round, const Line& line);
ClosestPoints cone_on_line(const Feature& cone, const Line& line, int branch);
ClosestPoints cone_on_cone(const Feature& first, const Feature& second, int branch);
ClosestPoints round_on_cone(const Feature& round, const Feature& cone);
ClosestPoints ellipsoid_on_ellipsoid(const Feature& first, const Feature& second);
ClosestPoints ellipsoid_on_circle(const Feature& ellipsoid, const Feature& circle);
ClosestPoints circle_on_circle(const Feature& first, const Feature& second);
ClosestPoints circle_across_line(const Feature& circle, const Line& line, int branch);
ClosestPoints circle_across_circle(const Feature& first, const Feature& second, int branch);

}  // namespace percuss
