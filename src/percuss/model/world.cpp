#include "percuss/model/world.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace percuss {

bool World::sides_meet(int i, int j) const {
  const auto a = static_cast<size_t>(i), b = static_cast<size_t>(j);
  if (((first[a] & second[b]) | (first[b] & second[a])) == 0) return false;
  if (((kept_first[a] & kept_second[b]) | (kept_first[b] & kept_second[a])) != 0) return false;
  const Touchable &one = things[a], &other = things[b];
  if (one.carrier < 0 && other.carrier < 0) return false;
  if (one.wall >= 0 && other.wall >= 0) return false;
  return (one.in_space && other.in_space) || (one.in_plane && other.in_plane);
}

bool World::may_touch(int i, int j) const {
  if (i == j || !sides_meet(i, j)) return false;
  if (things[static_cast<size_t>(i)].carrier == things[static_cast<size_t>(j)].carrier) return false;
  return !std::binary_search(excepted.begin(), excepted.end(), std::pair<int, int>(std::minmax(i, j)));
}

bool World::touches_itself(int i) const { return std::ranges::binary_search(touching_themselves, i); }

std::optional<double> radius_of_section(const Body& body) {
  const BeamSection* section = nullptr;
  if (const auto* beam = std::get_if<Beam>(&body); beam && !beam->planar) section = &beam->section;
  if (const auto* shaft = std::get_if<Shaft>(&body)) section = &shaft->section;
  if (!section) return std::nullopt;
  return section->tube ? std::optional((*section->tube)[0]) : section->circle;
}

const std::string& name_of(const Touchable& thing, const Model& model, const std::vector<Wall>& walls) {
  if (thing.body >= 0) return name_of(model.bodies[static_cast<size_t>(thing.body)]);
  if (thing.wall >= 0) return walls[static_cast<size_t>(thing.wall)].obstacle;
  return name_of(model.obstacles[static_cast<size_t>(thing.obstacle)]);
}

const std::string& material_of(const Touchable& thing, const Model& model, const std::vector<Wall>& walls) {
  if (thing.body >= 0) return material_of(model.bodies[static_cast<size_t>(thing.body)]);
  if (thing.wall >= 0) return walls[static_cast<size_t>(thing.wall)].material;
  return std::visit([](const auto& o) -> const std::string& { return o.material; },
                    model.obstacles[static_cast<size_t>(thing.obstacle)]);
}

std::vector<WorldClass> classes_of(const World& world, const Model& model) {
  using Key = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, bool, bool, bool, bool,
                         std::string>;
  const auto walls = walls_of(model.obstacles);
  std::map<Key, size_t> known;
  std::vector<WorldClass> classes;
  for (int i = 0; i < world.size(); ++i) {
    const auto place = static_cast<size_t>(i);
    const Touchable& thing = world.things[place];
    const std::string& material = material_of(thing, model, walls);
    const Key key{world.first[place],       world.second[place], world.kept_first[place],
                  world.kept_second[place], thing.carrier < 0,   thing.wall >= 0,
                  thing.in_space,           thing.in_plane,      material};
    const auto [found, is_new] = known.emplace(key, classes.size());
    if (is_new) classes.push_back({material, {}});
    classes[found->second].things.push_back(i);
  }
  return classes;
}

std::pair<int, int> first_pair(const World& world, const WorldClass& a, const WorldClass& b) {
  if (!world.sides_meet(a.things[0], b.things[0])) return {-1, -1};
  for (const int i : a.things)  // it ends soon: the pairs that are left out are few
    for (const int j : b.things)
      if (world.may_touch(i, j)) return {i, j};
  return {-1, -1};
}

}  // namespace percuss
