#include "percuss/geometry/mesh.h"

#include <algorithm>
#include <stdexcept>

namespace percuss {
namespace {

using enum CellShape;
using EdgeEnds = std::array<int, 2>;

struct ShapeFacts {
  std::string_view name;
  int dimension, corners, nodes;
};
constexpr std::array<ShapeFacts, 10> shape_facts = {{{"line2", 1, 2, 2},
                                                     {"line3", 1, 2, 3},
                                                     {"tri3", 2, 3, 3},
                                                     {"quad4", 2, 4, 4},
                                                     {"tri6", 2, 3, 6},
                                                     {"quad8", 2, 4, 8},
                                                     {"tet4", 3, 4, 4},
                                                     {"tet10", 3, 4, 10},
                                                     {"hex8", 3, 8, 8},
                                                     {"hex20", 3, 8, 20}}};
constexpr const ShapeFacts& facts_of(CellShape shape) { return shape_facts[static_cast<std::size_t>(shape)]; }

constexpr std::array<EdgeEnds, 3> triangle_edges = {{{0, 1}, {1, 2}, {2, 0}}};
constexpr std::array<EdgeEnds, 4> quadrangle_edges = {{{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
constexpr std::array<EdgeEnds, 6> tetrahedron_edges = {{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
constexpr std::array<EdgeEnds, 12> hexahedron_edges = {
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

constexpr std::array<LocalFacet, 3> triangle_facets = {{{line2, {0, 1}}, {line2, {1, 2}}, {line2, {2, 0}}}};
constexpr std::array<LocalFacet, 4> quadrangle_facets = {
    {{line2, {0, 1}}, {line2, {1, 2}}, {line2, {2, 3}}, {line2, {3, 0}}}};
constexpr std::array<LocalFacet, 4> tet4_facets = {
    {{tri3, {0, 2, 1}}, {tri3, {0, 1, 3}}, {tri3, {1, 2, 3}}, {tri3, {2, 0, 3}}}};
constexpr std::array<LocalFacet, 4> tet10_facets = {{{tri6, {0, 2, 1, 6, 5, 4}},
                                                     {tri6, {0, 1, 3, 4, 8, 7}},
                                                     {tri6, {1, 2, 3, 5, 9, 8}},
                                                     {tri6, {2, 0, 3, 6, 7, 9}}}};
constexpr std::array<LocalFacet, 6> hex8_facets = {{{quad4, {0, 3, 2, 1}},
                                                    {quad4, {4, 5, 6, 7}},
                                                    {quad4, {0, 1, 5, 4}},
                                                    {quad4, {1, 2, 6, 5}},
                                                    {quad4, {2, 3, 7, 6}},
                                                    {quad4, {3, 0, 4, 7}}}};
constexpr std::array<LocalFacet, 6> hex20_facets = {{{quad8, {0, 3, 2, 1, 11, 10, 9, 8}},
                                                     {quad8, {4, 5, 6, 7, 12, 13, 14, 15}},
                                                     {quad8, {0, 1, 5, 4, 8, 17, 12, 16}},
                                                     {quad8, {1, 2, 6, 5, 9, 18, 13, 17}},
                                                     {quad8, {2, 3, 7, 6, 10, 19, 14, 18}},
                                                     {quad8, {3, 0, 4, 7, 11, 16, 15, 19}}}};

}  // namespace

std::string_view name_of(CellShape shape) { return facts_of(shape).name; }
int dimension_of(CellShape shape) { return facts_of(shape).dimension; }
int corner_count(CellShape shape) { return facts_of(shape).corners; }
int node_count(CellShape shape) { return facts_of(shape).nodes; }

std::span<const EdgeEnds> cell_edges(CellShape shape) {
  switch (shape) {
    case tri3:
    case tri6: return triangle_edges;
    case quad4:
    case quad8: return quadrangle_edges;
    case tet4:
    case tet10: return tetrahedron_edges;
    case hex8:
    case hex20: return hexahedron_edges;
    case line2:
    case line3: break;
  }
  return {};
}

std::span<const LocalFacet> cell_facets(CellShape shape) {
  switch (shape) {
    case tri3: return triangle_facets;
    case quad4: return quadrangle_facets;
    case tet4: return tet4_facets;
    case tet10: return tet10_facets;
    case hex8: return hex8_facets;
    case hex20: return hex20_facets;
    case line2:
    case line3:
    case tri6:
    case quad8: break;
  }
  return {};
}

int Mesh::cell_count() const {
  int count = 0;
  for (const CellBlock& block : blocks) count += block.count();
  return count;
}

int Mesh::dimension() const {
  int largest = 0;
  for (const CellBlock& block : blocks)
    if (block.count() > 0) largest = std::max(largest, dimension_of(block.shape));
  return largest;
}

std::pair<int, int> locate_cell(const Mesh& mesh, int cell) {
  int in_block = cell;
  for (std::size_t block = 0; block < mesh.blocks.size() && in_block >= 0; ++block) {
    if (in_block < mesh.blocks[block].count()) return {static_cast<int>(block), in_block};
    in_block -= mesh.blocks[block].count();
  }
  throw std::out_of_range("the mesh has no cell " + std::to_string(cell));
}

Facet facet_of(const Mesh& mesh, int cell, int side) {
  const auto [block, in_block] = locate_cell(mesh, cell);
  const LocalFacet& local = cell_facets(mesh.blocks[block].shape)[static_cast<std::size_t>(side)];
  const auto nodes = mesh.blocks[block].cell(in_block);
  Facet facet{local.shape, {}, cell};
  for (int i = 0; i < node_count(local.shape); ++i) facet.nodes[i] = nodes[local.nodes[i]];
  return facet;
}

}  // namespace percuss
