#pragma once

#include <string>
#include <vector>

#include "percuss/model/flexible.h"
#include "percuss/model/material.h"

namespace percuss {

/// The part by which a mesh of plain hex8 or quad4 cells is too stiff in bending, from the shear that its
/// longest cells need to bend.  (S-17)
double bending_excess(const Mesh& mesh, double poisson);

/// What makes a solid too stiff: cells that cannot bend, or cannot keep their volume, with what to do.
/// Without the name of the solid.
std::vector<std::string> locking_notes(const Solid& solid, const Mesh& mesh, const Material& material);

}  // namespace percuss
