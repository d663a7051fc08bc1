#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "percuss/io/hdf5_file.h"

namespace percuss {

/// Writes an HDF5 file in two stages: datasets and attributes are made, and after start_appending() only
/// filled. From then on the file survives a kill at any moment (SWMR: single writer, multiple readers).
class Hdf5Writer : public Hdf5File {
 public:
  /// A new file under a temporary name beside `path`; nothing happens to an old file until publish().
  static std::unique_ptr<Hdf5Writer> create(const std::string& path);

  void make_group(const std::string& name);
  template <class T>
  void make(const std::string& name, const std::vector<T>& values) {
    make(name, element_of<T>, values.data(), {.rows = std::ssize(values)});
  }
  template <class T>
  void make_matrix(const std::string& name, const std::vector<T>& values, std::int64_t width) {
    make(name, element_of<T>, values.data(), {std::ssize(values) / width, width, true});
  }
  void make_text(const std::string& name, std::string_view text);
  void make_string(const std::string& name, std::string_view text);  ///< a scalar of fixed length
  void make_strings(const std::string& name, const std::vector<std::string>& strings);
  void attach(const std::string& object, const std::string& name, const std::string& value);
  void attach(const std::string& object, const std::string& name, double value);
  void attach(const std::string& object, const std::string& name, std::int64_t value);
  void attach(const std::string& object, const std::string& name, std::int32_t value);

  template <class T>
  void overwrite(const std::string& name, std::span<const T> values) {
    overwrite(name, element_of<T>, values.data());
  }
  void start_appending();
  void publish();  ///< replaces the old file of this name
  void flush();    ///< hands everything to the operating system, in an order that readers survive
  void sync();     ///< waits until it is on the disk
  void close();    ///< throws if something could not be written

 private:
  friend class Hdf5Series;
  using Hdf5File::Hdf5File;
  void make(const std::string& name, Element type, const void* values, Hdf5Shape shape);
  void overwrite(const std::string& name, Element type, const void* values);
  Hdf5Id make_dataset(const std::string& name, std::int64_t type, const Hdf5Id& space, const Hdf5Id& creation,
                      const Hdf5Id* access = nullptr);
  void attach(const std::string& object, const std::string& name, std::int64_t type, std::int64_t memory_type,
              const void* value);
};

}  // namespace percuss
