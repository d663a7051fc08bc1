#pragma once

#include <string_view>
#include <unordered_map>

#include "percuss/io/source_tree.h"

namespace percuss {

/// Finds paths such as `bodies[3].mass` in a tree, which must stay as it is. Places are needed for messages
/// only: to note them all while reading took longer than the reading itself.
class PlaceFinder {
 public:
  explicit PlaceFinder(const SourceNode& root) : root_(&root) {}

  /// Place of a path, or of the nearest thing around it; the beginning of the file if there is none.
  Location find(std::string_view path) const;

 private:
  /// The value of a key of a map, or an item of a list, that `rest` begins with, which is then taken off.
  const SourceNode* next(const SourceNode& node, std::string_view& rest) const;
  const SourceNode* value(const SourceNode& map, std::string_view& rest) const;
  const SourceNode* value_of_key(const SourceNode& map, std::string_view key) const;

  using Keys = std::unordered_map<std::string_view, std::size_t>;

  const SourceNode* root_;
  mutable std::unordered_map<const SourceNode*, Keys> keys_;  ///< of the large maps that were searched
};

}  // namespace percuss
