#include "percuss/dynamics/elements/solid_shapes.h"

#include <array>
#include <cmath>

#include "percuss/math/dense.h"

namespace percuss {
namespace {

bool is_simplex(SolidShape shape) {
  return shape == SolidShape::tet4 || shape == SolidShape::tet10 || shape == SolidShape::tri3;
}

/// Nodes in the middle of edges come after the corners.
int corner_count(SolidShape shape) {
  if (shape == SolidShape::tet10) return 4;
  return shape == SolidShape::hex20 ? 8 : node_count(shape);
}

using Edge = std::array<int, 2>;
constexpr std::array<Edge, 6> tetrahedron_edges{{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
constexpr std::array<Edge, 12> hexahedron_edges{
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

Edge edge_of(SolidShape shape, int node) {
  const auto number = static_cast<size_t>(node - corner_count(shape));
  return shape == SolidShape::tet10 ? tetrahedron_edges[number] : hexahedron_edges[number];
}

ShapeValues simplex_functions(SolidShape shape, const Vector3& place) {
  const int d = dimension(shape);
  VectorX L(d + 1);  // barycentric coordinates
  MatrixX dL = MatrixX::Zero(d + 1, d);
  L << 1 - place.head(d).sum(), place.head(d);
  dL.row(0).setConstant(-1);
  dL.bottomRows(d).setIdentity();
  if (shape != SolidShape::tet10) return {L, dL};

  ShapeValues values{VectorX(10), MatrixX(10, 3)};
  for (int a = 0; a < 4; ++a) {
    values.N[a] = L[a] * (2 * L[a] - 1);
    values.dN.row(a) = (4 * L[a] - 1) * dL.row(a);
  }
  for (int a = 4; a < 10; ++a) {
    const auto [from, to] = edge_of(shape, a);
    values.N[a] = 4 * L[from] * L[to];
    values.dN.row(a) = 4 * (L[from] * dL.row(to) + L[to] * dL.row(from));
  }
  return values;
}

ShapeValues box_functions(SolidShape shape, const Vector3& place) {
  const int d = dimension(shape), n = node_count(shape);
  ShapeValues values{VectorX(n), MatrixX(n, d)};
  for (int a = 0; a < n; ++a) {
    const Vector3 node = node_place(shape, a);
    Vector3 factor, slope;
    for (int i = 0; i < d; ++i) {
      const bool middle = node[i] == 0;
      factor[i] = middle ? 1 - place[i] * place[i] : 0.5 * (1 + node[i] * place[i]);
      slope[i] = middle ? -2 * place[i] : 0.5 * node[i];
    }
    values.N[a] = factor.head(d).prod();
    for (int k = 0; k < d; ++k) {
      values.dN(a, k) = slope[k];
      for (int i = 0; i < d; ++i)
        if (i != k) values.dN(a, k) *= factor[i];
    }
    if (shape != SolidShape::hex20 || a >= corner_count(shape)) continue;
    const double plane = node.dot(place) - 2;  // vanishes at the middles of the edges that meet here
    values.dN.row(a) = plane * values.dN.row(a) + values.N[a] * node.transpose();
    values.N[a] *= plane;
  }
  return values;
}

struct LinePoint {
  double place, weight;
};

/// Gauss's rule on [-1, 1], exact for polynomials of degree 2 points - 1.
std::vector<LinePoint> gauss_line(int points) {
  if (points == 2) return {{-std::sqrt(1.0 / 3), 1}, {std::sqrt(1.0 / 3), 1}};
  if (points == 3) return {{-std::sqrt(0.6), 5.0 / 9}, {0, 8.0 / 9}, {std::sqrt(0.6), 5.0 / 9}};
  const double spread = 2.0 / 7 * std::sqrt(1.2), inner = std::sqrt(3.0 / 7 - spread),
               outer = std::sqrt(3.0 / 7 + spread), more = (18 + std::sqrt(30.0)) / 36, less = 1 - more;
  return {{-outer, less}, {-inner, more}, {inner, more}, {outer, less}};
}

Quadrature box_quadrature(int d, int points) {
  const auto line = gauss_line(points);
  Quadrature rule;
  for (const auto& z : d == 3 ? line : std::vector<LinePoint>{{0, 1}})
    for (const auto& y : line)
      for (const auto& x : line)
        rule.push_back({{x.place, y.place, z.place}, x.weight * y.weight * z.weight});
  return rule;
}

Quadrature centroid(int d) {
  return {{d == 3 ? Vector3(0.25, 0.25, 0.25) : Vector3(1.0 / 3, 1.0 / 3, 0), d == 3 ? 1.0 / 6 : 0.5}};
}

/// The four points of a tetrahedron with one barycentric coordinate `own` and three others equal.
void add_vertex_orbit(Quadrature& rule, double own, double weight) {
  const double other = (1 - own) / 3;
  rule.push_back({Vector3::Constant(other), weight});
  for (int i = 0; i < 3; ++i) {
    rule.push_back({Vector3::Constant(other), weight});
    rule.back().place[i] = own;
  }
}

/// Exact to degree 2.
Quadrature tetrahedron_4() {
  Quadrature rule;
  add_vertex_orbit(rule, (5 + 3 * std::sqrt(5.0)) / 20, 1.0 / 24);
  return rule;
}

/// Exact to degree 5, all weights positive.
Quadrature tetrahedron_14() {
  Quadrature rule;
  add_vertex_orbit(rule, 1 - 3 * 0.31088591926330060980, 0.11268792571801585080 / 6);
  add_vertex_orbit(rule, 1 - 3 * 0.092735250310891226402, 0.073493043116361949544 / 6);
  const double far = 0.045503704125649649492, near = 0.5 - far, weight = 0.042546020777081466438 / 6;
  for (int i = 0; i < 3; ++i) {
    rule.push_back({Vector3::Constant(far), weight});
    rule.back().place[i] = near;
    rule.push_back({Vector3::Constant(near), weight});
    rule.back().place[i] = far;
  }
  return rule;
}

/// Exact to degree 2.
Quadrature triangle_3() {
  const double far = 1.0 / 6, near = 2.0 / 3;
  return {{{far, far, 0}, 1.0 / 6}, {{near, far, 0}, 1.0 / 6}, {{far, near, 0}, 1.0 / 6}};
}

}  // namespace

int node_count(SolidShape shape) {
  constexpr std::array<int, 6> counts{4, 10, 8, 20, 3, 4};
  return counts[static_cast<size_t>(shape)];
}

int dimension(SolidShape shape) { return shape == SolidShape::tri3 || shape == SolidShape::quad4 ? 2 : 3; }

Vector3 node_place(SolidShape shape, int node) {
  if (node >= corner_count(shape)) {
    const auto [from, to] = edge_of(shape, node);
    return 0.5 * (node_place(shape, from) + node_place(shape, to));
  }
  if (is_simplex(shape)) return node == 0 ? Vector3::Zero() : Vector3(Vector3::Unit(node - 1));
  const int around = node % 4;
  const double height = node < 4 ? -1 : 1;
  return {around == 1 || around == 2 ? 1.0 : -1.0, around >= 2 ? 1.0 : -1.0,
          dimension(shape) == 3 ? height : 0};
}

ShapeValues shape_values(SolidShape shape, const Vector3& place) {
  return is_simplex(shape) ? simplex_functions(shape, place) : box_functions(shape, place);
}

Matrix3 shape_jacobian(const Eigen::Map<const MatrixX>& places, const MatrixX& dN) {
  Matrix3 J = Matrix3::Identity();
  J.topLeftCorner(dN.cols(), dN.cols()) = places.lazyProduct(dN);
  return J;
}

ShapeRule make_rule(SolidShape shape, const Quadrature& quadrature) {
  ShapeRule rule;
  for (const auto& [place, weight] : quadrature) rule.push_back({place, weight, shape_values(shape, place)});
  return rule;
}

Quadrature stiffness_quadrature(SolidShape shape) {
  switch (shape) {
    case SolidShape::tet4: return centroid(3);
    case SolidShape::tet10: return tetrahedron_4();
    case SolidShape::hex8: return box_quadrature(3, 2);
    case SolidShape::hex20: return box_quadrature(3, 3);
    case SolidShape::tri3: return centroid(2);
    case SolidShape::quad4: break;
  }
  return box_quadrature(2, 2);
}

Quadrature mass_quadrature(SolidShape shape) {
  switch (shape) {
    case SolidShape::tet4: return tetrahedron_4();
    case SolidShape::tet10: return tetrahedron_14();
    case SolidShape::hex8: return box_quadrature(3, 3);
    case SolidShape::hex20: return box_quadrature(3, 4);
    case SolidShape::tri3: return triangle_3();
    case SolidShape::quad4: break;
  }
  return box_quadrature(2, 2);
}

MatrixX extrapolation_to_nodes(SolidShape shape) {
  const Quadrature rule = stiffness_quadrature(shape);
  const int n = node_count(shape), points = static_cast<int>(rule.size());
  if (points == 1) return MatrixX::Ones(n, 1);
  SolidShape corners = shape;
  if (shape == SolidShape::tet10) corners = SolidShape::tet4;
  if (shape == SolidShape::hex20) corners = SolidShape::hex8;
  const int unknowns = node_count(corners);
  MatrixX at_points(points, unknowns), at_nodes(n, unknowns);
  for (int p = 0; p < points; ++p)
    at_points.row(p) = shape_values(corners, rule[static_cast<size_t>(p)].place).N.transpose();
  for (int a = 0; a < n; ++a) at_nodes.row(a) = shape_values(corners, node_place(shape, a)).N.transpose();
  const MatrixX normal = at_points.transpose() * at_points;
  return at_nodes * solve_symmetric(normal, at_points.transpose());
}

}  // namespace percuss
