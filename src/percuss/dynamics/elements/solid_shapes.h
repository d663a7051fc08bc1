#pragma once

#include <cstdint>
#include <vector>

#include "percuss/math/vector.h"

namespace percuss {

/// Shapes of solid elements. Nodes in the order of VTK: corners first; the edges of tet10 are 01 12 20 03 13
/// 23, those of hex20 run around the bottom, around the top, and upwards.
enum class SolidShape : std::uint8_t { tet4, tet10, hex8, hex20, tri3, quad4 };

int node_count(SolidShape shape);
int dimension(SolidShape shape);  ///< 3 or 2

/// Natural coordinates of a node. Triangles and tetrahedra are the unit simplex, the others [-1, 1]^d.
Vector3 node_place(SolidShape shape, int node);

/// Shape functions at a place in natural coordinates.  docs/theory/solids.md (S-1)
struct ShapeValues {
  VectorX N;   ///< one per node
  MatrixX dN;  ///< nodes x dimension: derivatives by the natural coordinates
};
ShapeValues shape_values(SolidShape shape, const Vector3& place);

/// Jacobian dX/dxi from the places of the nodes in columns; in the plane with a 1 across it.
Matrix3 shape_jacobian(const Eigen::Map<const MatrixX>& places, const MatrixX& dN);

struct QuadraturePoint {
  Vector3 place;
  double weight;  ///< they sum to the volume of the natural domain
};
using Quadrature = std::vector<QuadraturePoint>;

/// An integration point with the shape functions there.
struct ShapePoint {
  Vector3 place;
  double weight;
  ShapeValues values;
};
using ShapeRule = std::vector<ShapePoint>;
ShapeRule make_rule(SolidShape shape, const Quadrature& quadrature);

/// Full integration of the stiffness; table in docs/theory/solids.md, section 2.
Quadrature stiffness_quadrature(SolidShape shape);
/// Exact for N_a N_b on elements with straight edges.
Quadrature mass_quadrature(SolidShape shape);

/// Nodes x stiffness points: takes values at the points to the nodes, by the linear function of simplices or
/// the multilinear function of boxes that fits them best.  docs/theory/solids.md (S-14)
MatrixX extrapolation_to_nodes(SolidShape shape);

}  // namespace percuss
