#pragma once

#include <span>
#include <vector>

#include "percuss/contacts/contact_list.h"
#include "percuss/geometry/mesh_facets.h"

namespace percuss {

struct FlexibleData;

/// A surface of a flexible body as contacts see it; its nodes are ascending.
ContactSurface make_contact_surface(const System& system, const FlexibleData& flexible,
                                    std::span<const Facet> facets);

/// Nodes with which a flexible body can touch: those of its boundary, or all of a line. Ascending.
std::vector<int> touching_nodes(const FlexibleData& flexible);

}  // namespace percuss
