#pragma once

#include <vector>

#include "percuss/nonsmooth/packed_blocks.h"

namespace percuss {

/// Cones by colour: two cones of a colour have no block in common.
struct Colouring {
  std::vector<int> order;  ///< cones, colour by colour
  std::vector<int> begin;  ///< of a colour in order
};

template <int D>
Colouring colour(const PackedBlocks<D>& W) {
  std::vector<int> colours(W.cones(), -1), taken;  // taken[k] == c: colour k is a neighbour's of c
  for (int c = 0; c < W.cones(); ++c) {
    for (int k = W.begin[c]; k < W.begin[c + 1]; ++k)
      if (const int other = colours[W.blocks[k].cone]; other >= 0) taken[other] = c;
    int mine = 0;
    while (mine < static_cast<int>(taken.size()) && taken[mine] == c) ++mine;
    if (mine == static_cast<int>(taken.size())) taken.push_back(-1);
    colours[c] = mine;
  }
  Colouring result;
  result.begin.assign(taken.size() + 1, 0);
  for (const int k : colours) ++result.begin[k + 1];
  for (size_t k = 0; k < taken.size(); ++k) result.begin[k + 1] += result.begin[k];
  result.order.resize(W.cones());
  std::vector<int> next(result.begin.begin(), result.begin.end() - 1);
  for (int c = 0; c < W.cones(); ++c) result.order[next[colours[c]]++] = c;
  return result;
}

}  // namespace percuss
