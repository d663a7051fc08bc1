#pragma once

#include <vector>

#include "percuss/io/drawn_bodies.h"

namespace percuss {

class Hdf5Reader;

/// Those of a file, by name. Lowers `frames` to the rows that all their datasets have. Throws IoError if
/// sizes do not fit.
std::vector<FlexibleInfo> read_flexibles(const Hdf5Reader& file, std::int64_t& frames);

}  // namespace percuss
