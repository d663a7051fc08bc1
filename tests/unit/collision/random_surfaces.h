#pragma once

#include <cmath>
#include <random>

#include "percuss/collision/facet_tree.h"
#include "percuss/geometry/box_mesh.h"
#include "percuss/geometry/mesh_facets.h"

namespace percuss::testing {

class RandomPlaces {
 public:
  explicit RandomPlaces(unsigned seed) : engine_(seed) {}
  double uniform(double lower, double upper) {
    return std::uniform_real_distribution<double>(lower, upper)(engine_);
  }
  Vector3 in_cube(double half_side = 1) {
    const double x = uniform(-half_side, half_side), y = uniform(-half_side, half_side);
    return {x, y, uniform(-half_side, half_side)};
  }
  int number(int count) { return static_cast<int>(engine_() % static_cast<unsigned>(count)); }

 private:
  std::mt19937 engine_;
};

struct MovingSurface {
  SurfaceFacets facets;
  std::vector<Vector3> points;

  std::vector<Vector3> corners_of(int facet) const {
    std::vector<Vector3> corners;
    for (const int node : facets.nodes[static_cast<std::size_t>(facet)])
      if (node >= 0) corners.push_back(points[static_cast<std::size_t>(node)]);
    return corners;
  }
};

inline MovingSurface boundary_of(const Mesh& mesh) {
  MovingSurface surface{{}, mesh.nodes};
  for (const Facet& facet : boundary_facets(mesh)) {
    std::array<int, 4> nodes = {-1, -1, -1, -1};
    for (int i = 0; i < corner_count(facet.shape); ++i) nodes[i] = facet.nodes[i];
    surface.facets.nodes.push_back(nodes);
  }
  return surface;
}

/// The cube [-1, 1]^3 with its surface bumpy and its faces warped.
inline MovingSurface bumpy_cube(CellShape shape, int divisions, double bumps, unsigned seed) {
  RandomPlaces random(seed);
  Mesh mesh = box_mesh({-1, -1, -1}, {2, 2, 2}, {divisions, divisions, divisions}, shape);
  for (Vector3& node : mesh.nodes) node += random.in_cube(bumps / divisions);
  return boundary_of(mesh);
}

/// A wavy polygon around the origin in the plane z = 3.
inline MovingSurface wavy_polygon(int sides) {
  MovingSurface surface;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * M_PI * i / sides, radius = 1 + 0.2 * std::sin(5 * angle);
    surface.points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 3);
    surface.facets.nodes.push_back({i, (i + 1) % sides, -1, -1});
  }
  return surface;
}

}  // namespace percuss::testing
