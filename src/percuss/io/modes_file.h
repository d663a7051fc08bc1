#pragma once

#include <functional>
#include <string>

#include "percuss/dynamics/body_modes.h"

namespace percuss {

/// Mesh, table and shapes as HDF5 (docs/formats/modes.md). The file appears when it is complete. Throws
/// IoError.
void write_modes(const std::string& path, const std::string& body, const BodyModes& modes);

/// Describes such a file for ParaView: the number of the mode stands in the place of time. `data_path` as in
/// write_xdmf. Throws IoError if the path has a colon, which XDMF cannot express.
void write_modes_xdmf(const std::string& body, const BodyModes& modes, const std::string& data_path,
                      const std::function<void(const std::string&)>& write);

}  // namespace percuss
