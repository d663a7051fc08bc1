#include <algorithm>
#include <cmath>
#include <set>

#include "percuss/model/needed_laws.h"

namespace percuss {
namespace {

void check_clearance(ModelChecks& check, const std::string& path, const PinInHole& given) {
  bool good = check.point(path + ".pin", given.pin, check.bodies);
  if (given.hole != "ground") good = check.point(path + ".hole", given.hole, check.carriers) && good;
  check.direction(path + ".axis", given.axis);
  const std::string pin = owner_of(given.pin), hole = owner_of(given.hole);
  if (good && pin == hole)
    check.complain(path + ".hole",
                   fmt::format("pin and hole both belong to '{}'; name another body, a frame or "
                               "`ground`",
                               pin));
  if (good && check.is_planar(pin) && check.is_planar(hole) &&
      std::abs(std::abs(given.axis.normalized().z()) - 1) > 1e-9)
    check.complain(path + ".axis",
                   fmt::format("{} is not allowed; the hole of planar bodies has the axis [0, 0, 1]",
                               text_of(given.axis)));
  if (given.pin_radius > given.hole_radius)
    check.complain(path + ".pin_radius",
                   fmt::format("{} is not allowed; the pin must fit into the hole of radius {}",
                               given.pin_radius, given.hole_radius));
}
void check_clearance(ModelChecks& check, const std::string& path, const Slot& given) {
  if (given.points.empty()) check.complain(path + ".points", "the list is empty; name at least one point");
  check.carrier(path + ".in", "body", given.in);
  check.direction(path + ".normal", given.normal);
  bool all_planar = check.is_planar(given.in);
  std::set<std::string> seen;
  for (size_t i = 0; i < given.points.size(); ++i) {
    const std::string where = fmt::format("{}.points[{}]", path, i);
    if (!check.point(where, given.points[i], check.bodies)) return;
    all_planar = all_planar && check.is_planar(owner_of(given.points[i]));
    if (owner_of(given.points[i]) == given.in)
      check.complain(where,
                     fmt::format("'{}' belongs to '{}', which has the slot; name a point of another body",
                                 given.points[i], given.in));
    if (!seen.insert(given.points[i]).second)
      check.complain(where, fmt::format("'{}' stands twice; name each point once", given.points[i]));
  }
  if (all_planar && given.normal.norm() > 0) check.in_plane(path + ".normal", given.normal);
}
bool all_among(const std::vector<int>& nodes, const std::vector<int>& others) {
  return std::ranges::all_of(nodes,
                             [&](int node) { return std::ranges::find(others, node) != others.end(); });
}

/// Contacts of nodes that cannot move against the other side, because they are fixed to it: they would do
/// nothing, or be at odds with what fixes them.
void check_fixed_nodes(ModelChecks& check, const ResolvedContact& contact, const std::string& against,
                       const Wall* wall) {
  const FlexibleBody* body = flexible(check.model.bodies[static_cast<size_t>(contact.body)]);
  const Mesh* mesh = body && !contact.point.empty() ? check.mesh_of_body(body->name) : nullptr;
  if (!mesh) return;
  const std::vector<int> nodes = find_nodes(*body, *mesh, contact.point);
  const std::string& carrier =
      wall ? wall->frame : name_of(check.model.bodies[static_cast<size_t>(contact.other)]);
  const auto complain = [&](const std::string& how) {
    check.complain(contact.path + ".nodes",
                   fmt::format("'{}.{}' cannot touch '{}': {}; leave the contact out, or name other nodes",
                               body->name, contact.point, against, how));
  };
  if (wall && carrier == "ground")
    for (const auto& [name, directions] : body->held) {
      const auto is_held = [&, held = directions](int axis) {
        return wall->solid.normal[axis] == 0 || moves_along(held, axis);
      };
      if (is_held(0) && is_held(1) && is_held(2) && all_among(nodes, find_nodes(*body, *mesh, name)))
        return complain(
            fmt::format("`held: {{{}: {}}}` keeps its distance from it", name, enum_name(directions)));
    }
  for (const Joint& joint : check.model.joints) {
    const auto* tie = std::get_if<JointOf<JointKind::tie>>(&joint);
    if (!tie || tie->to != carrier || owner_of(tie->body) != body->name || tie->body == body->name) continue;
    if (all_among(nodes, find_nodes(*body, *mesh, tie->body.substr(body->name.size() + 1))))
      return complain(fmt::format("the tie '{}' fixes it to '{}'", tie->name, carrier));
  }
}

/// How a side of a contact between bodies is seen: as points with a radius, or as faces.
enum class Outline { none, point, round, capsule, edged, surface };
Outline outline_of(const Body& body) {
  if (flexible(body)) return Outline::surface;
  if (std::holds_alternative<Particle>(body)) return Outline::point;
  if (std::holds_alternative<Sphere>(body)) return Outline::round;
  if (const auto* rigid = std::get_if<RigidBody>(&body); rigid && rigid->shape) {
    const Shape& shape = *rigid->shape;
    return shape.sphere        ? Outline::round
           : shape.capsule     ? Outline::capsule
           : corners_of(shape) ? Outline::edged
                               : Outline::none;
  }
  if (const auto* planar = std::get_if<PlanarBody>(&body); planar && planar->shape)
    return planar->shape->disc                                ? Outline::round
           : planar->shape->profile || planar->shape->segment ? Outline::none
                                                              : Outline::edged;
  return Outline::none;
}

/// Which places of two bodies meet unseen: contacts are between corners or centres of spheres on one side and
/// faces or centres of spheres on the other. Empty if nothing is missed.
std::string unseen(Outline first, Outline second) {
  const auto between = [&](Outline a, Outline b) {
    return (first == a && second == b) || (first == b && second == a);
  };
  if (first == Outline::capsule || second == Outline::capsule)
    return "only the two ends of a capsule touch, other bodies pass through its side";
  if (between(Outline::edged, Outline::edged))
    return "only corners against faces are seen; an edge that meets an edge, or a corner that meets a "
           "corner, passes through";
  if (between(Outline::edged, Outline::round))
    return "a round body is seen against the faces only, which count as endless planes; beyond an edge or a "
           "corner it touches what is not there";
  if (first == Outline::edged && second == Outline::surface)
    return "only the corners of the body touch the surface; its faces and edges pass through";
  return {};
}

/// Bodies that would pass through each other without a word.
void check_unseen(ModelChecks& check, const ResolvedContact& contact) {
  const auto index = static_cast<size_t>(contact.body);
  const Body& body = check.model.bodies[index];
  const Body& other = check.model.bodies[static_cast<size_t>(contact.other)];
  const bool is_point = !contact.point.empty() || flexible(body);
  const std::string what = unseen(is_point ? Outline::point : outline_of(body), outline_of(other));
  if (what.empty() || contact.corners_only) return;
  check.complain(
      contact.path,
      fmt::format(
          "the contact of '{}' and '{}' would be wrong in places: {}. Write `corners_only: true` if that "
          "cannot happen in this motion; otherwise let '{}' carry half-spaces where it is touched "
          "(obstacles with `frame: {}`)",
          name_of(body), name_of(other), what, name_of(other), name_of(other)));
}

/// Values over a speed, from 0 on.
void check_table(ModelChecks& check, const std::vector<std::array<double, 2>>& table, const Range& range,
                 const std::string& path) {
  if (table.empty()) return;
  if (table.size() < 2) check.complain(path, "one point is no table; give at least two, or a number");
  if (table[0][0] != 0)
    check.complain(path + "[0]", fmt::format("the table begins at {} m/s; begin it at 0", table[0][0]));
  for (size_t i = 0; i < table.size(); ++i) {
    const std::string place = fmt::format("{}[{}]", path, i);
    if (!std::isfinite(table[i][0]) || (i > 0 && !(table[i - 1][0] < table[i][0])))
      check.complain(place, fmt::format("the speed {} is not above that of the point before", table[i][0]));
    if (!range.contains(table[i][1]))
      check.complain(place, fmt::format("{} is not allowed; it must be {}", table[i][1], describe(range)));
  }
}

void check_friction(ModelChecks& check, const FrictionDescription& friction, const std::string& path) {
  check_table(check, friction.table, allow::nonnegative, path + ".table");
  if (!friction.table.empty() && (friction.kinetic != 0 || friction.at_rest || friction.velocity))
    check.complain(path + ".table", "the table has the friction of all speeds; leave the other keys out");
  if (friction.at_rest.has_value() != friction.velocity.has_value())
    check.complain(
        path + (friction.at_rest ? ".static" : ".velocity"),
        "`static` and `velocity` belong together: friction falls from `static` to `kinetic` at about "
        "the speed `velocity`; give both");
}

void check_restitution(ModelChecks& check, const RestitutionDescription& restitution,
                       const std::string& path) {
  check_table(check, restitution.table, allow::unit_interval, path + ".table");
  if (!restitution.table.empty() && restitution.value != 0)
    check.complain(path + ".table", "the table has the restitution of all speeds; leave `value` out");
}

/// Resistance to rolling and spinning is a moment, which the points of a solid cannot bear, and which does
/// nothing where nobody turns.
void check_moments(ModelChecks& check, const PairLaw& law, const std::string& path) {
  bool anyone_turns = false, anyone_touches = false;
  for (const Body& body : check.model.bodies) {
    const std::string& material = material_of(body);
    if (material.empty() || std::ranges::find(law.between, material) == law.between.end()) continue;
    anyone_touches = true;
    if (std::holds_alternative<Solid>(body) || std::holds_alternative<Bar>(body))
      check.complain(path,
                     fmt::format("the points of '{}' ({}) bear no moments; give it a material of its own, "
                                 "with a pair without `rolling` and `spinning`",
                                 name_of(body), material));
    anyone_turns =
        anyone_turns || !(std::holds_alternative<Particle>(body) || std::holds_alternative<Sphere>(body));
  }
  if (anyone_touches && !anyone_turns)
    check.complain(
        path, fmt::format("`rolling` and `spinning` do nothing where no body can turn; describe bodies of "
                          "'{}' and '{}' as `rigid`, for instance with shape: {{sphere: ...}}, or leave "
                          "them out",
                          law.between[0], law.between[1]));
}

}  // namespace

void check_pairs(ModelChecks& check) {
  std::set<std::pair<std::string, std::string>> seen;
  for (size_t i = 0; i < check.model.pairs.size(); ++i) {
    const auto& law = check.model.pairs[i];
    const std::string path = fmt::format("pairs[{}]", i);
    if (law.between[0].empty() || law.between[1].empty()) {
      check.complain(path + ".between", "name two materials");
      continue;
    }
    for (int k = 0; k < 2; ++k)
      check.reference(fmt::format("{}.between[{}]", path, k), "material", law.between[k], check.materials);
    if (!seen.insert(std::minmax(law.between[0], law.between[1])).second)
      check.complain(path + ".between", fmt::format("the law between '{}' and '{}' is given twice",
                                                    law.between[0], law.between[1]));
    if (law.tangential_restitution > 0 && !law.friction.acts())
      check.complain(path + ".tangential_restitution",
                     fmt::format("{} has no effect without friction; give `friction` a value above 0, or "
                                 "leave it out",
                                 law.tangential_restitution));
    check_friction(check, law.friction, path + ".friction");
    check_restitution(check, law.restitution, path + ".restitution");
    if (law.has_moments()) check_moments(check, law, path + (law.rolling > 0 ? ".rolling" : ".spinning"));
  }
}

void check_clearances(ModelChecks& check) {
  for (size_t i = 0; i < check.model.clearances.size(); ++i)
    std::visit(
        [&](const auto& clearance) { check_clearance(check, fmt::format("clearances[{}]", i), clearance); },
        check.model.clearances[i]);
}

void check_contacts(ModelChecks& check) {
  std::vector<Complaint> unknown;
  const auto contacts = resolve_contacts(check.model, unknown);
  check.complaints.insert(check.complaints.end(), unknown.begin(), unknown.end());
  const auto walls = walls_of(check.model.obstacles);
  NeededLaws laws(check);
  for (const auto& contact : contacts) {
    const Body& body = check.model.bodies[static_cast<size_t>(contact.body)];
    const bool is_wall = contact.wall >= 0;
    const Body* other = is_wall ? nullptr : &check.model.bodies[static_cast<size_t>(contact.other)];
    const std::string& other_name =
        is_wall ? walls[static_cast<size_t>(contact.wall)].obstacle : name_of(*other);
    check_fixed_nodes(check, contact, other_name,
                      is_wall ? &walls[static_cast<size_t>(contact.wall)] : nullptr);
    if (other) check_unseen(check, contact);
    laws.require(
        {name_of(body), material_of(body), contact.body},
        {other_name, is_wall ? walls[static_cast<size_t>(contact.wall)].material : material_of(*other),
         contact.other});
  }
  check_world(check, laws);
}

}  // namespace percuss
