#pragma once

#include <memory>
#include <vector>

#include "percuss/collision/broad_phase.h"
#include "percuss/collision/features.h"
#include "percuss/collision/mesh_features.h"
#include "percuss/contacts/contact_list.h"
#include "percuss/contacts/flexible_search.h"

/// Contacts that are not declared one by one.  docs/theory/worlds.md
namespace percuss {

struct Assembly;

/// Appends the contact with this id; false if things have no such features, or only nodes that are held.
bool add_found_contact(const System& system, const Interactions& interactions, const ContactId& id,
                       ContactList& list);

/// How far the closest points of a found contact are inside of its features: of a face or of an edge [m].
/// What has no border, a face of a mesh and the surface of a flexible body have room without end. 0 is where
/// other features take over.
double room_on_features(const Interactions& interactions, const Contact& contact,
                        const Kinematics& kinematics);

/// Looks for features that face each other. It has no history: what it keeps only saves time.
class ThingSearch {
 public:
  explicit ThingSearch(const Assembly& assembly);

  /// Appends the contacts that a step of length h may close, with ascending ids. Bodies stand where they are
  /// predicted for the middle of the step, and have their velocities.
  void find(const Assembly& assembly, const Kinematics& predicted, double h, ContactList& out) {
    find_pairs(predicted, h);
    find_features(assembly, predicted, h, out);
  }
  /// Its two halves: things whose boxes overlap, and the features of these pairs.
  void find_pairs(const Kinematics& predicted, double h);
  void find_features(const Assembly& assembly, const Kinematics& predicted, double h, ContactList& out);
  const BroadPhase::Pairs& pairs() const { return pairs_; }

  /// How long a step of at most h may be so that nothing passes through anything: one with an impact ends
  /// while that is no deeper than a twentieth of the thinner body.
  double longest_step(const Kinematics& predicted, double h);

 private:
  double end_behind_impact(int i, int j, const Kinematics& predicted, double h, double longest);
  void place(const Kinematics& predicted, double h);
  void place_nodes(std::size_t i, const Kinematics& predicted, double h);
  void find_between(const Assembly& assembly, const Kinematics& predicted, int i, int j, double h,
                    ContactList& out);
  void find_between_pieces(const Piece& a, const PoseAndVelocity& at_a, const Piece& b,
                           const PoseAndVelocity& at_b, double reach, const StepMotion& motion);
  void find_on_plane(const Thing& thing, const Thing& plane, const Kinematics& predicted, double reach,
                     double h);

  std::shared_ptr<const Things> things_;
  std::vector<int> planes_;  ///< things that are half-spaces
  std::vector<double>
      own_reach_;  ///< of each thing: how far its surface may come in what is left of the step [m]
  std::vector<double> margin_;
  std::vector<Box> boxes_;
  BroadPhase broad_phase_;
  BroadPhase::Pairs pairs_;
  FeatureFinder finder_;
  MeshFeatureFinder mesh_finder_;
  FlexibleSearch flexible_;
  std::vector<FeaturePair> features_, of_pieces_;
};

}  // namespace percuss
