#include "percuss/simulation/flexible_probes.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "percuss/dynamics/stresses.h"
#include "percuss/geometry/facet_weights.h"
#include "percuss/geometry/mesh_facets.h"

namespace percuss {
namespace {

/// The mean of the nodes, weighted by their share of the mass.
template <class NodeValue>
double mean_over_nodes(const Simulation& s, int first, int count, NodeValue&& value) {
  double sum = 0, mass = 0;
  for (int node = first; node < first + count; ++node) {
    const BodyData& body = s.assembly().system.bodies[static_cast<size_t>(node)];
    sum += body.mass * value(body);
    mass += body.mass;
  }
  return sum / mass;
}

}  // namespace

bool is_body_quantity(std::string_view name) {
  return name == "position" || name == "velocity" || name == "displacement" || name == "stress";
}

Probe body_probe(const FlexibleData& data, const std::vector<std::string>& what, const std::string& text) {
  const int first = data.first_node, count = data.node_count();
  if (what.size() == 1 && what[0] == "stress") {
    const std::string name = data.declared.name;
    return {"Pa", [name](const Simulation& s) {
              const auto stresses =
                  element_stresses(s.assembly().system, *find_flexible(s.assembly().system, name), s.state());
              return *std::max_element(stresses.begin(), stresses.end());
            }};
  }
  const std::string quantity = what.empty() ? "" : what[0];
  if (quantity == "stress") throw ProbeError("a stress has no components; it is the largest of all elements");
  if (!is_body_quantity(quantity))
    throw ProbeError(fmt::format(
        "{} the flexible body '{}'; ask for position, velocity or displacement of its centre of mass, for "
        "stress, or name a node as in '{}.{}.position.x'",
        what.empty() ? "no quantity of" : fmt::format("'{}' is not known of", quantity), data.declared.name,
        data.declared.name, data.mesh->node_sets.contains("last") ? "last" : "0"));
  const auto axis = what.size() == 2 && what[1].size() == 1 ? std::string_view("xyz").find(what[1]) : 3;
  if (axis > 2 && what.size() == 2)
    throw ProbeError(fmt::format("unknown component '{}'; it must be x, y or z", what[1]));
  if (axis > 2) throw ProbeError(fmt::format("'{}' is a vector; add .x, .y or .z", text));
  if (quantity == "velocity")
    return {"m/s", [first, count, axis](const Simulation& s) {
              return mean_over_nodes(s, first, count, [&](const BodyData& body) {
                return place(body, s.state().q, s.state().v, s.time()).v[static_cast<Eigen::Index>(axis)];
              });
            }};
  const bool relative = quantity == "displacement";
  return {"m", [first, count, axis, relative](const Simulation& s) {
            return mean_over_nodes(s, first, count, [&](const BodyData& body) {
              const Vector3 x = place(body, s.state().q, s.state().v, s.time()).x;
              return (relative ? Vector3(x - body.start) : x)[static_cast<Eigen::Index>(axis)];
            });
          }};
}

std::vector<int> contacts_of_set(const Assembly& assembly, const std::string& set,
                                 const std::string& second) {
  const auto dot = set.find('.');
  const FlexibleData* flexible = find_flexible(assembly.system, set.substr(0, dot));
  if (!flexible) return {};
  const auto nodes = flexible->nodes(dot == set.npos ? "all" : set.substr(dot + 1));
  std::vector<int> found;
  for (int c = 0; c < assembly.contacts.count(); ++c) {
    const Contact& contact = assembly.contacts.contacts[static_cast<size_t>(c)];
    if (contact.second == second && std::find(nodes.begin(), nodes.end(), contact.a.body) != nodes.end())
      found.push_back(c);
  }
  return found;
}

Probe pressure_probe(const Assembly& assembly, std::vector<int> contacts) {
  const auto& all = assembly.contacts.contacts;
  double area = 0;
  for (const auto& flexible : assembly.system.flexibles) {
    if (flexible.mesh->dimension() < 2) continue;
    // The facets between nodes that can touch the same thing: an edge node has no share in other sides.
    const auto node_of = [&](const Contact& contact) { return contact.a.body - flexible.first_node; };
    std::vector<char> touches(flexible.mesh->nodes.size(), 0);
    for (const Contact& contact : all)
      if (const int node = node_of(contact); node >= 0 && node < flexible.node_count() &&
                                             contact.second == all[static_cast<size_t>(contacts[0])].second)
        touches[static_cast<size_t>(node)] = 1;
    auto facets = boundary_facets(*flexible.mesh);
    std::erase_if(facets, [&](const Facet& facet) {
      return std::any_of(facet.nodes.begin(), facet.nodes.begin() + node_count(facet.shape),
                         [&](int node) { return !touches[static_cast<size_t>(node)]; });
    });
    const auto weights = facet_weights(*flexible.mesh, facets);
    for (const int c : contacts)
      if (const int node = node_of(all[static_cast<size_t>(c)]); node >= 0 && node < flexible.node_count())
        area +=
            weights[static_cast<size_t>(node)] * (flexible.mesh->dimension() == 2 ? flexible.thickness : 1);
  }
  if (!(area > 0))
    throw ProbeError(
        "no part of a surface belongs to it, so it has no pressure; ask for .force, or for .pressure "
        "of nodes of a solid");
  return {"Pa", [contacts = std::move(contacts), area](const Simulation& s) {
            double force = 0;
            for (const int c : contacts) force += s.contact_force(c)[0];
            return force / area;
          }};
}

Probe contact_set_probe(const Assembly& assembly, std::vector<int> contacts, const std::string& what) {
  if (what == "pressure") return pressure_probe(assembly, std::move(contacts));
  const auto sum = [contacts](auto&& value) {
    return [contacts, value](const Simulation& s) {
      double total = 0;
      for (const int c : contacts) total += value(s, c);
      return total;
    };
  };
  if (what == "force") return {"N", sum([](const Simulation& s, int c) { return s.contact_force(c)[0]; })};
  if (what == "impulse")
    return {"N s", sum([](const Simulation& s, int c) { return s.contact_sums(c).impulse; })};
  if (what == "closed")
    return {"1", sum([](const Simulation& s, int c) {
              return s.state().reaction[static_cast<size_t>(3 * c)] > 0 ? 1.0 : 0.0;
            })};
  if (what == "gap")
    return {"m", [contacts](const Simulation& s) {
              double smallest = std::numeric_limits<double>::max();
              for (const int c : contacts) smallest = std::min(smallest, s.gap(c));
              return smallest;
            }};
  throw ProbeError(fmt::format(
      "unknown quantity '{}' of the contacts of a node set; known: closed, force, gap, impulse, pressure",
      what));
}

}  // namespace percuss
