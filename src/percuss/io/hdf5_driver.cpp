#include "percuss/io/hdf5_driver.h"

#include <cstring>
#include <limits>
#include <new>

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace percuss {
namespace {

/// Shares the DiskFile, because HDF5 keeps a file that it could not close until the program ends.
struct DriverFile {
  H5FD_t base;  ///< must come first, the library sees only this
  std::shared_ptr<DiskFile> disk;
  haddr_t end;
};
DriverFile& driver_file(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& driver_file(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  auto* file = new (std::nothrow) DriverFile{};
  if (file == nullptr) return nullptr;
  file->disk = **static_cast<const std::shared_ptr<DiskFile>* const*>(H5Pget_driver_info(access));
  return &file->base;
}

herr_t close_file(H5FD_t* file) { return delete &driver_file(file), 0; }

/// No sieve and no accumulator: a write is on its way when the call returns.
herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
           H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_addresses(const H5FD_t* file, H5FD_mem_t) { return driver_file(file).end; }
haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) {
  return static_cast<haddr_t>(driver_file(file).disk->size());
}

/// The file is always as long as HDF5 believes, so that a reader can tell a truncated one.
herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  driver_file(file).end = end;
  DiskFile& disk = *driver_file(file).disk;
  const auto size = static_cast<std::int64_t>(end);
  if (disk.is_writable() && size > disk.size()) disk.resize(size);
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  DiskFile& disk = *driver_file(file).disk;
  const auto size = static_cast<std::int64_t>(driver_file(file).end);
  if (disk.is_writable() && size != disk.size()) disk.resize(size);
  return 0;
}

/// Metadata beyond the end is only read ahead, and has checksums. Numbers beyond the end are lost.
herr_t read(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, size_t size, void* to) {
  DiskFile& disk = *driver_file(file).disk;
  const size_t got = disk.read(static_cast<std::int64_t>(address), static_cast<char*>(to), size);
  if (got == size) return 0;
  if (disk.has_failed()) return -1;
  if (type == H5FD_MEM_DRAW && !disk.is_writable()) {
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_READERROR,
             "its end is missing");
    return -1;
  }
  std::memset(static_cast<char*>(to) + got, 0, size - got);
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* from) {
  driver_file(file).disk->write(static_cast<std::int64_t>(address), static_cast<const char*>(from), size);
  return 0;
}

/// DiskFile has its own locks. But HDF5 marks a file as being written only if its driver has these two.
herr_t lock(H5FD_t*, hbool_t) { return 0; }
herr_t unlock(H5FD_t*) { return 0; }

hid_t register_driver() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = 600;
#endif
  driver.name = "percuss";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<std::int64_t>::max());
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(const std::shared_ptr<DiskFile>*);
  driver.open = open_file;
  driver.close = close_file;
  driver.query = query;
  driver.get_eoa = end_of_addresses;
  driver.set_eoa = set_end_of_addresses;
  driver.get_eof = end_of_file;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  driver.lock = lock;
  driver.unlock = unlock;
  return H5FDregister(&driver);
}

}  // namespace

Hdf5Id access_through(const std::shared_ptr<DiskFile>& disk) {
  static const hid_t driver = register_driver();
  H5PLset_loading_state(0);  // a file could name a filter, which is a shared object that HDF5 would load
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures become exceptions, not lines on the terminal
  Hdf5Id list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const auto* location = &disk;
  H5Pset_driver(list.get(), driver, &location);
  // The oldest format with SWMR, so that the file does not depend on which newer HDF5 wrote it.
  H5Pset_libver_bounds(list.get(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG);
  return list;
}

}  // namespace percuss
