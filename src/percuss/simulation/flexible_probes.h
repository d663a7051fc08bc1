#pragma once

#include <string>
#include <vector>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/simulation/simulation.h"

/// Probes of flexible bodies as a whole, and of contacts of node sets.
namespace percuss {

/// Whether a whole body has this, so that it is no name of a node.
bool is_body_quantity(std::string_view name);

/// Motion of the centre of mass, rotation, deformation or the largest stress: `what` is the quantity after
/// the body's name, with its component. Throws ProbeError.
Probe body_probe(const FlexibleData& body, const std::vector<std::string>& what, const std::string& text);

/// Throws ProbeError if the name is one of a node that a flexible body does not have.
void require_node(const System& system, const std::string& name);

/// The mean over a set of nodes. Throws ProbeError.
Probe node_set_probe(const std::vector<int>& nodes, const std::string& what, const std::string& component);

/// The contacts of a node set with a wall or body: their sums. Empty if the name is not that of a set.
std::vector<ContactId> contacts_of_set(const Assembly& assembly, const std::string& set,
                                       const std::string& second);
Probe contact_set_probe(const Assembly& assembly, std::vector<ContactId> contacts, const std::string& what,
                        const std::string& text);
/// Mean normal pressure of contacts on the part of the surface, without load, that belongs to their nodes.
/// Throws ProbeError if they have none.
Probe pressure_probe(const Assembly& assembly, std::vector<ContactId> contacts);

}  // namespace percuss
