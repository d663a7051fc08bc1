#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include "percuss/math/vector.h"

namespace percuss {

using Box = Eigen::AlignedBox3d;

/// Pairs of boxes that overlap. Candidates are searched for with larger boxes and kept until a box leaves its
/// larger one. That is scratch: a new BroadPhase finds the same pairs in the same order.
class BroadPhase {
 public:
  using Pairs = std::vector<std::pair<int, int>>;

  /// `may_touch` leaves out pairs for ever; it is asked with first < second.
  explicit BroadPhase(std::function<bool(int, int)> may_touch) : may_touch_(std::move(may_touch)) {}

  /// Ascending pairs. `margin` is by how much a box may be enlarged to save searches [m]; an empty box
  /// touches nothing.
  const Pairs& find(std::span<const Box> boxes, std::span<const double> margin);
  long searches() const { return searches_; }

 private:
  /// Boxes that are at most as large as a cell and more than half as large, sorted by the cell of their
  /// centre.
  struct Level {
    struct Item {
      std::int64_t row, x;  ///< of the cell: y and z together, and x
      int box;
    };
    int exponent = 0;  ///< cells have the side 2^exponent
    std::vector<Item> items;
  };

  bool is_current(std::span<const Box> boxes) const;
  void search(std::span<const Box> boxes, std::span<const double> margin);
  Level& level(int exponent);
  void search_in(const Level& level, int box);

  std::function<bool(int, int)> may_touch_;
  std::vector<Box> large_;     ///< larger boxes
  std::vector<int> exponent_;  ///< of the level of each box
  std::vector<Level> levels_;
  Pairs candidates_, pairs_;
  long searches_ = 0;
};

}  // namespace percuss
