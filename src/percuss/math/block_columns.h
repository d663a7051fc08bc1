#pragma once

#include <vector>

#include "percuss/math/supernodal_cholesky.h"

namespace percuss {

/// Y = L^-1 P H for many columns of H with few entries each, by the dense blocks of a large factor.
///
/// A column of Y is zero but in the blocks on the ways from its entries to the roots of the elimination. In
/// each block the columns that reach it stand together as a dense matrix, so that the blocks of L are read
/// once for all of them. All of it is done in a fixed order.
class BlockColumns {
 public:
  void clear();
  /// The next column of H; `rows` are original indices.
  void add(const int* rows, const double* values, int count);
  int count() const { return static_cast<int>(begin_.size()) - 1; }
  /// Y of all columns.
  void eliminate(const SupernodalCholesky& factor);

  /// y = Y^T z.
  void multiply_transposed(const VectorX& z, std::vector<double>& y) const;
  /// z += Y r, with the first columns of Y, as many as r has entries.
  void add_product(const std::vector<double>& r, VectorX& z) const;
  /// Adds up Y^T Y: calls add(columns, number of them k, k x k matrix of which the lower triangle is given)
  /// with the share of each block. `columns` ascends.
  template <class Add>
  void for_each_gram(Add&& add) {
    for (const Part& part : parts_) {
      gram(part);
      add(columns_.data() + part.columns, part.count, product_.data());
    }
  }

 private:
  /// The part of Y in one block of L.
  struct Part {
    int block, first, width;  ///< place of its first row, and number of rows
    int columns, count;       ///< of Y that reach it: place in columns_, and number
    size_t values;            ///< place of the dense width x count matrix in values_
  };
  void list_parts(const SupernodalCholesky& factor);
  void place_entries(const SupernodalCholesky& factor);
  void subtract_from_ancestors(const SupernodalCholesky& factor, const Part& part);
  void gram(const Part& part);
  double* column_of(const Part& part, int position) {
    return values_.data() + part.values + static_cast<size_t>(position) * static_cast<size_t>(part.width);
  }
  const int* columns(const Part& part) const { return columns_.data() + part.columns; }

  // H
  std::vector<int> begin_{0}, row_;
  std::vector<double> entry_;
  // Y
  std::vector<Part> parts_;
  std::vector<int> columns_, part_of_block_, reaches_, reached_by_;
  std::vector<double> values_, product_;
  std::vector<int> position_;
};

}  // namespace percuss
