#include "percuss/simulation/contact_probes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "percuss/simulation/flexible_probes.h"
#include "percuss/simulation/probe_syntax.h"

namespace percuss {
namespace {

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

/// Its gap is an angle, its force a torque.
bool is_in_hinge(const System& system, const Contact& contact) {
  if (!contact.is_of_joint()) return false;
  return system.joints.joints[system.joints.find(contact.first)].is_angle;
}

}  // namespace

Probe contact_probe(const Assembly& assembly, const std::string& arguments, const std::string& what) {
  const auto comma = arguments.find(',');
  if (comma == arguments.npos) throw ProbeError("contact needs two names: contact(body, obstacle)");
  const std::string first = probe_syntax::trim(arguments.substr(0, comma)),
                    second = probe_syntax::trim(arguments.substr(comma + 1));
  const int c = find_contact(assembly.contacts, first, second);
  if (c < 0)
    if (auto set = contacts_of_set(assembly, first, second); !set.empty())
      return contact_set_probe(assembly, std::move(set), what);
  if (c < 0) require_node(assembly.system, first);
  if (c < 0) probe_syntax::unknown("contact", "(" + first + ", " + second + ")", contact_names(assembly));
  const Contact& found = assembly.contacts.contacts[c];
  const bool turns = is_in_hinge(assembly.system, found);
  if (!found.has_gap()) {
    if (what == "gap") throw ProbeError("dry friction in a joint has no gap; ask for .velocity or .force");
    if (what == "friction")
      return {turns ? "N m" : "N", [c](const Simulation& s) { return std::abs(s.contact_force(c)[0]); }};
    if (what == "sliding")
      return {turns ? "rad/s" : "m/s", [c](const Simulation& s) { return std::abs(s.contact_velocity(c)); }};
  }
  if (found.is_of_joint() && found.has_gap() && (what == "friction" || what == "sliding"))
    throw ProbeError(
        fmt::format("the stop of a joint has no friction; ask for contact({}, friction).{}", first, what));
  if (what == "gap") return {turns ? "rad" : "m", [c](const Simulation& s) { return s.gap(c); }};
  if (what == "velocity")
    return {turns ? "rad/s" : "m/s", [c](const Simulation& s) { return s.contact_velocity(c); }};
  if (what == "force")
    return {turns ? "N m" : "N", [c](const Simulation& s) { return s.contact_force(c)[0]; }};
  if (what == "pressure") return pressure_probe(assembly, {c});
  if (what == "friction")
    return {"N", [c](const Simulation& s) { return s.contact_force(c).tail<2>().norm(); }};
  if (what == "sliding")
    return {"m/s", [c](const Simulation& s) { return s.view_contact(c).velocity.tail<2>().norm(); }};
  if (what == "impulse")
    return {turns ? "N m s" : "N s", [c](const Simulation& s) { return s.contact_sums(c).impulse; }};
  if (what == "status")
    return {"1", [c](const Simulation& s) { return static_cast<double>(s.state().contact_status[c]); }};
  probe_syntax::unknown("quantity of a contact", what,
                        {"gap", "velocity", "sliding", "force", "friction", "impulse", "status"});
}

Probe contacts_probe(const std::string& what) {
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
                if (const Contact& contact = s.assembly().contacts.contacts[c]; contact.has_gap())
                  closed += s.state().reaction[contact.row] > 0;
              return static_cast<double>(closed);
            }};
  if (what == "impulse")
    return {"N s", [](const Simulation& s) {
              double sum = 0;
              for (int c = 0; c < s.contact_count(); ++c)
                if (s.assembly().contacts.contacts[c].has_gap()) sum += s.contact_sums(c).impulse;
              return sum;
            }};
  probe_syntax::unknown("quantity of the contacts", what, {"min_gap", "closed", "impulse"});
}

}  // namespace percuss
