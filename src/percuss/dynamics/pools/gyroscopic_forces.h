#pragma once

#include "percuss/dynamics/pools/pool.h"

namespace percuss {

/// Of rigid bodies in space, -omega x J omega; the elements are indices of bodies.
/// docs/theory/rigid_bodies.md
struct GyroscopicForces : ElementPool<int> {
  void list_blocks(const std::vector<BodyData>& bodies);
  void add_force(const ForceArguments& at, VectorX& f) const;
  void add_tangents(const ForceArguments& at, const TangentSum& sum) const;
  bool is_gyroscopic() const { return true; }
};

}  // namespace percuss
