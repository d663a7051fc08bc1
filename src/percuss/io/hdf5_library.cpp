#include "percuss/io/hdf5_library.h"

#include <algorithm>

namespace percuss {

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
    case Element::text: break;  // has one for each length: string_type()
  }
  return -1;
}

hid_t file_type(Element type) {
  switch (type) {
    case Element::float64: return H5T_IEEE_F64LE;
    case Element::int64: return H5T_STD_I64LE;
    case Element::int32: return H5T_STD_I32LE;
    case Element::uint8: return H5T_STD_U8LE;
    case Element::text: break;
  }
  return -1;
}

std::size_t element_size(Element type) { return type == Element::text ? 1 : H5Tget_size(memory_type(type)); }

Hdf5Id string_type(std::size_t size, std::string_view text) {
  const bool is_ascii = std::ranges::all_of(text, [](char c) { return (c & 0x80) == 0; });
  Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), std::max<std::size_t>(size, 1));
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), is_ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8);
  return type;
}

Sizes sizes(const Hdf5Shape& shape) {
  const std::int64_t depth = std::max<std::int64_t>(shape.vector, 1);
  return {static_cast<hsize_t>(shape.rows), static_cast<hsize_t>(shape.width / depth),
          static_cast<hsize_t>(depth)};
}

Hdf5Id make_space(const Hdf5Shape& now, const Sizes* largest) {
  return {H5Screate_simple(now.rank(), sizes(now).data(), largest ? largest->data() : nullptr), H5Sclose};
}

Hdf5Id select_in(const Hdf5Id& dataset, const Sizes& start, const Sizes& count) {
  Hdf5Id space(H5Dget_space(dataset.get()), H5Sclose);
  const herr_t selected =
      H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  return selected >= 0 ? std::move(space) : Hdf5Id();
}

}  // namespace percuss
