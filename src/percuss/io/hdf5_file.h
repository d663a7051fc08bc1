#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "percuss/io/disk_file.h"

namespace percuss {

/// The types of values in a results file; numbers are stored in little-endian order. Texts have as many bytes
/// as their shape is wide, padded with zeros.
enum class Element { float64, int64, int32, uint8, text };
template <class T>
inline constexpr Element element_of = Element::float64;
template <>
inline constexpr Element element_of<std::int64_t> = Element::int64;
template <>
inline constexpr Element element_of<std::int32_t> = Element::int32;
template <>
inline constexpr Element element_of<std::uint8_t> = Element::uint8;

/// A list of numbers, a matrix with `width` numbers in a row, or one whose rows are lists of vectors.
struct Hdf5Shape {
  std::int64_t rows = 0;
  std::int64_t width = 1;
  bool is_matrix = false;
  std::int64_t vector = 0;  ///< size of the vectors, which is the third dimension; 0: there is none

  int rank() const { return vector > 0 ? 3 : is_matrix ? 2 : 1; }
  /// The same for another number of rows.
  Hdf5Shape with(std::int64_t count) const { return {count, width, is_matrix, vector}; }
};

/// Owns one identifier of the HDF5 library.
class Hdf5Id {
 public:
  using Close = int (*)(std::int64_t);
  Hdf5Id() = default;
  Hdf5Id(std::int64_t id, Close closer) : id_(id), close_(closer) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Id() { close(); }
  /// False if HDF5 could not finish what was begun with the object.
  bool close() noexcept { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }
  std::int64_t get() const { return id_; }
  bool is_valid() const { return id_ >= 0; }

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

/// An open HDF5 file: what reading and writing have in common. Every failure is an IoError with the path and
/// the reason.
class Hdf5File {
 public:
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  const std::string& path() const { return disk_->path(); }

 protected:
  explicit Hdf5File(std::shared_ptr<DiskFile> disk) : disk_(std::move(disk)) {}
  ~Hdf5File();
  void check(bool ok) const;  ///< throws unless the last call of HDF5 was ok and the disk still works
  /// True if the file has a group or dataset of this path. Throws if the way leads over a link: it may lead
  /// to another file of the user.
  bool has_place(const std::string& name) const;
  Hdf5Id open_dataset(const std::string& name) const;
  Hdf5Id open_again(const std::string& name) const;  ///< one that was opened before: nothing is checked

  std::shared_ptr<DiskFile> disk_;
  Hdf5Id file_;

 private:
  /// The numbers must lie in the file.
  void check_storage(const std::string& name, const Hdf5Id& dataset) const;
  [[noreturn]] void refuse(const std::string& name, const std::string& what) const;
};

}  // namespace percuss
