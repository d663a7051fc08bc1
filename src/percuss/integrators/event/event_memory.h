#pragma once

#include <array>
#include <vector>

#include "percuss/dynamics/state.h"

namespace percuss {

/// What a contact does between two events.  docs/theory/event_driven.md (EV-4)
enum class ContactMode : std::uint8_t {
  open,         ///< no force; its gap is watched
  idle,         ///< touches without force and moves with others that are closed
  slip,         ///< closed; friction against `slip`, or none
  stick,        ///< closed and not sliding
  hit,          ///< closed with approach: an impact comes next
  released,     ///< its force has just vanished
  begins_slip,  ///< its friction has just reached the limit
};
inline bool is_closed(ContactMode mode) { return mode == ContactMode::slip || mode == ContactMode::stick; }

struct ContactMemory {
  ContactMode mode = ContactMode::open;
  std::array<double, 2> slip = {};  ///< direction of sliding along T1 and T2
  // The last impact, for accumulations (EV-12). No interval yet: 0.
  double impact_time = 0, impact_interval = 0, impact_speed = 0;
};

/// Everything the next step depends on besides q, v and t: as it is kept in State::memory, and what belongs
/// to a contact in ContactState::memory.
struct EventMemory {
  double step_hint = 0;       ///< of the smooth motion [s]; 0: none
  bool modes_are_old = true;  ///< an event has happened since they were decided
  double standstill = 0;      ///< steps since time went on
  double largest_force = 0;   ///< of a contact so far [N]
  bool creeps = false;        ///< contacts slide so slowly that an explicit method is too dear  (EV-18)
  std::vector<ContactMemory> contacts;

  static constexpr int size = 5, contact_size = 6;

  void read(const State& state) {
    const VectorX& from = state.memory;
    step_hint = from[0];
    modes_are_old = from[1] != 0;
    standstill = from[2];
    largest_force = from[3];
    creeps = from[4] != 0;
    contacts.resize(state.contacts.status.size());
    const double* p = state.contacts.memory.data();
    for (ContactMemory& c : contacts) {
      c = {static_cast<ContactMode>(static_cast<int>(p[0])), {p[1], p[2]}, p[3], p[4], p[5]};
      p += contact_size;
    }
  }
  void write(State& state) const {
    VectorX& to = state.memory;
    to[0] = step_hint;
    to[1] = modes_are_old ? 1 : 0;
    to[2] = standstill;
    to[3] = largest_force;
    to[4] = creeps ? 1 : 0;
    double* p = state.contacts.memory.data();
    for (const ContactMemory& c : contacts)
      for (const double x : {static_cast<double>(static_cast<int>(c.mode)), c.slip[0], c.slip[1],
                             c.impact_time, c.impact_interval, c.impact_speed})
        *p++ = x;
  }
};

}  // namespace percuss
