#include "percuss/io/shape_mesh.h"

#include <cmath>
#include <numbers>

namespace percuss {
namespace {

constexpr int around = 16;   ///< facets around an axis
constexpr int quarters = 4;  ///< rings from a pole to the equator

/// A ring of vertices around z, or a single vertex where the radius is zero.
struct Ring {
  double z, radius;
};

/// The surface of revolution through the rings, from the lowest to the highest.
ShapeMesh revolve(const std::vector<Ring>& rings) {
  ShapeMesh mesh;
  std::vector<int> first;
  for (const Ring& ring : rings) {
    first.push_back(static_cast<int>(mesh.vertices.size()));
    if (ring.radius == 0) mesh.vertices.emplace_back(0, 0, ring.z);
    for (int i = 0; ring.radius > 0 && i < around; ++i) {
      const double angle = 2 * std::numbers::pi * i / around;
      mesh.vertices.emplace_back(ring.radius * std::cos(angle), ring.radius * std::sin(angle), ring.z);
    }
  }
  const auto vertex = [&](size_t ring, int i) {
    return rings[ring].radius == 0 ? first[ring] : first[ring] + i % around;
  };
  for (size_t r = 0; r + 1 < rings.size(); ++r)
    for (int i = 0; i < around; ++i) {
      if (rings[r].radius > 0) mesh.triangles.push_back({vertex(r, i), vertex(r, i + 1), vertex(r + 1, i)});
      if (rings[r + 1].radius > 0)
        mesh.triangles.push_back({vertex(r, i + 1), vertex(r + 1, i + 1), vertex(r + 1, i)});
    }
  return mesh;
}

/// A sphere that is cut at its equator and pulled apart by `length`: a capsule.
ShapeMesh capsule(double radius, double length) {
  std::vector<Ring> rings = {{-length / 2 - radius, 0}};
  for (int i = -quarters + 1; i < quarters; ++i) {
    const double angle = std::numbers::pi / 2 * i / quarters;
    const double z = radius * std::sin(angle), r = radius * std::cos(angle);
    if (i <= 0) rings.push_back({z - length / 2, r});
    if (i > 0 || (i == 0 && length > 0)) rings.push_back({z + length / 2, r});
  }
  rings.push_back({length / 2 + radius, 0});
  return revolve(rings);
}

ShapeMesh cylinder(double radius, double length) {
  return revolve({{-length / 2, 0}, {-length / 2, radius}, {length / 2, radius}, {length / 2, 0}});
}

ShapeMesh box(const Vector3& sides) {
  ShapeMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.emplace_back(0.5 *
                               sides.cwiseProduct(Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  for (const auto& [a, b, c, d] :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  }
  return mesh;
}

/// A convex polygon with a thickness.
ShapeMesh prism(const std::vector<Vector3>& corners, double thickness) {
  ShapeMesh mesh;
  const int n = static_cast<int>(corners.size());
  for (const double z : {-thickness / 2, thickness / 2})
    for (const Vector3& corner : corners) mesh.vertices.emplace_back(corner.x(), corner.y(), z);
  for (int i = 1; i + 1 < n; ++i) {
    mesh.triangles.push_back({0, i + 1, i});
    mesh.triangles.push_back({n, n + i, n + i + 1});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh.triangles.push_back({i, j, n + j});
    mesh.triangles.push_back({i, n + j, n + i});
  }
  return mesh;
}

ShapeMesh octahedron(double radius) {
  ShapeMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) mesh.vertices.emplace_back(sign * radius * Vector3::Unit(axis));
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  return mesh;
}

ShapeMesh scaled(ShapeMesh mesh, const Vector3& factors) {
  for (Vector3& vertex : mesh.vertices) vertex = vertex.cwiseProduct(factors);
  return mesh;
}

ShapeMesh rays(const DrawnShape& shape, double mark) {
  ShapeMesh mesh = octahedron(mark);
  const int centre = static_cast<int>(mesh.vertices.size());
  mesh.vertices.emplace_back(0, 0, 0);
  for (const Vector3& point : shape.vertices) {
    mesh.lines.push_back({centre, static_cast<int>(mesh.vertices.size())});
    mesh.vertices.push_back(point);
  }
  return mesh;
}

ShapeMesh without_place(const DrawnShape& shape, double mark) {
  const double a = shape.size.x(), b = shape.size.y(), c = shape.size.z();
  if (shape.kind == "sphere") return capsule(a, 0);
  if (shape.kind == "ellipsoid") return scaled(capsule(1, 0), shape.size);
  if (shape.kind == "box" || shape.kind == "rectangle") return box(shape.size);
  if (shape.kind == "cylinder") return cylinder(a, b);
  if (shape.kind == "disc") return cylinder(a, c);
  if (shape.kind == "capsule") return capsule(a, b);
  if (shape.kind == "cone") return revolve({{0, 0}, {0, a}, {b, 0}});
  if (shape.kind == "polygon") return prism(shape.vertices, c);
  if (shape.kind == "polyhedron" || shape.kind == "mesh") return {shape.vertices, shape.triangles, {}};
  if (shape.kind == "point") return octahedron(mark);
  if (shape.kind == "points") return rays(shape, mark);
  return {};
}

}  // namespace

ShapeMesh mesh_of(const DrawnShape& shape, double mark) {
  ShapeMesh mesh = without_place(shape, mark);
  for (Vector3& vertex : mesh.vertices) vertex += shape.place;
  return mesh;
}

}  // namespace percuss
