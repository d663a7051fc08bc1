#pragma once

#include <memory>
#include <vector>

#include "percuss/collision/broad_phase.h"
#include "percuss/collision/features.h"
#include "percuss/collision/mesh_features.h"
#include "percuss/contacts/contact_kinematics.h"
#include "percuss/contacts/facet_contacts.h"

namespace percuss {

/// Which features of flexible bodies and of others face each other: nodes of solids as points and elements of
/// beams as capsules before everything, points of everything before surfaces of facets. Keeps its memory from
/// one pair to the next.
class FlexibleSearch {
 public:
  explicit FlexibleSearch(const Assembly& assembly);

  struct Moment {
    const Assembly& assembly;
    const Kinematics& at;
  };
  /// A thing with the box around it, which must not be smaller than what is searched.
  struct Side {
    const Thing& thing;
    const Box& box;
  };

  /// Bodies have moved: surfaces are placed anew when they are needed.
  void begin();
  /// Appends pairs of features with gaps of at most `reach`; one of the two is flexible.
  void find(const Moment& now, const Side& first, const Side& second, double reach,
            std::vector<FeaturePair>& out);
  /// Of a surface and its own nodes, as far as these come in a step of length h against the mean of all.
  void find_with_itself(const Moment& now, const Thing& thing, double skin, double h,
                        std::vector<FeaturePair>& out);

 private:
  using Pairs = std::vector<FeaturePair>;

  /// A convex part of a thing, or a mesh, in space.
  struct Part {
    const ConvexShape* shape;
    const MeshSurface* mesh;
    Vector3 x;
    Matrix3 R;
    const Piece* piece;  ///< of a rigid thing, or
    int first;           ///< the number of its first node and, of a beam, of the element

    int number(FeatureType type, int local) const { return local + (piece ? piece->first(type) : first); }
  };
  /// The parts of a thing that are near a box; those of flexible ones use the memory of `shape`.
  template <class Visit>
  void visit_parts(const Moment& now, const Thing& thing, const Box& near, ConvexShape& shape,
                   const Visit& visit) const;
  void parts_on_parts(const Moment& now, const Side& own, const Side& other, double reach, Pairs& out);
  void part_on_part(const Part& own, const Part& other, double reach, Pairs& out);
  /// Points of `own` before a half-space or facets.
  void find_points(const Moment& now, const Side& own, const Side& other, double reach, Pairs& out);
  void nodes_on_plane(const Moment& now, const Thing& own, const Thing& plane, double reach,
                      Pairs& out) const;
  void points_on_surface(const Moment& now, const Thing& own, const Side& other, double reach, Pairs& out);
  bool is_near_surface(const Moment& now, const Thing& of, const SurfacePoint& point, double reach);

  std::shared_ptr<const Things> things_;
  std::vector<ContactKinematics::Surface> surfaces_;
  std::vector<char> is_placed_;
  ConvexShape own_, other_;  ///< a node or an element
  std::vector<int> vertices_;
  Pairs of_parts_;
  FeatureFinder finder_;
  MeshFeatureFinder mesh_finder_;
};

}  // namespace percuss
