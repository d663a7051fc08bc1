#include "percuss/collision/broad_phase.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

// Grids, one for each power of two of the sizes: a box lies in the cell of its centre, reaches at most into
// the cells around it, and is looked for by the boxes of its own and of the finer grids. So a pile with
// boulders and a large terrain costs no more than one of equal grains.
namespace percuss {
namespace {

constexpr int no_level = std::numeric_limits<int>::min();

std::int64_t cell(double x, int exponent) {
  // Beyond 2^30 cells everything shares the last one.
  constexpr double last = 1 << 30;
  return static_cast<std::int64_t>(std::clamp(std::floor(std::ldexp(x, -exponent)), -last, last));
}
std::int64_t row_of(std::int64_t y, std::int64_t z) { return (z << 32) + y; }

}  // namespace

const BroadPhase::Pairs& BroadPhase::find(std::span<const Box> boxes, std::span<const double> margin) {
  if (!is_current(boxes)) search(boxes, margin);
  pairs_.clear();
  for (const auto& [i, j] : candidates_)
    if (boxes[static_cast<size_t>(i)].intersects(boxes[static_cast<size_t>(j)])) pairs_.emplace_back(i, j);
  return pairs_;
}

bool BroadPhase::is_current(std::span<const Box> boxes) const {
  if (large_.size() != boxes.size()) return false;
  for (size_t i = 0; i < boxes.size(); ++i)
    if (!boxes[i].isEmpty() && !large_[i].contains(boxes[i])) return false;
  return true;
}

BroadPhase::Level& BroadPhase::level(int exponent) {
  const auto place = std::ranges::lower_bound(levels_, exponent, {}, &Level::exponent);
  if (place != levels_.end() && place->exponent == exponent) return *place;
  Level added;
  added.exponent = exponent;
  return *levels_.insert(place, std::move(added));
}

void BroadPhase::search(std::span<const Box> boxes, std::span<const double> margin) {
  ++searches_;
  large_.assign(boxes.begin(), boxes.end());
  exponent_.assign(boxes.size(), no_level);
  for (Level& known : levels_) known.items.clear();
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].isEmpty()) continue;
    const Vector3 more = Vector3::Constant(margin[i]);
    large_[i] = Box(boxes[i].min() - more, boxes[i].max() + more);
    // A point has no size of its own: all of them share the finest grid.
    const double size = std::max(large_[i].sizes().maxCoeff(), 1e-30);
    exponent_[i] = std::ilogb(size) + 1;
    const Vector3 centre = large_[i].center();
    const int e = exponent_[i];
    level(e).items.push_back(
        {row_of(cell(centre.y(), e), cell(centre.z(), e)), cell(centre.x(), e), static_cast<int>(i)});
  }
  for (Level& known : levels_)
    std::ranges::sort(known.items, {},
                      [](const Level::Item& item) { return std::make_tuple(item.row, item.x, item.box); });
  candidates_.clear();
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (exponent_[i] == no_level) continue;
    for (const Level& known : levels_)
      if (known.exponent >= exponent_[i] && !known.items.empty()) search_in(known, static_cast<int>(i));
  }
  std::ranges::sort(candidates_);
}

void BroadPhase::search_in(const Level& level, int box) {
  const Box& own = large_[static_cast<size_t>(box)];
  const int e = level.exponent;
  const double half = std::ldexp(0.5, e);  // a box of the level reaches at most so far from its centre
  const auto first = [&](int axis) { return cell(own.min()[axis] - half, e); };
  const auto last = [&](int axis) { return cell(own.max()[axis] + half, e); };
  const bool is_own_level = exponent_[static_cast<size_t>(box)] == e;
  for (std::int64_t z = first(2); z <= last(2); ++z)
    for (std::int64_t y = first(1); y <= last(1); ++y) {
      const std::int64_t row = row_of(y, z);
      auto item = std::ranges::lower_bound(level.items, std::make_pair(row, first(0)), {},
                                           [](const Level::Item& i) { return std::make_pair(i.row, i.x); });
      for (; item != level.items.end() && item->row == row && item->x <= last(0); ++item) {
        if (is_own_level && item->box <= box) continue;
        if (!own.intersects(large_[static_cast<size_t>(item->box)])) continue;
        const auto [i, j] = std::minmax(box, item->box);
        if (may_touch_(i, j)) candidates_.emplace_back(i, j);
      }
    }
}

}  // namespace percuss
