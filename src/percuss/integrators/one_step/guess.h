#pragma once

#include <vector>

#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// Replaces the reactions of the step before by those of this problem, if its contacts do what they did:
/// those without reaction stay open, those within the friction cone stick, those on its edge slide in the
/// same direction. Then the problem is a linear system, and a solver that starts from its solution has only
/// to check it. docs/theory/moreau.md (M-16)
///
/// For problems with friction of at most `max_guess_rows` such equations; leaves the guess as it is if the
/// system is singular or a contact would pull.
constexpr int max_guess_rows = 12;
void sharpen_guess(const LocalProblem& problem, std::vector<double>& guess);

}  // namespace percuss
