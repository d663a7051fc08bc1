#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "percuss/math/fields.h"
#include "percuss/math/vector.h"

/// What to say about references that lead nowhere.
namespace percuss {

using Names = std::unordered_map<std::string, int>;

/// "unknown body 'bal'; did you mean 'ball'?", or the known names if there are few.
std::string known_or_nearest(std::string_view what, const std::string& name, const Names& names);

/// The part of `arm.tip` before the dot.
inline std::string owner_of(const std::string& reference) { return reference.substr(0, reference.find('.')); }

/// "'rod' has no point 'tp'; did you mean 'tip'?"; `points` is null for a body that cannot have any.
std::string no_such_point(const std::string& owner, const std::string& point,
                          const NamedMap<Vector3>* points);

struct FlexibleBody;
struct Mesh;
/// "'rod' has no node 'lst'; did you mean 'last'?"
std::string no_such_node(const FlexibleBody& body, const Mesh& mesh, const std::string& name);

}  // namespace percuss
