#pragma once

#include <array>
#include <span>
#include <vector>

#include "percuss/collision/box_tree.h"
#include "percuss/collision/facet_projection.h"

namespace percuss {

/// Facets of a surface, all of them lines or none. Numbers index the points; unused places are -1: (a, b, c,
/// -1) is a triangle, (a, b, -1, -1) a line.
struct SurfaceFacets {
  std::vector<std::array<int, 4>> nodes;
};

/// Finds the closest point of a point on a surface that moves, with a tree of boxes around its facets. The
/// boxes have a margin; the tree is built again when a point of the surface has moved further than that.
///
/// At edges and corners the facets around them decide what is outside (Baerentzen and Aanaes, Signed distance
/// computation using the angle weighted pseudonormal, 2005), so that the gap from a closed surface is
/// continuous and has the right sign also at sharp edges. A point beyond the border of an open surface is
/// outside.
class FacetTree {
 public:
  /// Throws std::invalid_argument for facets with less than two corners, lines among faces, or a negative
  /// margin.
  FacetTree(const SurfaceFacets& surface, double margin);

  /// Where the points are now. Throws std::invalid_argument if some are missing or not finite.
  void update(const std::vector<Vector3>& points);

  /// The facet with the least distance from p, if it is within reach (m), among those that are
  /// allowed(facet). A `likely` one, such as that of a moment ago, shortens the search and does not change
  /// the answer. Does not allocate, and may be called from several threads.
  template <class Allowed>
  FacetProjection closest(const Vector3& p, double reach, const Allowed& allowed, int likely = -1) const {
    const auto ask = [](const void* predicate, int facet) {
      return static_cast<bool>((*static_cast<const Allowed*>(predicate))(facet));
    };
    return search(p, reach, ask, &allowed, likely);
  }
  FacetProjection closest(const Vector3& p, double reach) const {
    return closest(p, reach, [](int) { return true; });
  }
  /// For the contact of a surface with itself: leaves out the facets at a node of it.
  FacetProjection closest_apart_from(int node, const Vector3& p, double reach) const {
    return closest(p, reach, [&](int facet) { return !has_node(facet, node); });
  }

  bool has_node(int facet, int node) const;
  /// Whether p is less than `depth` behind the plane through the middle of a facet.
  bool is_before(int facet, const Vector3& p, double depth) const;
  int rebuild_count() const { return rebuild_count_; }

 private:
  struct Corners {
    std::array<Vector3, 4> points;
    int count;
  };

  FacetProjection search(const Vector3& p, double reach, bool (*allowed)(const void*, int),
                         const void* predicate, int likely) const;
  void rebuild();
  Corners corners_of(int facet) const;
  int corner_of(int facet, int node) const;  ///< -1: none
  std::span<const int> facets_at(int node) const;
  Vector3 side_at(int facet, const FacetPoint& closest, bool& beyond_border) const;
  Vector3 side_at_edge(int from, int to, double place, bool& beyond_border) const;
  Vector3 side_at_corner(int node, bool& beyond_border) const;

  SurfaceFacets surface_;
  double margin_;
  bool planar_ = false;                  ///< of lines
  std::vector<int> first_at_, at_;       ///< facets at each node
  std::vector<Vector3> points_, built_;  ///< now, and when the tree was built
  BoxTree tree_;
  int rebuild_count_ = 0;
};

}  // namespace percuss
