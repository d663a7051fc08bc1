#include "percuss/dynamics/pools/blocks.h"

namespace percuss {

void Blocks::add(std::span<const int> dof) {
  size_t first_entry = 0;
  if (!blocks_.empty()) {
    const auto size = static_cast<size_t>(blocks_.back().size);
    first_entry = blocks_.back().first_entry + size * size;
  }
  blocks_.push_back({dof_.size(), first_entry, static_cast<int>(dof.size())});
  dof_.insert(dof_.end(), dof.begin(), dof.end());
}

void Blocks::add_positions(Positions& positions) const {
  for (int block = 0; block < count(); ++block)
    for (const int i : dof(block))
      for (const int j : dof(block))
        if (j >= 0 && i >= j) positions.emplace_back(i, j, 0.0);
}

void Blocks::find_entries(const SparseMatrix& pattern) {
  for (int block = 0; block < count(); ++block)
    for (const int i : dof(block))
      for (const int j : dof(block)) entry_.push_back(j < 0 || i < j ? -1 : entry_of(pattern, i, j));
}

}  // namespace percuss
