#include "percuss/model/world_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "percuss/math/shorten.h"

namespace percuss {
namespace {

void sort_and_unite(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = pattern.npos, after_star = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != pattern.npos) {  // the last star takes one letter more
      p = star + 1;
      n = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

WorldWords::WorldWords(const Model& model, std::vector<Complaint>& complaints)
    : model_(model), walls_(walls_of(model.obstacles)) {
  things_.reserve(model.bodies.size() + walls_.size());
  for (size_t b = 0; b < model.bodies.size(); ++b)
    things_[name_of(model.bodies[b])] = {of_body(static_cast<int>(b))};
  for (size_t w = 0; w < walls_.size(); ++w) {
    const int thing = of_wall(static_cast<int>(w));
    things_[walls_[w].obstacle].push_back(thing);
    if (walls_[w].name != walls_[w].obstacle) things_[walls_[w].name] = {thing};
  }
  for (size_t o = 0; o < model.obstacles.size(); ++o)
    if (has_shape(model.obstacles[o]))
      things_[name_of(model.obstacles[o])] = {of_obstacle(static_cast<int>(o))};
  read_groups(complaints);
}

std::optional<int> WorldWords::body(const std::string& name) const {
  const auto found = things_.find(name);
  if (found == things_.end() || body_of(found->second[0]) < 0) return std::nullopt;
  return found->second[0];
}

void WorldWords::read_groups(std::vector<Complaint>& complaints) {
  for (const auto& [name, words] : model_.groups) {
    Meaning group;
    const std::string path = "groups." + name;
    if (words.empty()) complaints.push_back({path, "the list is empty; name bodies or obstacles"});
    for (size_t i = 0; i < words.size(); ++i) {
      const auto meaning = find_things(words[i], fmt::format("{}[{}]", path, i), complaints);
      if (!meaning) continue;
      group.things.insert(group.things.end(), meaning->things.begin(), meaning->things.end());
      group.named.insert(group.named.end(), meaning->named.begin(), meaning->named.end());
    }
    sort_and_unite(group.things);
    sort_and_unite(group.named);
    groups_.emplace(name, std::move(group));
  }
}

std::optional<WorldWords::Meaning> WorldWords::find(const std::string& word, const std::string& path,
                                                    std::vector<Complaint>& complaints) const {
  if (const auto group = groups_.find(word); group != groups_.end()) {
    if (group->second.things.empty()) return std::nullopt;  // it has been complained about
    return group->second;
  }
  return find_things(word, path, complaints);
}

std::optional<WorldWords::Meaning> WorldWords::find_things(const std::string& word, const std::string& path,
                                                           std::vector<Complaint>& complaints) const {
  Meaning meaning;
  if (word == "all") {
    meaning.is_all = true;
    for (int thing = 0; thing < size(); ++thing)
      if (obstacle_of(thing) < 0 || has_shape(model_.obstacles[static_cast<size_t>(obstacle_of(thing))]))
        meaning.things.push_back(thing);
    return meaning;
  }
  if (const auto found = things_.find(word); found != things_.end()) {
    meaning.is_name = true;
    meaning.things = meaning.named = found->second;
    return meaning;
  }
  if (word.find('*') == word.npos) {
    complaints.push_back({path, unknown(word), "things"});
    return std::nullopt;
  }
  for (const auto& [name, things] : things_)
    if (matches(word, name)) meaning.things.insert(meaning.things.end(), things.begin(), things.end());
  sort_and_unite(meaning.things);
  if (!meaning.things.empty()) return meaning;
  complaints.push_back(
      {path, fmt::format("no body and no obstacle has a name like '{}'", shorten(word)), "things"});
  return std::nullopt;
}

std::string WorldWords::unknown(const std::string& word) const {
  const auto is_group = [&](const auto& group) { return group.first == word; };
  if (std::ranges::any_of(model_.groups, is_group))
    return fmt::format("'{}' is a group; name what is in it, groups of groups are not known", word);
  for (const auto& frame : model_.frames)
    if (frame.name == word)
      return fmt::format("'{}' is a frame and has no surface; name an obstacle with `frame: {}`", word, word);
  const std::string owner = owner_of(word);
  if (owner != word && body(owner))
    return fmt::format(
        "'{}' is a part of '{}', and bodies are found by their whole shapes; name '{}', or declare '{}' with "
        "`against`",
        shorten(word), owner, owner, shorten(word));
  Names names;
  for (const auto& [name, things] : things_) names.emplace(name, 0);
  for (const auto& [name, group] : groups_) names.emplace(name, 0);
  return known_or_nearest("body, obstacle or group", word, names);
}

}  // namespace percuss
