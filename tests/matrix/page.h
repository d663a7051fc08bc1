#pragma once

#include <string>
#include <vector>

#include "matrix/cell.h"

namespace percuss::matrix {

/// One feature with a cell for each of all_columns().
struct Row {
  Feature feature;
  std::string title;
  double duration;
  int steps;
  std::vector<Cell> cells;
};

/// The section "Feature x scheme" of docs/verification.md.
std::string page_section(const std::vector<Row>& rows);
/// Puts it between its markers in the file; throws std::runtime_error if they are not there.
void write_section(const std::string& file, const std::string& section);

}  // namespace percuss::matrix
