#pragma once

#include <vector>

#include "percuss/nonsmooth/interior_system.h"

namespace percuss {

/// Newton's method on the natural map x - P(x - û) of the scaled problem (NI-12), from a point close to a
/// solution. It lets go of the interior, whose distance to the boundary is lost in rounding at the end.
class InteriorPolish {
 public:
  InteriorPolish(const InteriorRows& rows, const VectorX& q, InteriorSystem& system, const VectorX& start);

  const VectorX& x() const { return x_; }         ///< in the cones
  const VectorX& velocity() const { return u_; }  ///< W' x + q

  bool advance();  ///< one step; false if the factorisation broke down

 private:
  void measure();
  void linearise(int c);

  const InteriorRows& rows_;
  const VectorX& q_;
  InteriorSystem& system_;
  VectorX x_, u_, rhs_, dx_;
  std::vector<Matrix3> blocks_;
};

}  // namespace percuss
