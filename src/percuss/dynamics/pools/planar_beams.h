#pragma once

#include "percuss/dynamics/elements/planar_beam.h"
#include "percuss/dynamics/pools/pool.h"

namespace percuss {

/// docs/theory/beams.md (B-1 to B-4)
struct PlanarBeams : ElementPool<PlanarBeam> {
  void list_blocks(const std::vector<BodyData>& bodies);
  void add_force(const ForceArguments& at, VectorX& f) const;
  void add_tangents(const ForceArguments& at, const TangentSum& sum) const;
  double strain_energy(const ForceArguments& at) const;
  double damping_power(const ForceArguments& at) const;
  bool has_dampers() const;
};

}  // namespace percuss
