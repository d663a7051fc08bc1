#include "percuss/collision/facet_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include <Eigen/Geometry>

namespace percuss {
namespace {

int corners_in(const std::array<int, 4>& nodes) {
  return static_cast<int>(std::ranges::find(nodes, -1) - nodes.begin());
}

void require_facets(const SurfaceFacets& surface, double margin) {
  if (!(margin >= 0 && std::isfinite(margin)))
    throw std::invalid_argument("the margin of a tree must not be negative, got " + std::to_string(margin));
  for (std::size_t i = 0; i < surface.nodes.size(); ++i) {
    const auto& nodes = surface.nodes[i];
    const int count = corners_in(nodes);
    if (count < 2 || std::any_of(nodes.begin(), nodes.begin() + count, [](int node) { return node < 0; }) ||
        std::any_of(nodes.begin() + count, nodes.end(), [](int node) { return node != -1; }))
      throw std::invalid_argument("facet " + std::to_string(i) + " needs 2 to 4 nodes, and -1 behind them");
    if ((count == 2) != (corners_in(surface.nodes[0]) == 2))
      throw std::invalid_argument("facet " + std::to_string(i) + ": a surface has either lines or faces");
  }
}

/// From the box around some points, and not more than from any place between them, rounding included: facets
/// at the same distance must all be seen.
double distance2_to_box(const Vector3& p, const Vector3* points, int count) {
  constexpr double rounding = 1e-15;
  Vector3 low = points[0], high = points[0];
  for (int i = 1; i < count; ++i) {
    low = low.cwiseMin(points[i]);
    high = high.cwiseMax(points[i]);
  }
  const Vector3 slack = rounding * (p.cwiseAbs() + low.cwiseAbs().cwiseMax(high.cwiseAbs()));
  return ((low - p).cwiseMax(p - high) - slack).cwiseMax(0.0).squaredNorm();
}

double angle_between(const Vector3& a, const Vector3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

}  // namespace

FacetTree::FacetTree(const SurfaceFacets& surface, double margin) : surface_(surface), margin_(margin) {
  require_facets(surface, margin);
  planar_ = !surface.nodes.empty() && corners_in(surface.nodes[0]) == 2;
  int last = -1;
  for (const auto& nodes : surface.nodes) last = std::max(last, *std::ranges::max_element(nodes));
  first_at_.assign(static_cast<std::size_t>(last) + 2, 0);
  for (const auto& nodes : surface.nodes)
    for (int i = 0; i < corners_in(nodes); ++i) ++first_at_[nodes[i] + 1];
  std::partial_sum(first_at_.begin(), first_at_.end(), first_at_.begin());
  at_.resize(static_cast<std::size_t>(first_at_.back()));
  std::vector<int> next = first_at_;
  for (int facet = 0; facet < std::ssize(surface.nodes); ++facet)
    for (int i = 0; i < corners_in(surface.nodes[facet]); ++i) at_[next[surface.nodes[facet][i]]++] = facet;
}

void FacetTree::update(const std::vector<Vector3>& points) {
  if (points.size() + 1 < first_at_.size())
    throw std::invalid_argument("the surface needs " + std::to_string(first_at_.size() - 1) +
                                " points, got " + std::to_string(points.size()));
  const auto used = static_cast<std::ptrdiff_t>(first_at_.size() - 1);
  points_.assign(points.begin(), points.begin() + used);
  bool moved = built_.size() != points_.size();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!points_[i].allFinite()) throw std::invalid_argument("point " + std::to_string(i) + " is not finite");
    moved = moved || !((points_[i] - built_[i]).squaredNorm() <= margin_ * margin_);
  }
  if (moved) rebuild();
}

void FacetTree::rebuild() {
  tree_.build(static_cast<int>(surface_.nodes.size()), [&](int facet) {
    const Corners corners = corners_of(facet);
    Eigen::AlignedBox3d box;
    for (int i = 0; i < corners.count; ++i) box.extend(corners.points[i]);
    return Eigen::AlignedBox3d(box.min() - Vector3::Constant(margin_),
                               box.max() + Vector3::Constant(margin_));
  });
  built_ = points_;
  ++rebuild_count_;
}

FacetTree::Corners FacetTree::corners_of(int facet) const {
  const auto& nodes = surface_.nodes[facet];
  Corners corners{{}, corners_in(nodes)};
  for (int i = 0; i < corners.count; ++i) corners.points[i] = points_[nodes[i]];
  return corners;
}

int FacetTree::corner_of(int facet, int node) const {
  const auto& nodes = surface_.nodes[facet];
  const auto found = std::ranges::find(nodes, node);
  return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
}

bool FacetTree::has_node(int facet, int node) const { return node >= 0 && corner_of(facet, node) >= 0; }

bool FacetTree::is_before(int facet, const Vector3& p, double depth) const {
  const Corners corners = corners_of(facet);
  const Vector3 normal = facet_area(corners.points.data(), corners.count, {0.25, 0.25, 0.25, 0.25});
  const double height = normal.dot(p - corners.points[0]);
  return height >= 0 || height > -depth * normal.norm();
}

std::span<const int> FacetTree::facets_at(int node) const {
  return std::span(at_).subspan(static_cast<std::size_t>(first_at_[node]),
                                static_cast<std::size_t>(first_at_[node + 1] - first_at_[node]));
}

Vector3 FacetTree::side_at(int facet, const FacetPoint& closest, bool& beyond_border) const {
  const auto& nodes = surface_.nodes[facet];
  if (closest.corner >= 0) return side_at_corner(nodes[closest.corner], beyond_border);
  const Corners corners = corners_of(facet);
  if (closest.edge < 0) return facet_normal(corners.points.data(), corners.count, closest.weights);
  const int next = (closest.edge + 1) % corners.count;
  return side_at_edge(nodes[closest.edge], nodes[next], closest.weights[next], beyond_border);
}

/// Sum of the normals of the facets at the edge, at the closest point.
Vector3 FacetTree::side_at_edge(int from, int to, double place, bool& beyond_border) const {
  Vector3 sum = Vector3::Zero();
  int count = 0;
  for (const int facet : facets_at(from)) {
    if (!has_node(facet, to)) continue;
    ++count;
    std::array<double, 4> weights{};
    weights[corner_of(facet, from)] = 1 - place;
    weights[corner_of(facet, to)] = place;
    const Corners corners = corners_of(facet);
    sum += facet_normal(corners.points.data(), corners.count, weights);
  }
  beyond_border = count < 2;
  return sum;
}

/// Sum of the normals of the facets at the node, weighted with their angles there.
Vector3 FacetTree::side_at_corner(int node, bool& beyond_border) const {
  Vector3 sum = Vector3::Zero();
  const auto around = facets_at(node);
  const auto is_edge_of_two = [&](int other) {
    return std::ranges::count_if(around, [&](int facet) { return has_node(facet, other); }) >= 2;
  };
  beyond_border = around.size() < 2;
  for (const int facet : around) {
    const Corners corners = corners_of(facet);
    const int corner = corner_of(facet, node);
    if (corners.count == 2) {
      sum += facet_normal(corners.points.data(), 2, {});
      continue;
    }
    const int next = (corner + 1) % corners.count, previous = (corner + corners.count - 1) % corners.count;
    const Vector3 to_next = corners.points[next] - corners.points[corner];
    const Vector3 to_previous = corners.points[previous] - corners.points[corner];
    std::array<double, 4> weights{};
    weights[corner] = 1;
    sum += angle_between(to_next, to_previous) * facet_normal(corners.points.data(), corners.count, weights);
    const auto& nodes = surface_.nodes[facet];
    beyond_border = beyond_border || !is_edge_of_two(nodes[next]) || !is_edge_of_two(nodes[previous]);
  }
  return sum;
}

FacetProjection FacetTree::search(const Vector3& p, double reach, bool (*allowed)(const void*, int),
                                  const void* predicate, int likely) const {
  if (surface_.nodes.empty() || built_.empty() || !(reach >= 0)) return {};
  const Vector3 from = planar_ ? Vector3(p.x(), p.y(), points_[surface_.nodes[0][0]].z()) : p;
  int best_facet = -1;
  FacetPoint best_point;
  double best = reach * reach, best_of_others = best;
  const auto visit = [&](int facet) {
    const Corners corners = corners_of(facet);
    const double distance2_of_box = distance2_to_box(from, corners.points.data(), corners.count);
    if (distance2_of_box > best) return;  // without the margin
    if (!allowed(predicate, facet)) {
      best_of_others = std::min(best_of_others, distance2_of_box);
      return;
    }
    const FacetPoint closest = find_closest_point(from, corners.points.data(), corners.count);
    const double distance2 = (from - closest.point).squaredNorm();
    if (!closest.is_certain) best_of_others = std::min(best_of_others, distance2_of_box);
    // The smaller number among equals, so that the answer does not depend on how the tree was built.
    if (!(distance2 < best || (distance2 == best && (best_facet < 0 || facet < best_facet)))) return;
    best = distance2;
    best_facet = facet;
    best_point = closest;
  };
  if (likely >= 0) visit(likely);
  tree_.visit_nearest_first(from, best, [&](int facet) {
    if (facet != likely) visit(facet);
  });
  FacetProjection projection;
  if (best_facet >= 0) {
    bool beyond_border = false;
    const Vector3 side = side_at(best_facet, best_point, beyond_border);
    projection = signed_projection(from, best_point, side, beyond_border);
    projection.facet = best_facet;
  }
  projection.distance = std::sqrt(std::min(best, best_of_others));
  return projection;
}

}  // namespace percuss
