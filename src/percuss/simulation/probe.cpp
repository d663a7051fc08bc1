#include "percuss/simulation/probe.h"

#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/simulation/body_probes.h"
#include "percuss/simulation/connection_probes.h"
#include "percuss/simulation/contact_probes.h"
#include "percuss/simulation/probe_syntax.h"

namespace percuss {
namespace {

Probe energy_probe(const std::string& what) {
  std::vector<std::string> names;
  for (const auto& column : ledger_columns) {
    if (column.name == what)
      return {"J", [member = column.member](const Simulation& s) { return s.energy().*member; }};
    names.emplace_back(column.name);
  }
  probe_syntax::unknown("energy", what, names);
}

Probe steps_probe(const std::string& what) {
  if (what == "count")
    return {"1", [](const Simulation& s) { return static_cast<double>(s.statistics().parts); }};
  if (what == "impulsive")
    return {"1", [](const Simulation& s) { return static_cast<double>(s.statistics().impulsive); }};
  if (what == "size") return {"s", [](const Simulation& s) { return s.last_step_size(); }};
  if (what == "rejected")
    return {"1", [](const Simulation& s) { return static_cast<double>(s.statistics().rejected); }};
  probe_syntax::unknown("quantity of the steps", what, {"count", "impulsive", "size", "rejected"});
}

Probe parse_call(const Assembly& assembly, const std::string& name, const std::string& arguments,
                 const std::string& what) {
  if (name == "contact") return contact_probe(assembly, arguments, what);
  if (name == "spring") return spring_probe(assembly.system, arguments, what);
  if (name == "joint") return joint_probe(assembly.system, arguments, what);
  probe_syntax::unknown("probe", name, {"contact", "spring", "joint"});
}

}  // namespace

Probe Probe::peak(std::string text, std::string_view unit, Evaluator of_step) {
  Probe probe(unit, std::move(of_step));
  probe.peak_text_ = std::move(text);
  return probe;
}

double Probe::value(const Simulation& simulation) const {
  return is_peak() ? simulation.peak(peak_text_) : evaluate_(simulation);
}

Probe Probe::parse(const std::string& given, const Assembly& assembly) {
  const std::string text = probe_syntax::trim(given);
  const System& system = assembly.system;
  std::string name, arguments, rest;
  if (probe_syntax::split_call(text, name, arguments, rest))
    return parse_call(assembly, name, arguments, rest);
  const auto parts = probe_syntax::split(text);
  if (text == "time") return {"s", [](const Simulation& s) { return s.time(); }};
  if (text == "energy") return {"J", [](const Simulation& s) { return s.energy().total(); }};
  if (parts[0] == "energy" && parts.size() == 2) return energy_probe(parts[1]);
  if (parts[0] == "contacts" && parts.size() == 2) return contacts_probe(parts[1]);
  if (parts[0] == "joints" && parts.size() == 2) return joints_probe(parts[1]);
  if (parts[0] == "steps" && parts.size() == 2) return steps_probe(parts[1]);
  for (size_t s = 0; s < system.user_systems.size(); ++s)
    if (system.user_systems[s].name == parts[0]) return user_probe(system, static_cast<int>(s), parts);
  if (text == "contacts" || text == "joints" || text == "steps")
    throw ProbeError(fmt::format("'{}' needs a quantity, for example {}", text,
                                 text == "joints"  ? "joints.drift"
                                 : text == "steps" ? "steps.impulsive"
                                                   : "contacts.min_gap"));
  return probe_of_body(system, parts, text);
}

std::vector<Probe> parse_probes(const NamedMap<std::string>& probes, const Assembly& assembly) {
  std::vector<Probe> parsed;
  std::vector<Complaint> complaints;
  for (const auto& [name, text] : probes) {
    const std::string path = fmt::format("record.probes.{}", name);
    if (name.empty() || name.find_first_of(",\"#\n\r\t") != name.npos)
      complaints.push_back(
          {path,
           fmt::format("'{}' cannot head a column; leave out commas, quotes, # and line breaks", name)});
    if (name == "time")
      complaints.push_back({path, "'time' is the first column of every export; use another name"});
    try {
      parsed.push_back(Probe::parse(text, assembly));
    } catch (const ProbeError& e) {
      complaints.push_back({path, fmt::format("'{}': {}", text, e.what())});
    }
  }
  if (!complaints.empty()) throw ModelError(std::move(complaints));
  return parsed;
}

}  // namespace percuss
