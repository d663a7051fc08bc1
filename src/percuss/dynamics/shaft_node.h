#pragma once

#include "percuss/dynamics/bodies.h"

/// A node of a shaft as a body. Slots: 1, 2 deflections along the axes across the shaft; 3 the spin, 4 and 5
/// the rotations about these axes. Slot 0, along the shaft, has no coordinate.  docs/theory/shaft.md
namespace percuss {

/// Place without the velocity; the deflections are counted from the line.
Vector3 shaft_node_place(const BodyData& node, const VectorX& q);
Placement place_shaft_node(const BodyData& node, const VectorX& q, const VectorX& v);

/// The axes about which slots 3, 4, 5 turn the node, as columns in space: R_dot = skew(axes * rates) R
/// (SH-2).
Matrix3 spin_axes(const BodyData& node, const Placement& placement);
/// Rates of slots 3, 4, 5.
Vector3 spin_rates(const BodyData& node, const Placement& placement);

/// Whether slot 3 + j turns the axis of slot 3 + i: the spin is the innermost of the three rotations, that
/// about the second axis the outermost.
constexpr bool turns_axis(int j, int i) { return i != j && j != 0 && (i == 0 || j == 1); }

/// Second derivative of a vector w that turns with the node by slots 3 + i and 3 + j.
Vector3 second_turn(const Matrix3& axes, int i, int j, const Vector3& w);

}  // namespace percuss
