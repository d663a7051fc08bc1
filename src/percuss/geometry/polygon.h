#pragma once

#include <array>
#include <string>
#include <vector>

#include "percuss/geometry/convex_hull.h"
#include "percuss/geometry/triangle_mesh.h"

/// Polygons that need not be convex, by their corners in order.
namespace percuss {

/// More corners are refused: the time to cut them into triangles grows with their square, 1 s for
/// these.
inline constexpr std::size_t most_polygon_corners = 10'000;

/// Positive if the corners go round counter-clockwise.
double signed_area(const std::vector<Vector2>& corners);

/// What keeps corners from bounding a region, with their numbers, counted from 0; empty if nothing does: too
/// few or too many, equal neighbours, edges that turn back, cross or touch each other, no area.
std::string polygon_defect(const std::vector<Vector2>& corners);

/// The same region, counter-clockwise and without corners inside of straight edges. Without a defect.
std::vector<Vector2> tidy_polygon(std::vector<Vector2> corners);

/// Of a tidy polygon: n - 2 triangles, counter-clockwise, without points of their own, by cutting off ears
/// [Meisters 1975], the least thin one first.
std::vector<std::array<int, 3>> triangulate(const std::vector<Vector2>& corners);

/// The solid over a tidy polygon, from z = -depth / 2 to depth / 2.
TriangleMesh prism_mesh(const std::vector<Vector2>& corners, double depth);

}  // namespace percuss
