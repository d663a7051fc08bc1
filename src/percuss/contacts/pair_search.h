#pragma once

#include <memory>
#include <vector>

#include "percuss/collision/broad_phase.h"
#include "percuss/collision/features.h"
#include "percuss/collision/mesh_features.h"
#include "percuss/contacts/flexible_search.h"

namespace percuss {

/// Part of a thing's thickness within which contacts are listed, however slow it is. What matters is decided
/// by the scheme; this is room for what accelerations do within a step.
inline constexpr double skin_of_thing = 0.05;

/// How fast a body turns [rad/s], in space.
Vector3 rotation_of(const PoseAndVelocity& pose);

/// Looks for the features of things that face each other, one pair after the other. Each thread has one of
/// its own; what it keeps from one pair to the next only saves time.
class PairSearch {
 public:
  explicit PairSearch(const Assembly& assembly)
      : things_(assembly.interactions.things), flexible_(assembly) {}

  struct Moment {
    const Assembly& assembly;
    const Kinematics& at;
    double h;  ///< of the step
  };
  struct Side {
    const Thing& thing;
    const Box& box;           ///< around it
    double reach;             ///< how far its surface may come [m]
    const Vector3& rotation;  ///< [rad/s]
  };

  /// Bodies have moved.
  void begin() { flexible_.begin(); }
  /// Forgets what was found.
  void clear() { found_.clear(); }
  /// Appends the features of two things to `found`, ascending; tells how many.
  int find(const Moment& now, const Side& first, const Side& second);
  const std::vector<FeaturePair>& found() const { return found_; }

  /// Features of two pieces by their numbers within these, with gaps of at most `reach`.
  const std::vector<FeaturePair>& find_between_pieces(const Piece& a, const PoseAndVelocity& at_a,
                                                      const Piece& b, const PoseAndVelocity& at_b,
                                                      double reach, const StepMotion& motion);

 private:
  void find_between(const Moment& now, const Side& first, const Side& second);
  void find_on_plane(const Moment& now, const Side& thing, const Side& plane);

  std::shared_ptr<const Things> things_;
  FeatureFinder finder_;
  MeshFeatureFinder mesh_finder_;
  FlexibleSearch flexible_;
  std::vector<FeaturePair> found_, of_pair_, of_pieces_;
};

}  // namespace percuss
