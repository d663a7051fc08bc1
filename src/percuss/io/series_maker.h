#pragma once

#include <string>
#include <string_view>

#include "percuss/io/hdf5_series.h"

namespace percuss {

/// Makes growing datasets of one group that get rows at the same moments.
struct SeriesMaker {
  Hdf5Writer& file;
  std::string group;
  std::int64_t expected_rows;

  template <class T>
  Hdf5Series numbers(const char* name, std::string_view unit) const {
    return {file, group + name, element_of<T>, {.rows = expected_rows}, unit};
  }
  Hdf5Series vectors(const char* name, std::size_t width, std::string_view unit) const {
    return {
        file, group + name, Element::float64, {expected_rows, static_cast<std::int64_t>(width), true}, unit};
  }
  /// Texts of at most `width` bytes; `all` has the letters that may occur.
  Hdf5Series texts(const char* name, std::size_t width, std::string_view all) const {
    return {file, group + name, {.rows = expected_rows, .width = static_cast<std::int64_t>(width)}, all};
  }
  Hdf5Series ids(const char* name) const {
    return {file, group + name, Element::int64, {expected_rows, 4, true}, "1"};
  }
  /// Three numbers for each of `count` nodes.
  Hdf5Series node_vectors(const char* name, int count, std::string_view unit) const {
    return {file, group + name, Element::float64, {expected_rows, std::int64_t{3} * count, true, 3}, unit};
  }
};

}  // namespace percuss
