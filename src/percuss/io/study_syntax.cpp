#include "percuss/io/study_syntax.h"

#include <cmath>

#include <fmt/format.h>

#include "percuss/math/shorten.h"

namespace percuss {
namespace {

SourceNode scalar_node(std::string text, const SourceNode& like) {
  SourceNode node;
  node.kind = SourceNode::Kind::scalar;
  node.scalar = std::move(text);
  node.location = like.location;
  return node;
}

/// Everything in the node stands where `place` is.
void move_to(const Location& place, SourceNode& node) {
  node.location = place;
  for (auto& where : node.key_locations) where = place;
  for (auto& item : node.items) move_to(place, item);
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// `name{key: value}` in two parts; the second is null without braces, broken after a fault.
std::pair<std::string, SourceNode> split_braces(const SourceNode& node, const std::string& path,
                                                Faults& faults) {
  const std::string text = trimmed(node.scalar);
  const auto open = text.find('{');
  if (open == text.npos || text.back() != '}') return {text, SourceNode{}};
  SourceNode inner;
  try {
    inner = parse_source(text.substr(open));
    move_to(node.location, inner);
  } catch (const SourceError& e) {
    faults.add(node.location, path, fmt::format("'{}': {}", shorten(text), e.what()));
    inner.kind = SourceNode::Kind::broken;
  }
  return {trimmed(text.substr(0, open)), std::move(inner)};
}

/// Numbers in equal ratios from `1e-2:1e-4:9`.
void expand_range(SourceNode& steps, const std::vector<std::string>& parts, const Environment& environment,
                  Faults& faults) {
  try {
    const double first = environment.number(parts[0], {}), last = environment.number(parts[1], {});
    const double count = environment.number(parts[2], {});
    if (!(first > 0) || !(last > 0) || count != std::round(count) || count < 2 || count > 1000)
      throw ExpressionError("it must be FIRST:LAST:COUNT with positive steps and a count from 2 to 1000");
    SourceNode list;
    list.kind = SourceNode::Kind::list;
    list.location = steps.location;
    for (int i = 0; i < count; ++i)
      list.items.push_back(
          scalar_node(fmt::format("{:.6g}", first * std::pow(last / first, i / (count - 1))), steps));
    steps = std::move(list);
  } catch (const ExpressionError& e) {
    faults.add(steps.location, "steps", fmt::format("'{}': {}", shorten(steps.scalar), e.what()));
    steps.kind = SourceNode::Kind::broken;
  }
}

void expand_steps(SourceNode& steps, const Environment& environment, Faults& faults) {
  std::vector<std::string> parts;
  std::string rest = steps.scalar;
  for (auto colon = rest.find(':'); colon != rest.npos; colon = rest.find(':')) {
    parts.push_back(rest.substr(0, colon));
    rest.erase(0, colon + 1);
  }
  parts.push_back(rest);
  if (parts.size() == 3) return expand_range(steps, parts, environment, faults);
  SourceNode list;
  list.kind = SourceNode::Kind::list;
  list.location = steps.location;
  for (const auto& part : split_at_commas(steps.scalar)) list.items.push_back(scalar_node(part, steps));
  steps = std::move(list);
}

/// As it may have been written, on one line.
std::string flow_text(const SourceNode& node) {
  if (node.kind == SourceNode::Kind::scalar) return node.scalar;
  std::vector<std::string> parts;
  for (size_t i = 0; i < node.items.size(); ++i)
    parts.push_back((node.keys.empty() ? "" : node.keys[i] + ": ") + flow_text(node.items[i]));
  const bool is_list = node.kind == SourceNode::Kind::list;
  return fmt::format("{}{}{}", is_list ? "[" : "{", fmt::join(parts, ", "), is_list ? "]" : "}");
}

void expand_integrator(SourceNode& item, const std::string& path, Faults& faults) {
  if (item.kind == SourceNode::Kind::scalar) {
    auto [name, options] = split_braces(item, path, faults);
    const SourceNode scheme = scalar_node(name, item);
    if (options.kind != SourceNode::Kind::broken) options.add("scheme", item.location) = scheme;
    options.location = item.location;
    item = std::move(options);
  }
  if (item.kind != SourceNode::Kind::map || item.find("label")) return;
  std::vector<std::string> options;
  for (size_t i = 0; i < item.keys.size(); ++i)
    if (item.keys[i] != "scheme" && item.keys[i] != "set")
      options.push_back(fmt::format("{}: {}", item.keys[i], flow_text(item.items[i])));
  const SourceNode* scheme = item.find("scheme");
  std::string label = scheme ? scheme->scalar : "";
  if (!options.empty()) label += fmt::format("{{{}}}", fmt::join(options, ", "));
  if (!label.empty()) item.add("label", item.location) = scalar_node(label, item);
}

void expand_reference(SourceNode& reference, Faults& faults) {
  auto [name, options] = split_braces(reference, "reference", faults);
  const Location place = reference.location;
  if (name.empty() && options.kind == SourceNode::Kind::map) {
    reference = std::move(options);
    return;
  }
  SourceNode map;
  map.kind = options.kind == SourceNode::Kind::broken ? SourceNode::Kind::broken : SourceNode::Kind::map;
  map.location = place;
  if (name == "finest" || name == "exact") {
    options.location = place;
    if (options.kind == SourceNode::Kind::null) options.kind = SourceNode::Kind::map;
    map.add(name, place) = std::move(options);
  } else {
    map.add("file", place) = scalar_node(name, reference);
  }
  reference = std::move(map);
}

}  // namespace

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == ']' || c == '}')
      --depth;
    if (c == ',' && depth == 0 && !quote)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (auto& part : parts) part = trimmed(part);
  return parts;
}

void expand_study_shorthand(SourceNode& root, const Environment& environment, Faults& faults) {
  if (SourceNode* steps = root.find("steps"); steps && steps->kind == SourceNode::Kind::scalar)
    expand_steps(*steps, environment, faults);
  if (SourceNode* list = root.find("integrators"); list && list->kind == SourceNode::Kind::list)
    for (size_t i = 0; i < list->items.size(); ++i)
      expand_integrator(list->items[i], fmt::format("integrators[{}]", i), faults);
  if (SourceNode* reference = root.find("reference");
      reference && reference->kind == SourceNode::Kind::scalar)
    expand_reference(*reference, faults);
}

}  // namespace percuss
