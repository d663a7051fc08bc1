#include "percuss/dynamics/pools/planar_beams.h"

#include <algorithm>

namespace percuss {

void PlanarBeams::list_blocks(const std::vector<BodyData>& /*bodies*/) {
  for (const PlanarBeam& beam : elements) blocks.add(beam.dof);
}

void PlanarBeams::add_force(const ForceArguments& at, VectorX& f) const {
  for (const PlanarBeam& beam : elements)
    scatter(beam.force(beam.gather(at.q), beam.velocity(at.v)), beam.dof.data(), f);
}

void PlanarBeams::add_tangents(const ForceArguments& at, const TangentSum& sum) const {
  PlanarBeam::Matrix6 K, C;
  for (size_t e = 0; e < size(); ++e) {
    const PlanarBeam& beam = elements[e];
    beam.tangents(beam.gather(at.q), beam.velocity(at.v), K, C);
    sum.add(blocks, static_cast<int>(e), K, C);
  }
}

double PlanarBeams::strain_energy(const ForceArguments& at) const {
  double energy = 0;
  for (const PlanarBeam& beam : elements) energy += beam.energy(beam.gather(at.q));
  return energy;
}

double PlanarBeams::damping_power(const ForceArguments& at) const {
  double power = 0;
  for (const PlanarBeam& beam : elements)
    if (beam.viscosity > 0) power += beam.damping_power(beam.gather(at.q), beam.velocity(at.v));
  return power;
}

bool PlanarBeams::has_dampers() const {
  return std::ranges::any_of(elements, [](const PlanarBeam& beam) { return beam.viscosity > 0; });
}

}  // namespace percuss
