#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "percuss/math/table.h"

namespace percuss {

/// Reads a table of two columns (separated by commas, semicolons or blanks; lines that begin with # and one
/// header line are skipped). Throws ExpressionError naming file and line.
Table read_table(const std::filesystem::path& file);

/// A text as a cell of a CSV file: in quotes if it has commas or quotes, control characters spelled out.
std::string csv_cell(const std::string& text);
/// The cells of a line, without their quotes and the blanks around them.
std::vector<std::string> split_csv(const std::string& line);

/// The columns of a CSV file with a header line, such as `percuss export` writes.
struct CsvColumns {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
};
/// Lines that begin with # are skipped. Throws ExpressionError naming file and line.
CsvColumns read_columns(const std::filesystem::path& file);

}  // namespace percuss
