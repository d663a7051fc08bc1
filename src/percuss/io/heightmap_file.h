#pragma once

#include <array>
#include <filesystem>

#include "percuss/geometry/triangle_mesh.h"
#include "percuss/io/surface_file.h"

namespace percuss {

/// More in one file are refused.
inline constexpr std::size_t most_heights = most_triangles / 2;

/// The surface over a grid of heights in a CSV file (separated by commas, semicolons or blanks; lines that
/// begin with # are skipped): x grows along a line, y from line to line. Each cell is divided by its diagonal
/// from the corner with the smallest x and y. Throws IoError that names line, row and column, from 1.
TriangleMesh read_heightmap(const std::filesystem::path& file, const std::array<double, 2>& cell);

/// The same over the pixels of a grey .png file, seen from above, whose lower left one stands at x = y = 0:
/// black is at height[0], white at height[1].
TriangleMesh read_height_picture(const std::filesystem::path& file, const std::array<double, 2>& cell,
                                 const std::array<double, 2>& height);

}  // namespace percuss
