#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "percuss/geometry/mesh.h"

namespace percuss {

struct MeshImport {
  /// Of the coordinates in the file; a STEP file says itself what its unit is.
  double unit_in_metres = 1;
  /// Length of the edges for files that have surfaces only (.stl, .step); m.
  std::optional<double> mesh_size = {};
  bool is_quadratic = false;  ///< fill them with tet10, with straight edges
};

/// Reads a mesh by the extension of the file: .inp (Abaqus), .unv (I-DEAS), .bdf and .nas (Nastran), .msh
/// (Gmsh); .stl and .step, .stp are filled with tet4 or tet10 by Gmsh.
///
/// Only cells of the largest dimension become cells. A set of elements becomes a cell set, or a surface if
/// its elements are the faces of solid cells; and a node set, unless the file has one of that name. Throws
/// IoError that says what is wrong in which line. Gmsh works in a child process, which ends with the
/// call.
Mesh read_mesh(const std::filesystem::path& file, const MeshImport& import);

/// By its extension: whether the file needs MeshImport::mesh_size.
bool has_only_surfaces(const std::filesystem::path& file);

/// Whether this build can ask Gmsh.
bool reads_with_gmsh();

/// Metres of a unit of length; nothing if the name is not one of length_unit_names.
std::optional<double> length_unit(std::string_view name);
inline constexpr std::string_view length_unit_names = "m, cm, mm, um, in, ft";

}  // namespace percuss
