#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace percuss {

struct Hdf5Disk;

/// The types of numbers in a results file, all stored in little-endian order.
enum class Element { float64, int64, int32, uint8 };
template <class T>
inline constexpr Element element_of = Element::float64;
template <>
inline constexpr Element element_of<std::int64_t> = Element::int64;
template <>
inline constexpr Element element_of<std::int32_t> = Element::int32;
template <>
inline constexpr Element element_of<std::uint8_t> = Element::uint8;

/// Owns one identifier of the HDF5 library.
class Hdf5Id {
 public:
  using Close = int (*)(std::int64_t);
  Hdf5Id() = default;
  Hdf5Id(std::int64_t id, Close close) : id_(id), close_(close) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Id() { reset(); }
  void reset() {
    if (id_ >= 0) close_(std::exchange(id_, -1));
  }
  std::int64_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

/// Rows and numbers per row of a dataset.
struct Hdf5Shape {
  std::int64_t rows = 0;
  std::int64_t width = 1;
};

/// An HDF5 file as the results need it. Every failure is an IoError with the path and the reason.
///
/// The bytes go through a file driver of our own. HDF5 does not survive a failing write: the close fails too
/// and the library crashes at exit. Our driver takes the first failure down, writes nothing from then on, and
/// tells HDF5 that all is well; what is on the disk is then as if the process had been killed at that moment,
/// which SWMR files survive.
class Hdf5File {
 public:
  /// A new file under a temporary name beside `path`; nothing happens to an old file until publish().
  static std::unique_ptr<Hdf5File> create(const std::string& path);
  /// For reading: finished, still being written, or left behind by a killed run.
  static std::unique_ptr<Hdf5File> open(const std::string& path);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  const std::string& path() const { return path_; }

  // Writing. Datasets and attributes can be made until start_appending(), afterwards only filled.
  void make_group(const std::string& name);
  void make(const std::string& name, Element type, const void* values, Hdf5Shape shape, bool is_matrix);
  template <class T>
  void make(const std::string& name, const std::vector<T>& values) {
    make(name, element_of<T>, values.data(), {static_cast<std::int64_t>(values.size()), 1}, false);
  }
  void make_text(const std::string& name, std::string_view text);
  void make_strings(const std::string& name, const std::vector<std::string>& strings);
  void attach(const std::string& object, const std::string& name, const std::string& value);
  void attach(const std::string& object, const std::string& name, double value);
  void attach(const std::string& object, const std::string& name, std::int64_t value);
  template <class T>
  void overwrite(const std::string& name, std::span<const T> values) {
    overwrite(name, element_of<T>, values.data());
  }
  void start_appending();  ///< from here on the file survives a kill
  void publish();          ///< replaces the old file of this name
  void flush();            ///< hands everything to the operating system, in an order that readers survive
  void sync();             ///< waits until it is on the disk
  void close();            ///< throws if something could not be written

  // Reading.
  bool has_attribute(const std::string& name) const;  ///< of the root group
  Hdf5Shape shape(const std::string& name) const;
  /// Rows first, first + 1, ... of a dataset that must have `width` numbers in a row.
  template <class T>
  std::vector<T> read(const std::string& name, std::int64_t first, std::int64_t rows,
                      std::int64_t width = 1) const {
    std::vector<T> values(element_count(name, first, rows, width));
    read_rows(name, element_of<T>, first, rows, values.data());
    return values;
  }
  template <class T>
  std::vector<T> read(const std::string& name) const {
    return read<T>(name, 0, shape(name).rows);
  }
  std::vector<double> read_column(const std::string& name, std::int64_t column, std::int64_t rows) const;
  std::string read_text(const std::string& name) const;
  std::vector<std::string> read_strings(const std::string& name) const;
  std::string text_attribute(const std::string& name) const;  ///< of the root group, like the next
  double number_attribute(const std::string& name) const;

 private:
  friend class Hdf5Series;
  Hdf5File(std::string path, std::unique_ptr<Hdf5Disk> disk);
  void check(bool ok) const;
  Hdf5Id open_dataset(const std::string& name) const;
  /// Of a range of rows, after a check that the dataset has them.
  size_t element_count(const std::string& name, std::int64_t first, std::int64_t rows,
                       std::int64_t width) const;
  void read_rows(const std::string& name, Element type, std::int64_t first, std::int64_t rows,
                 void* values) const;
  void overwrite(const std::string& name, Element type, const void* values);
  void attach(const std::string& object, const std::string& name, std::int64_t type, const void* value);

  std::string path_;
  std::unique_ptr<Hdf5Disk> disk_;
  Hdf5Id file_;
};

/// A dataset that grows row by row. Rows are collected and written a chunk at a time.
class Hdf5Series {
 public:
  /// The expected number of rows bounds the size of a chunk, so that a short run makes a small file.
  Hdf5Series(Hdf5File& file, std::string name, Element type, Hdf5Shape expected, bool is_matrix,
             std::string_view unit);

  template <class T>
  void append(const T& value) {
    append_bytes(&value, sizeof value);
  }
  template <class T>
  void append(const T* values, std::int64_t count) {
    append_bytes(values, static_cast<size_t>(count) * sizeof(T));
  }
  void write_out();                                      ///< the rows collected so far
  void copy(const Hdf5File& source, std::int64_t rows);  ///< the first rows of the dataset of this name
  std::int64_t rows() const { return written_ + collected_; }

 private:
  void append_bytes(const void* row, size_t size);

  Hdf5File* file_;
  std::string name_;
  Element type_;
  std::int64_t width_, chunk_rows_;
  bool is_matrix_;
  size_t row_bytes_;
  Hdf5Id dataset_;
  std::int64_t written_ = 0, collected_ = 0;
  std::vector<char> buffer_;
};

}  // namespace percuss
