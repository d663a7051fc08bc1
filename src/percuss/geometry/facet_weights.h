#pragma once

#include "percuss/geometry/mesh.h"

namespace percuss {

/// The integral of the shape function of each node over the facets: its share of their area [m^2]; of facets
/// of a plane mesh the share of their length [m]. Exact for flat facets, parallelograms if they are
/// quadratic, whose corners get nothing or less than nothing.
std::vector<double> facet_weights(const Mesh& mesh, const std::vector<Facet>& facets);

}  // namespace percuss
