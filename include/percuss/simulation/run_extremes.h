#pragma once

#include <cstdint>

#include "percuss/dynamics/contact_state.h"
#include "percuss/math/vector.h"

namespace percuss {

struct Contact;
struct ContactKinematics;
struct ContactList;
struct Interactions;

/// What decides whether the results of a run can be trusted, gathered on the way. Energies and joints are
/// looked at in every 16th step.
struct RunExtremes {
  double start_motion = 0;     ///< kinetic and strain energy at the start [J]
  double start_potential = 0;  ///< of gravity, at the start [J]
  double kinetic = 0;          ///< largest kinetic energy [J]
  double entered =
      0;  ///< most energy that had entered the motion at a time: at the start, by work, by falling [J]
  double joint_violation = 0;   ///< largest violation of a joint: a part of the model's size, or radians
  double overlap = 0;           ///< deepest penetration as a part of the thinner body or of the model's size
  ContactId overlapping;        ///< the contact of it
  std::int64_t fast_steps = 0;  ///< in which two bodies met so fast that one may have passed the other
  ContactId fast_contact;       ///< the fastest of them
  double fast_speed = 0;        ///< its approach [m/s]
  double fast_ratio = 0;        ///< way in the step over half of the thickness
  double fast_time = 0;         ///< [s]

  /// A step of size h that starts at `time` with contacts `at` and velocities v.
  /// With steps that end at impacts, rigid bodies that find each other cannot pass.
  void watch_approach(const ContactList& contacts, const Interactions& interactions,
                      bool steps_end_at_impacts, const ContactKinematics& at, const VectorX& v, double time,
                      double h);
  /// A contact at the end of a step, and its penetration.
  void watch_overlap(const Contact& contact, double depth, double size);
};

}  // namespace percuss
