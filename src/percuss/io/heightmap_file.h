#pragma once

#include <array>
#include <filesystem>

#include "percuss/geometry/triangle_mesh.h"

namespace percuss {

/// The surface over a grid of heights in a CSV file (separated by commas, semicolons or blanks; lines that
/// begin with # are skipped): x grows along a line, y from line to line. Each cell is divided by its diagonal
/// from the corner with the smallest x and y. Throws IoError that names line, row and column, from 1.
TriangleMesh read_heightmap(const std::filesystem::path& file, const std::array<double, 2>& cell);

}  // namespace percuss
