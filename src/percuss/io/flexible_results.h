#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "percuss/geometry/mesh.h"

namespace percuss {

class Hdf5Reader;

/// A flexible body in a results file, with the names of its datasets.
struct FlexibleInfo {
  struct Block {
    CellShape shape = CellShape::tet4;
    std::string dataset;  ///< numbers of the nodes, cell after cell
    std::int64_t cells = 0;
  };

  std::string name, group;  ///< the group ends with /
  std::int64_t nodes = 0;
  std::vector<Block> blocks;
};

/// Those of a file, by name. Lowers `frames` to the rows that all their datasets have. Throws IoError if
/// sizes do not fit.
std::vector<FlexibleInfo> read_flexibles(const Hdf5Reader& file, std::int64_t& frames);

}  // namespace percuss
