#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "percuss/geometry/mesh.h"
#include "percuss/math/vector.h"

namespace percuss {

/// What can be drawn of a body, an obstacle or a section: /shapes of docs/formats/results.md.
struct DrawnShape {
  std::string name;                 ///< of the body, the obstacle or the face of a box
  std::string carrier;              ///< the body or frame that it moves with, or `ground`
  std::string kind;                 ///< as in the scene, or `point`, `points`, `line`, `plate`
  Vector3 size = Vector3::Zero();   ///< [m]
  Vector3 place = Vector3::Zero();  ///< from where it is measured, in the axes of the carrier [m]
  Vector3 axis = Vector3::UnitZ();  ///< normal of a half-space
  std::vector<Vector3> vertices;    ///< from `place` [m]
  std::vector<std::array<int, 3>> triangles;
};

/// A flexible body in a results file, with the names of its datasets.
struct FlexibleInfo {
  struct Block {
    CellShape shape = CellShape::tet4;
    std::string dataset;  ///< numbers of the nodes, cell after cell
    std::int64_t cells = 0;
  };

  std::string name, group;  ///< the group ends with /
  std::int64_t nodes = 0;
  std::vector<Block> blocks;
};

}  // namespace percuss
