#include "percuss/io/hdf5_disk.h"

#include <cerrno>
#include <cstring>
#include <limits>

#include <sys/stat.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace percuss {

Hdf5Disk::~Hdf5Disk() {
  if (fd >= 0) ::close(fd);
  if (!part.empty()) ::unlink(part.c_str());
}

void Hdf5Disk::fail(const char* reason) {
  if (error.empty()) error = reason;
}

std::int64_t Hdf5Disk::size() const {
  struct stat status {};
  return ::fstat(fd, &status) == 0 ? status.st_size : 0;
}

void Hdf5Disk::resize(haddr_t size) {
  if (error.empty() && ::ftruncate(fd, static_cast<off_t>(size)) != 0) fail(std::strerror(errno));
}

void Hdf5Disk::write(haddr_t address, const char* bytes, size_t count) {
  while (count > 0 && error.empty()) {
    const ssize_t n = ::pwrite(fd, bytes, count, static_cast<off_t>(address));
    if (n < 0 && errno != EINTR) fail(std::strerror(errno));
    if (n <= 0) continue;
    bytes += n, count -= static_cast<size_t>(n), address += static_cast<haddr_t>(n);
  }
}

bool Hdf5Disk::read(haddr_t address, char* bytes, size_t count, bool numbers) {
  while (count > 0) {
    const ssize_t n = ::pread(fd, bytes, count, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(std::strerror(errno)), false;
    if (n == 0) {
      if (numbers && !writable) return fail("the file is damaged: its end is missing"), false;
      std::memset(bytes, 0, count);
      return true;
    }
    bytes += n, count -= static_cast<size_t>(n), address += static_cast<haddr_t>(n);
  }
  return true;
}

namespace {

struct DriverFile {
  H5FD_t base;  ///< must come first, the library sees only this
  Hdf5Disk* disk;
  haddr_t end;
};
DriverFile* driver_file(H5FD_t* file) { return reinterpret_cast<DriverFile*>(file); }
const DriverFile* driver_file(const H5FD_t* file) { return reinterpret_cast<const DriverFile*>(file); }

hid_t register_driver() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = 600;
#endif
  driver.name = "percuss";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(Hdf5Disk*);
  driver.open = [](const char*, unsigned flags, hid_t access, haddr_t) -> H5FD_t* {
    auto* file = new DriverFile{};
    file->disk = *static_cast<Hdf5Disk* const*>(H5Pget_driver_info(access));
    if ((flags & H5F_ACC_TRUNC) != 0) file->disk->resize(0);
    return &file->base;
  };
  driver.close = [](H5FD_t* file) -> herr_t { return delete driver_file(file), 0; };
  // No sieve and no accumulator: a write is on its way when the call returns.
  driver.query = [](const H5FD_t*, unsigned long* flags) -> herr_t {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
  };
  driver.get_eoa = [](const H5FD_t* file, H5FD_mem_t) { return driver_file(file)->end; };
  // The file is always as long as HDF5 believes, so that a reader can tell a truncated one.
  driver.set_eoa = [](H5FD_t* file, H5FD_mem_t, haddr_t end) -> herr_t {
    driver_file(file)->end = end;
    Hdf5Disk& disk = *driver_file(file)->disk;
    if (disk.writable && end > static_cast<haddr_t>(disk.size())) disk.resize(end);
    return 0;
  };
  driver.get_eof = [](const H5FD_t* file, H5FD_mem_t) {
    return static_cast<haddr_t>(driver_file(file)->disk->size());
  };
  driver.read = [](H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, size_t size, void* to) -> herr_t {
    const bool numbers = type == H5FD_MEM_DRAW;
    return driver_file(file)->disk->read(address, static_cast<char*>(to), size, numbers) ? 0 : -1;
  };
  driver.write = [](H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size,
                    const void* from) -> herr_t {
    return driver_file(file)->disk->write(address, static_cast<const char*>(from), size), 0;
  };
  driver.truncate = [](H5FD_t* file, hid_t, hbool_t) -> herr_t {
    Hdf5Disk& disk = *driver_file(file)->disk;
    if (disk.writable) disk.resize(driver_file(file)->end);
    return 0;
  };
  // Nothing is locked here, but HDF5 marks a file as open for writing only if its driver could.
  driver.lock = [](H5FD_t*, hbool_t) -> herr_t { return 0; };
  driver.unlock = [](H5FD_t*) -> herr_t { return 0; };
  return H5FDregister(&driver);
}

}  // namespace

Hdf5Id hdf5_access_list(Hdf5Disk* disk) {
  static const hid_t driver = register_driver();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures become exceptions, not lines on the terminal
  Hdf5Id list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_driver(list.get(), driver, &disk);
  H5Pset_libver_bounds(list.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG);
  return list;
}

}  // namespace percuss
