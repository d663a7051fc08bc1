#include "percuss/simulation/body_probes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/model/references.h"
#include "percuss/simulation/flexible_probes.h"
#include "percuss/simulation/probe_syntax.h"

namespace percuss {
namespace {

bool is_point_quantity(std::string_view name) {
  return name == "position" || name == "velocity" || name == "displacement" || name == "speed";
}

PoseAndVelocity placed(const Simulation& s, int body) {
  return place(s.assembly().system.bodies[body], s.state().q, s.state().v, s.time());
}

/// How far the floating frame has turned ahead of one of its nodes, about z.
Probe lag(const BodyData& node) {
  const Vector3 X = node.start - node.frame_origin;
  if (X.head<2>().isZero(0)) throw ProbeError("a node at the centre of mass has no direction");
  const int x = node.dof[0], y = node.dof[1];
  return {"rad", [X, x, y](const Simulation& s) {
            const double now_x = X.x() + s.state().q[x], now_y = X.y() + s.state().q[y];
            return std::atan2(now_x * X.y() - now_y * X.x(), now_x * X.x() + now_y * X.y());
          }};
}

/// Reads what stands behind the name of a body.
class BodyProbes {
 public:
  BodyProbes(const System& system, const std::string& text) : system_(system), text_(text) {}

  Probe body(const std::vector<std::string>& parts) const {
    if (const FlexibleData* data = find_flexible(system_, parts[0])) return flexible(*data, parts);
    const int index = find_body(system_, parts[0]);
    if (index < 0) {
      std::vector<std::string> names = {"time",   "energy", "contacts", "contact",
                                        "spring", "joint",  "joints",   "steps"};
      for (const auto& b : system_.bodies)
        if (b.name.find('.') == b.name.npos) names.push_back(b.name);
      for (const auto& u : system_.user_systems) names.push_back(u.name);
      probe_syntax::unknown("name", parts[0], names);
    }
    return body(parts, index);
  }

 private:
  /// A node, or the body as a whole.
  Probe flexible(const FlexibleData& data, std::vector<std::string> parts) const {
    const auto nodes = parts.size() > 1 ? data.nodes(parts[1]) : std::vector<int>{};
    if (nodes.empty() && parts.size() > 2 && !is_body_quantity(parts[1]))
      require_node(system_, parts[0] + "." + parts[1]);
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
      const int axis = probe_syntax::axis_of(parts[2]);
      return {"rad/s", [index, axis](const Simulation& s) {
                const PoseAndVelocity p = placed(s, index);
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
      probe_syntax::unknown(next == 1 ? "quantity of a body" : "quantity of a point", what, known);
    }
    if (parts.size() != next + 2) throw ProbeError(fmt::format("'{}' is a vector; add .x, .y or .z", text_));
    const int axis = probe_syntax::axis_of(parts[next + 1]);
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

  const System& system_;
  const std::string& text_;
};

}  // namespace

Probe probe_of_body(const System& system, const std::vector<std::string>& parts, const std::string& text) {
  return BodyProbes(system, text).body(parts);
}

Probe user_probe(const System& system, int number, const std::vector<std::string>& parts) {
  const UserSystemData& user = system.user_systems[number];
  const auto names = user.equations->coordinate_names();
  const auto found = parts.size() < 2 ? names.end() : std::find(names.begin(), names.end(), parts[1]);
  if (found == names.end()) probe_syntax::unknown("coordinate", parts.size() < 2 ? "" : parts[1], names);
  const int i = user.first + static_cast<int>(found - names.begin());
  if (parts.size() == 2) return {"1", [i](const Simulation& s) { return s.state().q[i]; }};
  if (parts.size() == 3 && parts[2] == "rate")
    return {"1/s", [i](const Simulation& s) { return s.state().v[i]; }};
  probe_syntax::unknown("quantity of a coordinate", parts[2], {"rate"});
}

}  // namespace percuss
