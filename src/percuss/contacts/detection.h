#pragma once

#include <optional>
#include <vector>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/contacts/found_contacts.h"

namespace percuss {

/// Which contacts the next step looks at. They are chosen once, at the place predicted for the middle of the
/// step, and stay while it is computed; the scheme decides which of them become active.
///
/// What is declared one by one is listed always, unless it is marked otherwise: then it is listed while its
/// gap is within a skin and twice what bodies travel in the step. A list changes nothing but which open
/// contacts are looked at. What bodies find by themselves comes behind.
class Detection {
 public:
  explicit Detection(const Assembly& assembly);

  const ContactList& list() const { return list_; }
  /// Chooses the contacts of a step of length h from `state`; true if they are others than before.
  bool choose(const Assembly& assembly, const State& state, double h) {
    return !is_fixed_ && choose_again(assembly, state, h);
  }
  /// How long a step of at most h may be, so that nothing that finds others passes through them.
  double longest_step(const Assembly& assembly, const State& state, double h);
  /// The list before the last change.
  const ContactList& before() const { return next_; }
  /// The list of a state that was kept. False, and nothing happens, if it has contacts that do not exist.
  bool list_again(const Assembly& assembly, const ContactState& state);

 private:
  void predict(const Assembly& assembly, const State& state, double h);
  bool choose_again(const Assembly& assembly, const State& state, double h);
  void choose_declared(const Assembly& assembly, const State& state, double h);

  bool lists_all_declared_;
  bool is_fixed_;  ///< and nothing is found
  std::optional<ThingSearch> search_;
  ContactList list_, next_;
  Kinematics kinematics_;  ///< at the predicted place
  ContactKinematics near_;
  VectorX q_, increment_;
};

/// What realign() needs and tells.
struct Realignment {
  ContactState before;
  std::vector<int> origin;  ///< where each contact of the list was before, or -1
};
/// Brings what contacts carry into the order of a list, by id: what is not listed any more is forgotten, what
/// is new is open, without reaction, with a memory of zeros.
void realign(const ContactList& list, int memory_size, ContactState& state, Realignment& scratch);

}  // namespace percuss
