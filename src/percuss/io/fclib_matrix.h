#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/SparseCore>

#include "percuss/io/hdf5_reader.h"
#include "percuss/io/hdf5_writer.h"

/// The parts of FCLIB files that hold numbers.
namespace percuss {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Reads lists and matrices of a file and checks them; failures name the dataset, the value and what is
/// allowed.
class FclibData {
 public:
  explicit FclibData(const Hdf5Reader& file) : file_(file) {}

  const Hdf5Reader& file() const { return file_; }
  int integer(const std::string& name) const;  ///< a list with one entry
  /// Finite numbers.
  std::vector<double> numbers(const std::string& name) const;
  /// As many finite numbers as `counted` has.
  std::vector<double> numbers(const std::string& name, std::size_t count, const std::string& counted) const;
  /// Entries of a sparse matrix in any of the three storages; equal places are meant to be summed.
  Triplets matrix(const std::string& group, int rows, int columns) const;
  int matrix_rows(const std::string& group) const { return integer(group + "/m"); }
  int matrix_columns(const std::string& group) const { return integer(group + "/n"); }

  [[noreturn]] void fail(const std::string& what) const;

 private:
  void require(const std::string& name) const;
  std::vector<std::int32_t> indices(const std::string& name, std::int64_t count, int limit) const;
  Triplets compressed(const std::string& group, int outer, int inner, bool by_rows) const;

  const Hdf5Reader& file_;
};

/// Compressed columns.
void write_matrix(Hdf5Writer& file, const std::string& group, const Eigen::SparseMatrix<double>& matrix);

}  // namespace percuss
