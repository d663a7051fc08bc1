#pragma once

#include <limits>
#include <vector>

#include "percuss/collision/box_axes.h"
#include "percuss/collision/curved_features.h"
#include "percuss/collision/feature_pair.h"
#include "percuss/collision/step_motion.h"

/// Which features of two convex surfaces may touch within a step. These are candidates: their gaps are in
/// feature_gap; here distances and normals only serve to choose.  docs/theory/worlds.md
namespace percuss {

/// The same pair with the two sides exchanged.
FeaturePair exchanged(const FeaturePair& pair);

struct PlacedShape {
  const ConvexShape* shape;
  Vector3 x;  ///< of the origin of its axes
  Matrix3 R;
};

/// Appends the points of a shape that are within `reach` before a plane, which is face 0 of the second side.
/// `turn` is how far the shape turns against the plane in a step [rad], in space.
void find_features_on_plane(const PlacedShape& a, const Vector3& point, const Vector3& normal, double reach,
                            std::vector<FeaturePair>& out, const Vector3& turn = Vector3::Zero());

/// Keeps its memory from one pair of shapes to the next.
class FeatureFinder {
 public:
  /// Appends pairs with gaps of at most `reach`. Shapes stand where they are in the middle of the step.
  void find(const PlacedShape& a, const PlacedShape& b, double reach, std::vector<FeaturePair>& out,
            const StepMotion& motion = {});
  /// Of two polyhedra or polygons along the normal that separates them most; negative if they overlap [m].
  double separation(const PlacedShape& a, const PlacedShape& b);

 private:
  /// By this part of the smaller size the separation of two edges must exceed that of faces, and that of a
  /// face of the second shape that of one of the first: where they are the same but for rounding the choice
  /// stays.
  static constexpr double preference = 1e-6;
  enum Side { first, second };
  /// How far the shapes are apart along the normal of a face, or of two edges.
  struct Separation {
    double distance = -std::numeric_limits<double>::infinity();
    int face = -1;
    FeaturePair edges = {FeatureKind::whole};
  };
  /// Two edges, and the common normal that points out of the first shape.
  struct EdgePair {
    FeaturePair features;
    Vector3 normal;
    double distance;  ///< along it
  };

  void add(Side side, FeatureKind kind, int own, int other);
  static bool are_points_near(const PlacedShape& a, const PlacedShape& b, double reach);
  void point_on_point(int a, int b);
  void point_on_segment(Side side, int vertex);
  void segment_on_segment();
  void point_on_faces(Side side, int vertex);
  void segment_on_faces(Side side);
  void vertices_on_segment(Side side);
  void find_polyhedra(const BoxAxes& boxes);
  void find_boxes(const BoxAxes& boxes);
  void add_widest(const Separation& of_edges, bool slides);

  /// By more than the reach along a normal of the boxes around them.
  bool are_apart(BoxAxes& boxes) const;
  Separation along_faces(Side side) const;
  StepSeparation along_face(Side side, int face) const;
  /// Along those faces that outlast another normal.
  Separation along_lasting_faces(Side side, const StepSeparation& other) const;
  bool slides_past();
  /// Along edges that are not parallel. Right if it exceeds `least`; otherwise something that does not.
  Separation along_edges(double least);
  void list_facing_edges(Side side, double least, std::vector<int>& out) const;
  bool touches_inside(Side side, int face, double height);
  void look_along_normals();
  /// By more than the reach. Knows no edges yet.
  bool are_apart_along_faces();
  /// Whether edges of a face may be crossed at their ends.
  enum class Borders { inside, with_ends };
  void add_patch(Side side, int face, double distance, Borders borders = Borders::inside);
  void add_deepest(Side side, int face);
  void measure_patch(Side side, int face);
  void add_edges_of_patch(Side side, int face, double least, Borders borders);
  bool meet_at_parallel_edges() const;
  /// How far a point of the plane of a face is outside of it; negative inside [m].
  double outside(Side side, int face, const Vector3& point);
  /// False if the edges are parallel, or if their normal is by more than the sine `tilt` outside of what
  /// their faces allow.
  bool face_each_other(int edge_a, int edge_b, double tilt, EdgePair& pair);
  /// Whether the closest points of their lines are inside of both edges, or by how much beside each [m].
  bool cross_inside(const EdgePair& pair, double beside_a, double beside_b);
  bool cross_inside(const EdgePair& pair);

  static Side opposite(Side side) { return side == first ? second : first; }
  /// In the axes of the first. Of polyhedra edges, and directions outwards of a face at its corners, are
  /// placed when edge() or outward() is asked for them.
  const ConvexShape& shape(Side side) const { return side == first ? *a_ : b_; }
  const ConvexShape::Edge& edge(Side side, int e);
  const Vector3& outward(Side side, int corner);
  void place_all_edges(const Vector3& x);
  /// In its own axes, for which numbers belong together.
  const ConvexShape& unplaced(Side side) const { return side == first ? *a_ : *own_b_; }
  double tolerance() const;  ///< [m]
  double bias() const;       ///< [m]

  const ConvexShape* a_ = nullptr;
  const ConvexShape* own_b_ = nullptr;
  Matrix3 R_;          ///< of the axes of the second in those of the first
  ConvexShape b_;      ///< the second in the axes of the first
  StepMotion motion_;  ///< in these axes
  std::vector<char> is_edge_placed_, is_outward_placed_;
  double reach_ = 0;
  std::vector<FeaturePair>* out_ = nullptr;
  Separation of_first_, of_second_;  ///< along the faces of each
  /// Of each face of a side: height of the middle of the other shape, and normal . x of its vertices [m].
  std::vector<double> heights_[2];
  std::vector<int> edges_of_first_, edges_of_second_;  ///< scratch of along_edges()
  /// Of the face of a patch: the heights of the other's vertices over it, and side by side how far they are
  /// outside [m].
  std::vector<double> over_patch_, outside_patch_;
  CurvedFinder curved_;
};

}  // namespace percuss
