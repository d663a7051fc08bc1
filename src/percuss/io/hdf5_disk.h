#pragma once

#include <cstdint>
#include <string>

#include <hdf5.h>

#include "percuss/io/hdf5_file.h"

namespace percuss {

/// The open file under HDF5, with a driver of our own: the first failure to write is remembered, nothing is
/// written after it, and HDF5 is told that all is well. A full disk then looks like a kill at that moment,
/// which the file survives, and closing the file cannot fail half-way.
struct Hdf5Disk {
  std::string path, part;  ///< `part` is the temporary name until publish()
  int fd = -1;
  bool writable = false;
  std::string error;  ///< the first failure

  Hdf5Disk() = default;
  ~Hdf5Disk();
  Hdf5Disk(const Hdf5Disk&) = delete;
  Hdf5Disk& operator=(const Hdf5Disk&) = delete;

  void fail(const char* reason);
  std::int64_t size() const;
  void resize(haddr_t size);
  void write(haddr_t address, const char* bytes, size_t count);
  /// False on failure. Numbers beyond the end are lost; metadata beyond the end is only read ahead, and has
  /// checksums.
  bool read(haddr_t address, char* bytes, size_t count, bool numbers);
};

/// How HDF5 is to open a file on this disk.
Hdf5Id hdf5_access_list(Hdf5Disk* disk);

}  // namespace percuss
