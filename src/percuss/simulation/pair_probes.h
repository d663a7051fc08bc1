#pragma once

#include <optional>

#include "percuss/math/vector.h"
#include "percuss/simulation/probe.h"

namespace percuss {

/// Quantities of all contacts between two bodies or obstacles, or of one with everything (`*`). Nothing if a
/// name means neither.
std::optional<Probe> pair_probe(const Assembly& assembly, const std::string& first, const std::string& second,
                                const std::string& what);

/// The force that gives an impulse in the last step [N]; none in a step that takes no time.
double mean_force(const Simulation& s, const Vector3& impulse);

}  // namespace percuss
