#include "percuss/geometry/mesh_report.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <Eigen/Geometry>

#include "percuss/geometry/mesh_facets.h"

namespace percuss {
namespace {

using Corners = std::array<int, 3>;

/// The other ends of the edges at each corner, right-handed.
std::span<const Corners> corner_neighbours(CellShape shape) {
  static constexpr std::array<Corners, 3> triangle = {{{1, 2}, {2, 0}, {0, 1}}};
  static constexpr std::array<Corners, 4> quadrangle = {{{1, 3}, {2, 0}, {3, 1}, {0, 2}}};
  static constexpr std::array<Corners, 4> tetrahedron = {{{1, 2, 3}, {2, 0, 3}, {0, 1, 3}, {0, 2, 1}}};
  static constexpr std::array<Corners, 8> hexahedron = {
      {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7}, {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}}};
  if (corner_count(shape) == 3) return triangle;
  if (corner_count(shape) == 8) return hexahedron;
  return dimension_of(shape) == 3 ? std::span<const Corners>(tetrahedron) : quadrangle;
}

/// Volume spanned by unit vectors along the edges at a corner of the perfect cell.
double perfect_corner(CellShape shape) {
  if (corner_count(shape) == 3) return std::numbers::sqrt3 / 2;
  return corner_count(shape) == 4 && dimension_of(shape) == 3 ? 1 / std::numbers::sqrt2 : 1;
}

double spanned_volume(const Vector3& a, const Vector3& b, const Vector3& c) { return a.dot(b.cross(c)); }

double scaled(double volume, double lengths) { return lengths > 0 ? volume / lengths : 0; }

/// 3 x 3 Gauss points and weights on [0, 1].
constexpr std::array<double, 3> gauss_point = {0.11270166537925831, 0.5, 0.88729833462074169};
constexpr std::array<double, 3> gauss_weight = {5.0 / 18, 8.0 / 18, 5.0 / 18};

struct ShapeValues {
  int count;
  std::array<double, 8> value, du, dv;  ///< of the functions and their derivatives
};

ShapeValues tri6_functions(double u, double v) {
  const double w = 1 - u - v;
  return {6,
          {w * (2 * w - 1), u * (2 * u - 1), v * (2 * v - 1), 4 * w * u, 4 * u * v, 4 * v * w},
          {1 - 4 * w, 4 * u - 1, 0, 4 * (w - u), 4 * v, -4 * v},
          {1 - 4 * w, 0, 4 * v - 1, -4 * u, 4 * u, 4 * (w - v)}};
}

ShapeValues quad8_functions(double u, double v) {
  const double p = 1 - u, q = 1 - v;
  return {8,
          {p * q * (1 - 2 * u - 2 * v), u * q * (2 * u - 2 * v - 1), u * v * (2 * u + 2 * v - 3),
           p * v * (2 * v - 2 * u - 1), 4 * u * p * q, 4 * u * v * q, 4 * u * p * v, 4 * p * v * q},
          {q * (4 * u + 2 * v - 3), q * (4 * u - 2 * v - 1), v * (4 * u + 2 * v - 3), v * (4 * u - 2 * v - 1),
           4 * q * (1 - 2 * u), 4 * v * q, 4 * v * (1 - 2 * u), -4 * v * q},
          {p * (2 * u + 4 * v - 3), u * (4 * v - 2 * u - 1), u * (2 * u + 4 * v - 3), p * (4 * v - 2 * u - 1),
           -4 * u * p, 4 * u * (1 - 2 * v), 4 * u * p, 4 * p * (1 - 2 * v)}};
}

/// Volume between a curved face and the origin. The integrand has at most degree 5 in each variable, also
/// where the square is collapsed to a triangle, so that the rule is exact.
double cone_volume(CellShape shape, const std::array<Vector3, 8>& nodes) {
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const bool triangle = corner_count(shape) == 3;
      const double u = gauss_point[i], width = triangle ? 1 - u : 1, v = width * gauss_point[j];
      const ShapeValues functions = triangle ? tri6_functions(u, v) : quad8_functions(u, v);
      Vector3 x = Vector3::Zero(), x_u = Vector3::Zero(), x_v = Vector3::Zero();
      for (int k = 0; k < functions.count; ++k) {
        x += functions.value[k] * nodes[k];
        x_u += functions.du[k] * nodes[k];
        x_v += functions.dv[k] * nodes[k];
      }
      sum += gauss_weight[i] * gauss_weight[j] * width * spanned_volume(x, x_u, x_v);
    }
  return sum / 3;
}

double curved_volume(const Mesh& mesh, CellShape shape, std::span<const int> nodes) {
  const Vector3 origin = mesh.nodes[nodes[0]];
  double volume = 0;
  for (const LocalFacet& facet : cell_facets(shape)) {
    std::array<Vector3, 8> points;
    for (int i = 0; i < node_count(facet.shape); ++i) points[i] = mesh.nodes[nodes[facet.nodes[i]]] - origin;
    volume += cone_volume(facet.shape, points);
  }
  return volume;
}

/// Parts that share no node, by merging the nodes of each cell.
class NodeGroups {
 public:
  explicit NodeGroups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  int group_of(int node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  void merge(int a, int b) {
    a = group_of(a);
    b = group_of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

void report_connections(const Mesh& mesh, MeshReport& report) {
  NodeGroups groups(mesh.nodes.size());
  std::vector<bool> used(mesh.nodes.size(), false);
  for_each_cell(mesh, [&](int cell, CellShape, std::span<const int> nodes) {
    std::array<int, 20> sorted;
    const auto end = std::ranges::copy(nodes, sorted.begin()).out;
    std::sort(sorted.begin(), end);
    if (std::adjacent_find(sorted.begin(), end) != end) report.cells_with_repeated_nodes.push_back(cell);
    for (const int node : nodes) {
      used[node] = true;
      groups.merge(nodes[0], node);
    }
  });
  for (int node = 0; node < report.node_count; ++node) {
    if (!used[node])
      report.unused_nodes.push_back(node);
    else if (groups.group_of(node) == node)
      ++report.part_count;
  }
}

void report_mixed_orders(const Mesh& mesh, MeshReport& report) {
  const auto linear_shape = [](const auto& counted) { return !is_quadratic(counted.first); };
  const auto linear = std::ranges::count_if(report.cell_counts, linear_shape);
  if (linear == 0 || linear == std::ssize(report.cell_counts)) return;
  const CellSides sides(mesh);
  const auto has_order_2 = [&](const CellSides::Side& side) {
    return is_quadratic(mesh.blocks[locate_cell(mesh, side.cell).first].shape);
  };
  for (int node = 0; node < sides.node_count(); ++node) {
    const auto around = sides.at(node);
    for (std::size_t i = 1; i < around.size(); ++i) {
      if (around[i].corners != around[i - 1].corners) continue;
      const bool first = has_order_2(around[i - 1]), second = has_order_2(around[i]);
      if (first == second) continue;
      report.mixed_orders.emplace_back(around[first ? i : i - 1].cell, around[first ? i - 1 : i].cell);
    }
  }
}

}  // namespace

double cell_quality(const Mesh& mesh, CellShape shape, std::span<const int> nodes) {
  const auto point = [&](int i) -> const Vector3& { return mesh.nodes[nodes[i]]; };
  if (dimension_of(shape) == 1) return point(0) != point(1) ? 1 : 0;
  const auto edges = cell_edges(shape);
  const auto direction = [&](int from, int to) -> Vector3 {
    if (!is_quadratic(shape)) return point(to) - point(from);
    const auto edge = std::ranges::find_if(edges, [&](const auto& ends) {
      return (ends[0] == from && ends[1] == to) || (ends[0] == to && ends[1] == from);
    });
    const int middle = corner_count(shape) + static_cast<int>(edge - edges.begin());
    return 4 * point(middle) - 3 * point(from) - point(to);
  };
  double worst = std::numeric_limits<double>::infinity();
  const auto neighbours = corner_neighbours(shape);
  for (int corner = 0; corner < std::ssize(neighbours); ++corner) {
    const auto& ends = neighbours[corner];
    const Vector3 a = direction(corner, ends[0]), b = direction(corner, ends[1]);
    const Vector3 c = dimension_of(shape) == 3 ? direction(corner, ends[2]) : Vector3::UnitZ();
    worst = std::min(worst, scaled(spanned_volume(a, b, c), a.norm() * b.norm() * c.norm()));
  }
  return worst / perfect_corner(shape);
}

double cell_volume(const Mesh& mesh, CellShape shape, std::span<const int> nodes) {
  const auto edge = [&](int from, int to) -> Vector3 {
    return mesh.nodes[nodes[to]] - mesh.nodes[nodes[from]];
  };
  switch (shape) {
    case CellShape::line2:
    case CellShape::line3: return edge(0, 1).norm();
    case CellShape::tri3:
    case CellShape::tri6: return edge(0, 1).cross(edge(0, 2)).z() / 2;
    case CellShape::quad4:
    case CellShape::quad8: return edge(0, 2).cross(edge(1, 3)).z() / 2;
    case CellShape::tet4: return spanned_volume(edge(0, 1), edge(0, 2), edge(0, 3)) / 6;
    case CellShape::hex8:  // J. Grandy, Efficient computation of volume of hexahedral cells, 1997
      return (spanned_volume(edge(1, 6) + edge(0, 7), edge(3, 6), edge(0, 2)) +
              spanned_volume(edge(0, 7), edge(3, 6) + edge(0, 5), edge(4, 6)) +
              spanned_volume(edge(1, 6), edge(0, 5), edge(4, 6) + edge(0, 2))) /
             12;
    case CellShape::tet10:
    case CellShape::hex20: break;
  }
  return curved_volume(mesh, shape, nodes);
}

std::vector<std::pair<int, int>> duplicate_cells(const Mesh& mesh) {
  struct Key {
    std::array<int, 8> corners;  ///< ascending, -1 behind the last
    int cell;
  };
  std::vector<Key> keys;
  for_each_cell(mesh, [&](int cell, CellShape shape, std::span<const int> nodes) {
    Key key{{}, cell};
    key.corners.fill(-1);
    std::ranges::copy(nodes.first(static_cast<size_t>(corner_count(shape))), key.corners.begin());
    std::sort(key.corners.begin(), key.corners.begin() + corner_count(shape));
    keys.push_back(key);
  });
  std::ranges::sort(keys, {}, [](const Key& key) { return std::pair(key.corners, key.cell); });
  std::vector<std::pair<int, int>> found;
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (keys[i].corners == keys[i - 1].corners) found.emplace_back(keys[i - 1].cell, keys[i].cell);
  return found;
}

MeshReport mesh_report(const Mesh& mesh) {
  MeshReport report;
  report.duplicates = duplicate_cells(mesh);
  report.node_count = static_cast<int>(mesh.nodes.size());
  report.lower = report.upper = mesh.nodes.empty() ? Vector3(Vector3::Zero()) : mesh.nodes[0];
  for (const Vector3& node : mesh.nodes) {
    report.lower = report.lower.cwiseMin(node);
    report.upper = report.upper.cwiseMax(node);
  }
  for (const CellBlock& block : mesh.blocks)
    if (block.count() > 0) report.cell_counts[block.shape] += block.count();
  const int dimension = mesh.dimension();
  for_each_cell(mesh, [&](int cell, CellShape shape, std::span<const int> nodes) {
    if (dimension_of(shape) == dimension) report.volume += cell_volume(mesh, shape, nodes);
    const double quality = cell_quality(mesh, shape, nodes);
    if (!(quality > 0)) report.inverted_cells.push_back(cell);
    if (report.worst_cell >= 0 && quality >= report.worst_quality) return;
    report.worst_cell = cell;
    report.worst_quality = quality;
  });
  report_connections(mesh, report);
  report_mixed_orders(mesh, report);
  return report;
}

}  // namespace percuss
