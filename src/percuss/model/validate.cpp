#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "percuss/math/nearest_name.h"
#include "percuss/math/shorten.h"
#include "percuss/model/model.h"
#include "percuss/model/range_check.h"

namespace percuss {
namespace {

using Names = std::unordered_map<std::string, int>;

std::string known_or_nearest(std::string_view what, const std::string& name, const Names& names) {
  std::vector<std::string> candidates;
  for (const auto& [key, index] : names) candidates.push_back(key);
  std::sort(candidates.begin(), candidates.end());
  std::string message = fmt::format("unknown {} '{}'", what, shorten(name));
  if (const auto nearest = nearest_name(name, candidates))
    return message + fmt::format("; did you mean '{}'?", *nearest);
  if (candidates.empty()) return message + fmt::format("; the scene has none");
  if (candidates.size() <= 12) return message + fmt::format("; known: {}", fmt::join(candidates, ", "));
  return message;
}

bool is_plain_name(std::string_view name) {
  if (name.empty()) return false;
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
         name.npos;
}

/// Collects the semantic complaints: names, references, laws, degenerate geometry.
class Validator {
 public:
  explicit Validator(const Model& model) : model_(model) {}

  std::vector<Complaint> run() {
    RangeCheck ranges(complaints_, "");
    Model::fields(model_, ranges);
    for (size_t i = 0; i < model_.materials.size(); ++i) {
      const auto& name = model_.materials[i].first;
      if (!is_plain_name(name)) complain(fmt::format("materials.{}", name), bad_name(name));
      materials_.emplace(name, i);
    }
    for (size_t i = 0; i < model_.bodies.size(); ++i)
      declare(bodies_, "bodies", kind_of(model_.bodies[i]), i, name_of(model_.bodies[i]));
    for (size_t i = 0; i < model_.obstacles.size(); ++i)
      declare(bodies_, "obstacles", kind_of(model_.obstacles[i]), i, name_of(model_.obstacles[i]));
    for (size_t i = 0; i < model_.springs.size(); ++i)
      declare(springs_, "springs", Spring::kind, i, model_.springs[i].name);
    for (size_t i = 0; i < model_.forces.size(); ++i)
      declare(forces_, "forces", AppliedForce::kind, i, model_.forces[i].name);
    std::erase_if(bodies_, [&](const auto& entry) { return obstacle_names_.contains(entry.first); });
    if (model_.bodies.empty()) complain("bodies", "the scene has no body; at least one is needed");

    check_pairs();
    for (size_t i = 0; i < model_.bodies.size(); ++i) check_body(i);
    for (size_t i = 0; i < model_.obstacles.size(); ++i)
      std::visit([&](const auto& obstacle) { check_obstacle(fmt::format("obstacles[{}]", i), obstacle); },
                 model_.obstacles[i]);
    for (size_t i = 0; i < model_.springs.size(); ++i)
      check_spring(fmt::format("springs[{}]", i), model_.springs[i]);
    for (size_t i = 0; i < model_.forces.size(); ++i)
      check_reference(fmt::format("forces[{}].body", i), "body", model_.forces[i].body, bodies_);
    check_contacts();
    return std::move(complaints_);
  }

 private:
  void complain(std::string path, std::string message) {
    complaints_.push_back({std::move(path), std::move(message)});
  }

  template <class... T>
  static std::string_view kind_of(const std::variant<T...>& item) {
    return std::visit([](const auto& value) { return value.kind; }, item);
  }
  static std::string bad_name(const std::string& name) {
    return fmt::format("'{}' is not allowed as a name; use letters, digits, _ and -", shorten(name));
  }

  void declare(Names& names, std::string_view list, std::string_view kind, size_t index,
               const std::string& name) {
    const std::string path = fmt::format("{}[{}].{}", list, index, kind);
    if (!is_plain_name(name)) return complain(path, bad_name(name));
    if (name == "all" || name == "energy" || name == "contacts" || name == "time")
      return complain(path, fmt::format("'{}' is not allowed as a name; it has a meaning of its own", name));
    if (!names.emplace(name, static_cast<int>(index)).second)
      complain(path, fmt::format("the name '{}' is used twice", name));
    else if (list == "obstacles")
      obstacle_names_.insert(name);
  }

  bool check_reference(const std::string& path, std::string_view what, const std::string& name,
                       const Names& names) {
    if (names.contains(name)) return true;
    complaints_.push_back(
        {path, known_or_nearest(what, name, names), what == "material" ? "materials" : "bodies"});
    return false;
  }

  void check_material(const std::string& path, const std::string& name) {
    if (!name.empty()) check_reference(path + ".material", "material", name, materials_);
  }

  void check_pairs() {
    std::set<std::pair<std::string, std::string>> seen;
    for (size_t i = 0; i < model_.pairs.size(); ++i) {
      const auto& law = model_.pairs[i];
      const std::string path = fmt::format("pairs[{}]", i);
      for (int k = 0; k < 2; ++k)
        check_reference(fmt::format("{}.between[{}]", path, k), "material", law.between[k], materials_);
      if (!seen.insert(std::minmax(law.between[0], law.between[1])).second)
        complain(path + ".between",
                 fmt::format("the law between '{}' and '{}' is given twice", law.between[0], law.between[1]));
      if (law.friction > 0)
        complain(path + ".friction",
                 fmt::format("{} is not available: this version solves frictionless contact "
                             "only; set friction to 0 or leave it out",
                             law.friction));
    }
  }

  void check_body(size_t i) {
    const std::string path = fmt::format("bodies[{}]", i);
    check_material(path, common(model_.bodies[i]).material);
    const auto* sphere = std::get_if<Sphere>(&model_.bodies[i]);
    if (!sphere || sphere->mass) return;
    const Material* material = find_named(model_.materials, sphere->material);
    if (!material && !sphere->material.empty()) return;  // an unknown material, which has been reported
    if (!material || !material->density)
      complaints_.push_back(
          {path + ".mass",
           fmt::format("sphere '{}' has no mass; give `mass`, or a material with a density", sphere->name),
           path + ".material"});
  }

  void check_obstacle(const std::string& path, const HalfSpaceObstacle& plane) {
    check_material(path, plane.material);
    if (plane.normal.allFinite() && plane.normal.norm() == 0)
      complain(path + ".normal", "[0, 0, 0] is not allowed; normal must have a direction");
  }
  void check_obstacle(const std::string& path, const BoxObstacle& box) {
    check_material(path, box.material);
    for (int axis = 0; axis < 3; ++axis)
      if (!(box.lower[axis] <= box.upper[axis]))
        complain(path + ".upper", fmt::format("{} = {} is not allowed; it must be at least {} = {} of lower",
                                              "xyz"[axis], box.upper[axis], "xyz"[axis], box.lower[axis]));
    if (box.faces.empty()) complain(path + ".faces", "the list is empty; leave it out for all six faces");
    if (std::set<BoxFace>(box.faces.begin(), box.faces.end()).size() != box.faces.size())
      complain(path + ".faces", "a face is named twice");
  }

  /// The place of a spring's end at the start, if it can be found.
  std::optional<Vector3> check_end(const std::string& path, const Attachment& end) {
    if (end.body.has_value() == end.point.has_value()) {
      complain(path, "give either `body` or `point`");
      return std::nullopt;
    }
    if (end.point) return end.point;
    if (!check_reference(path + ".body", "body", *end.body, bodies_)) return std::nullopt;
    return common(model_.bodies[static_cast<size_t>(bodies_.at(*end.body))]).position;
  }

  void check_spring(const std::string& path, const Spring& spring) {
    const auto from = check_end(path + ".from", spring.from);
    const auto to = check_end(path + ".to", spring.to);
    if (spring.from.body && spring.from.body == spring.to.body)
      complain(path + ".to",
               fmt::format("'{}' is at both ends; a spring needs two different ends", *spring.to.body));
    if (spring.from.point && spring.to.point)
      complain(path + ".to", "both ends are fixed in space; a spring needs at least one body");
    if (spring.axis && spring.axis->norm() == 0)
      complain(path + ".axis", "[0, 0, 0] is not allowed; axis must have a direction");
    if (spring.axis) return;
    if (spring.rest_length && *spring.rest_length < 0)
      complain(
          path + ".rest_length",
          fmt::format("{} is not allowed; without `axis` rest_length must be >= 0", *spring.rest_length));
    const bool needs_direction = spring.rest_length.value_or(0) != 0 || spring.damping != 0;
    if (from && to && *from == *to && needs_direction)
      complain(
          path,
          "both ends start at the same place, so the spring has no direction; move an end, or give `axis`");
  }

  void check_contacts() {
    std::vector<Complaint> unknown;
    const auto contacts = resolve_contacts(model_, unknown);
    complaints_.insert(complaints_.end(), unknown.begin(), unknown.end());
    const auto walls = walls_of(model_.obstacles);
    std::set<std::string> reported;
    for (const auto& contact : contacts) {
      const auto& body = common(model_.bodies[static_cast<size_t>(contact.body)]);
      const auto& wall = walls[static_cast<size_t>(contact.wall)];
      if (body.material.empty()) {
        if (reported.insert(body.name).second)
          complain(fmt::format("bodies[{}].material", contact.body),
                   fmt::format("'{}' can touch '{}' and needs a material, so that a pair law can be found",
                               body.name, wall.obstacle));
      } else if (!find_law(model_, body.material, wall.material) && materials_.contains(body.material) &&
                 materials_.contains(wall.material) &&
                 reported.insert(body.material + "|" + wall.material).second) {
        complain("pairs", fmt::format("no law between '{}' (of '{}') and '{}' (of '{}'); add {{between: [{}, "
                                      "{}], restitution: ...}}",
                                      body.material, body.name, wall.material, wall.obstacle, body.material,
                                      wall.material));
      }
    }
  }

  const Model& model_;
  std::vector<Complaint> complaints_;
  Names materials_, bodies_, springs_, forces_;
  std::set<std::string> obstacle_names_;
};

std::string join_messages(const std::vector<Complaint>& complaints) {
  std::string text;
  for (const auto& c : complaints)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", c.path, c.message);
  return text;
}

}  // namespace

ModelError::ModelError(std::vector<Complaint> complaints)
    : std::runtime_error(join_messages(complaints)), complaints_(std::move(complaints)) {}

std::vector<Complaint> validate(const Model& model) { return Validator(model).run(); }

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
      walls.push_back(
          {plane->name, plane->name, plane->material, {plane->point, plane->normal.normalized()}});
    } else if (const auto* box = std::get_if<BoxObstacle>(&obstacle)) {
      for (const BoxFace face : box->faces)
        walls.push_back({fmt::format("{}.{}", box->name, enum_name(face)), box->name, box->material,
                         box_face(box->lower, box->upper, static_cast<int>(face))});
    }
  }
  return walls;
}

std::vector<ResolvedContact> resolve_contacts(const Model& model, std::vector<Complaint>& complaints) {
  Names bodies, walls;
  const auto all_walls = walls_of(model.obstacles);
  for (size_t i = 0; i < model.bodies.size(); ++i) bodies.emplace(name_of(model.bodies[i]), i);
  std::unordered_map<std::string, std::vector<int>> walls_by_name;
  for (size_t i = 0; i < all_walls.size(); ++i) {
    walls_by_name[all_walls[i].name].push_back(static_cast<int>(i));
    walls.emplace(all_walls[i].name, i);
    if (all_walls[i].name == all_walls[i].obstacle) continue;
    walls_by_name[all_walls[i].obstacle].push_back(static_cast<int>(i));
    walls.emplace(all_walls[i].obstacle, i);
  }
  std::vector<ResolvedContact> contacts;
  std::set<std::pair<int, int>> seen;
  for (size_t i = 0; i < model.contacts.size(); ++i) {
    const auto& declared = model.contacts[i];
    const std::string path = fmt::format("contacts[{}]", i);
    std::vector<int> body_list, wall_list;
    if (declared.body == "all")
      for (size_t b = 0; b < model.bodies.size(); ++b) body_list.push_back(static_cast<int>(b));
    else if (const auto found = bodies.find(declared.body); found != bodies.end())
      body_list.push_back(found->second);
    else
      complaints.push_back({path + ".body", known_or_nearest("body", declared.body, bodies), "bodies"});
    if (declared.against == "all")
      for (size_t w = 0; w < all_walls.size(); ++w) wall_list.push_back(static_cast<int>(w));
    else if (const auto found = walls_by_name.find(declared.against); found != walls_by_name.end())
      wall_list = found->second;
    else
      complaints.push_back(
          {path + ".against", known_or_nearest("obstacle", declared.against, walls), "obstacles"});
    for (const int body : body_list)
      for (const int wall : wall_list) {
        if (seen.emplace(body, wall).second)
          contacts.push_back({body, wall});
        else
          complaints.push_back({path, fmt::format("the contact of '{}' and '{}' is declared twice",
                                                  name_of(model.bodies[static_cast<size_t>(body)]),
                                                  all_walls[static_cast<size_t>(wall)].name)});
      }
  }
  return contacts;
}

}  // namespace percuss
