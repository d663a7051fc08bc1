#pragma once

#include <memory>

#include "percuss/io/hdf5_file.h"

namespace percuss {

/// The file access properties with which HDF5 reads and writes through `disk`, which must stay where it is
/// until the file is open.
///
/// HDF5 does not survive a failing write: closing fails too, and the library crashes at exit. So this driver
/// tells HDF5 that all is well, and DiskFile remembers the failure for Hdf5File::check().
Hdf5Id access_through(const std::shared_ptr<DiskFile>& disk);

}  // namespace percuss
