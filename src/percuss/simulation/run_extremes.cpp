#include "percuss/simulation/run_extremes.h"

#include <algorithm>
#include <cmath>

#include "percuss/contacts/contact_kinematics.h"

namespace percuss {

void RunExtremes::watch_approach(const ContactList& contacts, const Interactions& interactions,
                                 bool steps_end_at_impacts, const ContactKinematics& at, const VectorX& v,
                                 double time, double h) {
  bool is_fast = false;
  for (int c = 0; c < contacts.count(); ++c) {
    const Contact& contact = contacts[c];
    if (!std::isfinite(contact.thickness)) continue;
    if (steps_end_at_impacts && interactions.is_of_rigid_things(contact.id)) continue;
    const double way = -h * relative_velocity(contacts, at, c, 0, v);
    // How deep it would come if nothing stopped it. What is farther away is met in a later step.
    const double ratio = (way - std::max(at.gap[c], 0.0)) / (0.5 * contact.thickness);
    if (ratio <= 1 || at.gap[c] < -contact.thickness) continue;
    is_fast = true;
    if (ratio <= fast_ratio) continue;
    fast_ratio = ratio;
    fast_contact = contact.id;
    fast_speed = way / h;
    fast_time = time;
  }
  fast_steps += is_fast;
}

void RunExtremes::watch_overlap(const Contact& contact, double depth, double size) {
  const double relative = contact.gap_length * depth / std::min(size, contact.thickness);
  if (relative <= overlap) return;
  overlap = relative;
  overlapping = contact.id;
}

}  // namespace percuss
