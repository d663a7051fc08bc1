#include "percuss/io/hdf5_file.h"

#include <fmt/format.h>
#include <hdf5.h>

#include "percuss/io/hdf5_library.h"
#include "percuss/io/io_error.h"

namespace percuss {

Hdf5File::~Hdf5File() {
  file_.close();
  // HDF5 keeps what it could not close until the program ends; the file itself must not wait for that.
  disk_->close();
}

void Hdf5File::check(bool ok) const {
  disk_->throw_if_failed();
  if (ok) return;
  if (disk_->is_writable()) throw IoError::cannot("write", path(), hdf5_reason());
  throw IoError::cannot("read", path(), fmt::format("the file is damaged ({})", hdf5_reason()));
}

Hdf5Id Hdf5File::open_dataset(const std::string& name) const {
  Hdf5Id dataset(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  check(dataset.is_valid());
  return dataset;
}

}  // namespace percuss
