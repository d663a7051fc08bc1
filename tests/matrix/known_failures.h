#pragma once

#include <string>
#include <vector>

#include "matrix/cell.h"

namespace percuss::matrix {

/// A cell that is not as it should be, and why. Whoever mends it takes it out of the list: the test fails
/// where a cell of the list has become right, and where another one goes wrong.
struct KnownFailure {
  std::string feature, column;
  Verdict verdict;  ///< differs or fails
  std::string why;
};
const std::vector<KnownFailure>& known_failures();

/// What is unexpected about a cell; empty if nothing is.
std::string surprise(const Feature& feature, const Column& column, const Cell& cell);

}  // namespace percuss::matrix
