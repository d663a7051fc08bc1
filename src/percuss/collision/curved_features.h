#pragma once

#include <vector>

#include "percuss/collision/curved_gap.h"
#include "percuss/collision/feature_pair.h"
#include "percuss/collision/step_motion.h"

/// Which features of two shapes may touch, if one of them is a cylinder, a cone or an ellipsoid.
/// docs/theory/worlds.md, section 5
namespace percuss {

/// Whether a flat end may stand on a mark of its rim: it lies nearly flat, and the mark is not beside the
/// lowest point of the rim, where it would be in the way of rolling. Of an end that is turned out of the
/// plane by no more than it turns within a step all marks count. `turn` is how far the shape turns against
/// the plane in a step [rad].
bool stands_on(const Feature& rim, const Vector3& mark, const Vector3& normal, const Vector3& turn);
/// Whether a rim has no lowest point that is known to rounding.
bool is_level(const Feature& rim, const Vector3& normal);

/// Keeps its memory from one pair of shapes to the next.
class CurvedFinder {
 public:
  /// Appends pairs with gaps of at most `reach`; all in the same axes.
  void find(const ConvexShape& a, const ConvexShape& b, double reach, const StepMotion& motion,
            std::vector<FeaturePair>& out);

  struct Candidate {
    FeaturePair pair;
    ClosestPoints at;
    double separation;  ///< of the whole shapes along the normal [m]
    /// By how much other parts of the shapes may reach farther along the normal [m]: a patch of contacts has
    /// one normal, but its ends are not all as far from each other.
    double allowed;
    bool is_inside_a, is_inside_b;  ///< the closest points are on the features, not beyond their ends
  };
  /// All pairs of features that have a normal, near or far. `size` is that of the smaller body [m].
  const std::vector<Candidate>& candidates(const ConvexShape& a, const ConvexShape& b, double reach,
                                           double size, const Vector3& turn);

 private:
  enum Side { first, second };

  void add_points(Side side);
  void add_lines(Side side);
  void add_curves(Side side);
  bool add_crossing(Side side, FeatureType type, int own, int circle);
  void add_pairs_of_curves();
  void offer(Side side, FeatureType own_type, int own, FeatureType other_type, int other, double allowed,
             int branch = 0);
  bool is_inside(const ConvexShape& shape, FeatureType type, int number, const Vector3& point) const;
  bool is_far(const ConvexShape& from, const Vector3& point, double length) const;
  void choose(const StepMotion& motion, std::vector<FeaturePair>& out) const;

  const ConvexShape& shape(Side side) const { return side == first ? *a_ : *b_; }
  static Side opposite(Side side) { return side == first ? second : first; }

  const ConvexShape *a_ = nullptr, *b_ = nullptr;
  double reach_ = 0, size_ = 0;
  Vector3 turn_ = Vector3::Zero();
  bool is_crossed_ = false;  ///< the rim that is offered, in its flat
  std::vector<Candidate> candidates_;
};

}  // namespace percuss
