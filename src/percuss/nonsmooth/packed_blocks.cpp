#include "percuss/nonsmooth/packed_blocks.h"

#include <algorithm>

#include "percuss/math/wide.h"

namespace percuss {
namespace {

/// Of 3 x 3 blocks. Their nine numbers are multiplied in the order in which they stand: four, four and one.
PERCUSS_FOR_WIDE_REGISTERS
void add_products_of(const PackedBlocks<3>::Block* block, const PackedBlocks<3>::Block* end, const double* x,
                     double* sum) {
  Four first = {}, second = {}, values;
  double last = 0;
  for (; block != end; ++block) {
    const double* x_c = x + 3 * static_cast<size_t>(block->cone);
    const Four x_0120 = {x_c[0], x_c[1], x_c[2], x_c[0]}, x_1201 = {x_c[1], x_c[2], x_c[0], x_c[1]};
    read(block->value, values);
    first += values * x_0120;
    read(block->value + lanes, values);
    second += values * x_1201;
    last += block->value[8] * x_c[2];
  }
  sum[0] += first[0] + first[1] + first[2];
  sum[1] += first[3] + second[0] + second[1];
  sum[2] += second[2] + second[3] + last;
}

void add_products_of(const PackedBlocks<1>::Block* block, const PackedBlocks<1>::Block* end, const double* x,
                     double* sum) {
  double total = 0;
  for (; block != end; ++block) total += block->value[0] * x[block->cone];
  *sum += total;
}

}  // namespace

template <int D>
void PackedBlocks<D>::add_products(int first, int last, const double* x, double* sum) const {
  add_products_of(blocks.data() + first, blocks.data() + last, x, sum);
}

template <int D>
void PackedBlocks<D>::reserve(int cone_capacity, int block_capacity) {
  const auto count = static_cast<size_t>(cone_capacity);
  begin.reserve(count + 1);
  blocks.reserve(block_capacity);
  diagonal.reserve(count * D * D);
  first_row.reserve(count);
  cone_of_row_.reserve(count * D);
  slot_.reserve(count);
}

/// The usual case: the rows of a cone have the same columns, and these come in whole cones of D rows.
template <int D>
bool PackedBlocks<D>::pack_whole_blocks(const LocalProblem& problem, int cone) {
  const SparseRows& W = problem.W;
  if (problem.cones[cone].rows() != D) return false;
  const int* row_begin = &W.row_begin[first_row[cone]];
  const int length = row_begin[1] - row_begin[0];
  const int* column = W.column.data() + row_begin[0];
  if (length % D != 0) return false;
  for (int i = 1; i < D; ++i)
    if (row_begin[i + 1] - row_begin[i] != length ||
        !std::equal(column, column + length, W.column.data() + row_begin[i]))
      return false;
  bool has_diagonal = false;
  for (int k = 0; k < length; k += D) {
    const int other = cone_of_row_[column[k]];
    if (column[k] != first_row[other] || column[k + D - 1] != column[k] + D - 1 ||
        problem.cones[other].rows() != D)
      return false;
    has_diagonal = has_diagonal || other == cone;
  }
  if (!has_diagonal) return false;
  blocks.resize(blocks.size() + static_cast<size_t>(length / D) - 1);
  Block* next = blocks.data() + begin.back();
  for (int k = 0; k < length; k += D) {
    const int other = cone_of_row_[column[k]];
    const double* from = W.value.data() + row_begin[0] + k;
    double* value = other == cone ? &diagonal[static_cast<size_t>(cone) * D * D] : next->value;
    if (other != cone) (next++)->cone = other;
    for (int i = 0; i < D; ++i, from += length)
      for (int j = 0; j < D; ++j) value[i * D + j] = from[j];
  }
  return true;
}

template <int D>
void PackedBlocks<D>::pack_entries(const LocalProblem& problem, int cone) {
  const SparseRows& W = problem.W;
  double* own = &diagonal[static_cast<size_t>(cone) * D * D];
  for (int i = 0; i < problem.cones[cone].rows(); ++i) {
    for (int k = W.row_begin[first_row[cone] + i]; k < W.row_begin[first_row[cone] + i + 1]; ++k) {
      const int other = cone_of_row_[W.column[k]], j = W.column[k] - first_row[other];
      if (other == cone) {
        own[i * D + j] = W.value[k];
        continue;
      }
      if (slot_[other] < begin.back()) {
        slot_[other] = static_cast<int>(blocks.size());
        blocks.push_back({other, {}});
      }
      blocks[slot_[other]].value[i * D + j] = W.value[k];
    }
  }
}

template <int D>
void PackedBlocks<D>::pack(const LocalProblem& problem) {
  const int count = static_cast<int>(problem.cones.size());
  first_row.clear();
  cone_of_row_.clear();
  for (int c = 0; c < count; ++c) {
    first_row.push_back(static_cast<int>(cone_of_row_.size()));
    cone_of_row_.insert(cone_of_row_.end(), problem.cones[c].rows(), c);
  }
  begin.assign(1, 0);
  blocks.clear();
  diagonal.assign(static_cast<size_t>(count) * D * D, 0.0);
  slot_.assign(count, -1);  // of the current row of blocks: at or beyond begin.back()
  for (int c = 0; c < count; ++c) {
    if (!pack_whole_blocks(problem, c)) pack_entries(problem, c);
    begin.push_back(static_cast<int>(blocks.size()));
  }
}

template struct PackedBlocks<1>;
template struct PackedBlocks<3>;

}  // namespace percuss
