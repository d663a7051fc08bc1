#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "percuss/model/world.h"

namespace percuss {
namespace {

/// "'a', 'b' and 7 more"; a single one without anything around it.
std::string name_some(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  return names.size() <= shown ? text : fmt::format("{} and {} more", text, names.size() - shown);
}

void note_left_out(const World& world, const Model& model, std::vector<std::string>& notes) {
  std::vector<std::string> deforming, shapeless;
  for (const int index : world.left_out) {
    const Body& body = model.bodies[static_cast<size_t>(index)];
    (flexible(body) ? deforming : shapeless).push_back(name_of(body));
  }
  const auto is_or_are = [](const auto& names, auto one, auto many) {
    return names.size() == 1 ? one : many;
  };
  if (!shapeless.empty())
    notes.push_back(fmt::format("{} {} no shape: nothing finds {}; give {} `shape:`", name_some(shapeless),
                                is_or_are(shapeless, "has", "have"), is_or_are(shapeless, "it", "them"),
                                is_or_are(shapeless, "it", "them")));
  if (!deforming.empty())
    notes.push_back(fmt::format(
        "nothing finds {}, which {} neither solid nor a beam or shaft in space with a `circle` or `tube`; "
        "declare contacts with `body` (or `nodes`) and `against`",
        name_some(deforming), is_or_are(deforming, "is", "are")));
}

void note_planes(const World& world, const Model& model, std::vector<std::string>& notes) {
  const Touchable *planar = nullptr, *spatial = nullptr;
  std::uint64_t planar_first = 0, planar_second = 0;
  for (int i = 0; i < world.size(); ++i) {
    const auto place = static_cast<size_t>(i);
    if (world.things[place].in_space) continue;
    planar_first |= world.first[place], planar_second |= world.second[place];
    if (!planar) planar = &world.things[place];
  }
  for (int i = 0; i < world.size() && !spatial; ++i) {
    const auto place = static_cast<size_t>(i);
    if (world.things[place].wall >= 0 || world.things[place].in_plane) continue;
    if (((world.first[place] & planar_second) | (world.second[place] & planar_first)) != 0)
      spatial = &world.things[place];
  }
  if (planar && spatial)
    notes.push_back(fmt::format(
        "planar bodies and what is in space, such as '{}' and '{}', do not find each other; declare their "
        "contacts with `body` and `against`",
        name_of(*planar, model, {}), name_of(*spatial, model, {})));
}

/// Indices of obstacles that bodies may touch.
std::set<std::string> touched_obstacles(const World& world, const Model& model) {
  std::set<std::string> touched;
  const auto walls = walls_of(model.obstacles);
  std::vector<Complaint> ignored;
  for (const auto& contact : resolve_contacts(model, ignored))
    if (contact.wall >= 0) touched.insert(walls[static_cast<size_t>(contact.wall)].obstacle);
  const auto classes = classes_of(world, model);
  for (const WorldClass& one : classes) {
    if (world.things[static_cast<size_t>(one.things[0])].body >= 0) continue;
    const auto meets = [&](const WorldClass& other) {
      return world.sides_meet(one.things[0], other.things[0]);
    };
    if (!std::ranges::any_of(classes, meets)) continue;
    for (const int i : one.things)
      touched.insert(name_of(world.things[static_cast<size_t>(i)], model, walls));
  }
  return touched;
}

void note_untouched(const World& world, const Model& model, std::vector<std::string>& notes) {
  const auto touched = touched_obstacles(world, model);
  const bool has_planar =
      std::ranges::any_of(world.things, [](const Touchable& thing) { return !thing.in_space; });
  for (const auto& obstacle : model.obstacles) {
    const std::string& name = name_of(obstacle);
    if (touched.contains(name)) continue;
    notes.push_back(fmt::format(
        "nothing touches the obstacle '{}': write `contacts: [{{between: [all, {}]}}]`, or leave it "
        "out{}",
        name, name, has_planar ? " (planar bodies find walls whose normal lies in the x-y plane)" : ""));
  }
}

}  // namespace

std::vector<std::string> world_notes(const Model& model) {
  std::vector<std::string> notes;
  std::vector<Complaint> ignored;
  const World world = resolve_world(model, ignored);
  note_left_out(world, model, notes);
  note_planes(world, model, notes);
  note_untouched(world, model, notes);
  if (world.empty() && !model.except.empty())
    notes.push_back("`except` has no effect: no item of `contacts` has `between`");
  return notes;
}

}  // namespace percuss
