#pragma once

#include <array>
#include <vector>

#include "percuss/geometry/mesh.h"

namespace percuss {

/// Finds the sides of the cells of the largest dimension by their corners, in a time that does not depend on
/// the size of the mesh.
class CellSides {
 public:
  struct Side {
    std::array<int, 4> corners;  ///< ascending; -1 behind those of lines and triangles
    int cell, side;              ///< side: place in cell_facets()
  };

  explicit CellSides(const Mesh& mesh);

  /// Sides with the same corners, one group after the other, by their smallest corners: all those with the
  /// smallest corner `node`.
  std::span<const Side> at(int node) const;
  int node_count() const { return static_cast<int>(first_.size()) - 1; }
  /// A side with the corners of the facet, that of the first cell that has it; null if there is none.
  const Side* find(const Facet& facet) const;

 private:
  std::vector<Side> sides_;
  std::vector<int> first_;  ///< of each node in sides_
};

/// Sides that belong to one cell only, by cells.
std::vector<Facet> boundary_facets(const Mesh& mesh);

/// Turns the facet outwards from the cell it belongs to and writes down that cell. False if it belongs to
/// none.
bool attach_to_cell(const Mesh& mesh, const CellSides& sides, Facet& facet);

}  // namespace percuss
