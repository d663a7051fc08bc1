#pragma once

#include <limits>
#include <map>
#include <vector>

#include "percuss/geometry/mesh.h"

namespace percuss {

/// What a user wants to know of a mesh before using it. Numbers of cells and nodes as in Mesh.
struct MeshReport {
  int node_count = 0;
  std::map<CellShape, int> cell_counts;
  Vector3 lower, upper;  ///< bounding box of all nodes; m
  double volume = 0;     ///< of the cells of the largest dimension: m^3, m^2 or m
  int worst_cell = -1;
  double worst_quality = std::numeric_limits<double>::quiet_NaN();  ///< cell_quality of the worst cell
  std::vector<int> inverted_cells;                                  ///< with cell_quality <= 0
  std::vector<int> cells_with_repeated_nodes;
  std::vector<int> unused_nodes;                ///< of no cell
  std::vector<std::pair<int, int>> duplicates;  ///< see duplicate_cells
  int part_count = 0;                           ///< parts of the mesh that share no node
  std::vector<std::pair<int, int>>
      mixed_orders;  ///< a linear cell and the quadratic cell at one of its sides
};
MeshReport mesh_report(const Mesh& mesh);

/// Cells with the same corners, each with the one before it that has them: their mass and stiffness count
/// twice.
std::vector<std::pair<int, int>> duplicate_cells(const Mesh& mesh);

/// Smallest scaled Jacobian in a corner: the volume that the unit vectors along its edges span, divided by
/// that of the perfect cell (cube, regular tetrahedron, square, equilateral triangle). At most 1; 0 or less:
/// folded. Curved edges count with their directions at the corner. Plane cells must be counter-clockwise in
/// the plane z = const; lines have the quality 1, or 0 without length.
double cell_quality(const Mesh& mesh, CellShape shape, std::span<const int> nodes);

/// m^3, m^2 (in the plane z = const) or m; negative if inside out. Exact also for curved faces.
double cell_volume(const Mesh& mesh, CellShape shape, std::span<const int> nodes);

}  // namespace percuss
