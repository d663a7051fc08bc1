#pragma once

#include <array>

#include "percuss/contacts/contact_view.h"
#include "percuss/dynamics/contact_state.h"

namespace percuss {

/// Sums over a contact's life and over the current recording interval.
struct ContactSums {
  ContactId id;
  double impulse = 0;                                   ///< normal, since the start [N s]
  std::array<double, 3> interval_impulse = {};          ///< N, T1, T2 since the last frame [N s]
  double interval_work = 0;                             ///< since the last frame [J]
  ContactStatus interval_status = ContactStatus::open;  ///< `impact` if there was one since the last frame
  std::int32_t interval_impacts = 0;                    ///< since the last frame
  double interval_impact_impulse = 0;                   ///< normal, of these impacts [N s]
};

/// A contact that touched since the last frame and is not listed any more, as it was when it left.
struct DepartedContact {
  int number = 0;
  double gap = 0;
  Vector3 point = Vector3::Zero(), normal = Vector3::Zero(), tangent = Vector3::Zero();
  Vector3 velocity = Vector3::Zero();
};

/// A contact with its sums, as it is recorded.
struct ContactReport {
  ContactView view;
  Vector3 force;    ///< (N, T1, T2) of the last step [N]; 0 in a step with an impact
  Vector3 moment;   ///< likewise about N (spinning), T1, T2 (rolling) [N m]
  Vector3 impulse;  ///< (N, T1, T2) since the last frame [N s]
  ContactStatus status = ContactStatus::open;
  double work = 0;
};

}  // namespace percuss
