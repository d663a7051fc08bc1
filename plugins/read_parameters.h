#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "percuss/math/fields.h"
#include "percuss/math/nearest_name.h"
#include "percuss/model/plugin.h"
#include "percuss/model/range_check.h"

namespace percuss {

/// The parameters of a plugin, a struct with a list of fields, with the values that a scene gives. Names that it
/// has not and values out of range are refused.
template <class Parameters>
Parameters read_parameters(const char* plugin, const PluginParameters& given) {
  Parameters parameters;
  std::vector<std::string> names;
  const auto take = [&](const char* name, double& value, const Field&) {
    names.emplace_back(name);
    if (const auto entry = given.find(name); entry != given.end()) value = entry->second;
  };
  Parameters::fields(parameters, take);
  for (const auto& [name, value] : given) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto nearest = nearest_name(name, names);
    throw std::invalid_argument(fmt::format("{} has no parameter '{}'; {}", plugin, name,
                                            nearest ? fmt::format("did you mean '{}'?", *nearest)
                                                    : fmt::format("it knows {}", fmt::join(names, ", "))));
  }
  std::vector<Complaint> complaints;
  RangeCheck check(complaints);
  Parameters::fields(parameters, check);
  if (!complaints.empty())
    throw std::invalid_argument(fmt::format("{}: {}", plugin, complaints.front().message));
  return parameters;
}

}  // namespace percuss
