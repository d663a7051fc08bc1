#include "percuss/geometry/box_mesh.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "percuss/geometry/half_space.h"
#include "percuss/geometry/mesh_facets.h"

namespace percuss {
namespace {

using Lattice = std::array<int, 3>;  ///< place on the grid of all possible nodes

/// Corners of the cells that fill a box, as 0 or 1 on each axis.
using BoxCorners = std::vector<std::vector<Lattice>>;

/// One simplex for each order of the axes: its corners are met on the way from the lowest corner to the
/// highest along the axes in that order. Neighbouring boxes divide their common face alike.
BoxCorners divide_into_simplices(int dimension) {
  BoxCorners cells;
  std::array<int, 3> axes = {0, 1, 2};
  do {
    Lattice corner{};
    std::vector<Lattice> cell = {corner};
    for (int i = 0; i < dimension; ++i) {
      corner[axes[i]] = 1;
      cell.push_back(corner);
    }
    int swaps = 0;
    for (int i = 0; i < dimension; ++i)
      for (int j = i + 1; j < dimension; ++j) swaps += axes[i] > axes[j];
    if (swaps % 2 == 1) std::swap(cell[1], cell[2]);  // else its volume would be negative
    cells.push_back(cell);
  } while (std::next_permutation(axes.begin(), axes.begin() + dimension));
  return cells;
}

BoxCorners divide(CellShape shape) {
  switch (corner_count(shape)) {
    case 3: return divide_into_simplices(2);
    case 4:
      if (dimension_of(shape) == 3) return divide_into_simplices(3);
      return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}};
    default:
      return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
  }
}

class GridMesh {
 public:
  GridMesh(const Vector3& lower, const Vector3& size, const std::array<int, 3>& divisions, CellShape shape)
      : lower_(lower),
        size_(size),
        divisions_(divisions),
        shape_(shape),
        refined_(is_quadratic(shape) ? 2 : 1) {
    for (int axis = 0; axis < 3; ++axis) steps_[axis] = divisions[axis] * refined_;
  }

  Mesh build() {
    make_nodes();
    make_cells();
    make_sets();
    return std::move(mesh_);
  }

 private:
  std::size_t index(const Lattice& at) const {
    const auto along = [&](int axis) { return static_cast<std::size_t>(steps_[axis] + 1); };
    return static_cast<std::size_t>(at[0]) + along(0) * (at[1] + along(1) * static_cast<std::size_t>(at[2]));
  }
  double coordinate(int axis, int step) const {
    return steps_[axis] == 0 ? lower_[axis] : lower_[axis] + size_[axis] * (double(step) / steps_[axis]);
  }

  void make_nodes() {
    number_.assign(index(steps_) + 1, -1);
    Lattice at;
    for (at[2] = 0; at[2] <= steps_[2]; ++at[2])
      for (at[1] = 0; at[1] <= steps_[1]; ++at[1])
        for (at[0] = 0; at[0] <= steps_[0]; ++at[0]) {
          const bool inside_face = at[0] % refined_ + at[1] % refined_ + at[2] % refined_ > 1;
          if (shape_ == CellShape::hex20 && inside_face) continue;  // nodes are in corners and edges only
          number_[index(at)] = static_cast<int>(mesh_.nodes.size());
          mesh_.nodes.emplace_back(coordinate(0, at[0]), coordinate(1, at[1]), coordinate(2, at[2]));
        }
  }

  void make_cells() {
    const BoxCorners parts = divide(shape_);
    CellBlock block{shape_, {}};
    Lattice box;
    for (box[2] = 0; box[2] < std::max(1, divisions_[2]); ++box[2])
      for (box[1] = 0; box[1] < divisions_[1]; ++box[1])
        for (box[0] = 0; box[0] < divisions_[0]; ++box[0])
          for (const auto& corners : parts) append_cell(box, corners, block.nodes);
    mesh_.blocks = {std::move(block)};
  }

  /// `a` and `b` are corners in the box; the node is half way between them.
  int node(const Lattice& box, const Lattice& a, const Lattice& b) const {
    Lattice at;
    for (int axis = 0; axis < 3; ++axis) at[axis] = refined_ * box[axis] + refined_ * (a[axis] + b[axis]) / 2;
    return number_[index(at)];
  }
  void append_cell(const Lattice& box, const std::vector<Lattice>& corners, std::vector<int>& nodes) const {
    for (const Lattice& corner : corners) nodes.push_back(node(box, corner, corner));
    if (!is_quadratic(shape_)) return;
    for (const auto& [from, to] : cell_edges(shape_)) nodes.push_back(node(box, corners[from], corners[to]));
  }

  void make_sets() {
    const auto boundary = boundary_facets(mesh_);
    for (int axis = 0; axis < dimension_of(shape_); ++axis)
      for (const bool upper : {false, true}) {
        const std::string name(box_face_names[2 * axis + upper]);
        const double place = coordinate(axis, upper ? steps_[axis] : 0);
        const auto is_on = [&](int i) { return mesh_.nodes[i][axis] == place; };
        for (int i = 0; i < std::ssize(mesh_.nodes); ++i)
          if (is_on(i)) mesh_.node_sets[name].push_back(i);
        for (const Facet& facet : boundary)
          if (std::all_of(facet.nodes.begin(), facet.nodes.begin() + corner_count(facet.shape), is_on))
            mesh_.surfaces[name].push_back(facet);
      }
    for (int i = 0; i < std::ssize(mesh_.nodes); ++i) mesh_.node_sets["all"].push_back(i);
  }

  Vector3 lower_, size_;
  std::array<int, 3> divisions_;
  CellShape shape_;
  int refined_;  ///< steps of the grid along one division
  std::array<int, 3> steps_;
  std::vector<int> number_;  ///< of the node at a place of the grid; -1: none
  Mesh mesh_;
};

void require_grid(const Vector3& lower, const Vector3& size, const std::array<int, 3>& divisions,
                  int dimension) {
  for (int axis = 0; axis < dimension; ++axis) {
    if (!std::isfinite(lower[axis])) throw std::invalid_argument("the lower corner of a mesh must be finite");
    if (!(size[axis] > 0 && std::isfinite(size[axis])))
      throw std::invalid_argument("the size of a mesh must be positive and finite, got " +
                                  std::to_string(size[axis]));
    if (divisions[axis] < 1)
      throw std::invalid_argument("the divisions of a mesh must be positive, got " +
                                  std::to_string(divisions[axis]));
    if (!(lower[axis] + size[axis] / (2.0 * divisions[axis]) > lower[axis]))
      throw std::invalid_argument(
          "the mesh is too far from the origin for its size: its nodes would coincide");
  }
  double nodes = 1;
  for (const int count : divisions) nodes *= 2.0 * count + 1;
  if (nodes > 1e9) throw std::invalid_argument("the mesh has too many divisions for the memory");
}

[[noreturn]] void refuse_shape(const char* what, CellShape shape) {
  throw std::invalid_argument(std::string(what) + ", not of " + std::string(name_of(shape)));
}

}  // namespace

Mesh box_mesh(const Vector3& lower, const Vector3& size, const std::array<int, 3>& divisions,
              CellShape shape) {
  if (dimension_of(shape) != 3) refuse_shape("a box is made of hex8, hex20, tet4 or tet10", shape);
  require_grid(lower, size, divisions, 3);
  return GridMesh(lower, size, divisions, shape).build();
}

Mesh rectangle_mesh(const Vector2& lower, const Vector2& size, const std::array<int, 2>& divisions,
                    CellShape shape) {
  if (shape != CellShape::quad4 && shape != CellShape::tri3)
    refuse_shape("a rectangle is made of quad4 or tri3", shape);
  const Vector3 corner(lower.x(), lower.y(), 0), sides(size.x(), size.y(), 0);
  const std::array<int, 3> counts = {divisions[0], divisions[1], 0};
  require_grid(corner, sides, counts, 2);
  return GridMesh(corner, sides, counts, shape).build();
}

}  // namespace percuss
