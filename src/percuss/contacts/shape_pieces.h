#pragma once

#include <memory>
#include <vector>

#include "percuss/collision/convex_shape.h"
#include "percuss/geometry/convex_hull.h"
#include "percuss/geometry/triangle_mesh.h"
#include "percuss/model/body.h"

namespace percuss {

/// A part of a shape in the axes of its body: convex, or a mesh whose own axes are turned by R and begin at
/// x, or a polygon in the plane whose own axes begin at x.
struct ShapePiece {
  ShapePiece(ConvexShape shape) : convex(std::move(shape)) {}
  ShapePiece(std::shared_ptr<const TriangleMesh> surface, const Matrix3& turned, const Vector3& origin)
      : mesh(std::move(surface)), R(turned), x(origin) {}
  ShapePiece(std::vector<Vector2> corners, const Vector3& origin) : polygon(std::move(corners)), x(origin) {}

  ConvexShape convex;
  std::shared_ptr<const TriangleMesh> mesh;  ///< or nothing
  std::vector<Vector2> polygon;              ///< tidy (geometry/polygon.h), or nothing
  Matrix3 R = Matrix3::Identity();
  Vector3 x = Vector3::Zero();
};
ShapePiece placed_piece(const ShapePiece& piece, const Matrix3& R, const Vector3& x);

/// The parts of a shape in the axes of its body, whose origin is `centre` in those of the shape. None if the
/// shape has parts whose contacts are not available.
std::vector<ShapePiece> shape_pieces(const Shape& shape, const Vector3& centre);
std::vector<ShapePiece> shape_pieces(const Body& body, const Vector3& centre);

}  // namespace percuss
