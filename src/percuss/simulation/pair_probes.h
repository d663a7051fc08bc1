#pragma once

#include <optional>

#include "percuss/simulation/probe.h"

namespace percuss {

/// Quantities of all contacts between two bodies or obstacles, or of one with everything (`*`). Nothing if a
/// name means neither.
std::optional<Probe> pair_probe(const Assembly& assembly, const std::string& first, const std::string& second,
                                const std::string& what);

}  // namespace percuss
