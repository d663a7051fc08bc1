#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "percuss/model/references.h"
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

/// Marks of bodies, by names that may be those of their points.
class BodyMarks {
 public:
  explicit BodyMarks(const Model& model) : marks_(model.bodies.size()) {
    for (size_t b = 0; b < model.bodies.size(); ++b) index_.emplace(name_of(model.bodies[b]), b);
  }
  void set(int body) {
    if (body >= 0) marks_[static_cast<size_t>(body)] = true;
  }
  void set(const std::string& name) {
    if (const auto found = index_.find(owner_of(name)); found != index_.end()) set(found->second);
  }
  bool operator[](size_t body) const { return marks_[body]; }

 private:
  Names index_;
  std::vector<bool> marks_;
};

/// What joints, springs and clearances connect.
void mark_held(const Model& model, BodyMarks& marks) {
  for (const Joint& joint : model.joints)
    if (const JointBase* base = base_of(joint)) marks.set(base->body), marks.set(base->to);
  for (const SpringElement& element : model.springs) {
    if (const auto* spring = std::get_if<Spring>(&element))
      for (const Attachment* end : {&spring->from, &spring->to}) marks.set(end->body.value_or(""));
    if (const auto* bushing = std::get_if<Bushing>(&element))
      marks.set(bushing->body), marks.set(bushing->to);
  }
  for (const Clearance& clearance : model.clearances) {
    if (const auto* pin = std::get_if<PinInHole>(&clearance)) marks.set(pin->pin), marks.set(pin->hole);
    if (const auto* slot = std::get_if<Slot>(&clearance)) {
      marks.set(slot->in);
      for (const std::string& point : slot->points) marks.set(point);
    }
  }
}

/// What can touch something, itself or with a wall that it carries.
void mark_touching(const World& world, const Model& model, BodyMarks& marks) {
  const auto walls = walls_of(model.obstacles);
  std::vector<Complaint> ignored;
  for (const auto& contact : resolve_contacts(model, ignored)) {
    marks.set(contact.body), marks.set(contact.other);
    if (contact.wall >= 0) marks.set(walls[static_cast<size_t>(contact.wall)].frame);
  }
  const auto classes = classes_of(world, model);
  for (const WorldClass& one : classes) {
    const auto meets = [&](const WorldClass& other) {
      return (&one != &other || one.things.size() > 1) && world.sides_meet(one.things[0], other.things[0]);
    };
    if (!std::ranges::any_of(classes, meets)) continue;
    for (const int thing : one.things) marks.set(world.things[static_cast<size_t>(thing)].carrier);
  }
}

/// Bodies with a surface that nothing holds, in a model with contacts.
void note_untouchable(const World& world, const Model& model, std::vector<std::string>& notes) {
  if (model.contacts.empty()) return;
  BodyMarks has_company(model);
  mark_held(model, has_company);
  mark_touching(world, model, has_company);
  std::vector<std::string> lonely;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const auto* rigid = std::get_if<RigidBody>(&body);
    const auto* planar = std::get_if<PlanarBody>(&body);
    const bool has_surface =
        (rigid && rigid->shape) || (planar && planar->shape) || std::holds_alternative<Sphere>(body);
    if (has_surface && !has_company[b]) lonely.push_back(name_of(body));
  }
  if (!lonely.empty())
    notes.push_back(
        fmt::format("{} can touch nothing; write `contacts: [{{between: [{}, all]}}]` if {} should",
                    name_some(lonely), lonely[0], lonely.size() == 1 ? "it" : "they"));
}

}  // namespace

std::vector<std::string> world_notes(const Model& model) {
  std::vector<std::string> notes;
  std::vector<Complaint> ignored;
  const World world = resolve_world(model, ignored);
  note_left_out(world, model, notes);
  note_planes(world, model, notes);
  note_untouched(world, model, notes);
  note_untouchable(world, model, notes);
  if (world.empty() && !model.except.empty())
    notes.push_back("`except` has no effect: no item of `contacts` has `between`");
  return notes;
}

}  // namespace percuss
