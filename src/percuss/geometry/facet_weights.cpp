#include "percuss/geometry/facet_weights.h"

#include <cmath>

#include <Eigen/Geometry>

namespace percuss {
namespace {

double triangle_area(const Vector3& a, const Vector3& b, const Vector3& c) {
  return 0.5 * (b - a).cross(c - a).norm();
}

/// The weights of a bilinear quadrilateral by four Gauss points.
std::array<double, 4> quad_weights(const std::array<Vector3, 4>& x) {
  std::array<double, 4> weights{};
  const double g = 1 / std::sqrt(3.0);
  const double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (const auto& point : signs) {
    const double r = g * point[0], s = g * point[1];
    Vector3 dr = Vector3::Zero(), ds = Vector3::Zero();
    for (int a = 0; a < 4; ++a) {
      dr += 0.25 * signs[a][0] * (1 + s * signs[a][1]) * x[a];
      ds += 0.25 * signs[a][1] * (1 + r * signs[a][0]) * x[a];
    }
    const double area = dr.cross(ds).norm();
    for (int a = 0; a < 4; ++a) weights[a] += 0.25 * (1 + r * signs[a][0]) * (1 + s * signs[a][1]) * area;
  }
  return weights;
}

}  // namespace

std::vector<double> facet_weights(const Mesh& mesh, const std::vector<Facet>& facets) {
  std::vector<double> weights(mesh.nodes.size(), 0.0);
  for (const Facet& facet : facets) {
    const auto x = [&](int i) -> const Vector3& { return mesh.nodes[static_cast<size_t>(facet.nodes[i])]; };
    const auto give = [&](int first, int last, double weight) {
      for (int i = first; i < last; ++i) weights[static_cast<size_t>(facet.nodes[i])] += weight;
    };
    switch (facet.shape) {
      case CellShape::line2: give(0, 2, 0.5 * (x(1) - x(0)).norm()); break;
      case CellShape::tri3: give(0, 3, triangle_area(x(0), x(1), x(2)) / 3); break;
      case CellShape::tri6: give(3, 6, triangle_area(x(0), x(1), x(2)) / 3); break;
      case CellShape::quad4: {
        const auto shares = quad_weights({x(0), x(1), x(2), x(3)});
        for (int i = 0; i < 4; ++i) give(i, i + 1, shares[i]);
        break;
      }
      case CellShape::quad8: {
        const double area = triangle_area(x(0), x(1), x(2)) + triangle_area(x(0), x(2), x(3));
        give(0, 4, -area / 12);
        give(4, 8, area / 3);
        break;
      }
      default: break;
    }
  }
  return weights;
}

}  // namespace percuss
