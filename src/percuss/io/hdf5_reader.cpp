#include "percuss/io/hdf5_reader.h"

#include <array>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <hdf5.h>

#include "percuss/io/hdf5_driver.h"
#include "percuss/io/hdf5_library.h"
#include "percuss/io/hdf5_pieces.h"
#include "percuss/io/io_error.h"

namespace percuss {
namespace {

constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
/// Of the superblock from version 2 on: whether somebody opened the file for writing and did not close it.
/// In older versions it is a zero.
constexpr std::size_t consistency_flags = 11;

/// No dataset shrinks by more than this when it is compressed: deflate stores 258 bytes in two bits.
constexpr double best_compression = 1032;
constexpr double most_decompressed = 2e9;  ///< [bytes]

const char* describe_element(Element type) {
  switch (type) {
    case Element::float64: return "64-bit floating-point numbers";
    case Element::int64: return "64-bit integers";
    case Element::int32: return "32-bit integers";
    case Element::uint8: return "bytes";
    case Element::text: return "texts";
  }
  return "";
}

/// True if the file is, or was until a kill, being written.
bool is_unfinished(DiskFile& disk, const std::string& advice) {
  std::array<char, consistency_flags + 1> start{};
  disk.read(0, start.data(), start.size());
  disk.throw_if_failed();
  if (!std::string_view(start.data(), start.size()).starts_with(hdf5_signature))
    throw IoError::cannot("read", disk.path(), disk.size() == 0 ? "it is empty" : "it is not an HDF5 file",
                          advice);
  return start[consistency_flags] != 0;
}

}  // namespace

std::unique_ptr<Hdf5Reader> Hdf5Reader::open(const std::string& path, const std::string& advice) {
  std::unique_ptr<Hdf5Reader> reader(new Hdf5Reader(DiskFile::open(path)));
  const bool unfinished = is_unfinished(*reader->disk_, advice);
  const Hdf5Id access = access_through(reader->disk_);
  // HDF5 reads again what a writer may be changing, and waits twice as long each time: 16 ms after 24 times,
  // which a damaged file costs too. The default of 100 times would wait forever.
  if (unfinished) H5Pset_metadata_read_attempts(access.get(), 24);
  const unsigned mode = H5F_ACC_RDONLY | (unfinished ? H5F_ACC_SWMR_READ : 0);
  reader->file_ = {H5Fopen(path.c_str(), mode, access.get()), H5Fclose};
  reader->check(reader->file_.is_valid());
  return reader;
}

bool Hdf5Reader::contains(const std::string& name) const { return has_place(name); }

std::vector<std::string> Hdf5Reader::members(const std::string& group) const {
  has_place(group);
  const Hdf5Id opened(H5Gopen2(file_.get(), group.c_str(), H5P_DEFAULT), H5Gclose);
  check(opened.is_valid());
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  check(H5Literate(opened.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &names) >= 0);
  return names;
}

bool Hdf5Reader::has_attribute(const std::string& name) const {
  const htri_t found = H5Aexists(file_.get(), name.c_str());
  check(found >= 0);
  return found > 0;
}

std::string Hdf5Reader::text_attribute(const std::string& name) const {
  const Hdf5Id attribute(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  check(attribute.is_valid());
  const Hdf5Id type(H5Aget_type(attribute.get()), H5Tclose);
  const std::size_t length = H5Tget_size(type.get());
  const bool is_text = H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0 &&
                       H5Aget_storage_size(attribute.get()) == length &&
                       length <= static_cast<std::size_t>(disk_->size());
  if (!is_text) fail(fmt::format("the attribute {} is not a text", name));
  std::string text(length, '\0');
  check(H5Aread(attribute.get(), type.get(), text.data()) >= 0);
  text.resize(std::strlen(text.c_str()));
  return text;
}

double Hdf5Reader::number_attribute(const std::string& name) const {
  const Hdf5Id attribute(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  check(attribute.is_valid());
  if (H5Aget_storage_size(attribute.get()) != sizeof(double))
    fail(fmt::format("the attribute {} is not a number", name));
  double value = 0;
  check(H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &value) >= 0);
  return value;
}

std::optional<std::int32_t> Hdf5Reader::integer_attribute(const std::string& object,
                                                          const std::string& name) const {
  has_place(object);
  const htri_t found = H5Aexists_by_name(file_.get(), object.c_str(), name.c_str(), H5P_DEFAULT);
  check(found >= 0);
  if (found == 0) return std::nullopt;
  const Hdf5Id attribute(H5Aopen_by_name(file_.get(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  check(attribute.is_valid());
  const Hdf5Id type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  if (H5Tequal(type.get(), file_type(Element::int32)) <= 0 || H5Sget_simple_extent_npoints(space.get()) != 1)
    fail(fmt::format("the attribute {} of {} is not one 32-bit integer", name, object));
  std::int32_t value = 0;
  check(H5Aread(attribute.get(), H5T_NATIVE_INT32, &value) >= 0);
  return value;
}

void Hdf5Reader::fail(const std::string& reason) const { throw IoError::cannot("read", path(), reason); }

/// A dataset that is not compressed is no larger than the file.
void Hdf5Reader::check_size(const std::string& name, const Hdf5Id& dataset, std::int64_t count,
                            std::size_t bytes_each) const {
  const Hdf5Id creation(H5Dget_create_plist(dataset.get()), H5Pclose);
  const bool is_compressed = H5Pget_nfilters(creation.get()) > 0;
  const double bytes = static_cast<double>(count) * static_cast<double>(bytes_each);  // cannot overflow
  if (is_compressed && bytes > most_decompressed)
    fail(fmt::format("{} has {:.0f} MB; at most {:.0f} MB are read from a compressed dataset", name,
                     bytes / 1e6, most_decompressed / 1e6));
  if (bytes > (is_compressed ? best_compression : 1) * static_cast<double>(disk_->size()))
    fail(fmt::format("the file is damaged ({} is larger than the file)", name));
}

Hdf5Id Hdf5Reader::open_checked(const std::string& name) const {
  if (checked_.contains(name)) return open_again(name);
  Hdf5Id dataset = open_dataset(name);
  if (const std::string defect = defect_of_pieces(dataset); !defect.empty())
    fail(fmt::format("the file is damaged ({}: {})", name, defect));
  checked_.insert(name);
  return dataset;
}

Hdf5Shape Hdf5Reader::shape(const std::string& name) const { return shape_of(open_checked(name)); }

Hdf5Shape Hdf5Reader::shape_of(const Hdf5Id& dataset) const {
  const Hdf5Id space(H5Dget_space(dataset.get()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  Sizes size = {0, 1, 1};
  check(rank >= 1 && rank <= 3 && H5Sget_simple_extent_dims(space.get(), size.data(), nullptr) == rank);
  const auto bytes = static_cast<hsize_t>(disk_->size());
  if (rank == 3 && (size[2] == 0 || size[2] > bytes || size[1] > bytes / size[2]))
    fail("the file is damaged (the rows of a dataset are empty, or larger than the file)");
  return {static_cast<std::int64_t>(size[0]), static_cast<std::int64_t>(size[1] * size[2]), rank >= 2,
          rank == 3 ? static_cast<std::int64_t>(size[2]) : 0};
}

Hdf5Reader::Rows Hdf5Reader::find_rows(const std::string& name, Element type, std::int64_t first,
                                       Hdf5Shape wanted) const {
  Hdf5Id dataset = open_checked(name);
  const Hdf5Id stored(H5Dget_type(dataset.get()), H5Tclose);
  if (H5Tequal(stored.get(), file_type(type)) <= 0)
    fail(fmt::format("{} does not have the expected type, {}", name, describe_element(type)));
  const Hdf5Shape all = shape_of(dataset);
  if (first < 0 || wanted.rows < 0 || wanted.rows > all.rows - first || wanted.width != all.width)
    fail(fmt::format("the file is damaged ({} has another size)", name));
  check_size(name, dataset, wanted.rows, element_size(type) * static_cast<std::size_t>(wanted.width));
  return {std::move(dataset), type, first, all.with(wanted.rows)};
}

void Hdf5Reader::read_rows(const Rows& source, void* values) const {
  if (source.shape.rows == 0 || source.shape.width == 0) return;
  const Hdf5Id here = select_in(source.dataset, offset_of(source.first), sizes(source.shape));
  const Hdf5Id memory = make_space(source.shape);
  check(here.is_valid());
  check(H5Dread(source.dataset.get(), memory_type(source.type), memory.get(), here.get(), H5P_DEFAULT,
                values) >= 0);
}

std::vector<char> Hdf5Reader::read_bytes(const std::string& name, Element type, std::int64_t first,
                                         std::int64_t rows, std::int64_t width) const {
  const Rows source = find_rows(name, type, first, {.rows = rows, .width = width});
  std::vector<char> bytes(static_cast<std::size_t>(rows * width) * element_size(type));
  read_rows(source, bytes.data());
  return bytes;
}

std::vector<double> Hdf5Reader::read_column(const std::string& name, std::int64_t column,
                                            std::int64_t rows) const {
  const Rows source = find_rows(name, Element::float64, 0, {.rows = rows, .width = shape(name).width});
  if (source.shape.rank() < 2 || column < 0 || column >= source.shape.width)
    fail(fmt::format("the file is damaged ({} has another size)", name));
  std::vector<double> values(static_cast<std::size_t>(rows));
  if (rows == 0) return values;
  const Hdf5Shape values_of_column = {.rows = rows};
  const std::int64_t vector = std::max<std::int64_t>(1, source.shape.vector);
  Sizes offset = offset_of(0, column / vector);
  offset[2] = static_cast<hsize_t>(column % vector);
  const Hdf5Id here = select_in(source.dataset, offset, sizes(values_of_column)),
               memory = make_space(values_of_column);
  check(here.is_valid());
  check(H5Dread(source.dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), here.get(), H5P_DEFAULT,
                values.data()) >= 0);
  return values;
}

std::string Hdf5Reader::read_text(const std::string& name) const {
  const auto bytes = read<std::uint8_t>(name);
  return {bytes.begin(), bytes.end()};
}

std::string Hdf5Reader::read_string(const std::string& name) const {
  const Hdf5Id dataset = open_checked(name);
  const Hdf5Id type(H5Dget_type(dataset.get()), H5Tclose), space(H5Dget_space(dataset.get()), H5Sclose);
  const bool is_text = H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0 &&
                       H5Sget_simple_extent_npoints(space.get()) == 1;
  if (!is_text) fail(fmt::format("{} is not one text of fixed length", name));
  const std::size_t length = H5Tget_size(type.get());
  check_size(name, dataset, 1, length);
  std::string text(length, '\0');
  check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) >= 0);
  text.resize(std::strlen(text.c_str()));
  return text;
}

std::vector<std::string> Hdf5Reader::read_strings(const std::string& name) const {
  const Hdf5Id dataset = open_checked(name);
  const Hdf5Id type(H5Dget_type(dataset.get()), H5Tclose);
  const Hdf5Shape shape = shape_of(dataset);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 || shape.is_matrix ||
      shape.rows < 0)
    fail(fmt::format("{} does not hold names", name));
  const std::size_t length = H5Tget_size(type.get());
  check_size(name, dataset, shape.rows, length);
  std::string bytes(static_cast<std::size_t>(shape.rows) * length, '\0');
  if (!bytes.empty())
    check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0);
  std::vector<std::string> strings;
  for (std::size_t at = 0; at < bytes.size(); at += length) {
    const std::string text = bytes.substr(at, length);
    strings.emplace_back(text.c_str());  // up to the padding
  }
  return strings;
}

}  // namespace percuss
