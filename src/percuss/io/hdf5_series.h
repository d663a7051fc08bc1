#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "percuss/io/hdf5_file.h"

namespace percuss {

class Hdf5Reader;
class Hdf5Writer;

/// A dataset that grows row by row. Rows are collected and written a chunk at a time.
class Hdf5Series {
 public:
  /// The rows of `expected` bound the size of a chunk, so that a short run makes a small file.
  Hdf5Series(Hdf5Writer& file, std::string name, Element type, Hdf5Shape expected, std::string_view unit);
  /// Of texts; `all` has the letters that may occur.
  Hdf5Series(Hdf5Writer& file, std::string name, Hdf5Shape expected, std::string_view all);

  template <class T>
  void append(const T& value) {
    append_bytes(&value, sizeof value);
  }
  template <class T>
  void append(const T* values, std::int64_t count) {
    append_bytes(values, static_cast<std::size_t>(count) * sizeof(T));
  }
  void append_text(std::string_view text);  ///< padded with zeros, or cut off at the width of the series
  void write_out();                         ///< the rows collected so far
  void copy(const Hdf5Reader& source, std::int64_t rows);  ///< the first rows of the dataset of this name
  std::int64_t rows() const { return written_ + collected_; }

 private:
  Hdf5Series(Hdf5Writer& file, std::string name, Element type, Hdf5Shape expected, Hdf5Id text_type);
  void append_bytes(const void* row, std::size_t size);

  Hdf5Writer* file_;
  std::string name_;
  Element type_;
  Hdf5Shape shape_;  ///< its rows are those that were expected
  std::size_t row_bytes_;
  std::int64_t chunk_rows_;
  Hdf5Id text_type_;  ///< of texts
  Hdf5Id dataset_;
  std::int64_t written_ = 0, collected_ = 0;
  std::vector<char> buffer_;
};

}  // namespace percuss
