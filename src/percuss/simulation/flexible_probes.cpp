#include "percuss/simulation/flexible_probes.h"

#include <algorithm>
#include <limits>

#include <Eigen/SVD>
#include <fmt/format.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/dynamics/stresses.h"
#include "percuss/geometry/facet_weights.h"
#include "percuss/geometry/mesh_facets.h"
#include "percuss/model/references.h"
#include "percuss/simulation/pair_probes.h"

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

/// The rigid motion that fits the nodes best, weighted by their masses; the frame of a floating body.
PoseAndVelocity rigid_part(const Simulation& s, const FlexibleData& data) {
  const System& system = s.assembly().system;
  const State& state = s.state();
  const BodyData& whole = system.bodies[static_cast<size_t>(data.body)];
  if (whole.frame_q >= 0) return place(whole, state.q, state.v, state.time);
  Vector3 x = Vector3::Zero(), rest = Vector3::Zero();
  Matrix3 moment = Matrix3::Zero();
  const auto for_each_node = [&](auto&& visit) {
    for (int i = 0; i < data.node_count(); ++i) {
      const BodyData& node = system.bodies[static_cast<size_t>(data.first_node + i)];
      visit(node.mass / whole.mass, place(node, state.q, state.v, state.time).x, node.start);
    }
  };
  for_each_node([&](double weight, const Vector3& now, const Vector3& start) {
    x += weight * now;
    rest += weight * start;
  });
  for_each_node([&](double weight, const Vector3& now, const Vector3& start) {
    moment += weight * (now - x) * (start - rest).transpose();
  });
  const Eigen::JacobiSVD<Matrix3> svd(moment, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3 sign = Matrix3::Identity();
  sign(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  PoseAndVelocity fit;
  fit.x = x;
  fit.R = svd.matrixU() * sign * svd.matrixV().transpose();
  return fit;
}

/// Largest distance of a node from where the rigid motion would take it.
double deformation(const Simulation& s, const FlexibleData& data) {
  const System& system = s.assembly().system;
  const PoseAndVelocity fit = rigid_part(s, data);
  const BodyData& whole = system.bodies[static_cast<size_t>(data.body)];
  Vector3 centre = whole.frame_origin;
  if (whole.frame_q < 0) {
    centre.setZero();
    for (int i = 0; i < data.node_count(); ++i) {
      const BodyData& node = system.bodies[static_cast<size_t>(data.first_node + i)];
      centre += node.mass / whole.mass * node.start;
    }
  }
  double largest = 0;
  for (int i = 0; i < data.node_count(); ++i) {
    const BodyData& node = system.bodies[static_cast<size_t>(data.first_node + i)];
    const Vector3 x = place(node, s.state().q, s.state().v, s.time()).x;
    largest = std::max(largest, (x - fit.x - fit.R * (node.start - centre)).norm());
  }
  return largest;
}

}  // namespace

bool is_body_quantity(std::string_view name) {
  return name == "position" || name == "velocity" || name == "displacement" || name == "stress" ||
         name == "rotation" || name == "deformation";
}

void require_node(const System& system, const std::string& name) {
  const auto dot = name.find('.');
  const FlexibleData* data = find_flexible(system, name.substr(0, dot));
  if (data && dot != name.npos && data->nodes(name.substr(dot + 1)).empty())
    throw ProbeError(no_such_node(data->declared, *data->mesh, name.substr(dot + 1)));
}

Probe node_set_probe(const std::vector<int>& nodes, const std::string& what, const std::string& component) {
  const auto axis = component.size() == 1 ? std::string_view("xyz").find(component) : 3;
  if (axis > 2) throw ProbeError(fmt::format("unknown component '{}'; it must be x, y or z", component));
  if (what != "position" && what != "velocity" && what != "displacement")
    throw ProbeError(fmt::format(
        "'{}' is not known of a set of nodes; ask for position, velocity or displacement, which are the mean "
        "of its nodes, or name a single node",
        what));
  return {what == "velocity" ? "m/s" : "m", [nodes, what, axis](const Simulation& s) {
            double sum = 0;
            for (const int node : nodes) {
              const BodyData& body = s.assembly().system.bodies[static_cast<size_t>(node)];
              const PoseAndVelocity at = place(body, s.state().q, s.state().v, s.time());
              const Vector3 value = what == "velocity"   ? at.v
                                    : what == "position" ? at.x
                                                         : Vector3(at.x - body.start);
              sum += value[static_cast<Eigen::Index>(axis)];
            }
            return sum / static_cast<double>(nodes.size());
          }};
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
  if (what.size() == 1 && what[0] == "deformation") {
    const std::string name = data.declared.name;
    return {"m", [name](const Simulation& s) {
              return deformation(s, *find_flexible(s.assembly().system, name));
            }};
  }
  const std::string quantity = what.empty() ? "" : what[0];
  if (quantity == "deformation")
    throw ProbeError("a deformation has no components; it is the largest of all nodes");
  if (quantity == "stress") throw ProbeError("a stress has no components; it is the largest of all elements");
  if (!is_body_quantity(quantity))
    throw ProbeError(fmt::format(
        "{} the flexible body '{}'; ask for position, velocity or displacement of its centre of mass, for "
        "rotation, deformation or stress, or name a node as in '{}.{}.position.x'",
        what.empty() ? "no quantity of" : fmt::format("'{}' is not known of", quantity), data.declared.name,
        data.declared.name, data.mesh->node_sets.contains("last") ? "last" : "0"));
  const auto axis = what.size() == 2 && what[1].size() == 1 ? std::string_view("xyz").find(what[1]) : 3;
  if (axis > 2 && what.size() == 2)
    throw ProbeError(fmt::format("unknown component '{}'; it must be x, y or z", what[1]));
  if (axis > 2) throw ProbeError(fmt::format("'{}' is a vector; add .x, .y or .z", text));
  if (quantity == "rotation") {
    const std::string name = data.declared.name;
    return {"rad", [name, axis](const Simulation& s) {
              const PoseAndVelocity fit = rigid_part(s, *find_flexible(s.assembly().system, name));
              return log_rotation(Quaternion(fit.R))[static_cast<Eigen::Index>(axis)];
            }};
  }
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

std::vector<ContactId> contacts_of_set(const Assembly& assembly, const std::string& set,
                                       const std::string& second) {
  const auto dot = set.find('.');
  const FlexibleData* flexible = find_flexible(assembly.system, set.substr(0, dot));
  if (!flexible) return {};
  const auto nodes = flexible->nodes(dot == set.npos ? "all" : set.substr(dot + 1));
  std::vector<ContactId> found;
  for (const Contact& contact : assembly.interactions.declared.contacts) {
    if (assembly.interactions.name(contact).second == second &&
        std::find(nodes.begin(), nodes.end(), contact.a.body) != nodes.end())
      found.push_back(contact.id);
  }
  return found;
}

Probe pressure_probe(const Assembly& assembly, std::vector<ContactId> contacts) {
  const Interactions& interactions = assembly.interactions;
  const ContactList& all = interactions.declared;
  double area = 0;
  for (const auto& flexible : assembly.system.flexibles) {
    if (flexible.mesh->dimension() < 2) continue;
    // The facets between nodes that can touch the same thing: an edge node has no share in other sides.
    const auto node_of = [&](const Contact& contact) { return contact.a.body - flexible.first_node; };
    std::vector<char> touches(flexible.mesh->nodes.size(), 0);
    for (const Contact& contact : all.contacts)
      if (const int node = node_of(contact);
          node >= 0 && node < flexible.node_count() &&
          interactions.name(contact).second == interactions.name(contacts[0]).second)
        touches[static_cast<size_t>(node)] = 1;
    auto facets = boundary_facets(*flexible.mesh);
    std::erase_if(facets, [&](const Facet& facet) {
      return std::any_of(facet.nodes.begin(), facet.nodes.begin() + node_count(facet.shape),
                         [&](int node) { return !touches[static_cast<size_t>(node)]; });
    });
    const auto weights = facet_weights(*flexible.mesh, facets);
    for (const ContactId& id : contacts)
      if (const int node = node_of(all[all.find(id)]); node >= 0 && node < flexible.node_count())
        area +=
            weights[static_cast<size_t>(node)] * (flexible.mesh->dimension() == 2 ? flexible.thickness : 1);
  }
  if (!(area > 0))
    throw ProbeError(
        "no part of a surface belongs to it, so it has no pressure; ask for .force, or for .pressure "
        "of nodes of a solid");
  return {"Pa", [contacts = std::move(contacts), area](const Simulation& s) {
            double force = 0;
            for (const ContactId& id : contacts) force += s.contact_force(id)[0];
            return force / area;
          }};
}

Probe contact_set_probe(const Assembly& assembly, std::vector<ContactId> contacts, const std::string& what,
                        const std::string& text) {
  if (what == "pressure") return pressure_probe(assembly, std::move(contacts));
  const auto sum = [contacts](auto&& value) {
    return [contacts, value](const Simulation& s) {
      double total = 0;
      for (const ContactId& id : contacts) total += value(s, id);
      return total;
    };
  };
  if (what == "force")
    return {"N", sum([](const Simulation& s, const ContactId& id) { return s.contact_force(id)[0]; })};
  if (what == "peak_force")
    return Probe::peak(text, "N", [contacts](const Simulation& s) {
      Vector3 impulse = Vector3::Zero();
      for (const ContactId& id : contacts)
        if (const int place = s.find_contact(id); place >= 0)
          impulse += s.to_space(place, s.contact_impulse(place));
      return mean_force(s, impulse);
    });
  const auto sum_of = [&sum](auto ContactSums::*member) {
    return sum([member](const Simulation& s, const ContactId& id) { return s.contact_sums(id).*member; });
  };
  if (what == "impulse") return {"N s", sum_of(&ContactSums::impulse)};
  if (what == "impacts") return {"1", sum_of(&ContactSums::interval_impacts)};
  if (what == "impact_impulse") return {"N s", sum_of(&ContactSums::interval_impact_impulse)};
  if (what == "closed")
    return {"1", sum([](const Simulation& s, const ContactId& id) {
              const int c = s.find_contact(id);
              return c >= 0 && s.state().contacts.reaction[s.contact_list()[c].row] > 0 ? 1.0 : 0.0;
            })};
  if (what == "gap")
    return {"m", [contacts](const Simulation& s) {
              double smallest = std::numeric_limits<double>::max();
              for (const ContactId& id : contacts) smallest = std::min(smallest, s.gap(id));
              return smallest;
            }};
  throw ProbeError(
      fmt::format("unknown quantity '{}' of the contacts of a node set; known: closed, force, gap, impacts, "
                  "impact_impulse, impulse, peak_force, pressure",
                  what));
}

}  // namespace percuss
