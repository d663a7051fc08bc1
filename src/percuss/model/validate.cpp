#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
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
    declare_all(things_, "bodies", model_.bodies);
    declare_all(things_, "frames", model_.frames);
    declare_all(things_, "obstacles", model_.obstacles);
    declare_systems();
    declare_all(springs_, "springs", model_.springs);
    declare_all(forces_, "forces", model_.forces);
    declare_all(joints_, "joints", model_.joints);
    declare_all(joints_, "clearances", model_.clearances);
    for (size_t i = 0; i < model_.bodies.size(); ++i) bodies_.emplace(name_of(model_.bodies[i]), i);
    for (size_t i = 0; i < model_.frames.size(); ++i) frames_.emplace(model_.frames[i].name, i);
    carriers_ = bodies_;
    carriers_.insert(frames_.begin(), frames_.end());
    if (model_.bodies.empty() && model_.systems.empty())
      complain("bodies", "the scene has no body; at least one is needed");

    check_pairs();
    for (size_t i = 0; i < model_.bodies.size(); ++i)
      std::visit([&](const auto& body) { check_body(fmt::format("bodies[{}]", i), body); }, model_.bodies[i]);
    for (size_t i = 0; i < model_.frames.size(); ++i)
      check_direction(fmt::format("frames[{}].axis", i), model_.frames[i].axis);
    for (size_t i = 0; i < model_.joints.size(); ++i) {
      const std::string path = fmt::format("joints[{}]", i);
      if (const JointBase* base = base_of(model_.joints[i]))
        check_joint(path, *base, model_.joints[i]);
      else
        check_gear(path, std::get<Gear>(model_.joints[i]));
    }
    for (size_t i = 0; i < model_.clearances.size(); ++i)
      std::visit([&](const auto& given) { check_clearance(fmt::format("clearances[{}]", i), given); },
                 model_.clearances[i]);
    for (size_t i = 0; i < model_.obstacles.size(); ++i)
      std::visit([&](const auto& obstacle) { check_obstacle(fmt::format("obstacles[{}]", i), obstacle); },
                 model_.obstacles[i]);
    for (size_t i = 0; i < model_.springs.size(); ++i)
      std::visit([&](const auto& spring) { check_spring(fmt::format("springs[{}]", i), spring); },
                 model_.springs[i]);
    for (size_t i = 0; i < model_.forces.size(); ++i) {
      const std::string path = fmt::format("forces[{}].body", i);
      if (const auto* force = std::get_if<AppliedForce>(&model_.forces[i]))
        check_point(path, force->body, bodies_);
      else
        check_turning(path, std::get<AppliedTorque>(model_.forces[i]).body, "a torque");
    }
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

  template <class T>
  void declare_all(Names& names, std::string_view list, const std::vector<T>& items) {
    for (size_t i = 0; i < items.size(); ++i) {
      if constexpr (requires { items[i].kind; })
        declare(names, list, items[i].kind, i, items[i].name);
      else
        declare(names, list, kind_of(items[i]), i, name_of(items[i]));
    }
  }
  void declare_systems() {
    for (size_t i = 0; i < model_.systems.size(); ++i) {
      const UserSystem& system = model_.systems[i];
      declare(things_, "systems", system.as.empty() ? "plugin" : "as", i, system.system_name());
      if (!system.equations)
        complaints_.push_back({fmt::format("systems[{}].plugin", i),
                               fmt::format("'{}' has no equations", system.name),
                               fmt::format("systems[{}]", i)});
      else
        for (const auto& gap : system.equations->gaps())
          if (gap.friction > 0) {
            complain(fmt::format("systems[{}].parameters", i),
                     fmt::format(
                         "gap '{}' of '{}' has friction {}: this version solves frictionless contact only; "
                         "set its friction to 0",
                         gap.name, system.name, gap.friction));
            break;
          }
    }
  }

  void declare(Names& names, std::string_view list, std::string_view kind, size_t index,
               const std::string& name) {
    const std::string path = fmt::format("{}[{}].{}", list, index, kind);
    if (!is_plain_name(name)) return complain(path, bad_name(name));
    const bool starts_probes = &names == &things_;  // `energy` and others do so too
    const bool carries_joints = starts_probes && list != "obstacles";
    if ((carries_joints && name == "ground") ||
        (starts_probes &&
         (name == "all" || name == "energy" || name == "contacts" || name == "time" || name == "joints")))
      return complain(path, fmt::format("'{}' is not allowed as a name; it has a meaning of its own", name));
    if (!names.emplace(name, static_cast<int>(index)).second)
      complain(path, fmt::format("the name '{}' is used twice", name));
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

  void check_body(const std::string& path, const Particle& particle) {
    check_material(path, particle.material);
  }
  void check_body(const std::string& path, const Sphere& sphere) {
    check_material(path, sphere.material);
    if (sphere.mass) return;
    const Material* material = find_named(model_.materials, sphere.material);
    if (!material && !sphere.material.empty()) return;  // an unknown material, which has been reported
    if (!material || !material->density)
      complaints_.push_back(
          {path + ".mass",
           fmt::format("sphere '{}' has no mass; give `mass`, or a material with a density", sphere.name),
           path + ".material"});
  }
  void check_body(const std::string& path, const RigidBody& body) {
    check_material(path, body.material);
    check_points(path, body.points);
    const double norm = body.orientation.norm();
    if (std::isfinite(norm) && std::abs(norm - 1) > quaternion_tolerance)
      complain(path + ".orientation", fmt::format("its norm is {:.9g}; a quaternion must have norm 1 (it is "
                                                  "normalised only within {:.0g})",
                                                  norm, quaternion_tolerance));
    if (!body.shape) return;
    const Shape& s = *body.shape;
    check_one_shape(
        path, {s.box.has_value(), s.sphere.has_value(), s.cylinder.has_value(), s.capsule.has_value(),
               s.cone.has_value(), s.ellipsoid.has_value(), s.polyhedron.has_value(), s.mesh.has_value()});
  }
  void check_body(const std::string& path, const PlanarBody& body) {
    check_material(path, body.material);
    check_points(path, body.points);
    if (body.velocity[2] != 0) complain(path + ".velocity[2]", "a planar body cannot move along z");
    if (!body.shape) return;
    const PlanarShape& s = *body.shape;
    check_one_shape(path, {s.rectangle.has_value(), s.disc.has_value(), s.polygon.has_value()});
  }
  void check_points(const std::string& path, const NamedMap<Vector3>& points) {
    for (const auto& [name, point] : points)
      if (!is_plain_name(name)) complain(fmt::format("{}.points.{}", path, name), bad_name(name));
  }
  void check_one_shape(const std::string& path, std::initializer_list<bool> given) {
    if (std::count(given.begin(), given.end(), true) != 1)
      complain(path + ".shape", "give exactly one shape");
  }
  void check_direction(const std::string& path, const Vector3& direction) {
    if (direction.allFinite() && direction.norm() == 0)
      complain(path, "[0, 0, 0] is not allowed; it must have a direction");
  }

  const NamedMap<Vector3>* points_of_name(const std::string& name) const {
    if (const auto body = bodies_.find(name); body != bodies_.end())
      return points_of(model_.bodies[static_cast<size_t>(body->second)]);
    return &model_.frames[static_cast<size_t>(frames_.at(name))].points;
  }
  /// A reference to a body or frame, or to one of its points: `arm.tip`.
  bool check_point(const std::string& path, const std::string& reference, const Names& owners) {
    const auto dot = reference.find('.');
    const std::string owner = reference.substr(0, dot);
    if (!check_reference(path, "body", owner, owners)) return false;
    if (dot == reference.npos) return true;
    const auto* points = points_of_name(owner);
    const std::string point = reference.substr(dot + 1);
    if (points && find_named(*points, point)) return true;
    Names names;
    if (points)
      for (const auto& [name, place] : *points) names.emplace(name, 0);
    complain(path, known_or_nearest(fmt::format("point of '{}'", owner), point, names));
    return false;
  }
  bool turns(const std::string& name) const {
    const auto body = bodies_.find(name);
    return body == bodies_.end() ||
           !std::visit(
               [](const auto& b) { return std::is_base_of_v<TranslatingBody, std::decay_t<decltype(b)>>; },
               model_.bodies[static_cast<size_t>(body->second)]);
  }
  bool is_planar(const std::string& name) const {
    const auto body = bodies_.find(name);
    return body == bodies_.end() ||
           std::holds_alternative<PlanarBody>(model_.bodies[static_cast<size_t>(body->second)]);
  }
  void check_turning(const std::string& path, const std::string& name, std::string_view what) {
    if (check_reference(path, "body", name, bodies_) && !turns(name))
      complain(path, fmt::format("'{}' cannot turn: {} needs a rigid or planar body", name, what));
  }
  /// `body` and `to` of a joint or bushing.
  bool check_ends(const std::string& path, const std::string& body, const std::string& to,
                  std::string_view what) {
    bool good = check_reference(path + ".body", "body", body, bodies_);
    if (to != "ground") good = check_reference(path + ".to", "body", to, carriers_) && good;
    if (good && body == to) {
      complain(path + ".to",
               fmt::format("a {} between '{}' and itself holds nothing; name another body or `ground`", what,
                           body));
      return false;
    }
    return good;
  }

  void check_joint(const std::string& path, const JointBase& joint, const Joint& given) {
    const std::string_view kind = kind_name(given);
    if (!joint.at && !joint.body_point)
      complain(path, "give its place: `at`, or `body_point` and `to_point`");
    if (joint.at && (joint.body_point || joint.to_point) && kind != "distance")
      complain(path + ".at", "give either `at`, or `body_point` and `to_point`");
    if (!joint.at && joint.body_point && !joint.to_point && kind == "distance")
      complain(path + ".to_point", "a distance needs both points");
    check_direction(path + ".axis", joint.axis);
    if (kind == "universal") {
      check_direction(path + ".second_axis", joint.second_axis);
      if (std::abs(joint.axis.normalized().dot(joint.second_axis.normalized())) > 1e-6)
        complain(path + ".second_axis", "it must be perpendicular to `axis`");
    }
    if (joint.friction > 0)
      complain(path + ".friction",
               fmt::format("{} is not available: this version has no friction in joints; set it "
                           "to 0 or leave it out",
                           joint.friction));
    if (joint.drive) {
      const Drive& d = *joint.drive;
      if (d.coordinate.has_value() + d.speed.has_value() + d.load.has_value() != 1)
        complain(path + ".drive", "give exactly one of coordinate, speed and load");
    }
    if (joint.limits) {
      const Limits& l = *joint.limits;
      if (l.lower && l.upper && *l.lower > *l.upper)
        complain(path + ".limits.upper",
                 fmt::format("{} is not allowed; it must be at least lower = {}", *l.upper, *l.lower));
    }
    if (!check_ends(path, joint.body, joint.to, kind)) return;
    const bool needs_turning =
        kind != "ball" && kind != "distance" && kind != "point_on_line" && kind != "point_on_plane";
    for (const auto* end : {&joint.body, &joint.to})
      if (needs_turning && !turns(*end))
        complain(
            path,
            fmt::format("'{}' cannot turn: a {} needs rigid or planar bodies; a ball joint holds a particle",
                        *end, kind));
    if (!is_planar(joint.body) || !is_planar(joint.to)) return;
    if (kind == "cylindrical" || kind == "screw" || kind == "universal" || kind == "plane")
      complain(path,
               fmt::format("a {} joint does not fit planar bodies; use hinge, slider, fixed, ball, distance, "
                           "point_on_line or point_on_plane",
                           kind));
    const double along_z = std::abs(joint.axis.normalized().z());
    if (kind == "hinge" && std::abs(along_z - 1) > 1e-9)
      complain(path + ".axis", "a hinge of planar bodies turns about [0, 0, 1]");
    if ((kind == "slider" || kind == "point_on_line" || kind == "point_on_plane") && along_z > 1e-9)
      complain(path + ".axis", "the axis must lie in the x-y plane of planar bodies");
  }
  /// The name of a joint with a coordinate.
  bool check_coordinate(const std::string& path, const std::string& name) {
    if (!check_reference(path, "joint", name, joints_)) return false;
    for (const auto& joint : model_.joints)
      if (name_of(joint) == name && has_coordinate(joint)) return true;
    complain(path, fmt::format("'{}' has no coordinate; name a hinge or a slider", name));
    return false;
  }
  void check_gear(const std::string& path, const Gear& gear) {
    for (int k = 0; k < 2; ++k) check_coordinate(fmt::format("{}.joints[{}]", path, k), gear.joints[k]);
    if (gear.joints[0] == gear.joints[1]) complain(path + ".joints", "name two different joints");
    if (gear.ratio == 0) complain(path + ".ratio", "0 is not allowed; it would hold the first joint");
  }
  void check_clearance_friction(const std::string& path, double friction) {
    if (friction > 0)
      complain(path + ".friction",
               fmt::format("{} is not available: this version solves frictionless contact only; "
                           "set friction to 0 or leave it out",
                           friction));
  }
  void check_clearance(const std::string& path, const PinInHole& given) {
    check_point(path + ".pin", given.pin, bodies_);
    if (given.hole != "ground") check_point(path + ".hole", given.hole, carriers_);
    check_direction(path + ".axis", given.axis);
    check_clearance_friction(path, given.friction);
    if (given.pin_radius > given.hole_radius)
      complain(path + ".pin_radius",
               fmt::format("{} is not allowed; the pin must fit into the hole of radius {}", given.pin_radius,
                           given.hole_radius));
  }
  void check_clearance(const std::string& path, const Slot& given) {
    if (given.points.empty()) complain(path + ".points", "the list is empty; name at least one point");
    for (size_t i = 0; i < given.points.size(); ++i)
      check_point(fmt::format("{}.points[{}]", path, i), given.points[i], bodies_);
    if (given.in != "ground") check_reference(path + ".in", "body", given.in, carriers_);
    check_direction(path + ".normal", given.normal);
    check_clearance_friction(path, given.friction);
  }

  void check_obstacle(const std::string& path, const HalfSpaceObstacle& plane) {
    check_material(path, plane.material);
    if (plane.frame != "ground") check_reference(path + ".frame", "frame", plane.frame, frames_);
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
    if (!check_point(path + ".body", *end.body, carriers_)) return std::nullopt;
    const auto body = bodies_.find(*end.body);
    if (body == bodies_.end()) return std::nullopt;  // a point of a body, or a frame
    return position_of(model_.bodies[static_cast<size_t>(body->second)]);
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

  void check_spring(const std::string& path, const JointSpring& spring) {
    check_coordinate(path + ".joint", spring.joint);
  }
  void check_spring(const std::string& path, const Bushing& bushing) {
    check_ends(path, bushing.body, bushing.to, "bushing");
    check_turning(path + ".body", bushing.body, "a bushing");
    check_matrix(path + ".stiffness_matrix", bushing.stiffness_matrix);
    check_matrix(path + ".damping_matrix", bushing.damping_matrix);
  }
  void check_matrix(const std::string& path, const std::optional<std::vector<std::vector<double>>>& matrix) {
    if (!matrix) return;
    bool square = matrix->size() == 6;
    for (const auto& row : *matrix) square = square && row.size() == 6;
    if (!square) return complain(path, "it must have 6 rows of 6 numbers");
    for (size_t i = 0; i < 6; ++i)
      for (size_t j = 0; j < i; ++j)
        if ((*matrix)[i][j] != (*matrix)[j][i])
          return complain(fmt::format("{}[{}][{}]", path, i, j),
                          fmt::format("{} is not allowed; the matrix must be symmetric, and [{}][{}] is {}",
                                      (*matrix)[i][j], j, i, (*matrix)[j][i]));
  }

  void check_contacts() {
    std::vector<Complaint> unknown;
    const auto contacts = resolve_contacts(model_, unknown);
    complaints_.insert(complaints_.end(), unknown.begin(), unknown.end());
    const auto walls = walls_of(model_.obstacles);
    std::set<std::string> reported;
    const auto needs_material = [&](int index, const std::string& other) {
      const Body& body = model_.bodies[static_cast<size_t>(index)];
      if (!material_of(body).empty()) return false;
      if (reported.insert(name_of(body)).second)
        complain(fmt::format("bodies[{}].material", index),
                 fmt::format("'{}' can touch '{}' and needs a material, so that a pair law can be found",
                             name_of(body), other));
      return true;
    };
    for (const auto& contact : contacts) {
      const Body& body = model_.bodies[static_cast<size_t>(contact.body)];
      const bool is_wall = contact.wall >= 0;
      const Body* other = is_wall ? nullptr : &model_.bodies[static_cast<size_t>(contact.other)];
      const std::string& other_name =
          is_wall ? walls[static_cast<size_t>(contact.wall)].obstacle : name_of(*other);
      const std::string& other_material =
          is_wall ? walls[static_cast<size_t>(contact.wall)].material : material_of(*other);
      if (needs_material(contact.body, other_name) || (other && needs_material(contact.other, name_of(body))))
        continue;
      const std::string& material = material_of(body);
      if (find_law(model_, material, other_material) || !materials_.contains(material) ||
          !materials_.contains(other_material) || !reported.insert(material + "|" + other_material).second)
        continue;
      complain(
          "pairs",
          fmt::format(
              "no law between '{}' (of '{}') and '{}' (of '{}'); add {{between: [{}, {}], restitution: ...}}",
              material, name_of(body), other_material, other_name, material, other_material));
    }
  }

  const Model& model_;
  std::vector<Complaint> complaints_;
  Names materials_, springs_, forces_, joints_;
  Names things_;  ///< all names that probes can begin with
  Names bodies_, frames_;
  Names carriers_;  ///< bodies and frames
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
      const auto found = bodies_.find(declared.body.substr(0, dot));
      if (found == bodies_.end()) {
        complaints_.push_back({path_ + ".body", known_or_nearest("body", declared.body, bodies_), "bodies"});
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
      complaints_.push_back({path_ + ".against",
                             known_or_nearest("obstacle or body", declared.against, targets_), "obstacles"});
    }
    for (const int body : bodies) {
      for (const int wall : walls)
        add({body, point, wall, -1, path_}, walls_[static_cast<size_t>(wall)].name);
      if (other < 0) continue;
      if (other != body)
        add({body, point, -1, other, path_}, declared.against);
      else if (declared.body != "all")
        complaints_.push_back(
            {path_ + ".against", fmt::format("'{}' cannot touch itself", declared.against)});
    }
  }

  std::string find_point(int body, const std::string& name) {
    const auto* points = points_of(model_.bodies[static_cast<size_t>(body)]);
    if (points && find_named(*points, name)) return name;
    Names names;
    if (points)
      for (const auto& [key, place] : *points) names.emplace(key, 0);
    const std::string owner = name_of(model_.bodies[static_cast<size_t>(body)]);
    complaints_.push_back(
        {path_ + ".body", known_or_nearest(fmt::format("point of '{}'", owner), name, names)});
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
