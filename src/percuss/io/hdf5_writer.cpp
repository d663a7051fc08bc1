#include "percuss/io/hdf5_writer.h"

#include <algorithm>

#include <hdf5.h>

#include "percuss/io/hdf5_driver.h"
#include "percuss/io/hdf5_library.h"

namespace percuss {

std::unique_ptr<Hdf5Writer> Hdf5Writer::create(const std::string& path) {
  std::unique_ptr<Hdf5Writer> writer(new Hdf5Writer(DiskFile::create(path)));
  const Hdf5Id access = access_through(writer->disk_), layout(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  // Pages of 4096 bytes, the size of a page of memory: a kill can cut a write only between two of them, so
  // no small piece of metadata is ever half written.
  H5Pset_file_space_strategy(layout.get(), H5F_FSPACE_STRATEGY_PAGE, false, 1);
  H5Pset_file_space_page_size(layout.get(), 4096);
  writer->file_ = {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, layout.get(), access.get()), H5Fclose};
  writer->check(writer->file_.is_valid());
  return writer;
}

void Hdf5Writer::make_group(const std::string& name) {
  const Hdf5Id group(H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  check(group.is_valid());
}

Hdf5Id Hdf5Writer::make_dataset(const std::string& name, std::int64_t type, const Hdf5Id& space,
                                const Hdf5Id& creation, const Hdf5Id* access) {
  H5Pset_obj_track_times(creation.get(), false);  // a file depends on nothing but its content
  Hdf5Id dataset(H5Dcreate2(file_.get(), name.c_str(), type, space.get(), H5P_DEFAULT, creation.get(),
                            access != nullptr ? access->get() : H5P_DEFAULT),
                 H5Dclose);
  check(dataset.is_valid());
  return dataset;
}

void Hdf5Writer::make(const std::string& name, Element type, const void* values, Hdf5Shape shape) {
  const Hdf5Id space = make_space(shape);
  const Hdf5Id dataset =
      make_dataset(name, file_type(type), space, {H5Pcreate(H5P_DATASET_CREATE), H5Pclose});
  if (shape.rows * shape.width == 0) return;
  check(H5Dwrite(dataset.get(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

void Hdf5Writer::make_text(const std::string& name, std::string_view text) {
  make(name, Element::uint8, text.data(), {.rows = std::ssize(text)});
}

void Hdf5Writer::make_string(const std::string& name, std::string_view text) {
  std::string bytes(text);
  bytes.resize(std::max<std::size_t>(bytes.size(), 1));
  const Hdf5Id type = string_type(bytes.size(), bytes), space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Id dataset = make_dataset(name, type.get(), space, {H5Pcreate(H5P_DATASET_CREATE), H5Pclose});
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0);
}

void Hdf5Writer::make_strings(const std::string& name, const std::vector<std::string>& strings) {
  std::size_t length = 1;
  for (const auto& text : strings) length = std::max(length, text.size());
  std::string bytes;
  for (const auto& text : strings) bytes.append(text).append(length - text.size(), '\0');
  const Hdf5Id type = string_type(length, bytes), space = make_space({.rows = std::ssize(strings)});
  const Hdf5Id dataset = make_dataset(name, type.get(), space, {H5Pcreate(H5P_DATASET_CREATE), H5Pclose});
  if (strings.empty()) return;
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0);
}

void Hdf5Writer::attach(const std::string& object, const std::string& name, std::int64_t type,
                        std::int64_t memory_type, const void* value) {
  const Hdf5Id scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Id attribute(H5Acreate_by_name(file_.get(), object.c_str(), name.c_str(), type, scalar.get(),
                                           H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  check(attribute.is_valid());
  check(H5Awrite(attribute.get(), memory_type, value) >= 0);
}
void Hdf5Writer::attach(const std::string& object, const std::string& name, const std::string& value) {
  const Hdf5Id type = string_type(value.size(), value);
  attach(object, name, type.get(), type.get(), value.c_str());
}
void Hdf5Writer::attach(const std::string& object, const std::string& name, double value) {
  attach(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}
void Hdf5Writer::attach(const std::string& object, const std::string& name, std::int64_t value) {
  attach(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}
void Hdf5Writer::attach(const std::string& object, const std::string& name, std::int32_t value) {
  attach(object, name, H5T_STD_I32LE, H5T_NATIVE_INT32, &value);
}

void Hdf5Writer::overwrite(const std::string& name, Element type, const void* values) {
  const Hdf5Id dataset = open_dataset(name);
  check(H5Dwrite(dataset.get(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

void Hdf5Writer::start_appending() {
  flush();  // SWMR reads everything again, and loses memory if it is not there
  check(H5Fstart_swmr_write(file_.get()) >= 0);
}

void Hdf5Writer::publish() {
  disk_->publish();
  disk_->throw_if_failed();
}

void Hdf5Writer::flush() { check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL) >= 0); }

void Hdf5Writer::sync() {
  disk_->sync();
  disk_->throw_if_failed();
}

void Hdf5Writer::close() {
  check(file_.close());
  sync();
}

}  // namespace percuss
