#pragma once

#include <string>

#include "percuss/nonsmooth/problem.h"

/// Linear complementarity problems 0 <= u = W r + u_free ⟂ r >= 0 as plain text: the number of rows, the
/// storage (0: dense), the numbers of rows and columns twice, the matrix column by column, the vector.
/// docs/formats/contact_problems.md
namespace percuss {

/// The matrix may be unsymmetric. What follows the last number of the vector is a remark and is not read.
/// Throws IoError with the line and the word.
LocalProblem read_problem_text(const std::string& path);

/// Throws IoError; all cones must be nonnegative.
void write_problem_text(const std::string& path, const LocalProblem& problem);

}  // namespace percuss
