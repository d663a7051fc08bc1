#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "percuss/io/preprocess.h"
#include "percuss/math/nearest_name.h"
#include "percuss/math/shorten.h"
#include "percuss/simulation/run_config.h"

namespace percuss {

const std::vector<std::string>& kind_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> list = {std::string(MovingFrame::kind), std::string(UserSystem::kind)};
    const auto add = [&]<class... T>(const std::variant<T...>*) { (list.emplace_back(T::kind), ...); };
    add(static_cast<const Body*>(nullptr));
    add(static_cast<const Joint*>(nullptr));
    add(static_cast<const SpringElement*>(nullptr));
    add(static_cast<const Load*>(nullptr));
    add(static_cast<const Obstacle*>(nullptr));
    add(static_cast<const Clearance*>(nullptr));
    return list;
  }();
  return keys;
}

namespace {

struct PathStep {
  std::string key;  ///< empty for [selector]
  std::string selector;
};

/// `bodies[rod].mass` -> bodies, [rod], mass. Empty if the path is malformed.
std::vector<PathStep> split_path(std::string_view path) {
  std::vector<PathStep> steps;
  while (!path.empty()) {
    if (path.front() == '[') {
      const auto close = path.find(']');
      if (close == path.npos || close == 1 || steps.empty()) return {};
      steps.push_back({"", std::string(path.substr(1, close - 1))});
      path.remove_prefix(close + 1);
      if (!path.empty() && path.front() == '.') path.remove_prefix(1);
    } else {
      const auto end = std::min(path.find_first_of(".["), path.size());
      if (end == 0) return {};
      steps.push_back({std::string(path.substr(0, end)), ""});
      path.remove_prefix(end);
      if (!path.empty() && path.front() == '.') path.remove_prefix(1);
    }
  }
  return steps;
}

std::string name_of_item(const SourceNode& item, std::vector<std::string>* names = nullptr) {
  for (size_t i = 0; i < item.keys.size(); ++i)
    if (item.items[i].kind !=
            SourceNode::Kind::map &&  // `mesh` of a solid is no name, that of an obstacle is
        std::ranges::find(kind_keys(), item.keys[i]) != kind_keys().end()) {
      if (names) names->push_back(item.items[i].scalar);
      return item.items[i].scalar;
    }
  return {};
}

SourceNode& changeable(SourceNode& item) {
  item.detach();
  return item;
}

/// The item of a list by index or by name; nullptr and a fault if there is none. In a list with a broken item
/// the fault is known already.
SourceNode* select(SourceNode& list, const std::string& selector, const std::string& path,
                   const Location& where, Faults& faults) {
  if (list.kind != SourceNode::Kind::list) {
    faults.add(where, path, fmt::format("expected a list, found {}", describe(list)));
    return nullptr;
  }
  const bool is_incomplete = std::ranges::any_of(
      list.items, [](const SourceNode& item) { return item.kind == SourceNode::Kind::broken; });
  size_t index = 0;
  const auto [end, error] = std::from_chars(selector.data(), selector.data() + selector.size(), index);
  if (error == std::errc{} && end == selector.data() + selector.size()) {
    if (index < list.items.size()) return &changeable(list.items[index]);
    if (!is_incomplete)
      faults.add(where, path, fmt::format("there is no item {}; the list has {}", index, list.items.size()));
    return nullptr;
  }
  std::vector<std::string> names;
  for (auto& item : list.items)
    if (item.content().kind == SourceNode::Kind::map && name_of_item(item.content(), &names) == selector)
      return &changeable(item);
  if (is_incomplete) return nullptr;
  const auto nearest = nearest_name(selector, names);
  faults.add(where, path,
             fmt::format("there is no item named '{}'{}", shorten(selector),
                         nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""));
  return nullptr;
}

/// Options belong to one scheme: a change of scheme drops those of the other, and says so.
void drop_options_of_other_scheme(SourceNode& root, const std::string& scheme,
                                  std::vector<std::string>& notes) {
  SourceNode* integrator = root.find("integrator");
  if (!integrator || integrator->kind != SourceNode::Kind::map) return;
  const SourceNode* current = integrator->find("scheme");
  if (current && current->scalar == scheme) return;
  if (!current && scheme == scheme_name(SchemeOptions{})) return;
  std::vector<std::string> dropped;
  for (size_t i = 0; i < integrator->keys.size(); ++i)
    if (integrator->keys[i] != "scheme" && integrator->key_locations[i].override_text.empty())
      dropped.push_back(integrator->keys[i]);
  for (const auto& key : dropped) integrator->remove(key);
  if (!dropped.empty())
    notes.push_back(fmt::format("integrator.scheme={} drops the options of the scene's own scheme: {}",
                                shorten(scheme), fmt::join(dropped, ", ")));
}

bool has_parameter(const SourceNode* parameters, const std::string& name, const std::string& path,
                   const Location& where, Faults& faults) {
  if (parameters && parameters->find(name)) return true;
  const auto known = parameters ? parameters->keys : std::vector<std::string>{};
  const auto nearest = nearest_name(name, known);
  faults.add(where, path,
             nearest ? fmt::format("the scene has no such parameter; did you mean '{}'?", *nearest)
                     : fmt::format("the scene has no such parameter; it has: {}",
                                   known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  return false;
}

/// The node at the end of a path, made where keys are missing; nullptr if there cannot be one.
SourceNode* follow(SourceNode& root, const std::vector<PathStep>& steps, const Location& where,
                   Faults& faults) {
  SourceNode* node = &root;
  std::string path;
  for (const auto& step : steps) {
    if (node->kind == SourceNode::Kind::broken) return nullptr;
    if (step.key.empty()) {
      path += fmt::format("[{}]", step.selector);
      node = select(*node, step.selector, path, where, faults);
      if (!node) return nullptr;
      continue;
    }
    path += path.empty() ? step.key : "." + step.key;
    if (node->kind != SourceNode::Kind::map && node->kind != SourceNode::Kind::null) {
      faults.add(where, path, fmt::format("cannot set a key in {}", describe(*node)));
      return nullptr;
    }
    SourceNode* child = node->find(step.key);
    node = child ? child : &node->add(step.key, where);
  }
  return node;
}

/// `path=null` takes an optional key away: the scene is then read as if it had never been there.
void take_away(SourceNode& root, const std::vector<PathStep>& steps, const std::string& path,
               const Location& where, Faults& faults) {
  SourceNode* parent = &root;
  for (size_t i = 0; i + 1 < steps.size() && parent; ++i) {
    if (parent->kind == SourceNode::Kind::broken) return;  // its fault is known
    if (!steps[i].key.empty()) {
      parent = parent->find(steps[i].key);
      continue;
    }
    parent = select(*parent, steps[i].selector, path, where, faults);
    if (!parent) return;
  }
  const std::string& key = steps.back().key;
  if (key.empty())
    faults.add(where, path, "an item of a list cannot be taken away; only a key can");
  else if (!parent || !parent->find(key))
    faults.add(where, path, "the scene has no such key that could be taken away");
  else
    parent->remove(key);
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t") == text.npos; }

}  // namespace

void apply_overrides(SourceNode& root, const std::vector<std::string>& overrides, bool parameters_only,
                     Faults& faults, std::vector<std::string>& notes) {
  for (const auto& text : overrides) {
    const auto equals = text.find('=');
    const std::string path = text.substr(0, std::min(equals, text.size()));
    const Location where{0, 0, text};
    const auto steps = split_path(path);
    const bool is_parameter = !steps.empty() && steps[0].key == "parameters";
    if (is_parameter != parameters_only) continue;
    if (equals == text.npos || steps.empty()) {
      faults.add(where, "", "expected path=value, for example time.step=1e-4 or bodies[ball].mass=2");
      continue;
    }
    if (is_parameter && steps.size() == 2 &&
        !has_parameter(root.find("parameters"), steps[1].key, path, where, faults))
      continue;
    SourceNode value;
    try {
      value = parse_source(text.substr(equals + 1), text);
    } catch (const SourceError& e) {
      faults.add(where, path, e.what());
      continue;
    }
    if (value.kind == SourceNode::Kind::null && !is_blank(std::string_view(text).substr(equals + 1))) {
      take_away(root, steps, path, where, faults);
      continue;
    }
    if (path == "integrator.scheme") drop_options_of_other_scheme(root, value.scalar, notes);
    SourceNode* node = follow(root, steps, where, faults);
    if (!node || node->kind == SourceNode::Kind::broken) continue;
    const auto scope = node->scope;
    *node = std::move(value);
    node->scope = scope;
  }
}

}  // namespace percuss
