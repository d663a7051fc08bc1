#include <algorithm>
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
                       {plane->point, plane->normal.normalized()}});
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
    targets_.insert(bodies_.begin(), bodies_.end());
  }

  std::vector<ResolvedContact> run() {
    for (size_t i = 0; i < model_.contacts.size(); ++i) {
      path_ = fmt::format("contacts[{}]", i);
      resolve(model_.contacts[i]);
    }
    return std::move(contacts_);
  }

 private:
  void resolve(const ContactPair& declared) {
    std::vector<int> bodies, walls;
    std::string point;
    int other = -1;
    if (declared.body == "all") {
      for (size_t b = 0; b < model_.bodies.size(); ++b) bodies.push_back(static_cast<int>(b));
    } else {
      const auto dot = declared.body.find('.');
      const std::string owner = owner_of(declared.body);
      const auto found = bodies_.find(owner);
      if (found == bodies_.end()) {
        complaints_.push_back({path_ + ".body",
                               walls_by_name_.contains(declared.body)
                                   ? fmt::format("'{}' is an obstacle; name it in `against`", declared.body)
                                   : known_or_nearest("body", owner, bodies_),
                               "bodies"});
      } else {
        bodies.push_back(found->second);
        if (dot != declared.body.npos) point = find_point(found->second, declared.body.substr(dot + 1));
        if (dot != declared.body.npos && point.empty()) return;
      }
    }
    if (declared.against == "all") {
      for (size_t w = 0; w < walls_.size(); ++w) walls.push_back(static_cast<int>(w));
    } else if (const auto wall = walls_by_name_.find(declared.against); wall != walls_by_name_.end()) {
      walls = wall->second;
    } else if (const auto body = bodies_.find(declared.against); body != bodies_.end()) {
      other = body->second;
    } else {
      complaints_.push_back({path_ + ".against", not_a_target(declared.against), "obstacles"});
    }
    for (const int body : bodies) {
      for (const int wall : walls) {
        const Wall& target = walls_[static_cast<size_t>(wall)];
        if (target.frame != name_of(model_.bodies[static_cast<size_t>(body)]))
          add({body, point, wall, -1, path_}, target.name);
        else if (declared.body != "all" && declared.against != "all")
          complaints_.push_back(
              {path_ + ".against",
               fmt::format("'{}' belongs to '{}', which cannot touch itself", target.name, target.frame)});
      }
      if (other < 0) continue;
      if (other != body)
        add({body, point, -1, other, path_}, declared.against);
      else if (declared.body != "all")
        complaints_.push_back(
            {path_ + ".against", fmt::format("'{}' cannot touch itself", declared.against)});
    }
  }

  std::string not_a_target(const std::string& name) const {
    if (const std::string owner = owner_of(name); owner != name && bodies_.contains(owner))
      return fmt::format("'{}' is not an obstacle or body; a point can stand in `body` only", shorten(name));
    for (const auto& frame : model_.frames)
      if (frame.name == name)
        return fmt::format("'{}' is a frame and has no surface; name an obstacle with `frame: {}`", name,
                           name);
    return known_or_nearest("obstacle or body", name, targets_);
  }

  std::string find_point(int body, const std::string& name) {
    const auto* points = points_of(model_.bodies[static_cast<size_t>(body)]);
    if (points && find_named(*points, name)) return name;
    const std::string& owner = name_of(model_.bodies[static_cast<size_t>(body)]);
    complaints_.push_back({path_ + ".body", no_such_point(owner, name, points)});
    return {};
  }

  void add(ResolvedContact contact, const std::string& other) {
    const int low = contact.other < 0 ? contact.body : std::min(contact.body, contact.other);
    const int high = contact.other < 0 ? -1 : std::max(contact.body, contact.other);
    if (seen_.emplace(low, high, contact.wall, contact.point).second)
      contacts_.push_back(std::move(contact));
    else
      complaints_.push_back(
          {path_, fmt::format("the contact of '{}' and '{}' is declared twice",
                              name_of(model_.bodies[static_cast<size_t>(contact.body)]), other)});
  }

  const Model& model_;
  std::vector<Complaint>& complaints_;
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
