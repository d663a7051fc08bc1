#pragma once

#include <span>
#include <vector>

#include "percuss/nonsmooth/cone.h"

namespace percuss {

/// Sparse square matrix of small dense blocks with a symmetric pattern: the Delassus operator W [1/kg], with
/// one row and one column of blocks for each cone, and the linear systems of Newton's method. Within the rows
/// of a cone the blocks stand one after the other, their columns ascend, and the one on the diagonal is
/// always there.
///
/// To fill it: clear(), the rows of every cone with add_cone(), then for one cone after the other its blocks
/// with append(), which are zero, and end_cone(). Within capacity nothing is allocated.
class BlockMatrix {
 public:
  void clear();  ///< keeps the capacity
  void reserve(int cones, int rows, int blocks, int values);
  void add_cone(int rows);
  void add_cones(std::span<const Cone> cones);
  /// The next block of the cone whose turn it is. The pointer is good until the next call.
  double* append(int other);
  /// Throws std::invalid_argument if the block on the diagonal is missing.
  void end_cone();
  /// The blocks of all cones that are not zero, from entry(row, column).
  template <class Entry>
  void append_all(Entry&& entry) {
    const auto is_zero = [&](int c, int other) {
      for (int i = first_row_[c]; i < first_row_[c + 1]; ++i)
        for (int j = first_row_[other]; j < first_row_[other + 1]; ++j)
          if (entry(i, j) != 0.0) return false;
      return true;
    };
    for (int c = 0; c < cones(); ++c) {
      for (int other = 0; other < cones(); ++other) {
        if (other != c && is_zero(c, other) && is_zero(other, c)) continue;
        double* value = append(other);
        for (int i = first_row_[c]; i < first_row_[c + 1]; ++i)
          for (int j = first_row_[other]; j < first_row_[other + 1]; ++j) *value++ = entry(i, j);
      }
      end_cone();
    }
  }

  int cones() const { return static_cast<int>(first_row_.size()) - 1; }
  int rows() const { return first_row_.back(); }
  int first_row(int c) const { return first_row_[c]; }
  int rows_of(int c) const { return first_row_[c + 1] - first_row_[c]; }
  int cone_of_row(int i) const { return cone_of_row_[i]; }

  int blocks() const { return static_cast<int>(other_.size()); }
  int begin(int c) const { return begin_[c]; }  ///< blocks of cone c: begin(c) .. end(c) - 1
  int end(int c) const { return begin_[c + 1]; }
  int other(int k) const { return other_[k]; }  ///< cone of the columns of a block
  int own(int c) const { return own_[c]; }      ///< block on the diagonal
  /// Values by rows, of which there are as many as the cone has, each as long as the other cone has rows.
  const double* block(int k) const { return value_.data() + place_[k]; }
  double* block(int k) { return value_.data() + place_[k]; }
  int find(int c, int other) const;  ///< block, or -1

  int value_count() const { return static_cast<int>(value_.size()); }
  std::span<const double> values() const { return value_; }
  std::span<double> values() { return value_; }

  double diagonal(int row) const {
    const int c = cone_of_row_[row], i = row - first_row_[c];
    return block(own_[c])[i * (rows_of(c) + 1)];
  }
  double trace(int c) const;                ///< of the block on the diagonal
  double entry(int row, int column) const;  ///< 0 where there is none
  /// Calls visit(column, entry) for each entry of a row, also those that are zero; columns ascend.
  template <class Visit>
  void for_each_in_row(int row, Visit&& visit) const {
    const int c = cone_of_row_[row], i = row - first_row_[c];
    for (int k = begin(c); k < end(c); ++k) {
      const int first = first_row_[other_[k]], count = rows_of(other_[k]);
      const double* values = block(k) + i * count;
      for (int j = 0; j < count; ++j) visit(first + j, values[j]);
    }
  }

  /// y_c += (A x)_c, where y has the rows of cone c and x all rows.
  void add_product(int c, const double* x, double* y) const;
  void multiply_add(const double* x, double* y) const;  ///< y += A x

  bool operator==(const BlockMatrix&) const = default;

 private:
  std::vector<int> first_row_ = {0}, cone_of_row_;
  std::vector<int> begin_ = {0}, own_;
  std::vector<int> other_, place_;
  std::vector<double> value_;
  int uniform_ = 0;  ///< rows of every cone, or -1 if they differ
};

}  // namespace percuss
