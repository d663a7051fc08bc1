#include "percuss/dynamics/build.h"
#include "percuss/geometry/facet_weights.h"

namespace percuss {

std::vector<SpreadLoad::Share> load_shares(const System& system, const std::string& on) {
  const auto dot = on.find('.');
  const FlexibleData& body = *find_flexible(system, on.substr(0, dot));
  const Mesh& mesh = *body.mesh;
  std::vector<double> weights(mesh.nodes.size(), 0.0);
  if (dot != on.npos) {
    weights = facet_weights(mesh, mesh.surfaces.at(on.substr(dot + 1)));
    if (mesh.dimension() == 2)  // its facets are lines
      for (double& weight : weights) weight *= body.thickness;
  } else if (mesh.dimension() == 1) {
    for (size_t i = 0; i + 1 < mesh.nodes.size(); ++i)
      for (const size_t end : {i, i + 1}) weights[end] += 0.5 * (mesh.nodes[i + 1] - mesh.nodes[i]).norm();
  } else {
    for (const auto& set : system.solids) {
      if (&system.flexibles[static_cast<size_t>(set.flexible)] != &body) continue;
      VectorX shares(set.group.nodes_per_element());
      for (int e = 0; e < set.group.element_count(); ++e) {
        set.group.body_force_weights(e, shares.data());
        for (int a = 0; a < set.group.nodes_per_element(); ++a)
          weights[static_cast<size_t>(set.group.nodes(e)[a])] += shares[a];
      }
    }
  }
  std::vector<SpreadLoad::Share> result;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] != 0) result.push_back({body.first_node + static_cast<int>(i), weights[i]});
  }
  return result;
}

}  // namespace percuss
