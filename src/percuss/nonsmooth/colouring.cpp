#include "percuss/nonsmooth/colouring.h"

#include <algorithm>

namespace percuss {

Colouring colour(const BlockMatrix& W) {
  std::vector<int> colours(W.cones(), -1), taken;  // taken[k] == c: colour k is a neighbour's of c
  for (int c = 0; c < W.cones(); ++c) {
    for (int k = W.begin(c); k < W.end(c); ++k)
      if (const int other = colours[W.other(k)]; other >= 0) taken[other] = c;
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

LocalProblem reordered(const LocalProblem& problem, const std::vector<int>& order) {
  const BlockMatrix& W = problem.W;
  LocalProblem out;
  out.u_free = reordered(W, problem.u_free, order);
  out.cones.reserve(order.size());
  std::vector<int> place(order.size());
  for (size_t k = 0; k < order.size(); ++k) {
    place[order[k]] = static_cast<int>(k);
    out.cones.push_back(problem.cones[order[k]]);
  }
  out.W.reserve(W.cones(), W.rows(), W.blocks(), W.value_count());
  out.W.add_cones(out.cones);
  struct Place {
    int other, block;
  };
  std::vector<Place> blocks;
  for (const int c : order) {
    blocks.clear();
    for (int k = W.begin(c); k < W.end(c); ++k) blocks.push_back({place[W.other(k)], k});
    std::ranges::sort(blocks, {}, &Place::other);
    for (const Place& at : blocks)
      std::copy_n(W.block(at.block), W.rows_of(c) * W.rows_of(W.other(at.block)), out.W.append(at.other));
    out.W.end_cone();
  }
  return out;
}

std::vector<double> reordered(const BlockMatrix& W, const std::vector<double>& x,
                              const std::vector<int>& order) {
  std::vector<double> out;
  out.reserve(x.size());
  for (const int c : order)
    out.insert(out.end(), x.begin() + W.first_row(c), x.begin() + W.first_row(c) + W.rows_of(c));
  return out;
}

void restore(const BlockMatrix& W, const std::vector<double>& reordered, const std::vector<int>& order,
             std::vector<double>& x) {
  const double* from = reordered.data();
  for (const int c : order) {
    std::copy_n(from, W.rows_of(c), &x[W.first_row(c)]);
    from += W.rows_of(c);
  }
}

}  // namespace percuss
