#include "percuss/contacts/configuration.h"

#include <cmath>
#include <utility>

namespace percuss {

Configuration::Configuration(const Assembly& assembly)
    : kinematics(make_kinematics(assembly.system)),
      contacts(make_contact_kinematics(assembly.interactions, assembly.interactions.declared)),
      contact_q_(kinematics.q) {}

void Configuration::find_contacts(const Assembly& assembly, const ContactList& list, const VectorX& q) {
  const bool has_them = contacts.is_complete && contacts.version == list.version &&
                        contact_t_ == kinematics.t && contact_q_ == q;
  if (has_them && assembly.system.joints.angle_count == 0) return;
  evaluate_contacts(assembly, list, q, kinematics, contacts);
  contact_q_ = q;
  contact_t_ = kinematics.t;
}

void Configuration::exchange_contacts(ContactKinematics& others) {
  std::swap(contacts, others);
  contacts.is_complete = false;
}

/// Without frames nothing depends on time.
bool Configuration::is_placed_at(const System& system, const State& state) const {
  const Kinematics& at = kinematics;
  const bool is_then = system.has_frames() ? at.t == state.time : !std::isnan(at.t);
  return is_then && at.q == state.q && at.v == state.v;
}

/// Angles of joints are continued from those of the start of a step, which changes their rounding.
bool Configuration::has_contacts_of(const System& system, const ContactList& list, const State& state) const {
  return contacts.is_complete && contacts.version == list.version &&
         (contact_t_ == state.time || !system.has_frames()) && system.joints.angle_count == 0 &&
         contact_q_ == state.q;
}

void Configuration::complete(const Assembly& assembly, const ContactList& list, const State& state,
                             double horizon) {
  const System& system = assembly.system;
  if (!state.angles.empty()) kinematics.angles = state.angles;
  if ((system.needs_poses() || !assembly.interactions.is_constant) && !is_placed_at(system, state))
    update(system, state.q, state.v, state.time, kinematics);
  if (has_contacts_of(system, list, state)) return;
  evaluate_near_contacts(assembly, list, state.q, horizon, state.contacts.status, kinematics, contacts);
  contact_q_ = state.q;
  contact_t_ = state.time;
}

}  // namespace percuss
