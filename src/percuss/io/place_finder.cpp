#include "percuss/io/place_finder.h"

#include <algorithm>
#include <charconv>

namespace percuss {
namespace {

/// Larger maps are searched by a table: there may be a message for each of very many keys.
constexpr std::size_t small_map = 32;

const SourceNode* item(const SourceNode& list, std::string_view& rest) {
  std::size_t index = 0;
  if (!rest.starts_with('[')) return nullptr;
  const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), index);
  if (error != std::errc{} || index >= list.items.size()) return nullptr;
  rest.remove_prefix(std::min<std::size_t>(end + 1 - rest.data(), rest.size()));
  return &list.items[index].content();
}

}  // namespace

Location PlaceFinder::find(std::string_view path) const {
  const SourceNode* found = nullptr;
  for (const SourceNode* node = root_; node; node = next(*node, path))
    if (node != root_) found = node;
  return found ? found->location : Location{1, 1, {}};
}

const SourceNode* PlaceFinder::next(const SourceNode& node, std::string_view& rest) const {
  if (rest.starts_with('.')) rest.remove_prefix(1);
  if (rest.empty()) return nullptr;
  if (node.kind == SourceNode::Kind::list) return item(node, rest);
  return node.kind == SourceNode::Kind::map ? value(node, rest) : nullptr;
}

/// The names of probes may have dots and brackets in them: the longest key that fits is meant.
const SourceNode* PlaceFinder::value(const SourceNode& map, std::string_view& rest) const {
  for (std::size_t length = rest.size();; length = rest.find_last_of(".[", length - 1)) {
    if (length == rest.npos || length == 0) return nullptr;
    if (const SourceNode* found = value_of_key(map, rest.substr(0, length))) {
      rest.remove_prefix(length);
      return found;
    }
  }
}

const SourceNode* PlaceFinder::value_of_key(const SourceNode& map, std::string_view key) const {
  if (map.keys.size() <= small_map) return map.find(key);
  const auto [keys, is_new] = keys_.try_emplace(&map);
  for (std::size_t i = 0; is_new && i < map.keys.size(); ++i) keys->second.emplace(map.keys[i], i);
  const auto found = keys->second.find(key);
  return found == keys->second.end() ? nullptr : &map.items[found->second];
}

}  // namespace percuss
