#pragma once

#include <filesystem>

#include "percuss/math/table.h"

namespace percuss {

/// Reads a table of two columns (separated by commas, semicolons or blanks; lines that begin with # and one
/// header line are skipped). Throws ExpressionError naming file and line.
Table read_table(const std::filesystem::path& file);

}  // namespace percuss
