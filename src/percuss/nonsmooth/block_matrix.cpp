#include "percuss/nonsmooth/block_matrix.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <string>

#include "percuss/math/wide.h"

namespace percuss {
namespace {

/// Sums of products of `count` blocks of 3 x 3. Their nine numbers are multiplied in the order in which they
/// stand: four, four and one.
PERCUSS_FOR_WIDE_REGISTERS
void add_spatial(const int* other, int count, const double* value, const double* x, double* y) {
  Four first = {}, second = {}, values;
  double last = 0;
  for (int k = 0; k < count; ++k, value += 9) {
    const double* x_k = x + 3 * static_cast<size_t>(other[k]);
    const Four x_0120 = {x_k[0], x_k[1], x_k[2], x_k[0]}, x_1201 = {x_k[1], x_k[2], x_k[0], x_k[1]};
    read(value, values);
    first += values * x_0120;
    read(value + lanes, values);
    second += values * x_1201;
    last += value[8] * x_k[2];
  }
  y[0] += first[0] + first[1] + first[2];
  y[1] += first[3] + second[0] + second[1];
  y[2] += second[2] + second[3] + last;
}

/// The same of blocks of 2 x 2: one register each.
PERCUSS_FOR_WIDE_REGISTERS
void add_planar(const int* other, int count, const double* value, const double* x, double* y) {
  Four sum = {}, values;
  for (int k = 0; k < count; ++k, value += lanes) {
    const double* x_k = x + 2 * static_cast<size_t>(other[k]);
    const Four x_0101 = {x_k[0], x_k[1], x_k[0], x_k[1]};
    read(value, values);
    sum += values * x_0101;
  }
  y[0] += sum[0] + sum[1];
  y[1] += sum[2] + sum[3];
}

/// Of single numbers, in four sums, so that a product need not wait for the one before.
void add_scalar(const int* other, int count, const double* value, const double* x, double* y) {
  double sum[4] = {};
  int k = 0;
  for (; k + 4 <= count; k += 4)
    for (int j = 0; j < 4; ++j) sum[j] += value[k + j] * x[other[k + j]];
  for (; k < count; ++k) sum[0] += value[k] * x[other[k]];
  *y += (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

void BlockMatrix::clear() {
  first_row_.assign(1, 0);
  begin_.assign(1, 0);
  for (auto* list : {&cone_of_row_, &own_, &other_, &place_}) list->clear();
  value_.clear();
  uniform_ = 0;
}

void BlockMatrix::reserve(int cones, int rows, int blocks, int values) {
  first_row_.reserve(static_cast<size_t>(cones) + 1);
  begin_.reserve(static_cast<size_t>(cones) + 1);
  own_.reserve(cones);
  cone_of_row_.reserve(rows);
  for (auto* list : {&other_, &place_}) list->reserve(blocks);
  value_.reserve(values);
}

void BlockMatrix::add_cone(int rows) {
  uniform_ = cones() == 0 || uniform_ == rows ? rows : -1;
  cone_of_row_.insert(cone_of_row_.end(), rows, cones());
  first_row_.push_back(first_row_.back() + rows);
}

void BlockMatrix::add_cones(std::span<const Cone> cones) {
  for (const Cone& cone : cones) add_cone(cone.rows());
}

double* BlockMatrix::append(int other) {
  const int c = static_cast<int>(begin_.size()) - 1;
  assert(c < cones() && other >= 0 && other < cones());
  if (other == c) own_.push_back(blocks());
  other_.push_back(other);
  place_.push_back(value_count());
  value_.resize(value_.size() + static_cast<size_t>(rows_of(c)) * rows_of(other), 0.0);
  return value_.data() + place_.back();
}

void BlockMatrix::end_cone() {
  if (own_.size() != begin_.size())
    throw std::invalid_argument("BlockMatrix: no block on the diagonal of cone " +
                                std::to_string(begin_.size() - 1));
  begin_.push_back(blocks());
}

int BlockMatrix::find(int c, int other) const {
  const auto first = other_.begin() + begin(c), last = other_.begin() + end(c);
  const auto found = std::lower_bound(first, last, other);
  return found != last && *found == other ? static_cast<int>(found - other_.begin()) : -1;
}

double BlockMatrix::trace(int c) const {
  const int n = rows_of(c);
  const double* values = block(own_[c]);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i * (n + 1)];
  return sum;
}

double BlockMatrix::entry(int row, int column) const {
  const int c = cone_of_row_[row], other = cone_of_row_[column], k = find(c, other);
  return k < 0 ? 0 : block(k)[(row - first_row_[c]) * rows_of(other) + column - first_row_[other]];
}

void BlockMatrix::add_product(int c, const double* x, double* y) const {
  const int first = begin(c), count = end(c) - first;
  if (uniform_ == 3) return add_spatial(&other_[first], count, block(first), x, y);
  if (uniform_ == 2) return add_planar(&other_[first], count, block(first), x, y);
  if (uniform_ == 1) return add_scalar(&other_[first], count, block(first), x, y);
  const int rows = rows_of(c);
  double sum[max_cone_rows] = {};
  const double* value = block(first);
  for (int k = first; k < first + count; ++k) {
    const double* x_k = x + first_row_[other_[k]];
    const int columns = rows_of(other_[k]);
    for (int i = 0; i < rows; ++i, value += columns)
      for (int j = 0; j < columns; ++j) sum[i] += value[j] * x_k[j];
  }
  for (int i = 0; i < rows; ++i) y[i] += sum[i];
}

void BlockMatrix::multiply_add(const double* x, double* y) const {
  for (int c = 0; c < cones(); ++c) add_product(c, x, y + first_row_[c]);
}

}  // namespace percuss
