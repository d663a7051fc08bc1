#include "percuss/io/hdf5_series.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <hdf5.h>

#include "percuss/io/hdf5_library.h"
#include "percuss/io/hdf5_reader.h"
#include "percuss/io/hdf5_writer.h"
#include "percuss/io/io_error.h"

namespace percuss {
namespace {

constexpr std::int64_t usual_chunk = 64 << 10, largest_chunk = 1 << 20;  ///< [bytes]
/// With more than 8000 chunks the blocks of their index become longer than a page, and a kill could cut the
/// write of such a block in two.
constexpr std::int64_t many_chunks = 4000;

std::int64_t rows_per_chunk(std::int64_t expected_rows, std::size_t row_bytes) {
  const auto bytes = std::max<std::int64_t>(1, static_cast<std::int64_t>(row_bytes));
  const auto rows = std::clamp(expected_rows / many_chunks, usual_chunk / bytes, largest_chunk / bytes);
  return std::max<std::int64_t>(1, std::min(rows, std::max<std::int64_t>(16, expected_rows)));
}

}  // namespace

Hdf5Series::Hdf5Series(Hdf5Writer& file, std::string name, Element type, Hdf5Shape expected,
                       std::string_view unit)
    : Hdf5Series(file, std::move(name), type, expected, Hdf5Id()) {
  file.attach(name_, "unit", std::string(unit));
}

Hdf5Series::Hdf5Series(Hdf5Writer& file, std::string name, Hdf5Shape expected, std::string_view all)
    : Hdf5Series(file, std::move(name), Element::text, expected,
                 string_type(static_cast<std::size_t>(expected.width), all)) {}

Hdf5Series::Hdf5Series(Hdf5Writer& file, std::string name, Element type, Hdf5Shape expected, Hdf5Id text_type)
    : file_(&file),
      name_(std::move(name)),
      type_(type),
      shape_(expected),
      row_bytes_(static_cast<std::size_t>(expected.width) * element_size(type)),
      chunk_rows_(rows_per_chunk(expected.rows, row_bytes_)),
      text_type_(std::move(text_type)) {
  const Hdf5Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Hdf5Id access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  // A chunk must not be empty even if a row is.
  Hdf5Shape piece = shape_.with(chunk_rows_);
  piece.width = std::max<std::int64_t>(1, piece.width);
  const Sizes chunk = sizes(piece), largest = {H5S_UNLIMITED, chunk[1], chunk[2]};
  H5Pset_chunk(creation.get(), shape_.rank(), chunk.data());
  H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
  H5Pset_chunk_cache(access.get(), 0, 0, 1);  // rows are collected here, twice would be a waste
  const Hdf5Id space = make_space(shape_.with(0), &largest);
  const std::int64_t type_in_file = type_ == Element::text ? text_type_.get() : file_type(type_);
  dataset_ = file.make_dataset(name_, type_in_file, space, creation, &access);
}

void Hdf5Series::append_bytes(const void* row, std::size_t size) {
  if (size != row_bytes_) throw std::logic_error("a row of " + name_ + " has another size");
  const char* bytes = static_cast<const char*>(row);
  buffer_.insert(buffer_.end(), bytes, bytes + size);
  ++collected_;
  if (collected_ == chunk_rows_ - written_ % chunk_rows_) write_out();
}

void Hdf5Series::append_text(std::string_view text) {
  std::string row(text);
  row.resize(row_bytes_, '\0');
  append_bytes(row.data(), row.size());
}

void Hdf5Series::write_out() {
  if (collected_ == 0) return;
  const Sizes end = sizes(shape_.with(rows())), count = sizes(shape_.with(collected_));
  file_->check(H5Dset_extent(dataset_.get(), end.data()) >= 0);
  if (row_bytes_ > 0) {
    const Hdf5Id there = select_in(dataset_, offset_of(written_), count);
    const Hdf5Id memory = make_space(shape_.with(collected_));
    file_->check(there.is_valid());
    const hid_t type = type_ == Element::text ? text_type_.get() : memory_type(type_);
    file_->check(H5Dwrite(dataset_.get(), type, memory.get(), there.get(), H5P_DEFAULT, buffer_.data()) >= 0);
  }
  written_ += std::exchange(collected_, 0);
  buffer_.clear();
}

void Hdf5Series::copy(const Hdf5Reader& source, std::int64_t count) {
  if (source.shape(name_).width != shape_.width)
    throw IoError::cannot("read", source.path(), fmt::format("{} belongs to another model", name_));
  while (rows() < count) {
    const std::int64_t part = std::min(chunk_rows_, count - rows());
    buffer_ = source.read_bytes(name_, type_, written_, part, shape_.width);
    collected_ = part;
    write_out();
  }
}

}  // namespace percuss
