#pragma once

#include <string>
#include <vector>

#include "percuss/dynamics/system.h"
#include "percuss/io/drawn_bodies.h"

namespace percuss {

class Hdf5Reader;
class Hdf5Writer;

/// Bodies in the order of the model, then obstacles. The system must be that of the model.
std::vector<DrawnShape> drawn_shapes(const Model& model, const System& system);

void write_shapes(Hdf5Writer& file, const std::vector<DrawnShape>& shapes, const System& system);
/// `bodies` are the names of /bodies. Throws IoError if the numbers do not belong together.
std::vector<DrawnShape> read_shapes(const Hdf5Reader& file, const std::vector<std::string>& bodies);

}  // namespace percuss
