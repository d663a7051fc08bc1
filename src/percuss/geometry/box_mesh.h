#pragma once

#include <array>

#include "percuss/geometry/convex_hull.h"
#include "percuss/geometry/mesh.h"

namespace percuss {

// Regular meshes. Node sets and surfaces have the names x_min, x_max, ... of box_face_names; the node set
// `all` holds every node. Nodes are numbered along x first, then y, then z. They throw std::invalid_argument
// for sizes that are not positive and finite, divisions below 1 and other shapes.

/// hex8, hex20, or tet4, tet10: six of those fill a box.
Mesh box_mesh(const Vector3& lower, const Vector3& size, const std::array<int, 3>& divisions,
              CellShape shape);

/// quad4, or tri3: two of those fill a rectangle. In the plane z = 0.
Mesh rectangle_mesh(const Vector2& lower, const Vector2& size, const std::array<int, 2>& divisions,
                    CellShape shape);

}  // namespace percuss
