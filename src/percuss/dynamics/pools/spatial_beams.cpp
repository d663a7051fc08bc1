#include "percuss/dynamics/pools/spatial_beams.h"

#include <algorithm>

namespace percuss {

void SpatialBeams::list_blocks(const std::vector<BodyData>& /*bodies*/) {
  for (const SpatialBeam& beam : elements) blocks.add(beam.dof);
}

void SpatialBeams::add_force(const ForceArguments& at, VectorX& f) const {
  for (const SpatialBeam& beam : elements)
    scatter(beam.force(beam.gather(at.bodies, at.q, at.v)), beam.dof.data(), f);
}

void SpatialBeams::add_tangents(const ForceArguments& at, const TangentSum& sum) const {
  SpatialBeam::Matrix12 K, C;
  for (size_t e = 0; e < size(); ++e) {
    const SpatialBeam& beam = elements[e];
    beam.tangents(beam.gather(at.bodies, at.q, at.v), K, C);
    sum.add(blocks, static_cast<int>(e), K, C);
  }
}

double SpatialBeams::strain_energy(const ForceArguments& at) const {
  double energy = 0;
  for (const SpatialBeam& beam : elements) energy += beam.energy(beam.gather(at.bodies, at.q, at.v));
  return energy;
}

double SpatialBeams::damping_power(const ForceArguments& at) const {
  double power = 0;
  for (const SpatialBeam& beam : elements)
    if (beam.viscosity > 0) power += beam.damping_power(beam.gather(at.bodies, at.q, at.v));
  return power;
}

bool SpatialBeams::has_dampers() const {
  return std::ranges::any_of(elements, [](const SpatialBeam& beam) { return beam.viscosity > 0; });
}

}  // namespace percuss
