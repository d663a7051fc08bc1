#pragma once

#include <string>

#include "percuss/io/mesh_readers.h"

namespace percuss {

// A description as bytes, from one process to a copy of it. Only what Gmsh fills: nodes, elements and sets of
// them.

std::string pack_mesh(MeshDescription& description);
MeshDescription unpack_mesh(const std::string& bytes, const std::string& path);

}  // namespace percuss
