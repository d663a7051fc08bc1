#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>
#include <hdf5.h>

// Changes of bytes in an HDF5 file die at its checksums. Here bytes of the fuzzer are read as operations that
// change the structure of a valid file instead.
namespace percuss::fuzzing {

class Hdf5Changes {
 public:
  /// `names`: what the file may hold.
  Hdf5Changes(const std::string& path, const std::vector<std::string>& names, FuzzedDataProvider& input)
      : names_(names), input_(input), file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Changes() { H5Fclose(file_); }
  Hdf5Changes(const Hdf5Changes&) = delete;
  Hdf5Changes& operator=(const Hdf5Changes&) = delete;

  void apply() {
    constexpr int most_changes = 8;
    for (int i = 0; i < most_changes && input_.remaining_bytes() > 0; ++i) change();
  }

 private:
  enum class Operation { overwrite, replace, remove, link, kMaxValue = link };

  void change() {
    const std::string& name = pick_name();
    switch (input_.ConsumeEnum<Operation>()) {
      case Operation::overwrite: return overwrite(name);
      case Operation::replace: return remove(name), create(name);
      case Operation::remove: return remove(name);
      case Operation::link: return remove(name), link(name);
    }
  }

  const std::string& pick_name() {
    return names_[input_.ConsumeIntegralInRange<std::size_t>(0, names_.size() - 1)];
  }
  static haddr_t address_of(hid_t object) {
    H5O_info_t info{};
    H5Oget_info1(object, &info);
    return info.addr;
  }
  void remove(const std::string& name) { H5Ldelete(file_, name.c_str(), H5P_DEFAULT); }

  /// One byte of what is stored: indices, counts and numbers change, shapes stay.
  void overwrite(const std::string& name) {
    const hid_t dataset = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    if (dataset < 0) return;
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const std::size_t size = H5Tget_size(type) * static_cast<std::size_t>(std::max<hssize_t>(0, count));
    // HDF5 itself reads beyond a piece that is too short, which fill() may have written.
    if (size > 0 && !made_.contains(address_of(dataset)) && size < 1 << 20 && H5Tis_variable_str(type) <= 0) {
      std::vector<unsigned char> bytes(size);
      if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0) {
        const auto at = input_.ConsumeIntegralInRange<std::size_t>(0, size - 1);
        for (const unsigned char byte : input_.ConsumeBytes<unsigned char>(8))
          bytes[(at + next_++) % size] = byte;
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
      }
    }
    H5Tclose(type), H5Sclose(space), H5Dclose(dataset);
  }

  /// Another dataset under a known name.
  void create(const std::string& name) {
    const std::array<hid_t, 7> types = {H5T_IEEE_F64LE, H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_U8LE,
                                        H5T_IEEE_F32LE, H5T_STD_I32BE, H5T_C_S1};
    const hid_t type = H5Tcopy(input_.PickValueInArray(types));
    if (H5Tget_class(type) == H5T_STRING)
      H5Tset_size(type,
                  input_.ConsumeBool() ? H5T_VARIABLE : input_.ConsumeIntegralInRange<std::size_t>(1, 40));
    const int rank = input_.ConsumeIntegralInRange(0, 4);
    std::array<hsize_t, 4> sizes{};
    for (hsize_t& size : sizes)
      size = input_.ConsumeIntegralInRange<hsize_t>(0, input_.ConsumeBool() ? 12 : 1 << 24);
    const hid_t space = H5Screate_simple(rank, sizes.data(), nullptr), properties = storage(rank, sizes);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t dataset = H5Dcreate2(file_, name.c_str(), type, space, links, properties, H5P_DEFAULT);
    if (dataset >= 0) made_.insert(address_of(dataset)), fill(dataset);
    H5Pclose(links), H5Pclose(properties), H5Sclose(space), H5Tclose(type);
  }

  hid_t storage(int rank, const std::array<hsize_t, 4>& sizes) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    const int layout = input_.ConsumeIntegralInRange(0, 5);
    std::array<hsize_t, 4> piece = sizes;
    for (hsize_t& size : piece) size = std::max<hsize_t>(1, size / 2 + size % 2);
    if (layout == 1 && rank > 0) H5Pset_external(properties, "/proc/self/status", 0, H5F_UNLIMITED);
    if (layout == 2 && rank > 0) {
      const hid_t space = H5Screate_simple(rank, sizes.data(), nullptr);
      H5Pset_virtual(properties, space, "/dev/shm/other.h5", "/x", space);
      H5Sclose(space);
    }
    if (layout >= 3 && rank > 0) H5Pset_chunk(properties, rank, piece.data());
    if (layout == 4) H5Pset_deflate(properties, 1);
    if (layout == 5) H5Pset_fletcher32(properties);
    return properties;
  }

  /// Bytes as one stored piece, of whatever length. HDF5 itself crashes when a dataset without pieces gets
  /// one.
  void fill(hid_t dataset) {
    const auto bytes = input_.ConsumeBytes<unsigned char>(input_.ConsumeIntegralInRange<std::size_t>(0, 200));
    const hid_t space = H5Dget_space(dataset), properties = H5Dget_create_plist(dataset);
    const std::array<hsize_t, 4> offset{};
    if (H5Sget_simple_extent_npoints(space) > 0 && H5Pget_layout(properties) == H5D_CHUNKED && !bytes.empty())
      H5Dwrite_chunk(dataset, H5P_DEFAULT, input_.ConsumeIntegralInRange(0u, 1u), offset.data(), bytes.size(),
                     bytes.data());
    H5Sclose(space), H5Pclose(properties), H5Dclose(dataset);
  }

  void link(const std::string& name) {
    const std::string& target = pick_name();
    switch (input_.ConsumeIntegralInRange(0, 3)) {
      case 0: H5Lcreate_soft(target.c_str(), file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT); break;
      case 1: H5Lcreate_external("other.h5", "/x", file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT); break;
      case 2: H5Lcreate_hard(file_, target.c_str(), file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT); break;
      default: {
        const hid_t group = H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group >= 0) H5Gclose(group);
      }
    }
  }

  const std::vector<std::string>& names_;
  FuzzedDataProvider& input_;
  hid_t file_;
  std::size_t next_ = 0;
  std::set<haddr_t> made_;  ///< datasets of create()
};

/// The paths of everything in a file.
inline std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> names;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const auto take = [](hid_t, const char* name, const H5O_info_t*, void* list) -> herr_t {
    if (std::string(name) != ".")
      static_cast<std::vector<std::string>*>(list)->push_back("/" + std::string(name));
    return 0;
  };
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, take, &names);
  H5Fclose(file);
  return names;
}

}  // namespace percuss::fuzzing
