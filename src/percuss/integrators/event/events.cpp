#include <cmath>

#include "percuss/integrators/event/smooth_motion.h"

namespace percuss {
namespace {

constexpr double never = 1;  ///< value of a function that is not watched

struct Functions {
  double end_of_contact = never, with_margin = never;
  double end_of_friction = never, friction_with_margin = never;
  double end_of_features = never;
};

/// What is left of the friction that a sticking contact can give; the speed along the direction in which it
/// slides.
double friction_function(const Mechanics& mechanics, const double* force, int c,
                         const ContactMemory& memory) {
  const Contact& contact = mechanics.contacts()[c];
  const int first = contact.first_tangent();
  if (memory.mode == ContactMode::stick) {
    const double limit = contact.law.largest_friction(force[0]);
    return limit -
           (contact.tangents() > 1 ? std::hypot(force[first], force[first + 1]) : std::abs(force[first]));
  }
  if (contact.tangents() == 1) return memory.slip[0] * mechanics.velocity({c, first});
  return sliding_speed(mechanics, c);
}

Functions functions_of(const Mechanics& mechanics, const double* force, int c, const ContactMemory& memory,
                       const EventMargins& margins) {
  const Contact& contact = mechanics.contacts()[c];
  Functions f;
  if (!is_closed(memory.mode)) {
    if (!contact.has_gap()) return f;
    if (memory.mode == ContactMode::open) f.end_of_contact = mechanics.gap(c);
    f.with_margin = mechanics.gap(c) + margins.gap / mechanics.contacts()[c].gap_length;
    return f;
  }
  if (contact.has_gap()) {
    f.end_of_contact = force[0];
    f.with_margin = force[0] + margins.force;
  }
  if (const double room = mechanics.room(c); std::isfinite(room)) f.end_of_features = room;
  if (contact.tangents() == 0) return f;
  const double friction = friction_function(mechanics, force, c, memory);
  const bool sticks = memory.mode == ContactMode::stick;
  if (!sticks && contact.tangents() == 2) {
    f.end_of_friction = friction - margins.speed;  // a speed in space does not change its sign
    return f;
  }
  f.end_of_friction = friction;
  f.friction_with_margin = friction + (sticks ? margins.force : margins.speed);
  return f;
}

void end_contact(const Mechanics& mechanics, int c, ContactMemory& memory) {
  if (is_closed(memory.mode))
    memory.mode = ContactMode::released;
  else
    memory.mode = mechanics.velocity({c, 0}) < 0 ? ContactMode::hit : ContactMode::idle;
}

void end_friction(const Mechanics& mechanics, const double* force, int c, ContactMemory& memory) {
  if (memory.mode == ContactMode::slip) {
    memory.mode = ContactMode::stick;
    return;
  }
  const Contact& contact = mechanics.contacts()[c];
  const int first = contact.first_tangent();
  const double f1 = force[first], f2 = contact.tangents() > 1 ? force[first + 1] : 0.0;
  const double size = std::hypot(f1, f2);
  memory.mode = ContactMode::begins_slip;
  memory.slip = {-f1 / size, -f2 / size};
}

}  // namespace

void evaluate_events(const Mechanics& mechanics, const ContactForces& forces,
                     const std::vector<ContactMemory>& modes, const EventMargins& margins, double* values) {
  for (size_t c = 0; c < modes.size(); ++c) {
    const Functions f = functions_of(mechanics, &forces.contact_force()[mechanics.contacts()[c].row],
                                     static_cast<int>(c), modes[c], margins);
    for (const double x :
         {f.end_of_contact, f.with_margin, f.end_of_friction, f.friction_with_margin, f.end_of_features})
      *values++ = x;
  }
}

void take_events(const Mechanics& mechanics, const ContactForces& forces, const int* found,
                 const EventMargins& margins, std::vector<ContactMemory>& modes) {
  for (size_t c = 0; c < modes.size(); ++c, found += functions_per_contact) {
    // The contacts of a body come to rest in space together, but for rounding.
    const bool rests = modes[c].mode == ContactMode::slip && mechanics.contacts()[c].tangents() == 2 &&
                       sliding_speed(mechanics, static_cast<int>(c)) <= 2 * margins.speed;
    if (found[0] != 0 || found[1] != 0)
      end_contact(mechanics, static_cast<int>(c), modes[c]);
    else if (found[2] != 0 || found[3] != 0 || rests)
      end_friction(mechanics, &forces.contact_force()[mechanics.contacts()[c].row], static_cast<int>(c),
                   modes[c]);
  }
}

}  // namespace percuss
