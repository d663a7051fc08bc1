#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "percuss/io/hdf5_file.h"

namespace percuss {

/// Reads an HDF5 file that is finished, still being written, or left behind by a killed run. Believes nothing
/// that the file says about sizes before it has compared it with the length of the file.
class Hdf5Reader : public Hdf5File {
 public:
  /// `advice` goes into the message if it is not an HDF5 file.
  static std::unique_ptr<Hdf5Reader> open(
      const std::string& path, const std::string& advice = "give the name of a results file of percuss");

  /// True if there is a group or dataset of this path, such as /solution/u.
  bool contains(const std::string& name) const;
  /// Names of what is in a group, sorted.
  std::vector<std::string> members(const std::string& group) const;

  bool has_attribute(const std::string& name) const;  ///< of the root group, like the next two
  std::string text_attribute(const std::string& name) const;
  double number_attribute(const std::string& name) const;
  /// One 32-bit integer attached to a group or dataset; nothing if there is none.
  std::optional<std::int32_t> integer_attribute(const std::string& object, const std::string& name) const;

  Hdf5Shape shape(const std::string& name) const;
  /// Rows first, first + 1, ... of a dataset that must have `width` numbers in a row.
  template <class T>
  std::vector<T> read(const std::string& name, std::int64_t first, std::int64_t rows,
                      std::int64_t width = 1) const {
    const Rows source = find_rows(name, element_of<T>, first, {.rows = rows, .width = width});
    std::vector<T> values(static_cast<std::size_t>(rows * width));
    read_rows(source, values.data());
    return values;
  }
  template <class T>
  std::vector<T> read(const std::string& name) const {
    return read<T>(name, 0, shape(name).rows);
  }
  /// The same for a type that is known only at run time.
  std::vector<char> read_bytes(const std::string& name, Element type, std::int64_t first, std::int64_t rows,
                               std::int64_t width) const;
  /// One number of each row; those of a list of vectors are counted one after the other.
  std::vector<double> read_column(const std::string& name, std::int64_t column, std::int64_t rows) const;
  std::string read_text(const std::string& name) const;
  std::string read_string(const std::string& name) const;  ///< a dataset that is one string of fixed length
  std::vector<std::string> read_strings(const std::string& name) const;

 private:
  /// Rows of a dataset that are known to exist and to be no more than the file can hold.
  struct Rows {
    Hdf5Id dataset;
    Element type;
    std::int64_t first;
    Hdf5Shape shape;
  };
  using Hdf5File::Hdf5File;
  Hdf5Id open_checked(const std::string& name) const;
  Hdf5Shape shape_of(const Hdf5Id& dataset) const;
  Rows find_rows(const std::string& name, Element type, std::int64_t first, Hdf5Shape wanted) const;
  void read_rows(const Rows& source, void* values) const;
  void check_size(const std::string& name, const Hdf5Id& dataset, std::int64_t count,
                  std::size_t bytes_each) const;
  [[noreturn]] void fail(const std::string& reason) const;

  mutable std::set<std::string> checked_;  ///< datasets whose pieces were found right
};

}  // namespace percuss
