#pragma once

#include <vector>

#include "percuss/collision/convex_shape.h"
#include "percuss/model/body.h"

namespace percuss {

/// The convex parts of a shape, in the axes of its body, whose origin is `centre` in those of the shape. None
/// if the shape has parts whose contacts are not available.
std::vector<ConvexShape> shape_pieces(const Shape& shape, const Vector3& centre);
std::vector<ConvexShape> shape_pieces(const Body& body, const Vector3& centre);

}  // namespace percuss
