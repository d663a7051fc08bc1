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

bool Hdf5File::has_place(const std::string& name) const {
  for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
    const std::string part = name.substr(0, end);
    const htri_t found = H5Lexists(file_.get(), part.c_str(), H5P_DEFAULT);
    check(found >= 0);
    if (found == 0) return false;
    H5L_info_t link{};
    check(H5Lget_info(file_.get(), part.c_str(), &link, H5P_DEFAULT) >= 0);
    if (link.type != H5L_TYPE_HARD) refuse(part, "is a link to another place");
    if (end == name.npos) return true;
  }
}

Hdf5Id Hdf5File::open_dataset(const std::string& name) const {
  has_place(name);
  Hdf5Id dataset = open_again(name);
  check_storage(name, dataset);
  return dataset;
}

Hdf5Id Hdf5File::open_again(const std::string& name) const {
  Hdf5Id dataset(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  check(dataset.is_valid());
  return dataset;
}

void Hdf5File::check_storage(const std::string& name, const Hdf5Id& dataset) const {
  const Hdf5Id creation(H5Dget_create_plist(dataset.get()), H5Pclose);
  check(creation.is_valid());
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  if (layout == H5D_VIRTUAL) refuse(name, "is a view of other datasets");
  if (layout == H5D_CONTIGUOUS && H5Pget_external_count(creation.get()) != 0)
    refuse(name, "keeps its numbers in another file");
}

void Hdf5File::refuse(const std::string& name, const std::string& what) const {
  throw IoError::cannot("read", path(),
                        fmt::format("{} {}; percuss reads only what lies in the file itself", name, what),
                        "h5repack or h5copy make a file of its own");
}

}  // namespace percuss
