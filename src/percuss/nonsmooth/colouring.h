#pragma once

#include <vector>

#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// Cones by colour: two cones of a colour have no block in common.
struct Colouring {
  std::vector<int> order;  ///< cones, colour by colour
  std::vector<int> begin;  ///< of a colour in order
};

Colouring colour(const BlockMatrix& W);

/// The problem with its cones in another order.
LocalProblem reordered(const LocalProblem& problem, const std::vector<int>& order);
/// Its rows of a vector, and back.
std::vector<double> reordered(const BlockMatrix& W, const std::vector<double>& x,
                              const std::vector<int>& order);
void restore(const BlockMatrix& W, const std::vector<double>& reordered, const std::vector<int>& order,
             std::vector<double>& x);

}  // namespace percuss
