#pragma once

#include <filesystem>
#include <string>

#include "percuss/geometry/triangle_mesh.h"

namespace percuss {

/// More triangles in one file are refused.
inline constexpr std::size_t most_triangles = 5'000'000;

/// Reads a .stl (text or binary) or .obj file, in its own unit. Vertices that agree bit for bit become one;
/// polygons are divided into fans. Throws IoError that says what is wrong, in text with the line. What the
/// triangles bound is not checked; an .obj file may have points only.
TriangleMesh read_surface(const std::filesystem::path& file);

// Its parts, by format.
TriangleMesh read_stl(const std::string& path);
TriangleMesh read_obj(const std::string& path);

}  // namespace percuss
