// Small meshes of solid elements on a grid of cells, for every shape.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <vector>

#include "percuss/dynamics/elements/solid_group.h"

namespace percuss::testing {

constexpr std::array<SolidShape, 6> all_shapes{SolidShape::tet4,  SolidShape::tet10, SolidShape::hex8,
                                               SolidShape::hex20, SolidShape::tri3,  SolidShape::quad4};
constexpr std::array<SolidLaw, 3> all_laws{SolidLaw::small_strain, SolidLaw::st_venant_kirchhoff,
                                           SolidLaw::neo_hooke};

struct SolidMesh {
  std::vector<Vector3> places;
  std::vector<int> connectivity;
  std::vector<char> inside;  ///< of each node: not on the surface of the grid
};

/// Numbers nodes by their place on a grid of half cells, where corners have even coordinates.
class MeshBuilder {
 public:
  using Key = std::array<int, 3>;

  MeshBuilder(SolidShape shape, std::array<int, 3> cells, const Vector3& size, double distortion)
      : shape_(shape), cells_(cells), size_(size), distortion_(distortion) {
    if (dimension(shape) == 2) cells_[2] = 0;
  }

  SolidMesh build() {
    for (int k = 0; k < std::max(cells_[2], 1); ++k)
      for (int j = 0; j < cells_[1]; ++j)
        for (int i = 0; i < cells_[0]; ++i)
          if (shape_ == SolidShape::tet4 || shape_ == SolidShape::tet10 || shape_ == SolidShape::tri3)
            add_simplices({2 * i, 2 * j, 2 * k});
          else
            add_box({2 * i, 2 * j, 2 * k});
    return mesh_;
  }

 private:
  void add_box(const Key& origin) {
    for (int a = 0; a < node_count(shape_); ++a) {
      const Vector3 place = node_place(shape_, a);
      Key key = origin;
      for (int i = 0; i < dimension(shape_); ++i)
        key[static_cast<size_t>(i)] += 1 + static_cast<int>(place[i]);
      mesh_.connectivity.push_back(number(key));
    }
  }

  /// One simplex for each order in which a path from corner to corner can take the directions.
  void add_simplices(const Key& origin) {
    const int d = dimension(shape_);
    std::vector<size_t> order = d == 3 ? std::vector<size_t>{0, 1, 2} : std::vector<size_t>{0, 1};
    do {
      std::array<Key, 4> corner{origin, origin, origin, origin};
      for (int c = 1; c <= d; ++c) {
        corner[static_cast<size_t>(c)] = corner[static_cast<size_t>(c - 1)];
        corner[static_cast<size_t>(c)][order[static_cast<size_t>(c - 1)]] += 2;
      }
      const bool odd = d == 2 ? order[0] > order[1]
                              : (order[0] > order[1]) ^ (order[0] > order[2]) ^ (order[1] > order[2]);
      if (odd) std::swap(corner[1], corner[2]);
      for (int a = 0; a < node_count(shape_); ++a) {
        Key key{};
        for (size_t i = 0; i < 3; ++i) {
          double sum = 0;
          const VectorX weights =
              shape_values(d == 3 ? SolidShape::tet4 : SolidShape::tri3, node_place(shape_, a)).N;
          for (int c = 0; c <= d; ++c) sum += weights[c] * corner[static_cast<size_t>(c)][i];
          key[i] = static_cast<int>(sum + 0.5);
        }
        mesh_.connectivity.push_back(number(key));
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }

  /// Nodes between corners lie on straight edges.
  Vector3 place(const Key& key) {
    Key low = key, high = key;
    for (size_t i = 0; i < 3; ++i)
      if (key[i] % 2 != 0) --low[i], ++high[i];
    return 0.5 * (corner_place(low) + corner_place(high));
  }
  Vector3 corner_place(const Key& key) {
    const auto [found, is_new] = corners_.try_emplace(key);
    if (!is_new) return found->second;
    std::uniform_real_distribution<double> uniform(-distortion_, distortion_);
    found->second.setZero();
    for (int i = 0; i < dimension(shape_); ++i) {
      const auto at = static_cast<size_t>(i);
      found->second[i] = size_[i] * (0.5 * key[at] + (is_inside(key) ? uniform(random_) : 0.0)) / cells_[at];
    }
    return found->second;
  }
  bool is_inside(const Key& key) const {
    bool inside = true;
    for (size_t i = 0; i < static_cast<size_t>(dimension(shape_)); ++i)
      inside = inside && key[i] > 0 && key[i] < 2 * cells_[i];
    return inside;
  }
  int number(const Key& key) {
    const auto [found, is_new] = numbers_.try_emplace(key, static_cast<int>(mesh_.places.size()));
    if (is_new) {
      mesh_.places.push_back(place(key));
      mesh_.inside.push_back(is_inside(key));
    }
    return found->second;
  }

  SolidShape shape_;
  std::array<int, 3> cells_;
  Vector3 size_;
  double distortion_;  ///< of the corners inside, in cells
  std::mt19937 random_{7};
  std::map<Key, Vector3> corners_;
  std::map<Key, int> numbers_;
  SolidMesh mesh_;
};

inline SolidMesh grid_mesh(SolidShape shape, std::array<int, 3> cells, const Vector3& size,
                           double distortion) {
  return MeshBuilder(shape, cells, size, distortion).build();
}

/// Numbers of the element's nodes out of one Vector3 per node.
inline VectorX gather(const SolidGroup& group, int e, const std::vector<Vector3>& of_nodes) {
  const int d = group.dofs_per_element() / group.nodes_per_element();
  VectorX local(group.dofs_per_element());
  for (int a = 0; a < group.nodes_per_element(); ++a)
    local.segment(d * a, d) = of_nodes[static_cast<size_t>(group.nodes(e)[a])].head(d);
  return local;
}

}  // namespace percuss::testing
