#include "percuss/contacts/contact_surface.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "percuss/dynamics/system.h"

namespace percuss {
namespace {

void sort_once_each(std::vector<int>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

ContactSurface make_contact_surface(const System& system, const FlexibleData& flexible,
                                    std::span<const Facet> facets) {
  const Mesh& mesh = *flexible.mesh;
  ContactSurface surface;
  std::vector<int> nodes;
  for (const Facet& facet : facets)
    nodes.insert(nodes.end(), facet.nodes.begin(), facet.nodes.begin() + corner_count(facet.shape));
  sort_once_each(nodes);
  for (const int number : nodes) {
    const BodyData& node = system.bodies[static_cast<size_t>(flexible.first_node + number)];
    surface.nodes.push_back(flexible.first_node + number);
    surface.dofs.push_back({node.dof[0], node.dof[1], node.dof[2]});
    surface.is_floating = node.kind == BodyKind::floating;
  }
  double longest = 0, shortest = std::numeric_limits<double>::infinity();
  for (const Facet& facet : facets) {
    auto& corners = surface.facets.nodes.emplace_back(std::array{-1, -1, -1, -1});
    const auto count = static_cast<size_t>(corner_count(facet.shape));
    for (size_t k = 0; k < count; ++k) {
      const int from = facet.nodes[k], to = facet.nodes[(k + 1) % count];
      corners[k] = static_cast<int>(std::ranges::lower_bound(nodes, from) - nodes.begin());
      const double edge =
          (mesh.nodes[static_cast<size_t>(from)] - mesh.nodes[static_cast<size_t>(to)]).norm();
      longest = std::max(longest, edge);
      shortest = std::min(shortest, edge);
    }
  }
  surface.margin = 0.2 * longest;
  surface.reach = 4 * longest;
  surface.thickness = 0.4 * shortest;
  return surface;
}

std::vector<int> touching_nodes(const FlexibleData& flexible) {
  std::vector<int> nodes;
  if (flexible.mesh->dimension() == 1) {
    nodes.resize(static_cast<size_t>(flexible.node_count()));
    std::iota(nodes.begin(), nodes.end(), 0);
    return nodes;
  }
  for (const Facet& facet : boundary_facets(*flexible.mesh))
    nodes.insert(nodes.end(), facet.nodes.begin(), facet.nodes.begin() + node_count(facet.shape));
  sort_once_each(nodes);
  return nodes;
}

}  // namespace percuss
