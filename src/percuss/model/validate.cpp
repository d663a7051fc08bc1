#include <algorithm>
#include <cmath>
#include <set>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "percuss/math/nearest_name.h"
#include "percuss/math/rotation.h"
#include "percuss/math/shorten.h"
#include "percuss/model/model.h"
#include "percuss/model/range_check.h"
#include "percuss/model/references.h"

namespace percuss {
namespace {

std::string text_of(const Vector3& x) { return fmt::format("[{}, {}, {}]", x[0], x[1], x[2]); }

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
      check_frame(fmt::format("frames[{}]", i), model_.frames[i]);
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
        check_equations(fmt::format("systems[{}]", i), system);
    }
  }
  /// What a user's system says about itself; its functions are judged when they are called.
  void check_equations(const std::string& path, const UserSystem& system) {
    std::set<std::string> names;
    const auto check_name = [&](std::string_view what, const std::string& name) {
      const bool is_new = names.insert(name).second;
      if (!is_plain_name(name) || !is_new)
        complain(path + ".plugin",
                 fmt::format("'{}' has a {} named '{}'; {}", system.name, what, shorten(name),
                             is_new ? "use letters, digits, _ and -" : "each needs a name of its own"));
    };
    const auto coordinates = system.equations->coordinate_names();
    if (coordinates.empty())
      complain(path + ".plugin", fmt::format("'{}' has no coordinates; it needs at least one", system.name));
    for (const auto& name : coordinates) check_name("coordinate", name);
    names.clear();
    for (const auto& gap : system.equations->gaps()) {
      check_name("gap", gap.name);
      if (!allow::unit_interval.contains(gap.restitution))
        return complain(path + ".parameters",
                        fmt::format("gap '{}' of '{}' has restitution {}; it must be {}", gap.name,
                                    system.name, gap.restitution, describe(allow::unit_interval)));
      if (gap.friction != 0)
        return complain(
            path + ".parameters",
            fmt::format("gap '{}' of '{}' has friction {}: this version solves frictionless contact only; "
                        "set its friction to 0",
                        gap.name, system.name, gap.friction));
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
    complaints_.push_back({path, known_or_nearest(what, name, names), list_of(what)});
    return false;
  }
  static std::string list_of(std::string_view what) {
    if (what == "material") return "materials";
    if (what == "joint") return "joints";
    return what == "frame" ? "frames" : "bodies";
  }
  /// The name of something that moves by forces: neither the ground, nor a frame, nor a point.
  bool check_mover(const std::string& path, const std::string& name, std::string_view hint = "") {
    if (bodies_.contains(name)) return true;
    const std::string owner = owner_of(name);
    if (name == "ground")
      complain(path, fmt::format("'ground' is not a body; name a body here{}", hint));
    else if (frames_.contains(name))
      complain(path, fmt::format("'{}' is a frame and moves as prescribed; name a body here{}", name, hint));
    else if (owner != name && bodies_.contains(owner))
      complain(path, fmt::format("'{}' is a point; name the body '{}' here", shorten(name), owner));
    else
      return check_reference(path, "body", name, bodies_);
    return false;
  }
  /// The range of a field holds for each of its numbers.
  void check_components(const std::string& path, std::string_view name, const auto& values,
                        const Range& range) {
    if (std::any_of(values.begin(), values.end(), [&](double x) { return !range.contains(x); }))
      complain(fmt::format("{}.{}", path, name),
               fmt::format("[{}] is not allowed; each number of {} must be {}", fmt::join(values, ", "), name,
                           describe(range)));
  }

  void check_material(const std::string& path, const std::string& name) {
    if (!name.empty()) check_reference(path + ".material", "material", name, materials_);
  }

  void check_pairs() {
    std::set<std::pair<std::string, std::string>> seen;
    for (size_t i = 0; i < model_.pairs.size(); ++i) {
      const auto& law = model_.pairs[i];
      const std::string path = fmt::format("pairs[{}]", i);
      if (law.between[0].empty() || law.between[1].empty()) {
        complain(path + ".between", "name two materials");
        continue;
      }
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
      complain(
          path + ".orientation",
          fmt::format("the norm of {{w: {}, x: {}, y: {}, z: {}}} is {:.9g}; it must be 1 (within {:.0g}; w "
                      "is 1 where it is left out)",
                      body.orientation.w, body.orientation.x, body.orientation.y, body.orientation.z, norm,
                      quaternion_tolerance));
    if (body.inertia) check_components(path, "inertia", *body.inertia, allow::nonnegative);
    if (!body.inertia && !body.products.isZero(0))
      complain(path + ".products", fmt::format("{} is not used: products belong to a given `inertia`; give "
                                               "both, or leave both to the shape",
                                               text_of(body.products)));
    if (!body.shape) return;
    const Shape& s = *body.shape;
    check_one_shape(
        path, "box, sphere, cylinder, capsule, cone, ellipsoid, polyhedron and mesh",
        {s.box.has_value(), s.sphere.has_value(), s.cylinder.has_value(), s.capsule.has_value(),
         s.cone.has_value(), s.ellipsoid.has_value(), s.polyhedron.has_value(), s.mesh.has_value()});
    if (s.box) check_components(path + ".shape", "box", *s.box, allow::positive);
    if (s.ellipsoid) check_components(path + ".shape", "ellipsoid", *s.ellipsoid, allow::positive);
  }
  void check_body(const std::string& path, const PlanarBody& body) {
    check_material(path, body.material);
    check_points(path, body.points);
    if (body.velocity[2] != 0)
      complain(path + ".velocity[2]",
               fmt::format("{} is not allowed; a planar body cannot move along z", body.velocity[2]));
    if (!body.shape) return;
    const PlanarShape& s = *body.shape;
    check_one_shape(path, "rectangle, disc and polygon",
                    {s.rectangle.has_value(), s.disc.has_value(), s.polygon.has_value()});
    if (s.rectangle) check_components(path + ".shape", "rectangle", *s.rectangle, allow::positive);
  }
  void check_points(const std::string& path, const NamedMap<Vector3>& points) {
    static const std::set<std::string_view> quantities = {
        "position", "velocity", "displacement", "speed", "angle", "angular_velocity", "omega", "orientation"};
    for (const auto& [name, point] : points) {
      const std::string where = fmt::format("{}.points.{}", path, name);
      if (!is_plain_name(name)) complain(where, bad_name(name));
      if (quantities.contains(name))
        complain(where,
                 fmt::format("'{}' is not allowed as a name; it has a meaning of its own in probes", name));
    }
  }
  void check_frame(const std::string& path, const MovingFrame& frame) {
    check_points(path, frame.points);
    check_direction(path + ".axis", frame.axis);
  }
  void check_one_shape(const std::string& path, std::string_view shapes, std::initializer_list<bool> given) {
    if (const auto count = std::count(given.begin(), given.end(), true); count != 1)
      complain(path + ".shape", fmt::format("{} shapes are given; give exactly one of {}", count, shapes));
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
    const std::string owner = owner_of(reference);
    if (!owners.contains(owner))
      return owner == "ground" || frames_.contains(owner) ? check_mover(path, owner)
                                                          : check_reference(path, "body", owner, owners);
    if (dot == reference.npos) return true;
    const auto* points = points_of_name(owner);
    const std::string point = reference.substr(dot + 1);
    if (points && find_named(*points, point)) return true;
    complain(path, no_such_point(owner, point, points));
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
    if (check_mover(path, name) && !turns(name))
      complain(path, fmt::format("'{}' cannot turn: {} needs a rigid or planar body", name, what));
  }
  /// `body` and `to` of a joint or bushing.
  bool check_ends(const std::string& path, const std::string& body, const std::string& to,
                  std::string_view what) {
    bool good = check_mover(path + ".body", body, " (the ground or a frame can stand in `to`)");
    if (to != "ground" && owner_of(to) != to && carriers_.contains(owner_of(to))) {
      complain(path + ".to", fmt::format("'{}' is a point; name '{}' here", shorten(to), owner_of(to)));
      return false;
    }
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
    if (kind == "distance") check_distance(path, joint);
    check_direction(path + ".axis", joint.axis);
    if (kind == "universal") {
      check_direction(path + ".second_axis", joint.second_axis);
      if (std::abs(joint.axis.normalized().dot(joint.second_axis.normalized())) > 1e-6)
        complain(path + ".second_axis",
                 fmt::format("{} is not allowed; it must be perpendicular to `axis`, which is {}",
                             text_of(joint.second_axis), text_of(joint.axis)));
    }
    if (kind == "screw" && joint.pitch == 0)
      complain(path + ".pitch", "0 is not allowed; a screw without pitch is a hinge");
    if (joint.friction > 0)
      complain(path + ".friction",
               fmt::format("{} is not available: this version has no friction in joints; set it "
                           "to 0 or leave it out",
                           joint.friction));
    if (joint.drive) {
      const Drive& d = *joint.drive;
      if (const int count = d.coordinate.has_value() + d.speed.has_value() + d.load.has_value(); count != 1)
        complain(path + ".drive",
                 fmt::format("{} of them are given; give exactly one of coordinate, speed and load", count));
    }
    if (joint.limits) {
      const Limits& l = *joint.limits;
      if (l.lower && l.upper && *l.lower > *l.upper)
        complain(path + ".limits.upper",
                 fmt::format("{} is not allowed; it must be at least lower = {}", *l.upper, *l.lower));
      if (!l.lower && !l.upper) complain(path + ".limits", "it holds nothing; give `lower`, `upper` or both");
    }
    if (!check_ends(path, joint.body, joint.to, kind)) return;
    const bool needs_turning =
        kind != "ball" && kind != "distance" && kind != "point_on_line" && kind != "point_on_plane";
    for (const auto* end : {&joint.body, &joint.to})
      if (needs_turning && *end != "ground" && !turns(*end))
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
      complain(path + ".axis",
               fmt::format("{} is not allowed; a hinge of planar bodies turns about [0, 0, 1]",
                           text_of(joint.axis)));
    if (kind == "slider" || kind == "point_on_line" || kind == "point_on_plane")
      check_in_plane(path + ".axis", joint.axis);
  }
  void check_in_plane(const std::string& path, const Vector3& direction) {
    if (std::abs(direction.normalized().z()) > 1e-9)
      complain(path, fmt::format("{} is not allowed; it must lie in the x-y plane of planar bodies",
                                 text_of(direction)));
  }
  void check_distance(const std::string& path, const JointBase& joint) {
    if (joint.at && !joint.body_point && !joint.to_point)
      complain(path + ".at", "a distance between a place and itself is 0; give `body_point` and `to_point`");
    if (!joint.at && joint.body_point && !joint.to_point)
      complain(path + ".to_point", "a distance needs both points");
    if (joint.length && joint.length->is_constant() && joint.length->value(0) <= 0)
      complain(path + ".length",
               fmt::format("{} is not allowed; length must be > 0 (a ball joint holds two points together)",
                           joint.length->value(0)));
  }
  /// The name of a joint with a coordinate.
  bool check_coordinate(const std::string& path, const std::string& name) {
    Names with_coordinate;
    for (const auto& joint : model_.joints)
      if (has_coordinate(joint)) with_coordinate.emplace(name_of(joint), 0);
    if (!joints_.contains(name)) return check_reference(path, "joint", name, with_coordinate);
    if (with_coordinate.contains(name)) return true;
    complain(path, fmt::format("'{}' has no coordinate; name a hinge or a slider", name));
    return false;
  }
  void check_gear(const std::string& path, const Gear& gear) {
    if (gear.joints[0].empty() || gear.joints[1].empty())
      return complain(path + ".joints", "name two hinges or sliders");
    for (int k = 0; k < 2; ++k) check_coordinate(fmt::format("{}.joints[{}]", path, k), gear.joints[k]);
    if (gear.joints[0] == gear.joints[1])
      complain(path + ".joints", fmt::format("'{}' stands twice; name two different joints", gear.joints[0]));
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
    bool good = check_point(path + ".pin", given.pin, bodies_);
    if (given.hole != "ground") good = check_point(path + ".hole", given.hole, carriers_) && good;
    check_direction(path + ".axis", given.axis);
    const std::string pin = owner_of(given.pin), hole = owner_of(given.hole);
    if (good && pin == hole)
      complain(path + ".hole", fmt::format("pin and hole both belong to '{}'; name another body, a frame or "
                                           "`ground`",
                                           pin));
    if (good && is_planar(pin) && is_planar(hole) &&
        std::abs(std::abs(given.axis.normalized().z()) - 1) > 1e-9)
      complain(path + ".axis",
               fmt::format("{} is not allowed; the hole of planar bodies has the axis [0, 0, 1]",
                           text_of(given.axis)));
    check_clearance_friction(path, given.friction);
    if (given.pin_radius > given.hole_radius)
      complain(path + ".pin_radius",
               fmt::format("{} is not allowed; the pin must fit into the hole of radius {}", given.pin_radius,
                           given.hole_radius));
  }
  void check_clearance(const std::string& path, const Slot& given) {
    if (given.points.empty()) complain(path + ".points", "the list is empty; name at least one point");
    if (given.in != "ground") check_reference(path + ".in", "body", given.in, carriers_);
    check_direction(path + ".normal", given.normal);
    bool all_planar = is_planar(given.in);
    std::set<std::string> seen;
    for (size_t i = 0; i < given.points.size(); ++i) {
      const std::string where = fmt::format("{}.points[{}]", path, i);
      if (!check_point(where, given.points[i], bodies_)) return;
      all_planar = all_planar && is_planar(owner_of(given.points[i]));
      if (owner_of(given.points[i]) == given.in)
        complain(where, fmt::format("'{}' belongs to '{}', which has the slot; name a point of another body",
                                    given.points[i], given.in));
      if (!seen.insert(given.points[i]).second)
        complain(where, fmt::format("'{}' stands twice; name each point once", given.points[i]));
    }
    if (all_planar && given.normal.norm() > 0) check_in_plane(path + ".normal", given.normal);
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
    if (*end.body == "ground") {
      complain(path + ".body", "'ground' is no place; give a point fixed in space as `{point: [x, y, z]}`");
      return std::nullopt;
    }
    if (!check_point(path + ".body", *end.body, carriers_)) return std::nullopt;
    const auto body = bodies_.find(owner_of(*end.body));
    if (body == bodies_.end()) return std::nullopt;  // a frame
    return place_of(model_.bodies[static_cast<size_t>(body->second)], *end.body);
  }
  /// The place of a body or of one of its points at the start, before joints are closed.
  static Vector3 place_of(const Body& body, const std::string& reference) {
    const auto dot = reference.find('.');
    if (dot == reference.npos) return position_of(body);
    const Vector3& local = *find_named(*points_of(body), reference.substr(dot + 1));
    if (const auto* planar = std::get_if<PlanarBody>(&body))
      return planar->position + Eigen::AngleAxisd(planar->angle, Vector3::UnitZ()) * local;
    const auto& o = std::get<RigidBody>(body).orientation;
    return position_of(body) + Quaternion(o.w, o.x, o.y, o.z) * local;
  }

  void check_spring(const std::string& path, const Spring& spring) {
    const auto from = check_end(path + ".from", spring.from);
    const auto to = check_end(path + ".to", spring.to);
    if (spring.from.body && spring.to.body && owner_of(*spring.from.body) == owner_of(*spring.to.body))
      complain(path + ".to", fmt::format("'{}' is at both ends; a spring needs two different ends",
                                         owner_of(*spring.to.body)));
    const auto is_prescribed = [&](const Attachment& end) {
      return end.point || (end.body && frames_.contains(owner_of(*end.body)));
    };
    if (spring.from.point && spring.to.point)
      complain(path + ".to", "both ends are fixed in space; a spring needs at least one body");
    else if (is_prescribed(spring.from) && is_prescribed(spring.to))
      complain(path + ".to", "both ends move as prescribed; a spring needs at least one body");
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
    const bool good = check_ends(path, bushing.body, bushing.to, "bushing");
    for (const auto& [end, name] : {std::pair(&bushing.body, ".body"), std::pair(&bushing.to, ".to")})
      if (good && *end != "ground" && !turns(*end))
        complain(path + name, fmt::format("'{}' cannot turn: a bushing needs a rigid or planar body", *end));
    check_components(path, "stiffness", bushing.stiffness, allow::nonnegative);
    check_components(path, "rotational_stiffness", bushing.rotational_stiffness, allow::nonnegative);
    check_components(path, "damping", bushing.damping, allow::nonnegative);
    check_components(path, "rotational_damping", bushing.rotational_damping, allow::nonnegative);
    check_matrix(path, "stiffness", bushing.stiffness_matrix,
                 bushing.stiffness.isZero(0) && bushing.rotational_stiffness.isZero(0));
    check_matrix(path, "damping", bushing.damping_matrix,
                 bushing.damping.isZero(0) && bushing.rotational_damping.isZero(0));
  }
  void check_matrix(const std::string& bushing, const std::string& kind,
                    const std::optional<std::vector<std::vector<double>>>& matrix, bool is_alone) {
    if (!matrix) return;
    const std::string path = fmt::format("{}.{}_matrix", bushing, kind);
    if (!is_alone)
      return complain(
          path,
          fmt::format("`{}` or `rotational_{}` is given too; give either these or the matrix", kind, kind));
    if (matrix->size() != 6)
      return complain(path, fmt::format("it has {} rows; it must have 6 rows of 6 numbers", matrix->size()));
    MatrixX values(6, 6);
    for (int i = 0; i < 6; ++i) {
      const auto& row = (*matrix)[static_cast<size_t>(i)];
      if (row.size() != 6)
        return complain(
            fmt::format("{}[{}]", path, i),
            fmt::format("it has {} numbers; the matrix must have 6 rows of 6 numbers", row.size()));
      for (int j = 0; j < 6; ++j) values(i, j) = row[static_cast<size_t>(j)];
    }
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < i; ++j)
        if (values(i, j) != values(j, i))
          return complain(fmt::format("{}[{}][{}]", path, i, j),
                          fmt::format("{} is not allowed; the matrix must be symmetric, and [{}][{}] is {}",
                                      values(i, j), j, i, values(j, i)));
    if (!values.allFinite()) return;
    const VectorX eigenvalues =
        Eigen::SelfAdjointEigenSolver<MatrixX>(values, Eigen::EigenvaluesOnly).eigenvalues();
    if (eigenvalues[0] < -1e-9 * eigenvalues.cwiseAbs().maxCoeff())
      complain(path,
               fmt::format("its smallest eigenvalue is {:.6g}; it must be at least 0: a negative {} feeds "
                           "energy in",
                           eigenvalues[0], kind));
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

}  // namespace percuss
