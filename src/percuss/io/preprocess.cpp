#include "percuss/io/preprocess.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "percuss/io/csv.h"
#include "percuss/math/nearest_name.h"

namespace percuss {

void Faults::add(const Location& where, const std::string& path, const std::string& message) {
  const std::string place = where.override_text.empty()
                                ? fmt::format("{}:{}:{}", file_, where.line, where.column)
                                : fmt::format("--set {}", where.override_text);
  lines_.push_back(path.empty() ? fmt::format("{}: {}", place, message)
                                : fmt::format("{}: {}: {}", place, path, message));
  paths_.push_back(path);
}

bool Faults::covers(const std::string& path) const {
  return std::any_of(paths_.begin(), paths_.end(), [&](const std::string& known) {
    return known.starts_with(path) &&
           (known.size() == path.size() || known[path.size()] == '.' || known[path.size()] == '[');
  });
}

namespace {

/// Evaluates parameters on demand, so that they may stand in any order; finds cycles.
class ParameterReader {
 public:
  ParameterReader(const SourceNode& node, Faults& faults, std::map<std::string, double, std::less<>>& values)
      : node_(node), faults_(faults), values_(values) {}

  void run() {
    for (size_t i = 0; i < node_.keys.size(); ++i) {
      check_name(i);
      evaluate(node_.keys[i]);
    }
  }

 private:
  void check_name(size_t i) {
    const std::string& name = node_.keys[i];
    const bool identifier =
        !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
        std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!identifier)
      faults_.add(node_.key_locations[i], "parameters",
                  fmt::format("'{}' cannot be used in a formula; use letters, digits and _", name));
    else if (name == "pi" || name == "deg" || name == "t")
      faults_.add(node_.key_locations[i], "parameters",
                  fmt::format("'{}' has a meaning of its own; use another name", name));
  }

  std::optional<double> evaluate(std::string_view name) {
    if (const auto known = values_.find(name); known != values_.end()) return known->second;
    const SourceNode* node = node_.find(name);
    if (!node || failed_.contains(std::string(name))) return std::nullopt;
    const std::string path = fmt::format("parameters.{}", name);
    if (std::find(active_.begin(), active_.end(), name) != active_.end()) {
      fail(path, *node, name,
           fmt::format("the value depends on itself: {} -> {}", fmt::join(active_, " -> "), name));
      return std::nullopt;
    }
    if (node->kind != SourceNode::Kind::scalar) {
      fail(path, *node, name, fmt::format("expected a number or a formula, found {}", describe(*node)));
      return std::nullopt;
    }
    active_.emplace_back(name);
    std::optional<double> value;
    bool blocked = false;  // by the fault of another parameter, which has been reported
    try {
      Expression::Options options;
      options.variables = [&](std::string_view other) {
        const auto found = evaluate(other);
        blocked = blocked || failed_.contains(std::string(other));
        return found;
      };
      options.known_names = node_.keys;
      value = Expression::parse(node->scalar, options).value(0);
      if (!std::isfinite(*value))
        fail(path, *node, name, fmt::format("{} gives {}; it must be a finite number", node->scalar, *value));
    } catch (const ExpressionError& e) {
      if (!blocked) fail(path, *node, name, e.what());
      failed_.insert(std::string(name));
    }
    active_.pop_back();
    if (value && std::isfinite(*value)) values_.emplace(name, *value);
    return value;
  }

  void fail(const std::string& path, const SourceNode& node, std::string_view name,
            const std::string& message) {
    faults_.add(node.location, path, message);
    failed_.insert(std::string(name));
  }

  const SourceNode& node_;
  Faults& faults_;
  std::map<std::string, double, std::less<>>& values_;
  std::vector<std::string> active_;
  std::set<std::string> failed_;
};

}  // namespace

void Environment::read_parameters(const SourceNode& node, Faults& faults) {
  if (node.kind != SourceNode::Kind::map) {
    faults.add(node.location, "parameters",
               fmt::format("expected a mapping from names to numbers, found {}", describe(node)));
    return;
  }
  ParameterReader(node, faults, parameters_).run();
}

Expression Environment::parse(const std::string& text, const std::shared_ptr<const Scope>& scope,
                              bool allow_time) const {
  Expression::Options options;
  options.allow_time = allow_time;
  options.variables = [&](std::string_view name) -> std::optional<double> {
    if (scope)
      for (auto it = scope->rbegin(); it != scope->rend(); ++it)
        if (it->first == name) return it->second;
    const auto found = parameters_.find(name);
    return found == parameters_.end() ? std::nullopt : std::optional(found->second);
  };
  options.tables = [&](const std::string& file) { return load_table(file); };
  for (const auto& [name, value] : parameters_) options.known_names.push_back(name);
  if (scope)
    for (const auto& [name, value] : *scope) options.known_names.push_back(name);
  return Expression::parse(text, options);
}

std::string Environment::substitute(const std::string& text,
                                    const std::shared_ptr<const Scope>& scope) const {
  if (!scope) return text;
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const auto open = text.find('{', at);
    const auto close = open == text.npos ? open : text.find('}', open);
    result += text.substr(at, close == text.npos ? text.npos : open - at);
    if (close == text.npos) break;
    const double value = parse(text.substr(open + 1, close - open - 1), scope, false).value(0);
    if (value != std::round(value))
      throw ExpressionError(fmt::format("{{{}}} gives {}; a name needs a whole number",
                                        text.substr(open + 1, close - open - 1), value));
    result += fmt::format("{}", static_cast<long>(value));
    at = close + 1;
  }
  return result;
}

std::shared_ptr<const Table> Environment::load_table(const std::string& file) const {
  auto& table = tables_[file];
  if (!table) table = std::make_shared<const Table>(read_table(std::filesystem::path(directory_) / file));
  return table;
}

void expand_repeats(SourceNode& node, const std::string& path, const Environment& environment,
                    Faults& faults) {
  if (node.kind == SourceNode::Kind::map) {
    for (size_t i = 0; i < node.items.size(); ++i)
      expand_repeats(node.items[i], path.empty() ? node.keys[i] : fmt::format("{}.{}", path, node.keys[i]),
                     environment, faults);
    return;
  }
  if (node.kind != SourceNode::Kind::list) return;
  std::vector<SourceNode> expanded;
  long total = 0;
  for (auto& item : node.items) {
    const std::string item_path = fmt::format("{}[{}]", path, expanded.size());
    SourceNode* repeat = item.kind == SourceNode::Kind::map ? item.find("repeat") : nullptr;
    if (!repeat) {
      expand_repeats(item, item_path, environment, faults);
      expanded.push_back(std::move(item));
      continue;
    }
    const std::string repeat_path = item_path + ".repeat";
    const SourceNode* count_node = repeat->find("count");
    const SourceNode* index_node = repeat->find("index");
    std::string index = "i";
    for (size_t k = 0; k < repeat->keys.size(); ++k)
      if (repeat->keys[k] != "count" && repeat->keys[k] != "index")
        faults.add(repeat->key_locations[k], repeat_path,
                   fmt::format("unknown key '{}'; known: count, index", repeat->keys[k]));
    if (index_node) index = index_node->scalar;
    if (!count_node || count_node->kind != SourceNode::Kind::scalar) {
      faults.add(repeat->location, repeat_path, "expected {count: how often, index: name of the counter}");
      continue;
    }
    double count = 0;
    try {
      count = environment.parse(count_node->scalar, item.scope, false).value(0);
      if (count != std::round(count) || count < 0 || count > 1e6)
        throw ExpressionError(
            fmt::format("{} is not allowed; count must be a whole number from 0 to 1000000", count));
      if (index == "t" || index == "pi" || index == "deg" || index.empty() ||
          std::isdigit(static_cast<unsigned char>(index[0])))
        throw ExpressionError(fmt::format("'{}' cannot be the name of an index", index));
    } catch (const ExpressionError& e) {
      faults.add(count_node->location, repeat_path + ".count", e.what());
      continue;
    }
    total += static_cast<long>(count) * static_cast<long>(item.items.size());
    if (total > SourceLimits::nodes) {
      faults.add(count_node->location, repeat_path + ".count",
                 fmt::format("more than {} values in one list", SourceLimits::nodes));
      continue;
    }
    item.remove("repeat");
    for (long k = 0; k < static_cast<long>(count); ++k) {
      SourceNode copy = item;
      auto scope = std::make_shared<Scope>(copy.scope ? *copy.scope : Scope{});
      scope->emplace_back(index, static_cast<double>(k));
      const std::function<void(SourceNode&)> give = [&](SourceNode& part) {
        part.scope = scope;
        for (auto& child : part.items) give(child);
      };
      give(copy);
      expanded.push_back(std::move(copy));
    }
  }
  node.items = std::move(expanded);
}

}  // namespace percuss
