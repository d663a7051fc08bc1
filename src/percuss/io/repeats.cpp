#include <cmath>

#include <fmt/format.h>

#include "percuss/io/preprocess.h"
#include "percuss/math/nearest_name.h"

namespace percuss {
namespace {

struct Repeat {
  long count = 0;
  std::string index = "i";
};

/// Reads `repeat: {count, index}`; each function returns false after it has reported a fault.
class RepeatReader {
 public:
  RepeatReader(const SourceNode& node, std::string path, const Environment& environment, Faults& faults)
      : node_(node), path_(std::move(path)), environment_(environment), faults_(faults) {}

  std::optional<Repeat> read() const {
    Repeat repeat;
    if (!check_keys()) return std::nullopt;
    const bool is_good = read_count(repeat.count);
    return read_index(repeat.index) && is_good ? std::optional(repeat) : std::nullopt;
  }

 private:
  bool fail(const Location& where, const std::string& key, const std::string& message) const {
    faults_.add(where, key.empty() ? path_ : fmt::format("{}.{}", path_, key), message);
    return false;
  }

  bool check_keys() const {
    if (node_.kind != SourceNode::Kind::map)
      return fail(node_.location, "", "expected {count: how often, index: name of the counter}");
    const std::vector<std::string> known = {"count", "index"};
    bool is_good = true;
    for (size_t i = 0; i < node_.keys.size(); ++i) {
      if (std::ranges::find(known, node_.keys[i]) != known.end()) continue;
      const auto nearest = nearest_name(node_.keys[i], known);
      is_good = fail(node_.key_locations[i], node_.keys[i],
                     nearest ? fmt::format("unknown key; did you mean '{}'?", *nearest)
                             : "unknown key; known: count, index");
    }
    if (is_good && !node_.find("count"))
      return fail(node_.location, "", "the key 'count' is missing: how often");
    return is_good;
  }

  bool read_count(long& out) const {
    const SourceNode& node = *node_.find("count");
    if (node.kind != SourceNode::Kind::scalar)
      return fail(node.location, "count", fmt::format("expected a number, found {}", describe(node)));
    try {
      const double count = environment_.number(node.scalar, {});
      if (count != std::round(count) || count < 0 || count > 1e6)
        return fail(node.location, "count",
                    fmt::format("{} is not allowed; count must be a whole number from 0 to 1000000", count));
      out = static_cast<long>(count);
      return true;
    } catch (const ExpressionError& e) {
      return fail(node.location, "count", e.what());
    }
  }

  bool read_index(std::string& out) const {
    const SourceNode* node = node_.find("index");
    if (!node) return true;
    if (node->kind != SourceNode::Kind::scalar)
      return fail(node->location, "index", fmt::format("expected a name, found {}", describe(*node)));
    if (const auto fault = fault_of_variable(node->scalar); !fault.empty())
      return fail(node->location, "index", fault);
    out = node->scalar;
    return true;
  }

  const SourceNode& node_;
  std::string path_;
  const Environment& environment_;
  Faults& faults_;
};

/// Values in it, itself included.
long count_values(const SourceNode& node) {
  long count = 1;
  for (const SourceNode& child : node.items) count += count_values(child);
  return count;
}

void append_copies(std::vector<SourceNode>& list, SourceNode item, const Repeat& repeat) {
  const auto original = std::make_shared<const SourceNode>(std::move(item));
  for (long k = 0; k < repeat.count; ++k) {
    SourceNode& copy = list.emplace_back();
    copy.kind = SourceNode::Kind::copy;
    copy.original = original;
    copy.scope = std::make_shared<const Scope>(Scope{{repeat.index, static_cast<double>(k)}});
  }
}

/// Later references to such an item are not to be called unknown.
void append_broken(std::vector<SourceNode>& list, const SourceNode& item) {
  SourceNode& broken = list.emplace_back();
  broken.kind = SourceNode::Kind::broken;
  broken.location = item.location;
}

class RepeatExpander {
 public:
  RepeatExpander(const Environment& environment, Faults& faults)
      : environment_(environment), faults_(faults) {}

  void expand(SourceNode& node, const std::string& path) {
    if (node.kind == SourceNode::Kind::list) return expand_list(node, path);
    if (node.kind != SourceNode::Kind::map) return;
    for (size_t i = 0; i < node.items.size(); ++i)
      expand(node.items[i], path.empty() ? node.keys[i] : fmt::format("{}.{}", path, node.keys[i]));
  }

 private:
  void expand_list(SourceNode& list, const std::string& path) {
    std::vector<SourceNode> expanded;
    for (auto& item : list.items) {
      const std::string item_path = fmt::format("{}[{}]", path, expanded.size());
      if (item.kind != SourceNode::Kind::map || !item.find("repeat")) {
        expand(item, item_path);
        expanded.push_back(std::move(item));
      } else if (const auto repeat = read(item, item_path + ".repeat")) {
        item.remove("repeat");
        append_copies(expanded, std::move(item), *repeat);
      } else {
        append_broken(expanded, item);
      }
    }
    list.items = std::move(expanded);
  }

  std::optional<Repeat> read(const SourceNode& item, const std::string& path) {
    const SourceNode& node = *item.find("repeat");
    auto repeat = RepeatReader(node, path, environment_, faults_).read();
    if (!repeat) return repeat;
    const long more = repeat->count * count_values(item);
    if (values_ + more > SourceLimits::repeated) {
      faults_.add(node.find("count")->location, path + ".count",
                  fmt::format("more than {} values by repetition", SourceLimits::repeated));
      return std::nullopt;
    }
    values_ += more;
    return repeat;
  }

  const Environment& environment_;
  Faults& faults_;
  long values_ = 0;  ///< that were made by repetition
};

}  // namespace

void expand_repeats(SourceNode& node, const Environment& environment, Faults& faults) {
  RepeatExpander(environment, faults).expand(node, "");
}

}  // namespace percuss
