#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "percuss/math/shorten.h"
#include "percuss/model/model.h"
#include "percuss/model/references.h"

namespace percuss {

const PairLaw* find_law(const Model& model, const std::string& a, const std::string& b) {
  for (const auto& law : model.pairs)
    if ((law.between[0] == a && law.between[1] == b) || (law.between[0] == b && law.between[1] == a))
      return &law;
  return nullptr;
}

std::vector<Wall> walls_of(const std::vector<Obstacle>& obstacles) {
  std::vector<Wall> walls;
  for (const auto& obstacle : obstacles) {
    if (const auto* plane = std::get_if<HalfSpaceObstacle>(&obstacle)) {
      walls.push_back({plane->name,
                       plane->name,
                       plane->material,
                       plane->frame,
                       {plane->point, plane->normal.normalized()},
                       plane->surface_velocity});
    } else if (const auto* box = std::get_if<BoxObstacle>(&obstacle)) {
      for (const BoxFace face : box->faces)
        walls.push_back({fmt::format("{}.{}", box->name, enum_name(face)), box->name, box->material, "ground",
                         box_face(box->lower, box->upper, static_cast<int>(face))});
    }
  }
  return walls;
}

namespace {

/// Finds what the two sides of a declared contact mean.
class ContactResolver {
 public:
  ContactResolver(const Model& model, std::vector<Complaint>& complaints)
      : model_(model), complaints_(complaints), walls_(walls_of(model.obstacles)) {
    for (size_t i = 0; i < model.bodies.size(); ++i) bodies_.emplace(name_of(model.bodies[i]), i);
    for (size_t i = 0; i < walls_.size(); ++i) {
      walls_by_name_[walls_[i].name].push_back(static_cast<int>(i));
      targets_.emplace(walls_[i].name, i);
      if (walls_[i].name == walls_[i].obstacle) continue;
      walls_by_name_[walls_[i].obstacle].push_back(static_cast<int>(i));
      targets_.emplace(walls_[i].obstacle, i);
    }
    for (const auto& obstacle : model.obstacles) targets_.emplace(name_of(obstacle), 0);
    targets_.insert(bodies_.begin(), bodies_.end());
  }

  std::vector<ResolvedContact> run() {
    for (size_t i = 0; i < model_.contacts.size(); ++i) {
      path_ = fmt::format("contacts[{}]", i);
      if (model_.contacts[i].between.empty()) resolve(model_.contacts[i]);
    }
    return std::move(contacts_);
  }

 private:
  void resolve(const ContactPair& declared) {
    std::vector<int> bodies, walls;
    std::string point;
    std::string surface;
    int other = -1;
    if (declared.body.empty() == declared.nodes.empty()) {
      complaints_.push_back(
          {path_, "give either `body` or `nodes`, or `between` for bodies that find each other"});
      return;
    }
    if (declared.against.empty()) {
      complaints_.push_back(
          {path_, "the key 'against' is missing: name what it may touch", path_ + ".against"});
      return;
    }
    const std::string& first = declared.first();
    if (first == "all") {
      for (size_t b = 0; b < model_.bodies.size(); ++b) bodies.push_back(static_cast<int>(b));
    } else {
      const auto dot = first.find('.');
      const std::string owner = owner_of(first);
      const auto found = bodies_.find(owner);
      if (found == bodies_.end()) {
        complaints_.push_back({first_path(declared),
                               walls_by_name_.contains(first)
                                   ? fmt::format("'{}' is an obstacle; name it in `against`", first)
                                   : known_or_nearest("body", owner, bodies_),
                               "bodies"});
      } else {
        if (!declared.nodes.empty() && !flexible(model_.bodies[static_cast<size_t>(found->second)])) {
          complaints_.push_back({first_path(declared), fmt::format("'{}' is not flexible; write `body: {}`",
                                                                   owner, shorten(first))});
          return;
        }
        bodies.push_back(found->second);
        if (dot != first.npos) point = find_point(declared, found->second, first.substr(dot + 1));
        if (dot != first.npos && point.empty()) return;
      }
    }
    if (declared.against == "all") {
      for (size_t w = 0; w < walls_.size(); ++w) walls.push_back(static_cast<int>(w));
    } else if (const auto wall = walls_by_name_.find(declared.against); wall != walls_by_name_.end()) {
      walls = wall->second;
    } else if (const auto body = bodies_.find(owner_of(declared.against));
               is_target(body, declared.against)) {
      other = body->second;
      if (!find_surface(other, declared.against, surface)) return;
    } else {
      complaints_.push_back({path_ + ".against", not_a_target(declared.against, first), "obstacles"});
    }
    for (const int body : bodies) {
      for (const int wall : walls) {
        const Wall& target = walls_[static_cast<size_t>(wall)];
        if (target.frame != name_of(model_.bodies[static_cast<size_t>(body)]))
          add({body, point, wall, -1, path_}, target.name);
        else if (first != "all" && declared.against != "all")
          complaints_.push_back(
              {path_ + ".against",
               fmt::format("'{}' belongs to '{}', which cannot touch itself", target.name, target.frame)});
      }
      if (other < 0) continue;
      if (other != body || flexible(model_.bodies[static_cast<size_t>(other)]))
        add({body, point, -1, other, path_, surface, declared.corners_only}, declared.against);
      else if (first != "all")
        complaints_.push_back(
            {path_ + ".against", fmt::format("'{}' cannot touch itself", declared.against)});
    }
  }

  /// A body, or a surface of a flexible one.
  bool is_target(const Names::const_iterator& owner, const std::string& name) const {
    return owner != bodies_.end() &&
           (owner->first == name || flexible(model_.bodies[static_cast<size_t>(owner->second)]));
  }
  bool find_surface(int index, const std::string& name, std::string& surface) {
    const Body& body = model_.bodies[static_cast<size_t>(index)];
    const auto mesh = flexible(body) ? mesh_of(body) : nullptr;
    if (!mesh) return true;
    const std::string& owner = name_of(body);
    surface = name == owner ? "" : name.substr(owner.size() + 1);
    if (mesh->dimension() == 1) {
      complaints_.push_back(
          {path_ + ".against",
           fmt::format(
               "'{}' is a bar or beam and has no surface; let a half_space move with one of its nodes: "
               "`frame: {}.last`",
               owner, owner)});
      return false;
    }
    if (surface.empty() || mesh->surfaces.contains(surface)) return true;
    std::vector<std::string> names;
    for (const auto& [known, facets] : mesh->surfaces) names.push_back(known);
    complaints_.push_back({path_ + ".against",
                           fmt::format("'{}' has no surface '{}'; {}", owner, shorten(surface),
                                       names.empty() ? "it has none, name the body for all of its boundary"
                                                     : fmt::format("known: {}", fmt::join(names, ", "))),
                           mesh_path(index)});
    return false;
  }

  std::string not_a_target(const std::string& name, const std::string& first) const {
    const auto has_name = [&](const Obstacle& obstacle) { return name_of(obstacle) == name; };
    const auto touching = bodies_.find(owner_of(first));
    const bool deforms =
        touching != bodies_.end() && flexible(model_.bodies[static_cast<size_t>(touching->second)]);
    if (std::ranges::any_of(model_.obstacles, has_name) && deforms)
      return fmt::format(
          "'{}' is an obstacle with a shape, which flexible bodies such as '{}' do not touch yet; give its "
          "faces "
          "as half_space obstacles",
          name, touching->first);
    if (std::ranges::any_of(model_.obstacles, has_name))
      return fmt::format(
          "'{}' is an obstacle with a shape, which bodies find by themselves; write {{between: [{}, "
          "{}]}}",
          name, owner_of(first), name);
    if (const std::string owner = owner_of(name); owner != name && bodies_.contains(owner))
      return fmt::format("'{}' is not an obstacle or body; a point can stand in `body` only", shorten(name));
    for (const auto& frame : model_.frames)
      if (frame.name == name)
        return fmt::format("'{}' is a frame and has no surface; name an obstacle with `frame: {}`", name,
                           name);
    const std::string owner = owner_of(name);
    return known_or_nearest("obstacle or body", walls_by_name_.contains(owner) ? name : owner, targets_);
  }

  /// What the nodes and surfaces of a flexible body follow from.
  std::string mesh_path(int body) const {
    const bool solid = std::holds_alternative<Solid>(model_.bodies[static_cast<size_t>(body)]);
    return fmt::format("bodies[{}].{}", body, solid ? "mesh" : "elements");
  }

  std::string first_path(const ContactPair& declared) const {
    return fmt::format("{}.{}", path_, declared.first_key());
  }

  std::string find_point(const ContactPair& declared, int index, const std::string& name) {
    const Body& body = model_.bodies[static_cast<size_t>(index)];
    if (const FlexibleBody* deforms = flexible(body)) {
      const auto mesh = mesh_of(body);
      if (!mesh || !find_nodes(*deforms, *mesh, name).empty()) return name;
      complaints_.push_back({first_path(declared), no_such_node(*deforms, *mesh, name), mesh_path(index)});
      return {};
    }
    const auto* points = points_of(body);
    if (points && find_named(*points, name)) return name;
    complaints_.push_back({first_path(declared), no_such_point(name_of(body), name, points)});
    return {};
  }

  void add(ResolvedContact contact, const std::string& other) {
    const int low = contact.other < 0 ? contact.body : std::min(contact.body, contact.other);
    const int high = contact.other < 0 ? -1 : std::max(contact.body, contact.other);
    const bool is_new = seen_.emplace(low, high, contact.wall, contact.point + "/" + contact.surface).second;
    if (is_new && !repeats_a_node(contact))
      contacts_.push_back(std::move(contact));
    else
      complaints_.push_back(
          {path_, fmt::format("the contact of '{}' and '{}' is declared twice",
                              name_of(model_.bodies[static_cast<size_t>(contact.body)]), other)});
  }

  /// A node in two sets would touch the same wall twice.
  bool repeats_a_node(const ResolvedContact& contact) {
    const Body& body = model_.bodies[static_cast<size_t>(contact.body)];
    const auto mesh = contact.wall >= 0 && flexible(body) ? mesh_of(body) : nullptr;
    if (!mesh) return false;
    auto& touching = touching_nodes_[{contact.body, contact.wall}];
    touching.resize(mesh->nodes.size(), false);
    bool repeats = false;
    const auto touch = [&](size_t node) {
      repeats = repeats || touching[node];
      touching[node] = true;
    };
    if (contact.point.empty())
      for (size_t node = 0; node < touching.size(); ++node) touch(node);
    else
      for (const int node : find_nodes(*flexible(body), *mesh, contact.point))
        touch(static_cast<size_t>(node));
    return repeats;
  }

  const Model& model_;
  std::vector<Complaint>& complaints_;
  std::map<std::pair<int, int>, std::vector<bool>> touching_nodes_;  ///< by body and wall
  std::vector<Wall> walls_;
  Names bodies_, targets_;
  std::unordered_map<std::string, std::vector<int>> walls_by_name_;
  std::set<std::tuple<int, int, int, std::string>> seen_;
  std::vector<ResolvedContact> contacts_;
  std::string path_;
};

}  // namespace

std::vector<ResolvedContact> resolve_contacts(const Model& model, std::vector<Complaint>& complaints) {
  return ContactResolver(model, complaints).run();
}

}  // namespace percuss
