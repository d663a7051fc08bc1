#include "percuss/nonsmooth/cone_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace percuss {
namespace {

/// Order and begins from the group of each cone.
void sort_by_group(int count, ConeGroups& out) {
  out.begin.assign(static_cast<size_t>(count) + 1, 0);
  for (const int g : out.group) ++out.begin[g + 1];
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  out.order.resize(out.group.size());
  for (size_t c = out.group.size(); c-- > 0;) out.order[--out.begin[out.group[c] + 1]] = static_cast<int>(c);
  // Every end has moved to its begin.
  std::shift_left(out.begin.begin(), out.begin.end(), 1);
  out.begin.back() = static_cast<int>(out.order.size());
}

}  // namespace

void ConeGroups::reserve(int cones) {
  group.reserve(cones);
  order.reserve(cones);
  begin.reserve(static_cast<size_t>(cones) + 1);
}

void find_colours(const BlockMatrix& W, ConeGroups& out) {
  out.group.assign(W.cones(), -1);
  std::vector<int> taken;  // taken[k] == c: colour k is a neighbour's of c
  for (int c = 0; c < W.cones(); ++c) {
    for (int k = W.begin(c); k < W.end(c); ++k)
      if (const int other = out.group[W.other(k)]; other >= 0) taken[other] = c;
    int mine = 0;
    while (mine < static_cast<int>(taken.size()) && taken[mine] == c) ++mine;
    if (mine == static_cast<int>(taken.size())) taken.push_back(-1);
    out.group[c] = mine;
  }
  sort_by_group(static_cast<int>(taken.size()), out);
}

void find_islands(const BlockMatrix& W, ConeGroups& out) {
  // First `group` has for each cone one of its island before it, or itself: a forest.
  std::vector<int>& before = out.group;
  before.resize(W.cones());
  const auto root = [&](int c) {
    for (; before[c] != c; c = before[c]) before[c] = before[before[c]];
    return c;
  };
  for (int c = 0; c < W.cones(); ++c) {
    before[c] = c;
    for (int k = W.begin(c); k < W.end(c) && W.other(k) < c; ++k) {
      const int mine = root(c), others = root(W.other(k));
      before[std::max(mine, others)] = std::min(mine, others);
    }
  }
  int count = 0;
  for (int c = 0; c < W.cones(); ++c) out.group[c] = before[c] == c ? count++ : out.group[before[c]];
  sort_by_group(count, out);
}

void ProblemPart::reserve(int cones, int rows, int entries) {
  problem_.W.reserve(cones, rows, entries, entries);
  problem_.u_free.reserve(rows);
  problem_.cones.reserve(cones);
  place_.reserve(cones);
  blocks_.reserve(cones);
}

void ProblemPart::take(const LocalProblem& whole, std::span<const int> cones) {
  const BlockMatrix& W = whole.W;
  place_.resize(W.cones());
  problem_.cones.clear();
  int blocks = 0, values = 0;
  for (const int c : cones) {
    place_[c] = static_cast<int>(problem_.cones.size());
    problem_.cones.push_back(whole.cones[c]);
    blocks += W.end(c) - W.begin(c);
    for (int k = W.begin(c); k < W.end(c); ++k) values += W.rows_of(c) * W.rows_of(W.other(k));
  }
  gather(W, whole.u_free, cones, problem_.u_free);
  // Both grow with the root of the number of contacts (N-6c).
  const double share = std::sqrt(static_cast<double>(cones.size()) / W.cones());
  problem_.scale = share * whole.scale;
  problem_.resolution = share * whole.resolution;
  problem_.W.clear();
  problem_.W.reserve(static_cast<int>(cones.size()), static_cast<int>(problem_.u_free.size()), blocks,
                     values);
  problem_.W.add_cones(problem_.cones);
  for (const int c : cones) append_blocks(W, c);
}

void ProblemPart::append_blocks(const BlockMatrix& W, int c) {
  blocks_.clear();
  for (int k = W.begin(c); k < W.end(c); ++k) blocks_.push_back({place_[W.other(k)], k});
  std::ranges::sort(blocks_, {}, &Block::other);
  for (const auto& [other, from] : blocks_)
    std::copy_n(W.block(from), W.rows_of(c) * W.rows_of(W.other(from)), problem_.W.append(other));
  problem_.W.end_cone();
}

void gather(const BlockMatrix& W, const std::vector<double>& x, std::span<const int> cones,
            std::vector<double>& part) {
  part.clear();
  for (const int c : cones) {
    const auto first = x.begin() + W.first_row(c);
    part.insert(part.end(), first, first + W.rows_of(c));
  }
}

void scatter(const BlockMatrix& W, const std::vector<double>& part, std::span<const int> cones,
             std::vector<double>& x) {
  const double* from = part.data();
  for (const int c : cones) {
    std::copy_n(from, W.rows_of(c), &x[W.first_row(c)]);
    from += W.rows_of(c);
  }
}

}  // namespace percuss
