#pragma once

#include <string>

#include "percuss/io/hdf5_file.h"

namespace percuss {

/// HDF5 believes what a file says about the size of a stored piece of a dataset, and reads beyond its memory
/// where one is shorter. Says what is wrong with the pieces; empty if HDF5 can read them.
std::string defect_of_pieces(const Hdf5Id& dataset);

}  // namespace percuss
