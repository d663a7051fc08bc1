#pragma once

#include <span>
#include <vector>

#include "percuss/nonsmooth/problem.h"

namespace percuss {

/// The cones of a problem in groups.
struct ConeGroups {
  std::vector<int> group;  ///< of each cone
  std::vector<int> order;  ///< cones, group by group; those of a group ascend
  std::vector<int> begin;  ///< of a group in order, and one more at the end

  void reserve(int cones);
  int count() const { return static_cast<int>(begin.size()) - 1; }
  std::span<const int> cones(int g) const {
    return std::span(order).subspan(begin[g], static_cast<size_t>(begin[g + 1] - begin[g]));
  }
};

/// Colours: two cones of one have no block in common. Within the capacity of `out` only scratch memory for
/// the colours of one cone's neighbours is allocated.
void find_colours(const BlockMatrix& W, ConeGroups& out);

/// Islands: cones that a chain of blocks connects. They are in the order of their first cones. Within the
/// capacity of `out` nothing is allocated.
void find_islands(const BlockMatrix& W, ConeGroups& out);

/// Some cones of a problem in an order of their own, as a problem.
class ProblemPart {
 public:
  void reserve(int cones, int rows, int entries);
  /// The cones must have blocks with each other alone. Within capacity nothing is allocated.
  void take(const LocalProblem& whole, std::span<const int> cones);
  const LocalProblem& problem() const { return problem_; }

 private:
  void append_blocks(const BlockMatrix& W, int c);

  struct Block {
    int other, from;
  };
  LocalProblem problem_;
  std::vector<int> place_;     ///< of a cone of the whole among those of the part; of the others anything
  std::vector<Block> blocks_;  ///< of one cone
};

/// The rows of some cones in a vector of all rows, one after the other, and back.
void gather(const BlockMatrix& W, const std::vector<double>& x, std::span<const int> cones,
            std::vector<double>& part);
void scatter(const BlockMatrix& W, const std::vector<double>& part, std::span<const int> cones,
             std::vector<double>& x);

}  // namespace percuss
