#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace percuss {

/// Where something stands: a line and column (from 1) of the scene file, or an override on the command line.
struct Location {
  int line = 0, column = 0;
  std::string override_text;  ///< `path=value` of --set, or another option with its name; empty for the file
};

/// Values of the index variables of the `repeat:` blocks around a node.
using Scope = std::vector<std::pair<std::string, double>>;

/// A YAML document with the places of its parts; aliases are resolved by copying.
struct SourceNode {
  /// `broken`: a fault in it has been reported, and nothing more is said about it.
  /// `copy`: an item of a list that `repeat:` has made; all copies share what they are copies of.
  enum class Kind { null, scalar, list, map, broken, copy };
  Kind kind = Kind::null;
  std::string scalar;
  Location location;
  std::vector<SourceNode> items;  ///< of a list, or the values of a map
  std::vector<std::string> keys;  ///< of a map, parallel to items
  std::vector<Location> key_locations;
  std::shared_ptr<const SourceNode> original;  ///< of a copy
  std::shared_ptr<const Scope> scope;          ///< of an item that `repeat:` has made, and of all in it

  /// What stands here: the node itself, or what it is a copy of.
  const SourceNode& content() const { return kind == Kind::copy ? *original : *this; }
  /// A copy gets a content of its own, which may then be changed.
  void detach();

  SourceNode* find(std::string_view key);
  const SourceNode* find(std::string_view key) const;
  SourceNode& add(const std::string& key, const Location& where);
  void remove(std::string_view key);
};

/// "a number" style name of what a node is, for messages.
std::string_view describe(const SourceNode& node);

/// The text is no YAML, or more than we accept. `what()` has no file name.
class SourceError : public std::runtime_error {
 public:
  SourceError(const std::string& message, Location where)
      : std::runtime_error(message), location(std::move(where)) {}
  Location location;
};

/// Largest accepted input; a scene is text written by people or small programs.
struct SourceLimits {
  static constexpr long bytes = 16L << 20;
  static constexpr int depth = 64;
  static constexpr long nodes = 2'000'000;
  static constexpr long repeated = 3'000'000;  ///< by `repeat`: a chain of 10^5 masses has 2.1 million
};

/// Parses one document. Throws SourceError.
SourceNode parse_source(const std::string& text, const std::string& override_text = {});

}  // namespace percuss
