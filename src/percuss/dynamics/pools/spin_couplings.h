#pragma once

#include "percuss/dynamics/elements/shaft_element.h"
#include "percuss/dynamics/pools/pool.h"

namespace percuss {

/// Gyroscopic forces of shafts.  docs/theory/shaft.md (SH-5)
struct SpinCouplings : ElementPool<SpinCoupling> {
  void list_blocks(const std::vector<BodyData>& bodies);
  void add_force(const ForceArguments& at, VectorX& f) const;
  void add_tangents(const ForceArguments& at, const TangentSum& sum) const;
  bool is_gyroscopic() const { return true; }
};

}  // namespace percuss
