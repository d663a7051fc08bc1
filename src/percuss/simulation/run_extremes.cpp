#include "percuss/simulation/run_extremes.h"

#include <algorithm>
#include <cmath>

#include "percuss/contacts/contact_kinematics.h"

namespace percuss {

void RunExtremes::watch_approach(const ContactList& contacts, std::int64_t interactions,
                                 const ContactKinematics& at, const VectorX& v, double time, double h) {
  bool is_fast = false;
  for (int c = 0; c < contacts.count(); ++c) {
    const Contact& contact = contacts[c];
    if (!std::isfinite(contact.thickness) || contact.id.interaction >= interactions) continue;
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
