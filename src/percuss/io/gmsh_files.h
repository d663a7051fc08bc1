#pragma once

#include <string>

namespace percuss {

// Gmsh takes a file that it does not recognise for a script and runs it, and believes damaged files. What is
// given to it is looked at first. These throw IoError.

void require_gmsh_mesh_file(const std::string& path);

enum class GeometryFile { stl, step };
GeometryFile require_geometry_file(const std::string& path);

}  // namespace percuss
