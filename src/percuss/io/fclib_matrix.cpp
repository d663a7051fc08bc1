#include "percuss/io/fclib_matrix.h"

#include <cmath>

#include <fmt/format.h>

#include "percuss/io/io_error.h"

namespace percuss {

void FclibData::fail(const std::string& what) const { throw IoError::cannot("read", file_.path(), what); }

void FclibData::require(const std::string& name) const {
  if (!file_.contains(name)) fail(fmt::format("{} is missing", name));
}

int FclibData::integer(const std::string& name) const {
  require(name);
  if (const std::int64_t count = file_.shape(name).rows; count != 1)
    fail(fmt::format("{} has {} entries; it must have one", name, count));
  return file_.read<std::int32_t>(name, 0, 1)[0];
}

std::vector<double> FclibData::numbers(const std::string& name) const {
  require(name);
  auto values = file_.read<double>(name);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) fail(fmt::format("{}[{}] is {}; it must be finite", name, i, values[i]));
  return values;
}

std::vector<double> FclibData::numbers(const std::string& name, std::size_t count,
                                       const std::string& counted) const {
  auto values = numbers(name);
  if (values.size() != count)
    fail(fmt::format("{} has {} entries; it must have {}, {}", name, values.size(), count, counted));
  return values;
}

/// The first `count` entries of a list, each in [0, limit).
std::vector<std::int32_t> FclibData::indices(const std::string& name, std::int64_t count, int limit) const {
  require(name);
  if (const std::int64_t stored = file_.shape(name).rows; stored < count)
    fail(fmt::format("{} has {} entries; it must have at least {}", name, stored, count));
  auto values = file_.read<std::int32_t>(name, 0, count);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] < 0 || values[i] >= limit)
      fail(fmt::format("{}[{}] is {}; it must be from 0 to {}", name, i, values[i], limit - 1));
  return values;
}

Triplets FclibData::matrix(const std::string& group, int rows, int columns) const {
  require(group);
  const auto expect = [&](const char* name, int stored, int wanted) {
    if (stored != wanted) fail(fmt::format("{}/{} is {}; it must be {}", group, name, stored, wanted));
  };
  expect("m", matrix_rows(group), rows);
  expect("n", matrix_columns(group), columns);
  const int storage = integer(group + "/nz");
  if (storage == -1) return compressed(group, columns, rows, false);
  if (storage == -2) return compressed(group, rows, columns, true);
  if (storage < 0)
    fail(fmt::format(
        "{}/nz is {}; it must be the number of triplets, -1 (compressed columns) or -2 (compressed rows)",
        group, storage));
  const auto row = indices(group + "/i", storage, rows), column = indices(group + "/p", storage, columns);
  const auto value = numbers(group + "/x");
  if (std::ssize(value) < storage)
    fail(fmt::format("{}/x has {} entries; it must have at least {}", group, value.size(), storage));
  Triplets entries;
  entries.reserve(row.size());
  for (std::size_t k = 0; k < row.size(); ++k) entries.emplace_back(row[k], column[k], value[k]);
  return entries;
}

/// Pointers to the begin of every column (or row), then indices and values.
Triplets FclibData::compressed(const std::string& group, int outer, int inner, bool by_rows) const {
  const std::string pointers = group + "/p";
  const auto value = numbers(group + "/x");
  const auto begin = indices(pointers, std::int64_t{outer} + 1, static_cast<int>(value.size()) + 1);
  if (begin[0] != 0) fail(fmt::format("{}[0] is {}; it must be 0", pointers, begin[0]));
  for (int k = 0; k < outer; ++k)
    if (begin[k + 1] < begin[k])
      fail(fmt::format("{}[{}] is {}; it must not be below the entry before, {}", pointers, k + 1,
                       begin[k + 1], begin[k]));
  const auto index = indices(group + "/i", begin[outer], inner);
  Triplets entries;
  entries.reserve(index.size());
  for (int k = 0; k < outer; ++k)
    for (int e = begin[k]; e < begin[k + 1]; ++e)
      entries.emplace_back(by_rows ? k : index[e], by_rows ? index[e] : k, value[e]);
  return entries;
}

void write_matrix(Hdf5Writer& file, const std::string& group, const Eigen::SparseMatrix<double>& matrix) {
  using Integers = std::vector<std::int32_t>;
  Integers begin = {0}, index;
  std::vector<double> value;
  for (int j = 0; j < matrix.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it) {
      index.push_back(static_cast<std::int32_t>(it.row()));
      value.push_back(it.value());
    }
    begin.push_back(static_cast<std::int32_t>(index.size()));
  }
  file.make_group(group);
  file.make(group + "/m", Integers{static_cast<std::int32_t>(matrix.rows())});
  file.make(group + "/n", Integers{static_cast<std::int32_t>(matrix.cols())});
  file.make(group + "/nz", Integers{-1});
  file.make(group + "/nzmax", Integers{static_cast<std::int32_t>(index.size())});
  file.make(group + "/p", begin);
  file.make(group + "/i", index);
  file.make(group + "/x", value);
}

}  // namespace percuss
