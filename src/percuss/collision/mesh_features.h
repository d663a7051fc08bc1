#pragma once

#include <array>
#include <vector>

#include "percuss/collision/features.h"
#include "percuss/collision/mesh_surface.h"

/// Which features of a surface of triangles and of another surface may touch within a step. Surfaces that are
/// not convex have no direction of widest separation: features that are over each other may touch, and where
/// surfaces overlap those that are least deep.  docs/theory/worlds.md, section 6
namespace percuss {

struct PlacedMesh {
  const MeshSurface* surface;
  Vector3 x;  ///< of the origin of its axes
  Matrix3 R;
};

/// Appends the corners of a mesh that are within `reach` before a plane, which is face 0 of the second side.
void find_features_on_plane(const PlacedMesh& a, const Vector3& point, const Vector3& normal, double reach,
                            std::vector<FeaturePair>& out);

/// Keeps its memory from one pair to the next.
class MeshFeatureFinder {
 public:
  /// Appends pairs with gaps of at most `reach`; the mesh is the first side. `turn` is how far the other
  /// shape turns against the mesh in a step [rad], in space.
  void find(const PlacedMesh& mesh, const PlacedShape& other, double reach, std::vector<FeaturePair>& out,
            const Vector3& turn = Vector3::Zero());
  void find(const PlacedMesh& mesh, const PlacedMesh& other, double reach, std::vector<FeaturePair>& out);

 private:
  /// By this part of the smaller size depths that are the same may differ by rounding.
  static constexpr double same_part = 1e-6;
  /// What is less deep than this part of the smaller size counts as touching.
  static constexpr double touching_part = 1e-3;
  enum Side { first, second };
  /// What is held against what: a triangle, with those of its edges that touch, or a convex body. In the axes
  /// of the first mesh.
  struct Element {
    ConvexShape shape;
    const MeshSurface* mesh = nullptr;  ///< none of a convex body
    int triangle = -1;
    std::array<int, 3> edges{};  ///< numbers of the edges of its shape
    Matrix3 to_mesh;             ///< of directions, into the axes of its mesh
  };
  /// A pair of features that are over each other, and where it is closest.
  struct Found {
    FeaturePair pair;
    double gap;
    Vector3 normal;  ///< out of the first
    Vector3 on_own, on_other;
    /// Of the surfaces there: a point of the edge or the corner, the middle of the triangle.
    Vector3 place_own, place_other;
  };

  void begin(const MeshSurface& mesh, double reach, std::vector<FeaturePair>& out);
  void take_triangle(Element& element, int t, const Matrix3& R, const Vector3& x);

  // Triangles against triangles and polyhedra.
  void element_on_element();
  void corners_on_faces(Side side);
  void edges_on_edges();
  static bool is_corner(const Element& of, int vertex);
  bool is_corner_along(Side side, int vertex, const Vector3& direction, double tilt) const;
  bool is_listed_corner(const Vector3& corner, const Vector3& normal) const;
  bool is_over(const Element& of, int face, const Vector3& point, double height) const;
  bool is_inside(Side side, const Vector3& from, const Vector3& to) const;
  bool is_replaced(const Found& deep, const Found& by) const;
  void add_valid();

  // Triangles against cylinders, cones and ellipsoids.
  void curved_on_element(const Vector3& turn);
  bool leaves_elsewhere(const Vector3& point, double depth) const;
  bool may_touch(const CurvedFinder::Candidate& candidate) const;

  // Points and segments with a radius.
  void point_on_mesh(int vertex);
  void point_inside(int vertex);
  void segment_on_mesh();

  void add(FeatureKind kind, int own, int other);
  /// By the numbers in the shapes of the two elements.
  FeaturePair numbered(FeatureKind kind, int own, int other) const;
  const Element& element(Side side) const { return side == first ? own_ : other_; }

  Element own_, other_;
  Vector3 other_origin_ = Vector3::Zero();  ///< of the axes of the second mesh in those of the first
  const MeshSurface* mesh_ = nullptr;
  double reach_ = 0, size_ = 0, tolerance_ = 0;  ///< [m]; the size of the smaller one
  double deepest_ = 0;                           ///< what is deeper is on the other side of a body [m]
  std::vector<int> near_, near_other_;           ///< triangles
  std::vector<Found> found_;
  CurvedFinder curved_;
  std::vector<FeaturePair>* out_ = nullptr;
};

}  // namespace percuss
