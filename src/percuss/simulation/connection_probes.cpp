#include "percuss/simulation/connection_probes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/simulation/probe_syntax.h"

namespace percuss {
namespace {

struct Pull {
  double elongation, tension;
};
Pull pull(const SpringData& data, const Simulation& s) {
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

}  // namespace

Probe joints_probe(const std::string& what) {
  if (what == "drift") return {"m", [](const Simulation& s) { return s.joint_violation(); }};
  if (what == "velocity_drift")
    return {"m/s", [](const Simulation& s) { return s.joint_velocity_violation(); }};
  probe_syntax::unknown("quantity of the joints", what, {"drift", "velocity_drift"});
}

Probe joint_probe(const System& system, const std::string& name, const std::string& what) {
  const int index = system.joints.find(name);
  if (index < 0) {
    std::vector<std::string> names;
    for (const auto& j : system.joints.joints) names.push_back(j.name);
    probe_syntax::unknown("joint", name, names);
  }
  const JointData& data = system.joints.joints[index];
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
    probe_syntax::unknown("quantity of a joint", what, {"coordinate", "rate", "force", "drift"});
  const int c = data.coordinate;
  if (c < 0) throw ProbeError(fmt::format("'{}' has no coordinate; only hinges and sliders have one", name));
  if (what == "rate")
    return {data.is_angle ? "rad/s" : "m/s", [c](const Simulation& s) {
              return rate(s.assembly().system.joints.coordinates[c], s.kinematics());
            }};
  return {data.is_angle ? "rad" : "m", [c](const Simulation& s) {
            return evaluate(s.assembly().system.joints.coordinates[c], s.kinematics());
          }};
}

Probe spring_probe(const System& system, const std::string& name, const std::string& what) {
  const auto& springs = system.springs;
  const auto found =
      std::find_if(springs.begin(), springs.end(), [&](const auto& s) { return s.name == name; });
  if (found == springs.end()) {
    std::vector<std::string> names;
    for (const auto& s : springs) names.push_back(s.name);
    probe_syntax::unknown("spring", name, names);
  }
  const SpringData data = *found;
  if (what == "elongation") return {"m", [data](const Simulation& s) { return pull(data, s).elongation; }};
  if (what == "length")
    return {"m", [data](const Simulation& s) { return pull(data, s).elongation + data.rest_length; }};
  if (what == "force") return {"N", [data](const Simulation& s) { return pull(data, s).tension; }};
  probe_syntax::unknown("quantity of a spring", what, {"length", "elongation", "force"});
}

}  // namespace percuss
