#include "percuss/simulation/probe.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "percuss/math/nearest_name.h"

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
  for (const auto& contact : assembly.contacts.contacts)
    names.push_back(fmt::format("{}, {}", assembly.system.bodies[contact.body].name,
                                assembly.contacts.walls[contact.wall].name));
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
        fmt::format("a quantity is missing after '{}', for example .gap", text.substr(0, close + 1)));
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
    {"energy", "J", "kinetic + potential + strain energy"},
    {"energy.COLUMN", "J",
     "kinetic, potential, strain, work_loads, loss_dampers, loss_impacts, loss_algorithmic or initial"},
    {"contact(BODY, OBSTACLE).gap", "m", "distance, negative = penetration; a face of a box is `room.x_min`"},
    {"contact(BODY, OBSTACLE).velocity", "m/s", "normal relative velocity, positive = separating"},
    {"contact(BODY, OBSTACLE).force", "N", "normal force in the last step; 0 in a step with an impact"},
    {"contact(BODY, OBSTACLE).impulse", "N s", "sum of all normal impulses so far"},
    {"contact(BODY, OBSTACLE).status", "1", "0 open, 1 stick, 2 slip, 3 impact"},
    {"contacts.min_gap", "m", "smallest gap of all contacts"},
    {"contacts.closed", "1", "number of contacts that carry a reaction"},
    {"contacts.impulse", "N s", "sum of all normal impulses of all contacts so far"},
    {"spring(NAME).length", "m", "length of a spring (along its axis if it has one)"},
    {"spring(NAME).elongation", "m", "length minus rest length"},
    {"spring(NAME).force", "N", "tension, damper included"}};

Probe Probe::parse(const std::string& given, const Assembly& assembly) {
  const std::string text = trim(given);
  Probe probe;
  const auto set = [&](Kind kind, std::string_view unit) {
    probe.kind_ = kind;
    probe.unit_ = unit;
    return probe;
  };
  std::string name, arguments, rest;
  if (split_call(text, name, arguments, rest)) {
    if (name == "contact") {
      const auto comma = arguments.find(',');
      if (comma == arguments.npos) throw ProbeError("contact needs two names: contact(body, obstacle)");
      const std::string body = trim(arguments.substr(0, comma)), wall = trim(arguments.substr(comma + 1));
      probe.index_ = find_contact(assembly.system, assembly.contacts, body, wall);
      if (probe.index_ < 0) unknown("contact", body + ", " + wall, contact_names(assembly));
      if (rest == "gap") return set(Kind::contact_gap, "m");
      if (rest == "velocity") return set(Kind::contact_velocity, "m/s");
      if (rest == "force") return set(Kind::contact_force, "N");
      if (rest == "impulse") return set(Kind::contact_impulse, "N s");
      if (rest == "status") return set(Kind::contact_status, "1");
      unknown("quantity of a contact", rest, {"gap", "velocity", "force", "impulse", "status"});
    }
    if (name == "spring") {
      const auto& springs = assembly.system.springs;
      const auto found =
          std::find_if(springs.begin(), springs.end(), [&](const auto& s) { return s.name == arguments; });
      if (found == springs.end()) {
        std::vector<std::string> names;
        names.reserve(springs.size());
        for (const auto& spring : springs) names.push_back(spring.name);
        unknown("spring", arguments, names);
      }
      probe.index_ = static_cast<int>(found - springs.begin());
      if (rest == "length") return set(Kind::spring_length, "m");
      if (rest == "elongation") return set(Kind::spring_elongation, "m");
      if (rest == "force") return set(Kind::spring_force, "N");
      unknown("quantity of a spring", rest, {"length", "elongation", "force"});
    }
    unknown("probe", name, {"contact", "spring"});
  }

  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const auto dot = std::min(text.find('.', begin), text.size());
    parts.push_back(text.substr(begin, dot - begin));
    begin = dot + 1;
  }
  if (text == "time") return set(Kind::time, "s");
  if (text == "energy") return set(Kind::energy_total, "J");
  if (parts[0] == "energy" && parts.size() == 2) {
    std::vector<std::string> names;
    for (size_t i = 0; i < ledger_columns.size(); ++i) {
      probe.index_ = static_cast<int>(i);
      if (ledger_columns[i].name == parts[1]) return set(Kind::energy_column, "J");
      names.emplace_back(ledger_columns[i].name);
    }
    unknown("energy", parts[1], names);
  }
  if (parts[0] == "contacts" && parts.size() == 2) {
    if (parts[1] == "min_gap") return set(Kind::min_gap, "m");
    if (parts[1] == "closed") return set(Kind::closed_contacts, "1");
    if (parts[1] == "impulse") return set(Kind::total_impulse, "N s");
    unknown("quantity of the contacts", parts[1], {"min_gap", "closed", "impulse"});
  }
  probe.index_ = find_body(assembly.system, parts[0]);
  if (probe.index_ < 0) {
    std::vector<std::string> names = {"time", "energy", "contacts", "contact", "spring"};
    for (const auto& body : assembly.system.bodies) names.push_back(body.name);
    unknown("name", parts[0], names);
  }
  if (parts.size() == 2 && parts[1] == "speed") return set(Kind::speed, "m/s");
  const bool is_vector =
      parts.size() >= 2 && (parts[1] == "position" || parts[1] == "velocity" || parts[1] == "displacement");
  if (!is_vector)
    unknown("quantity of a body", parts.size() < 2 ? "" : parts[1],
            {"position", "velocity", "displacement", "speed"});
  if (parts.size() != 3) throw ProbeError(fmt::format("'{}' is a vector; add .x, .y or .z", text));
  probe.axis_ = axis_of(parts[2]);
  if (parts[1] == "position") return set(Kind::position, "m");
  if (parts[1] == "velocity") return set(Kind::velocity, "m/s");
  return set(Kind::displacement, "m");
}

double Probe::value(const Simulation& simulation) const {
  const System& system = simulation.assembly().system;
  const auto& contacts = simulation.assembly().contacts.contacts;
  const State& state = simulation.state();
  const auto axis_spring = [&]() -> const AxisSpring& {
    return system.axis_springs[system.springs[index_].index];
  };
  const auto distance_spring = [&]() -> const DistanceSpring& {
    return system.distance_springs[system.springs[index_].index];
  };
  const auto elongation = [&] {
    if (system.springs[index_].along_axis) return axis_spring().elongation(state.q);
    return spring_line(distance_spring(), state.q).length - distance_spring().rest_length;
  };
  switch (kind_) {
    case Kind::time: return state.time;
    case Kind::position: return system.bodies[index_].point.position(state.q)[axis_];
    case Kind::velocity: return system.bodies[index_].point.velocity(state.v)[axis_];
    case Kind::displacement:
      return system.bodies[index_].point.position(state.q)[axis_] - system.bodies[index_].point.fixed[axis_];
    case Kind::speed: return system.bodies[index_].point.velocity(state.v).norm();
    case Kind::energy_total: return simulation.energy().total();
    case Kind::energy_column: return simulation.energy().*ledger_columns[index_].member;
    case Kind::contact_gap: return contacts[index_].gap(state.q);
    case Kind::contact_velocity: return contacts[index_].velocity(state.v);
    case Kind::contact_force: return simulation.contact_force(index_);
    case Kind::contact_impulse: return simulation.contact_sums(index_).impulse;
    case Kind::contact_status: return static_cast<double>(state.contact_status[index_]);
    case Kind::min_gap: {
      double smallest = std::numeric_limits<double>::max();
      for (const auto& contact : contacts) smallest = std::min(smallest, contact.gap(state.q));
      return contacts.empty() ? 0.0 : smallest;
    }
    case Kind::closed_contacts:
      return static_cast<double>(
          std::count_if(state.reaction.begin(), state.reaction.end(), [](double r) { return r > 0; }));
    case Kind::total_impulse: {
      double sum = 0;
      for (int c = 0; c < simulation.contact_count(); ++c) sum += simulation.contact_sums(c).impulse;
      return sum;
    }
    case Kind::spring_elongation: return elongation();
    case Kind::spring_length: return elongation() + system.springs[index_].rest_length;
    case Kind::spring_force: {
      if (!system.springs[index_].along_axis) {
        const auto& spring = distance_spring();
        const SpringLine line = spring_line(spring, state.q);
        return -line.direction.dot(spring_force(spring, state.q, state.v));
      }
      return axis_spring().stiffness * elongation() + axis_spring().damping * axis_spring().rate(state.v);
    }
  }
  return 0;
}

}  // namespace percuss
