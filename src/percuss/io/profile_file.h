#pragma once

#include <array>
#include <filesystem>
#include <vector>

namespace percuss {

/// The corners of a profile in a CSV file: x and y in each line, separated by commas, semicolons or blanks;
/// lines that begin with # are skipped. Throws IoError with the line.
std::vector<std::array<double, 2>> read_profile(const std::filesystem::path& file);

}  // namespace percuss
