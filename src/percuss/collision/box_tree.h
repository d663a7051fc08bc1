#pragma once

#include <array>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include "percuss/math/vector.h"

namespace percuss {

/// Boxes in a binary tree that halves them across their longest extent. That of Eigen goes round the three
/// axes instead, which on flat surfaces makes every third division useless and a search five times as long,
/// and its search allocates.
class BoxTree {
 public:
  /// box(i) is the box of item i.
  template <class Box>
  void build(int count, const Box& box) {
    items_.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) items_[i] = {box(i), i};
    nodes_.resize(count > 0 ? 2 * items_.size() - 1 : 0);
    if (count > 0) build_node(0, 0, count);
  }

  /// Visits the items whose boxes overlap with one.
  template <class Visit>
  void visit_in(const Eigen::AlignedBox3d& box, const Visit& visit) const {
    std::array<int, 64> waiting;  // at most one for each level
    int count = 0;
    if (!nodes_.empty()) waiting[count++] = 0;
    while (count > 0) {
      int node = waiting[--count];
      while (nodes_[node].box.intersects(box)) {
        if (nodes_[node].item >= 0) {
          visit(nodes_[node].item);
          break;
        }
        waiting[count++] = nodes_[node].second;
        ++node;
      }
    }
  }

  /// Visits the items whose boxes are within the square root of `reach2` from p, near branches first. The
  /// visitor may reduce reach2 meanwhile.
  template <class Visit>
  void visit_nearest_first(const Vector3& p, const double& reach2, const Visit& visit) const {
    struct Branch {
      int node;
      double distance2;
    };
    std::array<Branch, 64> waiting;  // at most one for each level, and there are at most 32
    int count = 0;
    const auto distance2 = [&](int node) { return nodes_[node].box.squaredExteriorDistance(p); };
    if (!nodes_.empty()) waiting[count++] = {0, distance2(0)};
    while (count > 0) {
      Branch branch = waiting[--count];
      while (branch.distance2 <= reach2) {
        const Node& node = nodes_[branch.node];
        if (node.item >= 0) {
          visit(node.item);
          break;
        }
        Branch near{branch.node + 1, distance2(branch.node + 1)}, far{node.second, distance2(node.second)};
        if (far.distance2 < near.distance2) std::swap(near, far);
        waiting[count++] = far;
        branch = near;
      }
    }
  }

 private:
  struct Item {
    Eigen::AlignedBox3d box;
    int number;
  };
  struct Node {
    Eigen::AlignedBox3d box;
    int item;    ///< -1: a branch
    int second;  ///< its second child; the first one is the next node
  };

  void build_node(int node, int begin, int end);

  std::vector<Item> items_;  ///< scratch of build()
  std::vector<Node> nodes_;
};

}  // namespace percuss
