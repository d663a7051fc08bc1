#pragma once

#include <string>

namespace percuss {

// Gmsh takes a file that it does not recognise for a script and runs it, and believes damaged files. What is
// given to it is looked at first. These return the content, or throw IoError.

std::string read_gmsh_mesh_file(const std::string& path);

enum class GeometryFile { stl, step };
/// By its extension.
GeometryFile kind_of_geometry(const std::string& path);
std::string read_geometry_file(const std::string& path);

}  // namespace percuss
