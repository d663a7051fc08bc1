#include "percuss/simulation/probe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "percuss/math/nearest_name.h"
#include "percuss/model/references.h"
#include "percuss/simulation/flexible_probes.h"

namespace percuss {
namespace {

std::string trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

[[noreturn]] void unknown(std::string_view what, const std::string& name, std::vector<std::string> known) {
  std::sort(known.begin(), known.end());
  if (const auto nearest = nearest_name(name, known))
    throw ProbeError(fmt::format("unknown {} '{}'; did you mean '{}'?", what, name, *nearest));
  if (known.size() > 12) throw ProbeError(fmt::format("unknown {} '{}'", what, name));
  throw ProbeError(fmt::format("unknown {} '{}'; known: {}", what, name, fmt::join(known, ", ")));
}

int axis_of(const std::string& name) {
  if (name == "x" || name == "y" || name == "z") return name[0] - 'x';
  throw ProbeError(fmt::format("unknown component '{}'; it must be x, y or z", name));
}

std::vector<std::string> contact_names(const Assembly& assembly) {
  std::vector<std::string> names;
  for (const auto& contact : assembly.contacts.contacts) {
    const std::string owner = contact.first.substr(0, contact.first.find('.'));
    const bool is_node = find_flexible(assembly.system, owner) != nullptr;  // not one line for each
    std::string name = fmt::format("({}, {})", is_node ? owner : contact.first, contact.second);
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Splits `name(arguments).rest`; false if the text has no parenthesis.
bool split_call(const std::string& text, std::string& name, std::string& arguments, std::string& rest) {
  const auto open = text.find('(');
  if (open == text.npos) return false;
  const auto close = text.find(')', open);
  if (close == text.npos) throw ProbeError("a closing parenthesis is missing");
  if (close + 1 >= text.size() || text[close + 1] != '.')
    throw ProbeError(
        fmt::format("a quantity is missing after '{}', for example .force", text.substr(0, close + 1)));
  name = trim(text.substr(0, open));
  arguments = trim(text.substr(open + 1, close - open - 1));
  rest = text.substr(close + 2);
  return true;
}

}  // namespace

const std::vector<ProbeForm> probe_forms = {
    {"time", "s", "time"},
    {"BODY.position.x", "m", "component x, y or z of the position of a body's centre"},
    {"BODY.velocity.x", "m/s", "component of its velocity"},
    {"BODY.displacement.x", "m", "component of its displacement since the start"},
    {"BODY.speed", "m/s", "magnitude of its velocity"},
    {"BODY.POINT.position.x", "m", "the same four for a named point of a body"},
    {"BODY.angle", "rad", "angle of a planar body"},
    {"BODY.angular_velocity", "rad/s", "of a planar body"},
    {"BODY.omega.x", "rad/s", "angular velocity of a rigid body in its own axes"},
    {"BODY.orientation.w", "1", "component w, x, y or z of the attitude of a rigid body"},
    {"BODY.NODE.position.x", "m",
     "the same of a node of a flexible body: `rod.last`, `rod.12`, a named point"},
    {"BODY.SET.displacement.x", "m", "mean over a node set such as `cube.z_max`; also position, velocity"},
    {"BODY.rotation.x", "rad",
     "of a flexible body: rotation vector of its floating frame, or of the rigid motion that fits it best"},
    {"BODY.deformation", "m", "of a flexible body: largest displacement of a node against that motion"},
    {"BODY.NODE.lag", "rad", "angle about z by which a floating frame has turned ahead of one of its nodes"},
    {"BODY.NODE.spin", "rad/s", "of a node of a shaft: rate of its spin; spin_angle with its turns [rad]"},
    {"BODY.stress", "Pa", "of a flexible body: largest stress of its elements (von Mises in solids)"},
    {"contact(SET, OBSTACLE).force", "N",
     "sum over a node set such as `cube.z_min`; also .impulse, .closed (number), .gap (smallest) and "
     ".pressure"},
    {"contact(NODE, OBSTACLE).pressure", "Pa", "force on a node of a solid over its share of the surface"},
    {"SYSTEM.COORDINATE", "1", "coordinate of a user's system"},
    {"SYSTEM.COORDINATE.rate", "1/s", "its velocity"},
    {"energy", "J", "kinetic + potential + strain energy"},
    {"energy.COLUMN", "J",
     "kinetic, potential, strain, work_loads, work_drives, loss_dampers, loss_impacts, loss_friction, "
     "loss_algorithmic or initial"},
    {"contact(BODY, OBSTACLE).gap", "m", "distance, negative = penetration; a face of a box is `room.x_min`"},
    {"contact(BODY, OBSTACLE).velocity", "m/s", "normal relative velocity, positive = separating"},
    {"contact(BODY, OBSTACLE).force", "N", "normal force in the last step; 0 in a step with an impact"},
    {"contact(BODY, OBSTACLE).friction", "N", "magnitude of the tangential force, likewise"},
    {"contact(BODY, OBSTACLE).sliding", "m/s", "magnitude of the tangential relative velocity"},
    {"contact(BODY, OBSTACLE).impulse", "N s", "sum of all normal impulses so far"},
    {"contact(BODY, OBSTACLE).status", "1", "0 open, 1 stick, 2 slip, 3 impact"},
    {"contact(JOINT, friction).force", "N or N m",
     "dry friction in a joint; also .velocity, .impulse, .status, and without sign .friction, .sliding"},
    {"contacts.min_gap", "m", "smallest gap of all contacts"},
    {"contacts.closed", "1", "number of contacts that carry a reaction"},
    {"contacts.impulse", "N s", "sum of all normal impulses of all contacts so far"},
    {"joint(NAME).coordinate", "rad or m", "angle of a hinge, with its turns, or position of a slider"},
    {"joint(NAME).rate", "rad/s or m/s", "its velocity"},
    {"joint(NAME).force", "N", "magnitude of the joint's multipliers in the last step (torques in N m)"},
    {"joint(NAME).drift", "m or rad", "how far it is open: largest |g| of its rows"},
    {"joints.drift", "m or rad", "largest |g| of all joints"},
    {"steps.count", "1", "steps so far, with the short ones of a scheme that divides its steps"},
    {"steps.impulsive", "1", "those of them in which there was an impact"},
    {"steps.size", "s", "time that the last step took; of adaptive steps the half of an interval"},
    {"steps.rejected", "1", "tries of adaptive steps that were too inaccurate so far"},
    {"joints.velocity_drift", "m/s or rad/s", "largest |dg/dt| of all joints"},
    {"spring(NAME).length", "m", "length of a spring (along its axis if it has one)"},
    {"spring(NAME).elongation", "m", "length minus rest length; of a joint spring its angle"},
    {"spring(NAME).force", "N", "tension, damper included"}};

/// Reads the text of one probe.
class ProbeParser {
 public:
  ProbeParser(const std::string& text, const Assembly& assembly)
      : text_(text), assembly_(assembly), system_(assembly.system) {}

  Probe parse() const {
    std::string name, arguments, rest;
    if (split_call(text_, name, arguments, rest)) {
      if (name == "contact") return contact(arguments, rest);
      if (name == "spring") return spring(arguments, rest);
      if (name == "joint") return joint(arguments, rest);
      unknown("probe", name, {"contact", "spring", "joint"});
    }
    const auto parts = split(text_);
    if (text_ == "time") return {"s", [](const Simulation& s) { return s.time(); }};
    if (text_ == "energy") return {"J", [](const Simulation& s) { return s.energy().total(); }};
    if (parts[0] == "energy" && parts.size() == 2) return energy(parts[1]);
    if (parts[0] == "contacts" && parts.size() == 2) return contacts(parts[1]);
    if (parts[0] == "joints" && parts.size() == 2) return joints(parts[1]);
    if (parts[0] == "steps" && parts.size() == 2) return steps(parts[1]);
    for (size_t s = 0; s < system_.user_systems.size(); ++s)
      if (system_.user_systems[s].name == parts[0]) return user_coordinate(static_cast<int>(s), parts);
    if (parts.size() == 1 && (text_ == "contacts" || text_ == "joints" || text_ == "steps"))
      throw ProbeError(fmt::format("'{}' needs a quantity, for example {}", text_,
                                   text_ == "joints"  ? "joints.drift"
                                   : text_ == "steps" ? "steps.impulsive"
                                                      : "contacts.min_gap"));
    return body(parts);
  }

 private:
  static std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    for (size_t begin = 0; begin <= text.size();) {
      const auto dot = std::min(text.find('.', begin), text.size());
      parts.push_back(text.substr(begin, dot - begin));
      begin = dot + 1;
    }
    return parts;
  }

  Probe contact(const std::string& arguments, const std::string& what) const {
    const auto comma = arguments.find(',');
    if (comma == arguments.npos) throw ProbeError("contact needs two names: contact(body, obstacle)");
    const std::string first = trim(arguments.substr(0, comma)), second = trim(arguments.substr(comma + 1));
    const int c = find_contact(assembly_.contacts, first, second);
    if (c < 0)
      if (auto set = contacts_of_set(assembly_, first, second); !set.empty())
        return contact_set_probe(assembly_, std::move(set), what);
    if (c < 0) require_node(first);
    if (c < 0) unknown("contact", "(" + first + ", " + second + ")", contact_names(assembly_));
    const Contact& found = assembly_.contacts.contacts[c];
    const bool turns = is_in_hinge(found);
    if (!found.has_gap()) {
      if (what == "gap") throw ProbeError("dry friction in a joint has no gap; ask for .velocity or .force");
      if (what == "friction")
        return {turns ? "N m" : "N", [c](const Simulation& s) { return std::abs(s.contact_force(c)[0]); }};
      if (what == "sliding")
        return {turns ? "rad/s" : "m/s",
                [c](const Simulation& s) { return std::abs(s.contact_velocity(c)); }};
    }
    if (found.kind == ContactKind::limit && (what == "friction" || what == "sliding"))
      throw ProbeError(
          fmt::format("the stop of a joint has no friction; ask for contact({}, friction).{}", first, what));
    if (what == "gap") return {turns ? "rad" : "m", [c](const Simulation& s) { return s.gap(c); }};
    if (what == "velocity")
      return {turns ? "rad/s" : "m/s", [c](const Simulation& s) { return s.contact_velocity(c); }};
    if (what == "force")
      return {turns ? "N m" : "N", [c](const Simulation& s) { return s.contact_force(c)[0]; }};
    if (what == "pressure") return pressure_probe(assembly_, {c});
    if (what == "friction")
      return {"N", [c](const Simulation& s) { return s.contact_force(c).tail<2>().norm(); }};
    if (what == "sliding")
      return {"m/s", [c](const Simulation& s) { return s.view_contact(c).velocity.tail<2>().norm(); }};
    if (what == "impulse")
      return {turns ? "N m s" : "N s", [c](const Simulation& s) { return s.contact_sums(c).impulse; }};
    if (what == "status")
      return {"1", [c](const Simulation& s) { return static_cast<double>(s.state().contact_status[c]); }};
    unknown("quantity of a contact", what,
            {"gap", "velocity", "sliding", "force", "friction", "impulse", "status"});
  }

  /// Its gap is an angle, its force a torque.
  bool is_in_hinge(const Contact& contact) const {
    if (contact.kind != ContactKind::limit && contact.kind != ContactKind::dry_joint) return false;
    return system_.joints.joints[system_.joints.find(contact.first)].is_angle;
  }

  Probe contacts(const std::string& what) const {
    if (what == "min_gap")
      return {"m", [](const Simulation& s) {
                constexpr double none = std::numeric_limits<double>::max();
                double smallest = none;
                for (int c = 0; c < s.contact_count(); ++c)
                  if (s.assembly().contacts.contacts[c].has_gap()) smallest = std::min(smallest, s.gap(c));
                return smallest == none ? 0.0 : smallest;
              }};
    if (what == "closed")
      return {"1", [](const Simulation& s) {
                int closed = 0;
                for (int c = 0; c < s.contact_count(); ++c)
                  closed += s.assembly().contacts.contacts[c].has_gap() && s.state().reaction[3 * c] > 0;
                return static_cast<double>(closed);
              }};
    if (what == "impulse")
      return {"N s", [](const Simulation& s) {
                double sum = 0;
                for (int c = 0; c < s.contact_count(); ++c)
                  if (s.assembly().contacts.contacts[c].has_gap()) sum += s.contact_sums(c).impulse;
                return sum;
              }};
    unknown("quantity of the contacts", what, {"min_gap", "closed", "impulse"});
  }

  Probe energy(const std::string& what) const {
    std::vector<std::string> names;
    for (const auto& column : ledger_columns) {
      if (column.name == what)
        return {"J", [member = column.member](const Simulation& s) { return s.energy().*member; }};
      names.emplace_back(column.name);
    }
    unknown("energy", what, names);
  }

  Probe joints(const std::string& what) const {
    if (what == "drift") return {"m", [](const Simulation& s) { return s.joint_drift(); }};
    if (what == "velocity_drift")
      return {"m/s", [](const Simulation& s) { return s.joint_velocity_drift(); }};
    unknown("quantity of the joints", what, {"drift", "velocity_drift"});
  }

  Probe joint(const std::string& name, const std::string& what) const {
    const int index = system_.joints.find(name);
    if (index < 0) {
      std::vector<std::string> names;
      for (const auto& j : system_.joints.joints) names.push_back(j.name);
      unknown("joint", name, names);
    }
    const JointData& data = system_.joints.joints[index];
    const int first = data.first_row, end = data.first_row + data.row_count;
    if (what == "force")
      return {"N", [first, end](const Simulation& s) {
                double sum = 0;
                for (int i = first; i < end; ++i)
                  sum += s.state().joint_impulse[i] * s.state().joint_impulse[i];
                return s.last_step_size() > 0 ? std::sqrt(sum) / s.last_step_size() : 0.0;
              }};
    if (what == "drift")
      return {"m", [first, end](const Simulation& s) {
                VectorX g = VectorX::Zero(s.assembly().system.constraint_count());
                constraint_values(s.assembly().system, s.kinematics(), s.time(), g);
                return end > first ? g.segment(first, end - first).lpNorm<Eigen::Infinity>() : 0.0;
              }};
    if (what != "coordinate" && what != "rate")
      unknown("quantity of a joint", what, {"coordinate", "rate", "force", "drift"});
    const int c = data.coordinate;
    if (c < 0)
      throw ProbeError(fmt::format("'{}' has no coordinate; only hinges and sliders have one", name));
    if (what == "rate")
      return {data.is_angle ? "rad/s" : "m/s", [c](const Simulation& s) {
                return rate(s.assembly().system.joints.coordinates[c], s.kinematics());
              }};
    return {data.is_angle ? "rad" : "m", [c](const Simulation& s) {
              return evaluate(s.assembly().system.joints.coordinates[c], s.kinematics());
            }};
  }

  Probe user_coordinate(int system, const std::vector<std::string>& parts) const {
    const UserSystemData& user = system_.user_systems[system];
    const auto names = user.equations->coordinate_names();
    const auto found = parts.size() < 2 ? names.end() : std::find(names.begin(), names.end(), parts[1]);
    if (found == names.end()) unknown("coordinate", parts.size() < 2 ? "" : parts[1], names);
    const int i = user.first + static_cast<int>(found - names.begin());
    if (parts.size() == 2) return {"1", [i](const Simulation& s) { return s.state().q[i]; }};
    if (parts.size() == 3 && parts[2] == "rate")
      return {"1/s", [i](const Simulation& s) { return s.state().v[i]; }};
    unknown("quantity of a coordinate", parts[2], {"rate"});
  }

  /// Throws if the name is one of a node that a flexible body does not have.
  void require_node(const std::string& name) const {
    const auto dot = name.find('.');
    const FlexibleData* data = find_flexible(system_, name.substr(0, dot));
    if (data && dot != name.npos && data->nodes(name.substr(dot + 1)).empty())
      throw ProbeError(no_such_node(data->declared, *data->mesh, name.substr(dot + 1)));
  }

  /// A node, or the body as a whole.
  Probe flexible(const FlexibleData& data, std::vector<std::string> parts) const {
    const auto nodes = parts.size() > 1 ? data.nodes(parts[1]) : std::vector<int>{};
    if (nodes.empty() && parts.size() > 2 && !is_body_quantity(parts[1]))
      require_node(parts[0] + "." + parts[1]);
    if (nodes.empty()) return body_probe(data, {parts.begin() + 1, parts.end()}, text_);
    if (nodes.size() > 1 && parts.size() == 4) return node_set_probe(nodes, parts[2], parts[3]);
    if (nodes.size() > 1)
      throw ProbeError(fmt::format(
          "'{}.{}' is a set of {} nodes; name a single node, or ask for the mean of a component as in "
          "'{}.{}.displacement.x'",
          parts[0], parts[1], nodes.size(), parts[0], parts[1]));
    parts.erase(parts.begin());
    const BodyData& node = system_.bodies[static_cast<size_t>(nodes[0])];
    if (const Vector3* arm = find_named(node.points, parts[0])) {
      const bool is_place = parts.size() > 1 && is_point_quantity(parts[1]);
      if (is_place || parts.size() == 1) return point_probe({nodes[0], *arm}, parts, 1, node);
    }
    return body(parts, nodes[0]);
  }

  Probe body(const std::vector<std::string>& parts) const {
    if (const FlexibleData* data = find_flexible(system_, parts[0])) return flexible(*data, parts);
    const int index = find_body(system_, parts[0]);
    if (index < 0) {
      std::vector<std::string> names = {"time",   "energy", "contacts", "contact",
                                        "spring", "joint",  "joints",   "steps"};
      for (const auto& b : system_.bodies)
        if (b.name.find('.') == b.name.npos) names.push_back(b.name);
      for (const auto& u : system_.user_systems) names.push_back(u.name);
      unknown("name", parts[0], names);
    }
    return body(parts, index);
  }

  /// `parts` begins with the name of the body.
  Probe body(const std::vector<std::string>& parts, int index) const {
    const BodyData& data = system_.bodies[index];
    if (parts.size() == 2 && data.kind == BodyKind::planar) {
      const int i = data.dof[5];
      if (parts[1] == "angle") return {"rad", [i](const Simulation& s) { return s.state().q[i]; }};
      if (parts[1] == "angular_velocity")
        return {"rad/s", [i](const Simulation& s) { return s.state().v[i]; }};
    }
    if (parts.size() == 2 && data.kind == BodyKind::shaft) {
      const int i = data.dof[3];
      if (parts[1] == "spin_angle") return {"rad", [i](const Simulation& s) { return s.state().q[i]; }};
      if (parts[1] == "spin") return {"rad/s", [i](const Simulation& s) { return s.state().v[i]; }};
    }
    const bool rigid =
        data.kind == BodyKind::spatial || data.kind == BodyKind::natural || data.kind == BodyKind::shaft;
    if (parts.size() == 3 && rigid && parts[1] == "omega") {
      const int axis = axis_of(parts[2]);
      return {"rad/s", [index, axis](const Simulation& s) {
                const Placement p = placed(s, index);
                return unskew(p.R.transpose() * p.R_dot)[axis];
              }};
    }
    if (parts.size() == 3 && rigid && parts[1] == "orientation") {
      const auto component = std::string_view("xyzw").find(parts[2]);
      if (parts[2].size() != 1 || component == std::string_view::npos)
        throw ProbeError(fmt::format("unknown component '{}'; it must be w, x, y or z", parts[2]));
      return {"1", [index, component](const Simulation& s) {
                return Quaternion(placed(s, index).R).coeffs()[static_cast<Eigen::Index>(component)];
              }};
    }
    if (parts.size() == 2 && parts[1] == "lag" && data.kind == BodyKind::floating) return lag(data);
    Attached point{index, Vector3::Zero()};
    size_t next = 1;
    if (parts.size() > 1)
      if (const Vector3* local = find_named(data.points, parts[1])) {
        point.local = *local;
        next = 2;
      }
    return point_probe(point, parts, next, data);
  }

  /// How far the floating frame has turned ahead of one of its nodes, about z.
  static Probe lag(const BodyData& node) {
    const Vector3 X = node.start - node.frame_origin;
    if (X.head<2>().isZero(0)) throw ProbeError("a node at the centre of mass has no direction");
    const int x = node.dof[0], y = node.dof[1];
    return {"rad", [X, x, y](const Simulation& s) {
              const double now_x = X.x() + s.state().q[x], now_y = X.y() + s.state().q[y];
              return std::atan2(now_x * X.y() - now_y * X.x(), now_x * X.x() + now_y * X.y());
            }};
  }

  Probe point_probe(const Attached& point, const std::vector<std::string>& parts, size_t next,
                    const BodyData& data) const {
    const std::string what = parts.size() > next ? parts[next] : "";
    if (what == "speed" && parts.size() == next + 1)
      return {"m/s", [point](const Simulation& s) { return point.rate(placed(s, point.body)).norm(); }};
    if (what != "position" && what != "velocity" && what != "displacement") {
      std::vector<std::string> known = {"position", "velocity", "displacement", "speed"};
      if (next == 1 && data.kind == BodyKind::planar)
        known.insert(known.end(), {"angle", "angular_velocity"});
      if (next == 1 && (data.kind == BodyKind::spatial || data.kind == BodyKind::natural))
        known.insert(known.end(), {"omega", "orientation"});
      if (next == 1 && data.kind == BodyKind::shaft)
        known.insert(known.end(), {"omega", "orientation", "spin", "spin_angle"});
      if (next == 1)
        for (const auto& [name, place] : data.points) known.push_back(name);
      if (what.empty())
        throw ProbeError(fmt::format("'{}' needs a quantity, for example {}.position.x", text_, text_));
      if (std::find(known.begin(), known.end(), what) != known.end())
        throw ProbeError(fmt::format("'{}' is a vector; add a component such as .x", text_));
      unknown(next == 1 ? "quantity of a body" : "quantity of a point", what, known);
    }
    if (parts.size() != next + 2) throw ProbeError(fmt::format("'{}' is a vector; add .x, .y or .z", text_));
    const int axis = axis_of(parts[next + 1]);
    if (what == "velocity")
      return {"m/s", [point, axis](const Simulation& s) { return point.rate(placed(s, point.body))[axis]; }};
    double start = 0;
    if (what == "displacement") {
      const State& initial = system_.initial;
      start = point.value(place(data, initial.q, initial.v, initial.time))[axis];
    }
    return {"m", [point, axis, start](const Simulation& s) {
              return point.value(placed(s, point.body))[axis] - start;
            }};
  }

  static Probe steps(const std::string& what) {
    if (what == "count")
      return {"1", [](const Simulation& s) { return static_cast<double>(s.statistics().parts); }};
    if (what == "impulsive")
      return {"1", [](const Simulation& s) { return static_cast<double>(s.statistics().impulsive); }};
    if (what == "size") return {"s", [](const Simulation& s) { return s.last_step_size(); }};
    if (what == "rejected")
      return {"1", [](const Simulation& s) { return static_cast<double>(s.statistics().rejected); }};
    unknown("quantity of the steps", what, {"count", "impulsive", "size", "rejected"});
  }

  static bool is_point_quantity(std::string_view name) {
    return name == "position" || name == "velocity" || name == "displacement" || name == "speed";
  }

  static Placement placed(const Simulation& s, int body) {
    return place(s.assembly().system.bodies[body], s.state().q, s.state().v, s.time());
  }

  Probe spring(const std::string& name, const std::string& what) const {
    const auto& springs = system_.springs;
    const auto found =
        std::find_if(springs.begin(), springs.end(), [&](const auto& s) { return s.name == name; });
    if (found == springs.end()) {
      std::vector<std::string> names;
      for (const auto& s : springs) names.push_back(s.name);
      unknown("spring", name, names);
    }
    const SpringData data = *found;
    if (what == "elongation") return {"m", [data](const Simulation& s) { return pull(data, s).elongation; }};
    if (what == "length")
      return {"m", [data](const Simulation& s) { return pull(data, s).elongation + data.rest_length; }};
    if (what == "force") return {"N", [data](const Simulation& s) { return pull(data, s).tension; }};
    unknown("quantity of a spring", what, {"length", "elongation", "force"});
  }

  struct Pull {
    double elongation, tension;
  };
  static Pull pull(const SpringData& data, const Simulation& s) {
    const System& system = s.assembly().system;
    if (data.kind == SpringData::Kind::axis) {
      const AxisSpring& spring = system.axis_springs[data.index];
      const double elongation = spring.elongation(s.state().q);
      return {elongation, spring.stiffness * elongation + spring.damping * spring.rate(s.state().v)};
    }
    Kinematics kinematics = make_kinematics(system);
    kinematics.angles = s.state().angles;
    update(system, s.state().q, s.state().v, s.time(), kinematics);
    if (data.kind == SpringData::Kind::distance) {
      const DistanceSpring& spring = system.distance_springs[data.index];
      const SpringLine line = spring_line(spring, kinematics);
      return {line.length - spring.rest_length, -line.direction.dot(spring_force(spring, line))};
    }
    const CoordinateSpring& spring = system.coordinate_springs[data.index];
    double value[6], rates[6], tension[6];
    coordinate_spring_state(spring, kinematics, value, rates, tension);
    return {value[0], tension[0]};
  }

  const std::string& text_;
  const Assembly& assembly_;
  const System& system_;
};

Probe Probe::parse(const std::string& given, const Assembly& assembly) {
  const std::string text = trim(given);
  return ProbeParser(text, assembly).parse();
}

}  // namespace percuss
