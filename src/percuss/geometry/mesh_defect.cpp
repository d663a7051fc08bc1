#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <unordered_map>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "percuss/geometry/mass_properties.h"

namespace percuss {
namespace {

/// Relative to its edge: a vertex this close to the inside of an edge lies on it. Files have numbers with
/// seven digits.
constexpr double junction_tolerance = 1e-6;
/// Twice the area, relative to the square of the longest edge, below which a face has none.
constexpr double flat_face = 1e-12;

/// One side of a face; both faces at an edge have the same `low` and `high`.
struct FaceEdge {
  int low, high, face;
  bool is_forward;  ///< from low to high

  int from() const { return is_forward ? low : high; }
  int to() const { return is_forward ? high : low; }
};

std::vector<FaceEdge> sorted_edges(const TriangleMesh& mesh) {
  std::vector<FaceEdge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::size_t face = 0; face < mesh.triangles.size(); ++face)
    for (int i = 0; i < 3; ++i) {
      const int from = mesh.triangles[face][i], to = mesh.triangles[face][(i + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), static_cast<int>(face), from < to});
    }
  std::sort(edges.begin(), edges.end(), [](const FaceEdge& a, const FaceEdge& b) {
    return std::tie(a.low, a.high, a.face) < std::tie(b.low, b.high, b.face);
  });
  return edges;
}

std::string defect_of_faces(const TriangleMesh& mesh) {
  const auto count = std::ssize(mesh.vertices);
  for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
    const auto& [a, b, c] = mesh.triangles[f];
    for (const int vertex : mesh.triangles[f])
      if (vertex < 0 || vertex >= count)
        return fmt::format("face {} names vertex {}, but there are {} vertices", f, vertex, count);
    if (a == b || b == c || c == a) return fmt::format("face {} names the same vertex twice", f);
    const Vector3 ab = mesh.vertices[b] - mesh.vertices[a], ac = mesh.vertices[c] - mesh.vertices[a];
    const double longest = std::max({ab.squaredNorm(), ac.squaredNorm(), (ac - ab).squaredNorm()});
    if (!(ab.cross(ac).norm() > flat_face * longest))
      return fmt::format("face {} has no area: its vertices {}, {} and {} lie on a line", f, a, b, c);
  }
  return {};
}

/// Of two faces that run along an edge in the same direction the one that disagrees with more neighbours.
std::string describe_flip(const std::vector<std::pair<FaceEdge, FaceEdge>>& flips) {
  std::unordered_map<int, int> disagreements;
  for (const auto& [one, other] : flips) ++disagreements[one.face], ++disagreements[other.face];
  auto [edge, other] = flips[0];
  for (const auto& [one, two] : flips)
    for (const bool swap : {false, true}) {
      const FaceEdge &first = swap ? two : one, &second = swap ? one : two;
      if (disagreements[first.face] > disagreements[edge.face]) edge = first, other = second;
    }
  return fmt::format(
      "face {} is flipped against its neighbour, face {}: both run along the edge {}-{} in the same "
      "direction",
      edge.face, other.face, edge.from(), edge.to());
}

/// Flipped faces and edges of many faces; what belongs to one face only goes to `border`.
std::string defect_of_edges(const TriangleMesh& mesh, std::vector<FaceEdge>& border) {
  const auto edges = sorted_edges(mesh);
  std::vector<std::pair<FaceEdge, FaceEdge>> flips;
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    const FaceEdge& edge = edges[begin];
    while (end < edges.size() && edges[end].low == edge.low && edges[end].high == edge.high) ++end;
    if (end - begin > 2)
      return fmt::format("the edge {}-{} belongs to {} faces, among them {}, {} and {}; it may belong to two",
                         edge.low, edge.high, end - begin, edge.face, edges[begin + 1].face,
                         edges[begin + 2].face);
    if (end - begin == 1)
      border.push_back(edge);
    else if (edge.is_forward == edges[begin + 1].is_forward)
      flips.emplace_back(edge, edges[begin + 1]);
  }
  return flips.empty() ? std::string() : describe_flip(flips);
}

/// The vertices of a border, in cells as large as its edges are on average.
class BorderGrid {
 public:
  BorderGrid(const TriangleMesh& mesh, const std::vector<FaceEdge>& border) : mesh_(mesh) {
    double length = 0;
    for (const FaceEdge& edge : border) length += (at(edge.high) - at(edge.low)).norm();
    cell_ = length / static_cast<double>(border.size());
    for (const FaceEdge& edge : border)
      for (const int vertex : {edge.low, edge.high}) cells_[key(cell_of(at(vertex)))].push_back(vertex);
  }

  /// A vertex inside of the edge; -1 if there is none.
  int vertex_inside(const FaceEdge& edge) const {
    const Vector3 &a = at(edge.low), along = at(edge.high) - a;
    const int steps = static_cast<int>(std::min(along.norm() / (0.5 * cell_), 1e6)) + 1;
    for (int i = 0; i <= steps; ++i) {
      const Cell middle = cell_of(a + (static_cast<double>(i) / steps) * along);
      for (int n = 0; n < 27; ++n) {
        const auto cell =
            cells_.find(key({middle[0] + n % 3 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n / 9 - 1}));
        if (cell == cells_.end()) continue;
        for (const int vertex : cell->second)
          if (is_inside(vertex, edge)) return vertex;
      }
    }
    return -1;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;

  const Vector3& at(int vertex) const { return mesh_.vertices[static_cast<std::size_t>(vertex)]; }
  Cell cell_of(const Vector3& place) const {
    Cell cell;
    for (int axis = 0; axis < 3; ++axis)
      cell[static_cast<std::size_t>(axis)] =
          static_cast<std::int64_t>(std::floor(std::clamp(place[axis] / cell_, -1e15, 1e15)));
    return cell;
  }
  /// Far cells may share one: what is found is looked at.
  static std::uint64_t key(const Cell& cell) {
    std::uint64_t hash = 0;
    for (const std::int64_t index : cell)
      hash = (hash ^ static_cast<std::uint64_t>(index)) * 0x9E3779B97F4A7C15u + (hash >> 29);
    return hash;
  }
  bool is_inside(int vertex, const FaceEdge& edge) const {
    if (vertex == edge.low || vertex == edge.high) return false;
    const Vector3 along = at(edge.high) - at(edge.low), to = at(vertex) - at(edge.low);
    const double part = to.dot(along) / along.squaredNorm();
    return part > junction_tolerance && part < 1 - junction_tolerance &&
           (to - part * along).norm() <= junction_tolerance * along.norm();
  }

  const TriangleMesh& mesh_;
  double cell_ = 1;
  std::unordered_map<std::uint64_t, std::vector<int>> cells_;
};

std::string junction_defect(const TriangleMesh& mesh, const std::vector<FaceEdge>& border) {
  if (border.empty()) return {};
  const BorderGrid grid(mesh, border);
  for (const FaceEdge& edge : border)
    if (const int vertex = grid.vertex_inside(edge); vertex >= 0)
      return fmt::format(
          "vertex {} lies inside the edge {}-{} of face {} (a T-junction): divide that face there, so that "
          "edges "
          "meet from corner to corner",
          vertex, edge.low, edge.high, edge.face);
  return {};
}

std::string volume_defect(const TriangleMesh& mesh) {
  const Vector3& origin = mesh.vertices[static_cast<std::size_t>(mesh.triangles[0][0])];
  double area = 0, extent = 0, volume = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vector3 x = mesh.vertices[a] - origin, y = mesh.vertices[b] - origin, z = mesh.vertices[c] - origin;
    area += (y - x).cross(z - x).norm() / 2;
    extent = std::max(extent, x.norm());
    volume += x.dot(y.cross(z)) / 6;
  }
  if (std::abs(volume) <= 1e-13 * area * extent) return "the mesh encloses no volume";
  if (volume < 0)
    return fmt::format("the volume {:.6g} is negative: all faces are flipped, they are oriented inwards",
                       volume);
  return {};
}

std::string common_defect(const TriangleMesh& mesh, std::vector<FaceEdge>& border) {
  if (mesh.triangles.empty()) return "the mesh has no triangles";
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (!mesh.vertices[i].allFinite()) return fmt::format("vertex {} is not finite", i);
  if (std::string defect = defect_of_faces(mesh); !defect.empty()) return defect;
  if (std::string defect = defect_of_edges(mesh, border); !defect.empty()) return defect;
  return junction_defect(mesh, border);
}

}  // namespace

std::string mesh_defect(const TriangleMesh& mesh) {
  std::vector<FaceEdge> border;
  if (std::string defect = common_defect(mesh, border); !defect.empty()) return defect;
  if (!border.empty())
    return fmt::format(
        "the mesh is not closed: it has a hole at the edge {}-{} of face {} ({} edges belong to "
        "one face only)",
        border[0].low, border[0].high, border[0].face, border.size());
  return volume_defect(mesh);
}

std::string open_mesh_defect(const TriangleMesh& mesh) {
  std::vector<FaceEdge> border;
  return common_defect(mesh, border);
}

}  // namespace percuss
