#pragma once

#include <string>
#include <vector>

#include "percuss/io/results_reader.h"

namespace percuss {

/// What XDMF cannot compute from a results file: the vertices of rigid shapes and walls with their
/// displacements, and contact forces and impulses as vectors in space. It stands in a file of its own.
struct XdmfShapes {
  std::string path;  ///< as the XDMF file refers to it
  std::int64_t vertices = 0, triangles = 0, lines = 0;
  std::vector<std::int64_t> first_row;  ///< of the contacts of each frame, and behind those of the last
};

/// Writes that file. Throws IoError.
XdmfShapes write_xdmf_shapes(const ResultsReader& results, const std::string& file);

/// The grids `rigid`, `rigid.lines` and `contacts` of one frame; what is empty is left out.
std::string xdmf_shape_grids(const XdmfShapes& shapes, std::int64_t frames, std::int64_t frame);

}  // namespace percuss
