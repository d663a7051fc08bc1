#include "percuss/model/references.h"

#include <algorithm>

#include <fmt/format.h>

#include "percuss/math/nearest_name.h"
#include "percuss/math/shorten.h"

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
  if (!points) return message + "; only rigid and planar bodies and frames have points";
  std::vector<std::string> names;
  for (const auto& [name, place] : *points) names.push_back(name);
  if (const auto nearest = nearest_name(point, names))
    return message + fmt::format("; did you mean '{}'?", *nearest);
  return message + fmt::format("; its `points` are: {}",
                               names.empty() ? "none" : fmt::to_string(fmt::join(names, ", ")));
}

}  // namespace percuss
