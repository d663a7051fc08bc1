#include "percuss/io/hdf5_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include "percuss/io/hdf5_disk.h"
#include "percuss/io/io_error.h"

namespace percuss {

namespace {

/// What HDF5 says went wrong, at the place where it went wrong.
std::string hdf5_reason() {
  std::string reason;
  const auto take_first = [](unsigned, const H5E_error2_t* error, void* text) -> herr_t {
    if (error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
    return 1;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &reason);
  return reason.empty() ? "unknown error in HDF5" : reason;
}

hid_t memory_type(Element type) {
  switch (type) {
    case Element::float64: return H5T_NATIVE_DOUBLE;
    case Element::int64: return H5T_NATIVE_INT64;
    case Element::int32: return H5T_NATIVE_INT32;
    case Element::uint8: return H5T_NATIVE_UINT8;
  }
  return -1;
}
hid_t file_type(Element type) {
  switch (type) {
    case Element::float64: return H5T_IEEE_F64LE;
    case Element::int64: return H5T_STD_I64LE;
    case Element::int32: return H5T_STD_I32LE;
    case Element::uint8: return H5T_STD_U8LE;
  }
  return -1;
}
size_t element_size(Element type) { return H5Tget_size(memory_type(type)); }

/// Zero-padded UTF-8 of a fixed length.
Hdf5Id string_type(size_t size) {
  Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), std::max<size_t>(size, 1));
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

using Sizes = std::array<hsize_t, 2>;
Sizes sizes(std::int64_t rows, std::int64_t width) {
  return {static_cast<hsize_t>(rows), static_cast<hsize_t>(width)};
}
Hdf5Id space(bool is_matrix, const Sizes& now, const Sizes* largest = nullptr) {
  return {H5Screate_simple(is_matrix ? 2 : 1, now.data(), largest ? largest->data() : nullptr), H5Sclose};
}
bool select(const Hdf5Id& space, const Sizes& start, const Sizes& count) {
  return H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >= 0;
}

/// True while another process has the file open for writing. The lock is on the open file, not on the
/// process, and does not disturb the locks of other HDF5 programs, which are of another kind.
bool lock_or_find_locked(int fd, bool take) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (take) return ::fcntl(fd, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES);
  return ::fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}
[[noreturn]] void refuse_locked(const std::string& path) {
  throw IoError::cannot("write", path, "another run is writing it",
                        "wait for its end or choose another name");
}

/// Throws unless `path` is free or an old file that may be replaced.
void check_target(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  if (!S_ISREG(status.st_mode)) throw IoError::cannot("write", path, "it exists and is not a regular file");
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  const bool locked = lock_or_find_locked(fd, false);
  ::close(fd);
  if (locked) refuse_locked(path);
}

}  // namespace

Hdf5File::Hdf5File(std::string path, std::unique_ptr<Hdf5Disk> disk)
    : path_(std::move(path)), disk_(std::move(disk)) {}
Hdf5File::~Hdf5File() { file_.reset(); }

void Hdf5File::check(bool ok) const {
  if (ok && disk_->error.empty()) return;
  const bool by_disk = !disk_->error.empty();
  if (disk_->writable) throw IoError::cannot("write", path_, by_disk ? disk_->error : hdf5_reason());
  throw IoError::cannot("read", path_,
                        by_disk ? disk_->error : fmt::format("the file is damaged ({})", hdf5_reason()));
}

std::unique_ptr<Hdf5File> Hdf5File::create(const std::string& path) {
  check_target(path);
  auto disk = std::make_unique<Hdf5Disk>();
  std::error_code ignored;
  // A link stays a link, and the file it points to is replaced.
  const bool is_link = std::filesystem::is_symlink(path, ignored);
  disk->path = is_link ? std::filesystem::canonical(path, ignored).string() : path;
  if (disk->path.empty()) disk->path = path;
  const std::string part = disk->path + ".part";
  disk->writable = true;
  disk->fd = ::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (disk->fd < 0) throw IoError::cannot("write", path, std::strerror(errno));
  if (lock_or_find_locked(disk->fd, true)) refuse_locked(path);
  disk->part = part;

  const Hdf5Id access = hdf5_access_list(disk.get());
  const Hdf5Id layout(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  // Pages of 4096 bytes, the size of a page of memory: a kill can cut a write only between two of them, so
  // no small piece of metadata is ever half written.
  H5Pset_file_space_strategy(layout.get(), H5F_FSPACE_STRATEGY_PAGE, false, 1);
  H5Pset_file_space_page_size(layout.get(), 4096);
  std::unique_ptr<Hdf5File> file(new Hdf5File(path, std::move(disk)));
  file->file_ = {H5Fcreate(part.c_str(), H5F_ACC_TRUNC, layout.get(), access.get()), H5Fclose};
  file->check(file->file_.valid());
  return file;
}

std::unique_ptr<Hdf5File> Hdf5File::open(const std::string& path) {
  auto disk = std::make_unique<Hdf5Disk>();
  disk->fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (disk->fd < 0) throw IoError::cannot("read", path, std::strerror(errno));
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::array<char, signature.size()> start{};
  if (!disk->read(0, start.data(), start.size(), false)) throw IoError::cannot("read", path, disk->error);
  if (std::string_view(start.data(), start.size()) != signature)
    throw IoError::cannot("read", path, disk->size() == 0 ? "it is empty" : "it is not an HDF5 file",
                          "give the name of a results file of percuss");

  const Hdf5Id access = hdf5_access_list(disk.get());
  // HDF5 reads again what a writer may be changing, and waits twice as long each time: 16 ms after 24 times,
  // which a damaged file costs too. The default of 100 times would wait forever.
  H5Pset_metadata_read_attempts(access.get(), 24);
  std::unique_ptr<Hdf5File> file(new Hdf5File(path, std::move(disk)));
  file->file_ = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose};
  if (file->file_.valid()) return file;
  const std::string reason = hdf5_reason();
  file->file_ = {H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.get()), H5Fclose};
  if (file->file_.valid()) return file;
  throw IoError::cannot("read", path, fmt::format("the file is damaged ({})", reason));
}

void Hdf5File::make_group(const std::string& name) {
  const Hdf5Id group(H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  check(group.valid());
}

namespace {

/// Without times in it, a file depends on nothing but its content.
Hdf5Id creation_list() {
  Hdf5Id list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(list.get(), false);
  return list;
}
Hdf5Id make_dataset(const Hdf5Id& file, const std::string& name, hid_t type, const Hdf5Id& size,
                    const Hdf5Id& creation, hid_t access = H5P_DEFAULT) {
  return {H5Dcreate2(file.get(), name.c_str(), type, size.get(), H5P_DEFAULT, creation.get(), access),
          H5Dclose};
}

}  // namespace

void Hdf5File::make(const std::string& name, Element type, const void* values, Hdf5Shape shape,
                    bool is_matrix) {
  const Hdf5Id size = space(is_matrix, sizes(shape.rows, shape.width));
  const Hdf5Id dataset = make_dataset(file_, name, file_type(type), size, creation_list());
  check(dataset.valid());
  if (shape.rows * shape.width == 0) return;
  check(H5Dwrite(dataset.get(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

void Hdf5File::make_text(const std::string& name, std::string_view text) {
  make(name, Element::uint8, text.data(), {static_cast<std::int64_t>(text.size()), 1}, false);
}

void Hdf5File::make_strings(const std::string& name, const std::vector<std::string>& strings) {
  size_t length = 1;
  for (const auto& text : strings) length = std::max(length, text.size());
  std::string bytes;
  for (const auto& text : strings) bytes.append(text).append(length - text.size(), '\0');
  const Hdf5Id type = string_type(length);
  const Hdf5Id size = space(false, {strings.size(), 1});
  const Hdf5Id dataset = make_dataset(file_, name, type.get(), size, creation_list());
  check(dataset.valid());
  if (strings.empty()) return;
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0);
}

void Hdf5File::attach(const std::string& object, const std::string& name, std::int64_t type,
                      const void* value) {
  const Hdf5Id scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Id attribute(H5Acreate_by_name(file_.get(), object.c_str(), name.c_str(), type, scalar.get(),
                                           H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  check(attribute.valid());
  check(H5Awrite(attribute.get(), type, value) >= 0);
}
void Hdf5File::attach(const std::string& object, const std::string& name, const std::string& value) {
  attach(object, name, string_type(value.size()).get(), value.c_str());
}
void Hdf5File::attach(const std::string& object, const std::string& name, double value) {
  attach(object, name, H5T_IEEE_F64LE, &value);
}
void Hdf5File::attach(const std::string& object, const std::string& name, std::int64_t value) {
  attach(object, name, H5T_STD_I64LE, &value);
}

void Hdf5File::overwrite(const std::string& name, Element type, const void* values) {
  const Hdf5Id dataset = open_dataset(name);
  check(H5Dwrite(dataset.get(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

void Hdf5File::start_appending() { check(H5Fstart_swmr_write(file_.get()) >= 0); }

void Hdf5File::publish() {
  if (::rename(disk_->part.c_str(), disk_->path.c_str()) != 0) disk_->fail(std::strerror(errno));
  check(true);
  disk_->part.clear();
}

void Hdf5File::flush() { check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL) >= 0); }

void Hdf5File::sync() {
  if (::fdatasync(disk_->fd) != 0 && errno != EINVAL) disk_->fail(std::strerror(errno));
  check(true);
}

void Hdf5File::close() {
  file_.reset();
  check(true);
}

bool Hdf5File::has_attribute(const std::string& name) const {
  const htri_t found = H5Aexists(file_.get(), name.c_str());
  check(found >= 0);
  return found > 0;
}

Hdf5Id Hdf5File::open_dataset(const std::string& name) const {
  Hdf5Id dataset(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  check(dataset.valid());
  return dataset;
}

namespace {

/// Rank, rows and width of a dataset; the rank is negative on failure.
int shape_of(const Hdf5Id& dataset, Sizes& size) {
  const Hdf5Id filled(H5Dget_space(dataset.get()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(filled.get());
  size = {0, 1};
  if (rank < 1 || rank > 2) return -1;
  return H5Sget_simple_extent_dims(filled.get(), size.data(), nullptr);
}

}  // namespace

Hdf5Shape Hdf5File::shape(const std::string& name) const {
  const Hdf5Id dataset = open_dataset(name);
  Sizes size{};
  check(shape_of(dataset, size) > 0);
  return {static_cast<std::int64_t>(size[0]), static_cast<std::int64_t>(size[1])};
}

size_t Hdf5File::element_count(const std::string& name, std::int64_t first, std::int64_t rows,
                               std::int64_t width) const {
  const Hdf5Shape all = shape(name);
  // Nothing is compressed, so no dataset has more numbers than the file has bytes.
  const double numbers = static_cast<double>(rows) * static_cast<double>(width);
  if (first < 0 || rows < 0 || rows > all.rows - first || width != all.width ||
      numbers > static_cast<double>(disk_->size()))
    throw IoError::cannot("read", path_, fmt::format("the file is damaged ({} has another size)", name));
  return static_cast<size_t>(rows * width);
}

void Hdf5File::read_rows(const std::string& name, Element type, std::int64_t first, std::int64_t rows,
                         void* values) const {
  const Hdf5Id dataset = open_dataset(name);
  Sizes size{};
  const bool is_matrix = shape_of(dataset, size) == 2;
  const Hdf5Id stored(H5Dget_type(dataset.get()), H5Tclose);
  if (H5Tequal(stored.get(), file_type(type)) <= 0)
    throw IoError::cannot("read", path_, fmt::format("{} does not have the expected type", name));
  if (rows == 0 || size[1] == 0) return;
  const Hdf5Id here(H5Dget_space(dataset.get()), H5Sclose);
  const Sizes count = {static_cast<hsize_t>(rows), size[1]};
  const Hdf5Id memory = space(is_matrix, count);
  check(select(here, {static_cast<hsize_t>(first), 0}, count));
  check(H5Dread(dataset.get(), memory_type(type), memory.get(), here.get(), H5P_DEFAULT, values) >= 0);
}

std::vector<double> Hdf5File::read_column(const std::string& name, std::int64_t column,
                                          std::int64_t rows) const {
  const Hdf5Shape all = shape(name);
  element_count(name, 0, rows, all.width);
  if (column < 0 || column >= all.width)
    throw IoError::cannot("read", path_, fmt::format("the file is damaged ({} is too narrow)", name));
  std::vector<double> values(static_cast<size_t>(rows));
  if (rows == 0) return values;
  const Hdf5Id dataset = open_dataset(name);
  const Hdf5Id here(H5Dget_space(dataset.get()), H5Sclose);
  const Sizes count = sizes(rows, 1);
  const Hdf5Id memory = space(false, count);
  check(select(here, sizes(0, column), count));
  check(H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), here.get(), H5P_DEFAULT, values.data()) >= 0);
  return values;
}

std::string Hdf5File::read_text(const std::string& name) const {
  const auto bytes = read<std::uint8_t>(name);
  return {bytes.begin(), bytes.end()};
}

std::vector<std::string> Hdf5File::read_strings(const std::string& name) const {
  const size_t count = element_count(name, 0, shape(name).rows, 1);
  const Hdf5Id dataset = open_dataset(name);
  const Hdf5Id type(H5Dget_type(dataset.get()), H5Tclose);
  const size_t length = H5Tget_size(type.get());
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 ||
      length > static_cast<size_t>(disk_->size()))
    throw IoError::cannot("read", path_, fmt::format("{} does not hold names", name));
  std::string bytes(count * length, '\0');
  if (count > 0) check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0);
  std::vector<std::string> strings;
  for (size_t i = 0; i < count; ++i) {
    strings.push_back(bytes.substr(i * length, length));
    strings.back().resize(std::strlen(strings.back().c_str()));
  }
  return strings;
}

std::string Hdf5File::text_attribute(const std::string& name) const {
  const Hdf5Id attribute(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  check(attribute.valid());
  const Hdf5Id type(H5Aget_type(attribute.get()), H5Tclose);
  const size_t length = H5Tget_size(type.get());
  const bool is_text = H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0 &&
                       H5Aget_storage_size(attribute.get()) == length;
  if (!is_text) throw IoError::cannot("read", path_, fmt::format("the attribute {} is not a text", name));
  std::string text(length, '\0');
  check(H5Aread(attribute.get(), type.get(), text.data()) >= 0);
  text.resize(std::strlen(text.c_str()));
  return text;
}

double Hdf5File::number_attribute(const std::string& name) const {
  const Hdf5Id attribute(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  check(attribute.valid());
  if (H5Aget_storage_size(attribute.get()) != sizeof(double))
    throw IoError::cannot("read", path_, fmt::format("the attribute {} is not a number", name));
  double value = 0;
  check(H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &value) >= 0);
  return value;
}

namespace {

constexpr std::int64_t chunk_bytes = 65536;

std::int64_t rows_per_chunk(std::int64_t expected_rows, size_t row_bytes) {
  const auto fitting = chunk_bytes / std::max<std::int64_t>(1, static_cast<std::int64_t>(row_bytes));
  return std::max<std::int64_t>(1, std::min(fitting, std::max<std::int64_t>(16, expected_rows)));
}

}  // namespace

Hdf5Series::Hdf5Series(Hdf5File& file, std::string name, Element type, Hdf5Shape expected, bool is_matrix,
                       std::string_view unit)
    : file_(&file),
      name_(std::move(name)),
      type_(type),
      width_(expected.width),
      is_matrix_(is_matrix),
      row_bytes_(static_cast<size_t>(expected.width) * element_size(type)) {
  chunk_rows_ = rows_per_chunk(expected.rows, row_bytes_);
  const Hdf5Id creation = creation_list(), access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  // A chunk must not be empty even if a row is.
  const Sizes chunk = sizes(chunk_rows_, std::max<std::int64_t>(1, width_)),
              largest = {H5S_UNLIMITED, chunk[1]};
  H5Pset_chunk(creation.get(), is_matrix_ ? 2 : 1, chunk.data());
  H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
  H5Pset_chunk_cache(access.get(), 0, 0, 1);  // rows are collected here, twice would be a waste
  const Hdf5Id size = space(is_matrix_, sizes(0, width_), &largest);
  dataset_ = make_dataset(file.file_, name_, file_type(type_), size, creation, access.get());
  file.check(dataset_.valid());
  file.attach(name_, "unit", std::string(unit));
}

void Hdf5Series::append_bytes(const void* row, size_t size) {
  if (size != row_bytes_) throw std::logic_error("a row of " + name_ + " has another size");
  const char* bytes = static_cast<const char*>(row);
  buffer_.insert(buffer_.end(), bytes, bytes + size);
  ++collected_;
  if (collected_ == chunk_rows_ - written_ % chunk_rows_) write_out();
}

void Hdf5Series::write_out() {
  if (collected_ == 0) return;
  const Sizes end = sizes(rows(), width_), start = sizes(written_, 0), count = sizes(collected_, width_);
  file_->check(H5Dset_extent(dataset_.get(), end.data()) >= 0);
  if (row_bytes_ > 0) {
    const Hdf5Id there(H5Dget_space(dataset_.get()), H5Sclose), memory = space(is_matrix_, count);
    file_->check(select(there, start, count));
    file_->check(H5Dwrite(dataset_.get(), memory_type(type_), memory.get(), there.get(), H5P_DEFAULT,
                          buffer_.data()) >= 0);
  }
  written_ += std::exchange(collected_, 0);
  buffer_.clear();
}

void Hdf5Series::copy(const Hdf5File& source, std::int64_t count) {
  if (source.shape(name_).width != width_)
    throw IoError::cannot("read", source.path(), fmt::format("{} belongs to another model", name_));
  while (rows() < count) {
    collected_ = std::min(chunk_rows_, count - rows());
    source.element_count(name_, written_, collected_, width_);
    buffer_.resize(static_cast<size_t>(collected_) * row_bytes_);
    source.read_rows(name_, type_, written_, collected_, buffer_.data());
    write_out();
  }
}

}  // namespace percuss
