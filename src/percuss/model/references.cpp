#include "percuss/model/references.h"

#include <algorithm>

#include <fmt/format.h>

#include "percuss/math/nearest_name.h"
#include "percuss/math/shorten.h"
#include "percuss/model/flexible.h"

namespace percuss {

std::string known_or_nearest(std::string_view what, const std::string& name, const Names& names) {
  std::vector<std::string> candidates;
  for (const auto& [key, index] : names) candidates.push_back(key);
  std::sort(candidates.begin(), candidates.end());
  std::string message = fmt::format("unknown {} '{}'", what, shorten(name));
  if (const auto nearest = nearest_name(name, candidates))
    return message + fmt::format("; did you mean '{}'?", *nearest);
  if (candidates.empty()) return message + fmt::format("; the scene has none");
  if (candidates.size() <= 12) return message + fmt::format("; known: {}", fmt::join(candidates, ", "));
  return message;
}

std::string no_such_point(const std::string& owner, const std::string& point,
                          const NamedMap<Vector3>* points) {
  const std::string message = fmt::format("'{}' has no point '{}'", shorten(owner), shorten(point));
  if (!points) return message + "; only rigid, planar and flexible bodies and frames have points";
  std::vector<std::string> names;
  for (const auto& [name, place] : *points) names.push_back(name);
  if (const auto nearest = nearest_name(point, names))
    return message + fmt::format("; did you mean '{}'?", *nearest);
  return message + fmt::format("; its `points` are: {}",
                               names.empty() ? "none" : fmt::to_string(fmt::join(names, ", ")));
}

std::string no_such_node(const FlexibleBody& body, const Mesh& mesh, const std::string& name) {
  if (const Vector3* place = find_named(body.points, name)) {
    const auto distance = [&](const Vector3& node) { return (node - *place).norm(); };
    const auto nearest = std::ranges::min_element(mesh.nodes, {}, distance);
    return fmt::format(
        "there is no node of '{}' at the point '{}' = [{}, {}, {}]; the nearest is '{}' at "
        "[{:.9g}, {:.9g}, {:.9g}]",
        body.name, name, (*place)[0], (*place)[1], (*place)[2], nearest - mesh.nodes.begin(), (*nearest)[0],
        (*nearest)[1], (*nearest)[2]);
  }
  std::vector<std::string> names;
  for (const auto& [set, nodes] : mesh.node_sets) names.push_back(set);
  for (const auto& [point, place] : body.points) names.push_back(point);
  const std::string message = fmt::format("'{}' has no node or node set '{}'", body.name, shorten(name));
  if (const auto nearest = nearest_name(name, names))
    return message + fmt::format("; did you mean '{}'?", *nearest);
  return message + fmt::format("; it has the nodes 0 to {}{}{}", mesh.nodes.size() - 1,
                               names.empty() ? "" : " and ", fmt::join(names, ", "));
}

}  // namespace percuss
