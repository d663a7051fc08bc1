#pragma once

#include "percuss/io/shape_table.h"

namespace percuss {

/// A shape as triangles and lines, in the axes of its carrier.
struct ShapeMesh {
  std::vector<Vector3> vertices;  ///< [m]
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> lines;
};

/// Round shapes get facets. Particles become octahedra with half diagonals of `mark` [m]; bodies with nothing
/// but points become lines from their centre. Half-spaces, lines and plates have no mesh of their own.
ShapeMesh mesh_of(const DrawnShape& shape, double mark);

}  // namespace percuss
