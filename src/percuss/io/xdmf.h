#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "percuss/io/results_reader.h"
#include "percuss/io/xdmf_shapes.h"

namespace percuss {

/// Describes the bodies and contacts of a results file for ParaView and other programs that read XDMF. The
/// text refers to `data_path`, the results file seen from the folder of the text, and to the file of
/// `shapes`; without shapes it has the flexible bodies only. `write` gets it piece by piece.
/// docs/howto/paraview.md. Throws ProbeError if there is nothing to describe, or if a path has a colon, which
/// XDMF cannot express.
void write_xdmf(const ResultsReader& results, const std::string& data_path, const XdmfShapes* shapes,
                const std::function<void(const std::string&)>& write);

/// XDMF's name of a kind of cells.
std::string_view xdmf_topology(CellShape shape);

}  // namespace percuss
