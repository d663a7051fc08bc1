#pragma once

#include "percuss/dynamics/bodies.h"

/// A node of a shaft as a body. Coordinates: 1, 2 deflections along the axes across the shaft; 3 the spin, 4
/// and 5 the rotations about these axes. Number 0, along the shaft, is not there.  docs/theory/shaft.md
namespace percuss {

/// Place without the velocity; the deflections are counted from the line.
Vector3 shaft_node_place(const BodyData& node, const VectorX& q);
PoseAndVelocity place_shaft_node(const BodyData& node, const VectorX& q, const VectorX& v);

/// The axes about which coordinates 3, 4, 5 turn the node, as columns in space: R_dot = skew(axes * rates) R
/// (SH-2).
Matrix3 spin_axes(const BodyData& node, const PoseAndVelocity& pose);
/// Rates of coordinates 3, 4, 5.
Vector3 spin_rates(const BodyData& node, const PoseAndVelocity& pose);

/// Whether coordinate 3 + j turns the axis of coordinate 3 + i: the spin is the innermost of the three
/// rotations, that about the second axis the outermost.
constexpr bool turns_axis(int j, int i) { return i != j && j != 0 && (i == 0 || j == 1); }

/// Second derivative of a vector w that turns with the node by coordinates 3 + i and 3 + j.
Vector3 second_turn(const Matrix3& axes, int i, int j, const Vector3& w);

}  // namespace percuss
