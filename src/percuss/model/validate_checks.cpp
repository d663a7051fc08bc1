#include "percuss/model/validate_checks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "percuss/math/shorten.h"

namespace percuss {
namespace {

template <class... T>
std::string_view kind_of(const std::variant<T...>& item) {
  return std::visit([](const auto& value) { return value.kind; }, item);
}

std::string list_of(std::string_view what) {
  if (what == "material") return "materials";
  if (what == "joint") return "joints";
  return what == "frame" ? "frames" : "bodies";
}

/// What the nodes of a flexible body follow from.
std::string mesh_key(const Model& model, int body) {
  const bool solid = std::holds_alternative<Solid>(model.bodies[static_cast<size_t>(body)]);
  return fmt::format("bodies[{}].{}", body, solid ? "mesh" : "elements");
}

}  // namespace

bool is_plain_name(std::string_view name) {
  if (name.empty()) return false;
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
         name.npos;
}

std::string bad_name(const std::string& name) {
  return fmt::format("'{}' is not allowed as a name; use letters, digits, _ and -", shorten(name));
}

void ModelChecks::declare_names() {
  for (size_t i = 0; i < model.materials.size(); ++i) {
    const auto& name = model.materials[i].first;
    if (!is_plain_name(name)) complain(fmt::format("materials.{}", name), bad_name(name));
    materials.emplace(name, i);
  }
  declare_all(things_, "bodies", model.bodies);
  declare_all(things_, "frames", model.frames);
  declare_all(things_, "obstacles", model.obstacles);
  declare_systems();
  for (const auto& [name, words] : model.groups) {
    const std::string path = "groups." + name;
    if (!is_plain_name(name))
      complain(path, bad_name(name));
    else if (name == "all" || !things_.emplace(name, 0).second)
      complain(path, name == "all" ? "'all' is not allowed as a name; it has a meaning of its own"
                                   : fmt::format("the name '{}' is used twice", name));
  }
  declare_all(springs_, "springs", model.springs);
  declare_all(forces_, "forces", model.forces);
  declare_all(joints_, "joints", model.joints);
  declare_all(joints_, "clearances", model.clearances);
  for (size_t i = 0; i < model.bodies.size(); ++i) bodies.emplace(name_of(model.bodies[i]), i);
  for (size_t i = 0; i < model.frames.size(); ++i) frames.emplace(model.frames[i].name, i);
  carriers = bodies;
  carriers.insert(frames.begin(), frames.end());
}

template <class T>
void ModelChecks::declare_all(Names& names, std::string_view list, const std::vector<T>& items) {
  for (size_t i = 0; i < items.size(); ++i) {
    if constexpr (requires { items[i].kind; })
      declare(names, list, items[i].kind, i, items[i].name);
    else
      declare(names, list, kind_of(items[i]), i, name_of(items[i]));
  }
}

void ModelChecks::declare_systems() {
  for (size_t i = 0; i < model.systems.size(); ++i) {
    const UserSystem& system = model.systems[i];
    declare(things_, "systems", system.as.empty() ? "plugin" : "as", i, system.system_name());
    if (!system.equations)
      complaints.push_back({fmt::format("systems[{}].plugin", i),
                            fmt::format("'{}' has no equations", system.name),
                            fmt::format("systems[{}]", i)});
    else
      check_equations(*this, fmt::format("systems[{}]", i), system);
  }
}

void ModelChecks::declare(Names& names, std::string_view list, std::string_view kind, size_t index,
                          const std::string& name) {
  const TreePath whole, items = whole.key(list), item = items.item(index), path = item.key(kind);
  if (!is_plain_name(name)) return complain(path.text(), bad_name(name));
  const bool starts_probes = &names == &things_;  // `energy` and others do so too
  const bool carries_joints = starts_probes && list != "obstacles";
  if ((carries_joints && name == "ground") ||
      (starts_probes && (name == "all" || name == "energy" || name == "contacts" || name == "time" ||
                         name == "joints" || name == "steps")))
    return complain(path.text(),
                    fmt::format("'{}' is not allowed as a name; it has a meaning of its own", name));
  if (!names.emplace(name, static_cast<int>(index)).second)
    complain(path.text(), fmt::format("the name '{}' is used twice", name));
}

bool ModelChecks::reference(const std::string& path, std::string_view what, const std::string& name,
                            const Names& names) {
  if (names.contains(name)) return true;
  complaints.push_back({path, known_or_nearest(what, name, names), list_of(what)});
  return false;
}

void ModelChecks::material(const std::string& path, const std::string& name) {
  if (!name.empty()) reference(path + ".material", "material", name, materials);
}

const FlexibleBody* ModelChecks::flexible_owner(const std::string& reference) const {
  const auto body = bodies.find(owner_of(reference));
  return body == bodies.end() ? nullptr : flexible(model.bodies[static_cast<size_t>(body->second)]);
}

const Mesh* ModelChecks::mesh_of_body(const std::string& name) {
  const auto body = bodies.find(name);
  if (body == bodies.end()) return nullptr;
  auto [cached, is_new] = meshes_.try_emplace(body->second);
  if (is_new) cached->second = mesh_of(model.bodies[static_cast<size_t>(body->second)]);
  return cached->second.get();
}

void ModelChecks::complain_of_nodes(const std::string& path, const std::string& owner, std::string message) {
  complaints.push_back({path, std::move(message), mesh_key(model, bodies.at(owner))});
}

std::vector<int> ModelChecks::nodes(const std::string& path, const std::string& given) {
  const std::string owner = owner_of(given);
  const FlexibleBody& body = *flexible_owner(given);
  const Mesh* mesh = mesh_of_body(owner);
  if (!mesh) return {};  // its mesh has been complained about
  if (owner == given) {
    complain(path, fmt::format("'{}' is flexible; name one of its nodes here, as in '{}.{}'", owner, owner,
                               mesh->node_sets.contains("last") ? "last" : "0"));
    return {};
  }
  auto found = find_nodes(body, *mesh, given.substr(owner.size() + 1));
  if (found.empty())
    complain_of_nodes(path, owner, no_such_node(body, *mesh, given.substr(owner.size() + 1)));
  return found;
}

bool ModelChecks::node(const std::string& path, const std::string& given) {
  const auto found = nodes(path, given);
  if (found.size() > 1)
    complain(path, fmt::format("'{}' is a set of {} nodes; name a single node here", given, found.size()));
  return found.size() == 1;
}

void ModelChecks::load_target(const std::string& path, const std::string& given) {
  const std::string owner = owner_of(given);
  if (!flexible_owner(given)) {
    if (bodies.contains(owner))
      return complain(path, fmt::format("'{}' is not flexible; give a `force` or `torque`", owner));
    reference(path, "body", owner, bodies);
    return;
  }
  const Mesh* mesh = mesh_of_body(owner);
  if (owner == given || !mesh || mesh->surfaces.contains(given.substr(owner.size() + 1))) return;
  if (mesh->dimension() == 1)
    return complain(path, fmt::format("'{}' is a bar or beam: name '{}' alone, or give a `force` for a node",
                                      owner, owner));
  std::vector<std::string> names;
  for (const auto& [name, facets] : mesh->surfaces) names.push_back(name);
  complain_of_nodes(
      path, owner,
      fmt::format("'{}' has no surface '{}'; {}", owner, shorten(given.substr(owner.size() + 1)),
                  names.empty() ? "it has none" : fmt::format("known: {}", fmt::join(names, ", "))));
}

void ModelChecks::carrier(const std::string& path, std::string_view what, const std::string& name) {
  if (name == "ground") return;
  if (flexible_owner(name))
    node(path, name);
  else if (!carriers.contains(name))
    unknown_carrier(path, what, name);
}

namespace {
constexpr std::array<std::string_view, 8> words_for_ground = {"world",    "base",  "earth", "Ground",
                                                              "inertial", "space", "fixed", "environment"};
}  // namespace

bool ModelChecks::unknown_carrier(const std::string& path, std::string_view what, const std::string& name) {
  const std::string owner = owner_of(name);
  if (owner != name && carriers.contains(owner))
    complain(path, fmt::format("'{}' is a point; name '{}' here", shorten(name), owner));
  else if (std::ranges::any_of(model.obstacles, [&](const auto& o) { return name_of(o) == name; }))
    complain(path,
             fmt::format("'{}' is an obstacle; name `ground`, or the frame or body that carries it", name));
  else if (std::ranges::find(words_for_ground, name) != words_for_ground.end())
    complain(path, fmt::format("unknown {} '{}'; what stands still is called `ground`", what, name));
  else
    reference(path, what, owner, carriers);
  return false;
}

bool ModelChecks::mover(const std::string& path, const std::string& name, std::string_view hint) {
  if (flexible_owner(name)) return node(path, name);
  if (bodies.contains(name)) return true;
  const std::string owner = owner_of(name);
  if (name == "ground")
    complain(path, fmt::format("'ground' is not a body; name a body here{}", hint));
  else if (frames.contains(name))
    complain(path, fmt::format("'{}' is a frame and moves as prescribed; name a body here{}", name, hint));
  else if (owner != name && bodies.contains(owner))
    complain(path, fmt::format("'{}' is a point; name the body '{}' here", shorten(name), owner));
  else
    return reference(path, "body", owner, bodies);
  return false;
}

const NamedMap<Vector3>* ModelChecks::points_of_name(const std::string& name) const {
  if (const auto body = bodies.find(name); body != bodies.end())
    return points_of(model.bodies[static_cast<size_t>(body->second)]);
  return &model.frames[static_cast<size_t>(frames.at(name))].points;
}

bool ModelChecks::point(const std::string& path, const std::string& given, const Names& owners) {
  const auto dot = given.find('.');
  const std::string owner = owner_of(given);
  if (!owners.contains(owner))
    return owner == "ground" || frames.contains(owner) ? mover(path, owner)
                                                       : reference(path, "body", owner, owners);
  if (flexible_owner(given)) return node(path, given);
  if (dot == given.npos) return true;
  const auto* points = points_of_name(owner);
  const std::string name = given.substr(dot + 1);
  if (points && find_named(*points, name)) return true;
  complain(path, no_such_point(owner, name, points));
  return false;
}

bool ModelChecks::ends(const std::string& path, const std::string& body, const std::string& to,
                       std::string_view what) {
  bool good = mover(path + ".body", body, " (the ground or a frame can stand in `to`)");
  const bool to_node = flexible_owner(to) != nullptr;
  if (to_node)
    good = node(path + ".to", to) && good;
  else if (to != "ground" && !carriers.contains(to))
    good = unknown_carrier(path + ".to", "body", to);
  if (good && body == to) {
    complain(
        path + ".to",
        fmt::format("a {} between '{}' and itself holds nothing; name another body or `ground`", what, body));
    return false;
  }
  return good;
}

bool ModelChecks::coordinate(const std::string& path, const std::string& name) {
  Names with_coordinate;
  for (const auto& joint : model.joints)
    if (has_coordinate(joint)) with_coordinate.emplace(name_of(joint), 0);
  if (!joints_.contains(name)) return reference(path, "joint", name, with_coordinate);
  if (with_coordinate.contains(name)) return true;
  complain(path, fmt::format("'{}' has no coordinate; name a hinge or a slider", name));
  return false;
}

void ModelChecks::direction(const std::string& path, const Vector3& given) {
  if (given.allFinite() && given.norm() == 0)
    complain(path, "[0, 0, 0] is not allowed; it must have a direction");
}

void ModelChecks::in_plane(const std::string& path, const Vector3& given) {
  if (std::abs(given.normalized().z()) > 1e-9)
    complain(path,
             fmt::format("{} is not allowed; it must lie in the x-y plane of planar bodies", text_of(given)));
}

bool ModelChecks::turns(const std::string& name) const {
  const auto body = bodies.find(owner_of(name));
  return body == bodies.end() || std::visit(
                                     [](const auto& b) {
                                       using Given = std::decay_t<decltype(b)>;
                                       return std::is_same_v<Given, RigidBody> ||
                                              std::is_same_v<Given, PlanarBody> ||
                                              std::is_same_v<Given, Beam> || std::is_same_v<Given, Shaft>;
                                     },
                                     model.bodies[static_cast<size_t>(body->second)]);
}

bool ModelChecks::is_planar(const std::string& name) const {
  const auto found = bodies.find(owner_of(name));
  if (found == bodies.end()) return true;
  const Body& body = model.bodies[static_cast<size_t>(found->second)];
  const Beam* beam = std::get_if<Beam>(&body);
  return std::holds_alternative<PlanarBody>(body) || (beam && beam->planar);
}

}  // namespace percuss
