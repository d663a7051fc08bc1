#pragma once

#include <array>
#include <span>
#include <vector>

#include "percuss/collision/box_tree.h"
#include "percuss/collision/convex_shape.h"
#include "percuss/geometry/convex_hull.h"
#include "percuss/geometry/triangle_mesh.h"

namespace percuss {

/// A surface of triangles that need not be convex, by what of it can touch: faces, which are all triangles of
/// a plane that hang together; edges between two faces that bend outwards, and those of a border; vertices
/// of such edges. How a plane is cut into triangles makes no difference: inner edges cannot act.
class MeshSurface {
 public:
  static constexpr int flat = -1, hollow = -2;
  struct Triangle {
    std::array<int, 3> vertices;
    std::array<int, 3> edges;  ///< behind each vertex; `flat` within a face, `hollow` where it bends inwards
    int face;
  };
  struct Edge {
    int from, to;     ///< as the face on its left goes round
    int left, right;  ///< faces; right is -1 at a border
  };
  struct Face {
    Vector3 normal;
    double offset;
  };

  /// Of a mesh without defects, turned by R and moved by x.
  MeshSurface(const TriangleMesh& mesh, const Matrix3& R, const Vector3& x);
  /// The edge of a tidy polygon (geometry/polygon.h) in the plane z = 0, moved by x: on each side stands a
  /// triangle, whose foot is that side. It has faces and corners that point outwards, and no edges.
  MeshSurface(const std::vector<Vector2>& polygon, const Vector3& x);

  const std::vector<Vector3>& vertices() const { return vertices_; }
  const std::vector<Edge>& edges() const { return edges_; }
  const std::vector<Face>& faces() const { return faces_; }
  const Triangle& triangle(int t) const { return triangles_[static_cast<std::size_t>(t)]; }
  int triangle_count() const { return static_cast<int>(triangles_.size()); }
  const Vector3& vertex(int v) const { return vertices_[static_cast<std::size_t>(v)]; }
  const Face& face(int f) const { return faces_[static_cast<std::size_t>(f)]; }
  /// With the directions into its two faces; at a border the second one goes straight down.
  ConvexShape::Edge edge(int e) const;
  /// Whether the vertex touches in the direction n: no edge at it rises by more than the sine `tilt`.
  bool points_along(int vertex, const Vector3& n, double tilt) const;
  /// Whether it belongs to an edge that touches.
  bool is_corner(int vertex) const { return !neighbours(vertex).empty(); }
  double distance_to_triangle(int t, const Vector3& point) const;
  /// Whether a way cuts the triangle farther than `margin` from its ends.
  bool cuts(int t, const Vector3& from, const Vector3& to, double margin) const;
  /// Of its convex hull: what a half-space touches.
  const std::vector<int>& outermost() const { return outermost_; }
  bool has_border() const { return has_border_; }
  bool is_planar() const { return is_planar_; }

  double reach() const { return reach_; }  ///< of its farthest point from the origin [m]
  /// The smallest side of its box [m]; infinite if it has a border.
  double thickness() const { return thickness_; }
  const Eigen::AlignedBox3d& box() const { return box_; }

  template <class Visit>
  void visit_triangles_in(const Eigen::AlignedBox3d& box, const Visit& visit) const {
    tree_.visit_in(box, visit);
  }

 private:
  struct Side;

  std::span<const int> neighbours(int vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return {neighbours_.data() + first_neighbour_[v], neighbours_.data() + first_neighbour_[v + 1]};
  }
  void merge_planes(const std::vector<Side>& sides);
  void add_edges(const std::vector<Side>& sides);
  void measure();
  void build_tree();

  std::vector<Vector3> vertices_;
  std::vector<Triangle> triangles_;
  std::vector<Edge> edges_;
  std::vector<Face> faces_;
  /// Of a corner the other ends of all edges of its triangles; -1 - f stands for straight down from the face
  /// f of a border.
  std::vector<int> neighbours_, first_neighbour_;
  std::vector<int> outermost_;
  BoxTree tree_;
  Eigen::AlignedBox3d box_;
  double reach_ = 0, thickness_ = 0;
  bool has_border_ = false, is_planar_ = false;
};

int count_of(const MeshSurface& mesh, FeatureType type);
Feature feature_of(const MeshSurface& mesh, FeatureType type, int number);

}  // namespace percuss
