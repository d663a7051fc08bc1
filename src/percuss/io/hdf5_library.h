#pragma once

#include <array>
#include <string>
#include <string_view>

#include <hdf5.h>

#include "percuss/io/hdf5_file.h"

/// Small things that reading and writing ask of HDF5. Knows hdf5.h, so only .cpp files include it.
namespace percuss {

/// What HDF5 says went wrong, at the place where it went wrong.
std::string hdf5_reason();

hid_t memory_type(Element type);
hid_t file_type(Element type);
std::size_t element_size(Element type);
/// Zero-padded strings of a fixed length, as `text` is one. It is called UTF-8 only if it is not ASCII,
/// because Octave reads no other strings.
Hdf5Id string_type(std::size_t size, std::string_view text);

/// Of all dimensions; the last ones are not looked at where a dataset has fewer.
using Sizes = std::array<hsize_t, 3>;
Sizes sizes(const Hdf5Shape& shape);
/// Where a selection begins.
inline Sizes offset_of(std::int64_t row, std::int64_t column = 0) {
  return {static_cast<hsize_t>(row), static_cast<hsize_t>(column), 0};
}
Hdf5Id make_space(const Hdf5Shape& now, const Sizes* largest = nullptr);
/// The dataspace of a dataset with a part of it selected; invalid on failure.
Hdf5Id select_in(const Hdf5Id& dataset, const Sizes& start, const Sizes& count);

}  // namespace percuss
