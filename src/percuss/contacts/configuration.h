#pragma once

#include "percuss/contacts/contact_kinematics.h"

namespace percuss {

/// Where everything is at one moment, and the contacts there. Remembers for which q and t it was computed, so
/// that nothing is computed again for a state at which it already is.
class Configuration {
 public:
  explicit Configuration(const Assembly& assembly);

  /// All contacts of a list; the bodies must be placed at this q unless all contacts are constant.
  void find_contacts(const Assembly& assembly, const ContactList& list, const VectorX& q);
  /// Gives its contacts away for others, of which it does not know where they were found.
  void exchange_contacts(ContactKinematics& others);
  /// Brings it to a state, and of the contacts those that matter: see evaluate_near_contacts().
  void complete(const Assembly& assembly, const ContactList& list, const State& state, double horizon);

  Kinematics kinematics;
  ContactKinematics contacts;

 private:
  bool is_placed_at(const System& system, const State& state) const;
  bool has_contacts_of(const System& system, const ContactList& list, const State& state) const;

  VectorX contact_q_;  ///< where the contacts were found
  double contact_t_ = 0;
};

}  // namespace percuss
