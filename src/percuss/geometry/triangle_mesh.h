#pragma once

#include <array>
#include <string>
#include <vector>

#include "percuss/math/vector.h"

namespace percuss {

/// A surface; triangles are counter-clockwise seen from outside, or from the free side.
struct TriangleMesh {
  std::vector<Vector3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

/// What keeps the mesh from bounding a solid, with the numbers of the faces, counted from 0; empty if nothing
/// does: an index out of range, a face without area, a flipped face, an edge of more than two faces, a hole,
/// a vertex inside of an edge (T-junction), no volume, inward orientation. A surface that cuts itself is not
/// found. Time and memory grow as n log n.
std::string mesh_defect(const TriangleMesh& mesh);
/// The same for a surface that may have a border: a terrain.
std::string open_mesh_defect(const TriangleMesh& mesh);

}  // namespace percuss
