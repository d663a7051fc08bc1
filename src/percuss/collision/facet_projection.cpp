#include "percuss/collision/facet_projection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

namespace percuss {
namespace {

/// Direction of a vector, or zero.
Vector3 unit_or_zero(const Vector3& vector) {
  const double norm = vector.norm();
  return norm > 0 ? Vector3(vector / norm) : Vector3(Vector3::Zero());
}

double place_on_line(const Vector3& p, const Vector3& from, const Vector3& to) {
  const Vector3 along = to - from;
  const double length2 = along.squaredNorm();
  return length2 > 0 ? std::clamp(along.dot(p - from) / length2, 0.0, 1.0) : 0;
}

FacetPoint closest_on_line(const Vector3& p, const Vector3* corners) {
  FacetPoint closest;
  const Vector3 in_plane(p.x(), p.y(), corners[0].z());
  const double t = place_on_line(in_plane, corners[0], corners[1]);
  closest.weights = {1 - t, t};
  closest.point = (1 - t) * corners[0] + t * corners[1];
  if (t == 0 || t == 1) closest.corner = t == 0 ? 0 : 1;
  return closest;
}

FacetPoint closest_on_edges(const Vector3& p, const Vector3* corners, int count) {
  FacetPoint closest;
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < count; ++i) {
    const int next = (i + 1) % count;
    const double t = place_on_line(p, corners[i], corners[next]);
    const Vector3 point = (1 - t) * corners[i] + t * corners[next];
    const double distance2 = (p - point).squaredNorm();
    if (!(distance2 < best)) continue;
    best = distance2;
    closest = {};
    closest.weights[i] = 1 - t;
    closest.weights[next] = t;
    closest.point = point;
    if (t > 0 && t < 1)
      closest.edge = i;
    else
      closest.corner = t == 0 ? i : next;
  }
  return closest;
}

FacetPoint closest_on_triangle(const Vector3& p, const Vector3* corners) {
  const Vector3 to_1 = corners[1] - corners[0], to_2 = corners[2] - corners[0], to_p = p - corners[0];
  const Vector3 area = to_1.cross(to_2);
  const double area2 = area.squaredNorm();
  const double weight_1 = area.dot(to_p.cross(to_2)), weight_2 = area.dot(to_1.cross(to_p));
  if (!(area2 > 0 && weight_1 >= 0 && weight_2 >= 0 && weight_1 + weight_2 <= area2))
    return closest_on_edges(p, corners, 3);
  FacetPoint closest;
  closest.weights = {1 - weight_1 / area2 - weight_2 / area2, weight_1 / area2, weight_2 / area2};
  closest.weights[0] = std::max(0.0, closest.weights[0]);
  closest.point = corners[0] + closest.weights[1] * to_1 + closest.weights[2] * to_2;
  return closest;
}

/// x(u, v) = corner + u along_u + v along_v + u v twist on the unit square.
struct BilinearPatch {
  Vector3 corner, along_u, along_v, twist;

  explicit BilinearPatch(const Vector3* corners)
      : corner(corners[0]),
        along_u(corners[1] - corners[0]),
        along_v(corners[3] - corners[0]),
        twist(corners[0] - corners[1] + corners[2] - corners[3]) {}
  Vector3 at(double u, double v) const { return corner + u * along_u + v * along_v + u * v * twist; }
  Vector3 du(double v) const { return along_u + v * twist; }
  Vector3 dv(double u) const { return along_v + u * twist; }

  /// Whether |x(u, v) - p|^2 / 2 is certainly convex on the square: there its second derivatives are not
  /// smaller than the squares of the factors on the left, and the mixed one is not larger than the right
  /// side.
  bool is_convex_from(const Vector3& p) const {
    const double u = along_u.norm(), v = along_v.norm(), t = twist.norm();
    const double farthest = (corner - p).norm() + u + v + t;
    return u > t && v > t && (u - t) * (v - t) > std::abs(along_u.dot(along_v)) + t * (u + v + t + farthest);
  }
  /// Whether the distance from p grows from the closest point on the border inwards. In a corner it does so
  /// along both edges, or another point of them would be closer.
  bool is_least_inwards(const Vector3& p, const FacetPoint& closest) const {
    if (closest.corner >= 0) return true;
    const Vector3 r = closest.point - p;
    const double place = closest.weights[static_cast<std::size_t>((closest.edge + 1) % 4)];  // along the edge
    switch (closest.edge) {
      case 0: return r.dot(dv(place)) >= 0;
      case 1: return r.dot(du(place)) <= 0;
      case 2: return r.dot(dv(1 - place)) <= 0;
      default: return r.dot(du(1 - place)) >= 0;
    }
  }
};

/// Newton's method for the least |x(u, v) - p|^2 / 2 within the square, halving steps that do not descend.
/// False if it ends on the border of the square.
bool descend_to_closest(const Vector3& p, const BilinearPatch& patch, double& u, double& v) {
  const auto misfit = [&](double at_u, double at_v) { return (patch.at(at_u, at_v) - p).squaredNorm(); };
  constexpr int most_steps = 30, most_halvings = 30;
  constexpr double rounding = 1e-15, small = 1e-7;
  double value = misfit(u, v);
  for (int step = 0; step < most_steps; ++step) {
    const Vector3 r = patch.at(u, v) - p, x_u = patch.du(v), x_v = patch.dv(u);
    const double g_u = x_u.dot(r), g_v = x_v.dot(r), h_uu = x_u.squaredNorm(), h_vv = x_v.squaredNorm();
    double h_uv = x_u.dot(x_v) + r.dot(patch.twist);
    if (h_uu * h_vv - h_uv * h_uv <= 1e-6 * h_uu * h_vv)
      h_uv = x_u.dot(x_v);  // not convex here: Gauss-Newton
    const double determinant = h_uu * h_vv - h_uv * h_uv;
    if (!(determinant > 0)) return false;
    const double step_u = (h_uv * g_v - h_vv * g_u) / determinant;
    const double step_v = (h_uv * g_u - h_uu * g_v) / determinant;
    if (std::abs(step_u) + std::abs(step_v) <= small) {  // after it only rounding is left, and no descent
      u = std::clamp(u + step_u, 0.0, 1.0);
      v = std::clamp(v + step_v, 0.0, 1.0);
      break;
    }
    double next_u = u, next_v = v, next_value = value, length = 1;
    for (int halving = 0; halving < most_halvings; ++halving, length /= 2) {
      next_u = std::clamp(u + length * step_u, 0.0, 1.0);
      next_v = std::clamp(v + length * step_v, 0.0, 1.0);
      if (std::abs(next_u - u) + std::abs(next_v - v) <= rounding) break;  // held by the border, or there
      next_value = misfit(next_u, next_v);
      if (next_value < value) break;
    }
    if (!(next_value < value)) break;
    u = next_u;
    v = next_v;
    value = next_value;
  }
  return u > 0 && u < 1 && v > 0 && v < 1;
}

FacetPoint closest_on_quadrangle(const Vector3& p, const Vector3* corners) {
  FacetPoint on_edge = closest_on_edges(p, corners, 4);
  double u = 0.5, v = 0.5;
  const BilinearPatch patch(corners);
  on_edge.is_certain = patch.is_convex_from(p);
  if (on_edge.is_certain && patch.is_least_inwards(p, on_edge)) return on_edge;
  if (!descend_to_closest(p, patch, u, v)) return on_edge;
  FacetPoint closest;
  closest.is_certain = on_edge.is_certain;
  closest.weights = {(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v};
  closest.point = patch.at(u, v);
  return (p - closest.point).squaredNorm() <= (p - on_edge.point).squaredNorm() ? closest : on_edge;
}

}  // namespace

FacetPoint find_closest_point(const Vector3& p, const Vector3* corners, int corner_count) {
  if (corner_count == 2) return closest_on_line(p, corners);
  return corner_count == 3 ? closest_on_triangle(p, corners) : closest_on_quadrangle(p, corners);
}

Vector3 facet_area(const Vector3* corners, int corner_count, const std::array<double, 4>& weights) {
  if (corner_count == 2) return (corners[1] - corners[0]).cross(Vector3::UnitZ());
  if (corner_count == 3) return (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  const BilinearPatch patch(corners);
  const Vector3 area = patch.du(weights[2] + weights[3]).cross(patch.dv(weights[1] + weights[2]));
  if (area.squaredNorm() > 0) return area;
  return (corners[2] - corners[0]).cross(corners[3] - corners[1]);  // two corners in one place
}

Vector3 facet_normal(const Vector3* corners, int corner_count, const std::array<double, 4>& weights) {
  return unit_or_zero(facet_area(corners, corner_count, weights));
}

FacetProjection signed_projection(const Vector3& p, const FacetPoint& closest, const Vector3& side,
                                  bool beyond_border) {
  FacetProjection projection;
  projection.weights = closest.weights;
  const Vector3 from_closest = p - closest.point;
  const Vector3 outwards = unit_or_zero(side);
  const double distance = from_closest.norm(), height = outwards.dot(from_closest);
  // From p very close to the closest point rounding leaves no direction.
  const double rounding = 1e-13 * (closest.point.lpNorm<Eigen::Infinity>() + distance);
  if (outwards != Vector3::Zero() && (closest.is_inside() || distance <= rounding)) {
    projection.normal = outwards;
    projection.gap = height;
  } else {
    const double sign = beyond_border || height >= 0 ? 1 : -1;
    projection.gap = sign * distance;
    projection.normal = distance > 0 ? Vector3(sign / distance * from_closest) : Vector3(Vector3::UnitZ());
  }
  return projection;
}

FacetProjection project_on_facet(const Vector3& p, const Vector3* corners, int corner_count) {
  const FacetPoint closest = find_closest_point(p, corners, corner_count);
  const Vector3 in_plane(p.x(), p.y(), corner_count == 2 ? closest.point.z() : p.z());
  FacetProjection projection =
      signed_projection(in_plane, closest, facet_normal(corners, corner_count, closest.weights), false);
  projection.facet = 0;
  return projection;
}

}  // namespace percuss
