#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "percuss/math/vector.h"

namespace percuss {

/// Gives equal points the same number. A table with open addresses: files have millions of them.
class VertexMerger {
 public:
  explicit VertexMerger(std::vector<Vector3>& vertices) : vertices_(vertices), slots_(64, -1) {}

  int add(Vector3 point) {
    point += Vector3::Zero();  // -0 becomes 0
    if (2 * vertices_.size() >= slots_.size()) grow();
    int& slot = find(point);
    if (slot < 0) {
      slot = static_cast<int>(vertices_.size());
      vertices_.push_back(point);
    }
    return slot;
  }

 private:
  static std::uint64_t hash(const Vector3& point) {
    std::uint64_t value = 0;
    for (const double x : point) {
      value = (value ^ std::bit_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15u;
      value ^= value >> 32;
    }
    return value;
  }
  int& find(const Vector3& point) {
    std::size_t at = hash(point) & (slots_.size() - 1);
    while (slots_[at] >= 0 && vertices_[static_cast<std::size_t>(slots_[at])] != point)
      at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void grow() {
    slots_.assign(2 * slots_.size(), -1);
    for (std::size_t v = 0; v < vertices_.size(); ++v) find(vertices_[v]) = static_cast<int>(v);
  }

  std::vector<Vector3>& vertices_;
  std::vector<int> slots_;
};

}  // namespace percuss
