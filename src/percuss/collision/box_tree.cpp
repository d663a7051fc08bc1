#include "percuss/collision/box_tree.h"

#include <algorithm>

namespace percuss {

void BoxTree::build_node(int node, int begin, int end) {
  if (end - begin == 1) {
    nodes_[node] = {items_[begin].box, items_[begin].number, -1};
    return;
  }
  Eigen::AlignedBox3d box, centres;
  for (int i = begin; i < end; ++i) {
    box.extend(items_[i].box);
    centres.extend(items_[i].box.center());
  }
  int axis = 0;
  centres.sizes().maxCoeff(&axis);
  const int middle = begin + (end - begin) / 2;
  std::nth_element(
      items_.begin() + begin, items_.begin() + middle, items_.begin() + end,
      [axis](const Item& a, const Item& b) { return a.box.center()[axis] < b.box.center()[axis]; });
  const int second = node + 2 * (middle - begin);  // a tree of n items has 2 n - 1 nodes
  nodes_[node] = {box, -1, second};
  build_node(node + 1, begin, middle);
  build_node(second, middle, end);
}

}  // namespace percuss
