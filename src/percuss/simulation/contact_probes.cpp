#include "percuss/simulation/contact_probes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/simulation/flexible_probes.h"
#include "percuss/simulation/pair_probes.h"
#include "percuss/simulation/probe_syntax.h"

namespace percuss {
namespace {

std::vector<std::string> contact_names(const Assembly& assembly) {
  std::vector<std::string> names;
  for (const ContactName& contact : assembly.interactions.names) {
    const std::string owner = contact.first.substr(0, contact.first.find('.'));
    const bool is_node = find_flexible(assembly.system, owner) != nullptr;  // not one line for each
    std::string name = fmt::format("({}, {})", is_node ? owner : contact.first, contact.second);
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  if (const auto& things = assembly.interactions.things)
    for (const Thing& thing : things->all) names.push_back(fmt::format("({}, *)", thing.name));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Its gap is an angle, its force a torque.
bool is_in_hinge(const Assembly& assembly, const Contact& contact) {
  if (!contact.is_of_joint()) return false;
  const Joints& joints = assembly.system.joints;
  return joints.joints[joints.find(assembly.interactions.name(contact).first)].is_angle;
}

}  // namespace

Probe contact_probe(const Assembly& assembly, const std::string& arguments, const std::string& what) {
  const auto comma = arguments.find(',');
  if (comma == arguments.npos) throw ProbeError("contact needs two names: contact(body, obstacle)");
  const std::string first = probe_syntax::trim(arguments.substr(0, comma)),
                    second = probe_syntax::trim(arguments.substr(comma + 1));
  const std::string text = fmt::format("contact({}, {}).{}", first, second, what);
  const int c = find_contact(assembly.interactions, first, second);
  if (c < 0)
    if (auto set = contacts_of_set(assembly, first, second); !set.empty())
      return contact_set_probe(assembly, std::move(set), what, text);
  if (c < 0)
    if (auto pair = pair_probe(assembly, first, second, what)) return *std::move(pair);
  if (c < 0) require_node(assembly.system, first);
  if (c < 0) probe_syntax::unknown("contact", "(" + first + ", " + second + ")", contact_names(assembly));
  const Contact& found = assembly.interactions.declared[c];
  const ContactId id = found.id;
  const bool turns = is_in_hinge(assembly, found);
  if (!found.has_gap()) {
    if (what == "gap") throw ProbeError("dry friction in a joint has no gap; ask for .velocity or .force");
    if (what == "friction")
      return {turns ? "N m" : "N", [id](const Simulation& s) { return std::abs(s.contact_force(id)[0]); }};
    if (what == "sliding")
      return {turns ? "rad/s" : "m/s",
              [id](const Simulation& s) { return std::abs(s.contact_velocity(id)); }};
  }
  if (found.is_of_joint() && found.has_gap() && (what == "friction" || what == "sliding"))
    throw ProbeError(
        fmt::format("the stop of a joint has no friction; ask for contact({}, friction).{}", first, what));
  if (what == "gap") return {turns ? "rad" : "m", [id](const Simulation& s) { return s.gap(id); }};
  if (what == "velocity")
    return {turns ? "rad/s" : "m/s", [id](const Simulation& s) { return s.contact_velocity(id); }};
  if (what == "force")
    return {turns ? "N m" : "N", [id](const Simulation& s) { return s.contact_force(id)[0]; }};
  if (what == "pressure") return pressure_probe(assembly, {id});
  if (what == "friction")
    return {"N", [id](const Simulation& s) { return s.contact_force(id).tail<2>().norm(); }};
  if (what == "rolling_moment")
    return {"N m", [id](const Simulation& s) { return s.contact_moment(id).tail<2>().norm(); }};
  if (what == "spinning_moment")
    return {"N m", [id](const Simulation& s) { return std::abs(s.contact_moment(id)[0]); }};
  if (what == "sliding")
    return {"m/s", [id](const Simulation& s) {
              const int place = s.find_contact(id);
              return place < 0 ? 0.0 : s.view_contact(place).velocity.tail<2>().norm();
            }};
  if (what == "impulse")
    return {turns ? "N m s" : "N s", [id](const Simulation& s) { return s.contact_sums(id).impulse; }};
  if (what == "peak_force")
    return Probe::peak(text, turns ? "N m" : "N", [id](const Simulation& s) {
      const int place = s.find_contact(id);
      return place < 0 ? 0.0 : mean_force(s, s.contact_impulse(place));
    });
  if (what == "impacts")
    return {"1", [id](const Simulation& s) { return s.contact_sums(id).interval_impacts; }};
  if (what == "impact_impulse")
    return {turns ? "N m s" : "N s",
            [id](const Simulation& s) { return s.contact_sums(id).interval_impact_impulse; }};
  if (what == "status")
    return {"1", [id](const Simulation& s) { return static_cast<double>(s.contact_status(id)); }};
  probe_syntax::unknown("quantity of a contact", what,
                        {"gap", "velocity", "sliding", "force", "friction", "rolling_moment",
                         "spinning_moment", "peak_force", "impulse", "impacts", "impact_impulse", "status"});
}

Probe contacts_probe(const std::string& what) {
  if (what == "min_gap")
    return {"m", [](const Simulation& s) {
              constexpr double none = std::numeric_limits<double>::max();
              double smallest = none;
              for (int c = 0; c < s.contact_count(); ++c)
                if (s.contact_list()[c].has_gap()) smallest = std::min(smallest, s.gap(c));
              return smallest == none ? 0.0 : smallest;
            }};
  if (what == "closed")
    return {"1", [](const Simulation& s) {
              int closed = 0;
              for (int c = 0; c < s.contact_count(); ++c)
                if (const Contact& contact = s.contact_list()[c]; contact.has_gap())
                  closed += s.state().contacts.reaction[contact.row] > 0;
              return static_cast<double>(closed);
            }};
  if (what == "impulse")
    return {"N s", [](const Simulation& s) {
              double sum = 0;
              for (const ContactSums& sums : s.contact_record())
                if (s.assembly().interactions.has_gap(sums.id)) sum += sums.impulse;
              return sum;
            }};
  probe_syntax::unknown("quantity of the contacts", what, {"min_gap", "closed", "impulse"});
}

}  // namespace percuss
