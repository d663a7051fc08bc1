#include "percuss/nonsmooth/packed_blocks.h"

namespace percuss {

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

template <int D>
void PackedBlocks<D>::pack(const LocalProblem& problem) {
  const SparseRows& W = problem.W;
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
    double* own = &diagonal[static_cast<size_t>(c) * D * D];
    for (int i = 0; i < problem.cones[c].rows(); ++i) {
      for (int k = W.row_begin[first_row[c] + i]; k < W.row_begin[first_row[c] + i + 1]; ++k) {
        const int d = cone_of_row_[W.column[k]], j = W.column[k] - first_row[d];
        if (d == c) {
          own[i * D + j] = W.value[k];
          continue;
        }
        if (slot_[d] < begin.back()) {
          slot_[d] = static_cast<int>(blocks.size());
          blocks.push_back({d, {}});
        }
        blocks[slot_[d]].value[i * D + j] = W.value[k];
      }
    }
    begin.push_back(static_cast<int>(blocks.size()));
  }
}

template struct PackedBlocks<1>;
template struct PackedBlocks<3>;

}  // namespace percuss
