#pragma once

#include "percuss/dynamics/system.h"

namespace percuss {

/// Von Mises' stress of solids, largest normal stress at the edge of the section of beams, normal stress of
/// bars (its amount): one for each element, in the order of the mesh [Pa].  docs/theory/flexible_bodies.md
/// (E-7)
std::vector<double> element_stresses(const System& system, const FlexibleData& body, const State& state);
/// The same in memory that is used again.
void element_stresses(const System& system, const FlexibleData& body, const State& state,
                      std::vector<double>& stresses);

}  // namespace percuss
