#include "percuss/geometry/mesh_facets.h"

#include <algorithm>
#include <tuple>

namespace percuss {
namespace {

/// Corners in ascending order, -1 behind them. `corner(i)` is the i-th corner.
template <class Corner>
std::array<int, 4> sorted_corners(int count, const Corner& corner) {
  std::array<int, 4> sorted = {-1, -1, -1, -1};
  for (int i = 0; i < count; ++i) {
    const int node = corner(i);
    int place = i;
    for (; place > 0 && sorted[place - 1] > node; --place) sorted[place] = sorted[place - 1];
    sorted[place] = node;
  }
  return sorted;
}

template <class Visit>
void for_each_side(const Mesh& mesh, const Visit& visit) {
  const int dimension = mesh.dimension();
  for_each_cell(mesh, [&](int cell, CellShape shape, std::span<const int> nodes) {
    if (dimension_of(shape) != dimension) return;
    const auto facets = cell_facets(shape);
    for (int side = 0; side < std::ssize(facets); ++side) {
      const LocalFacet& facet = facets[side];
      visit(CellSides::Side{
          sorted_corners(corner_count(facet.shape), [&](int i) { return nodes[facet.nodes[i]]; }), cell,
          side});
    }
  });
}

}  // namespace

CellSides::CellSides(const Mesh& mesh) : first_(mesh.nodes.size() + 1, 0) {
  for_each_side(mesh, [&](const Side& side) { ++first_[side.corners[0] + 1]; });
  for (std::size_t node = 1; node < first_.size(); ++node) first_[node] += first_[node - 1];
  sides_.resize(static_cast<std::size_t>(first_.back()));
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for_each_side(mesh, [&](const Side& side) { sides_[next[side.corners[0]]++] = side; });
  for (int node = 0; node < node_count(); ++node)
    std::sort(sides_.begin() + first_[node], sides_.begin() + first_[node + 1],
              [](const Side& a, const Side& b) {
                return std::tie(a.corners, a.cell, a.side) < std::tie(b.corners, b.cell, b.side);
              });
}

std::span<const CellSides::Side> CellSides::at(int node) const {
  return std::span(sides_).subspan(static_cast<std::size_t>(first_[node]),
                                   static_cast<std::size_t>(first_[node + 1] - first_[node]));
}

const CellSides::Side* CellSides::find(const Facet& facet) const {
  const auto corners = sorted_corners(corner_count(facet.shape), [&](int i) { return facet.nodes[i]; });
  const auto sides = at(corners[0]);
  const auto found = std::ranges::lower_bound(sides, corners, {}, &Side::corners);
  return found != sides.end() && found->corners == corners ? &*found : nullptr;
}

std::vector<Facet> boundary_facets(const Mesh& mesh) {
  const CellSides sides(mesh);
  std::vector<std::pair<int, int>> outer;
  for (int node = 0; node < sides.node_count(); ++node) {
    const auto around = sides.at(node);
    for (std::size_t begin = 0, end = 0; begin < around.size(); begin = end) {
      while (end < around.size() && around[end].corners == around[begin].corners) ++end;
      if (end - begin == 1) outer.emplace_back(around[begin].cell, around[begin].side);
    }
  }
  std::ranges::sort(outer);
  std::vector<Facet> facets;
  facets.reserve(outer.size());
  for (const auto& [cell, side] : outer) facets.push_back(facet_of(mesh, cell, side));
  return facets;
}

bool attach_to_cell(const Mesh& mesh, const CellSides& sides, Facet& facet) {
  const auto* side = sides.find(facet);
  if (side != nullptr) facet = facet_of(mesh, side->cell, side->side);
  return side != nullptr;
}

}  // namespace percuss
