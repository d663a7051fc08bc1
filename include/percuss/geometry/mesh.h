#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "percuss/math/vector.h"

namespace percuss {

/// The nodes of a cell are numbered as in VTK: corners first, then one node in the middle of each edge, in
/// the order of cell_edges(). line3, tri6 and quad8 are only edges and faces of quadratic solids.
enum class CellShape : std::uint8_t { line2, line3, tri3, quad4, tri6, quad8, tet4, tet10, hex8, hex20 };

std::string_view name_of(CellShape shape);
int dimension_of(CellShape shape);  ///< 1, 2 or 3
int corner_count(CellShape shape);
int node_count(CellShape shape);
inline bool is_quadratic(CellShape shape) { return node_count(shape) > corner_count(shape); }

/// Corners at the ends of the edges of plane and solid cells; tet: 01 12 20 03 13 23, hex: those of the
/// bottom, of the top, the vertical ones.
std::span<const std::array<int, 2>> cell_edges(CellShape shape);

/// A face of a solid cell, or an edge of a plane one, as local numbers; counter-clockwise seen from outside.
/// From a cell of the plane z = const the outside is on the right of the edge.
struct LocalFacet {
  CellShape shape;
  std::array<int, 8> nodes;  ///< node_count(shape) of them
};
/// In the order of Abaqus' faces S1, S2, ...
std::span<const LocalFacet> cell_facets(CellShape shape);

/// Cells of one shape.
struct CellBlock {
  CellShape shape = CellShape::tet4;
  std::vector<int> nodes;  ///< cell after cell

  int count() const { return static_cast<int>(nodes.size()) / node_count(shape); }
  std::span<const int> cell(int i) const {
    const auto size = static_cast<std::size_t>(node_count(shape));
    return std::span(nodes).subspan(static_cast<std::size_t>(i) * size, size);
  }
};

/// A piece of a surface, oriented outwards as LocalFacet.
struct Facet {
  CellShape shape = CellShape::tri3;
  std::array<int, 8> nodes{};  ///< node_count(shape) of them
  int cell = -1;               ///< to which it belongs; -1: unknown
};

/// Cells are numbered through all blocks, in their order.
struct Mesh {
  std::vector<Vector3> nodes;  ///< m
  std::vector<CellBlock> blocks;
  std::map<std::string, std::vector<int>> node_sets, cell_sets;  ///< ascending numbers
  std::map<std::string, std::vector<Facet>> surfaces;
  std::vector<std::string> notes;  ///< what was left out when it was read

  int cell_count() const;
  /// Largest dimension of a cell; 0 without cells.
  int dimension() const;
};

/// Block and place in it of a cell.
std::pair<int, int> locate_cell(const Mesh& mesh, int cell);

/// Facet `side` of a cell.
Facet facet_of(const Mesh& mesh, int cell, int side);

/// Calls visit(cell number, shape, nodes) for all cells.
template <class Visit>
void for_each_cell(const Mesh& mesh, const Visit& visit) {
  int cell = 0;
  for (const CellBlock& block : mesh.blocks)
    for (int i = 0; i < block.count(); ++i) visit(cell++, block.shape, block.cell(i));
}

}  // namespace percuss
