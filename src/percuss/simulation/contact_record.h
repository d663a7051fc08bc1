#pragma once

#include <array>
#include <map>
#include <vector>

#include "percuss/contacts/contact_list.h"
#include "percuss/contacts/contact_view.h"

namespace percuss {

/// Sums over a contact's life and over the current recording interval.
struct ContactSums {
  ContactId id;
  double impulse = 0;                                   ///< normal, since the start [N s]
  std::array<double, 3> interval_impulse = {};          ///< N, T1, T2 since the last frame [N s]
  double interval_work = 0;                             ///< since the last frame [J]
  ContactStatus interval_status = ContactStatus::open;  ///< `impact` if there was one since the last frame
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
  Vector3 impulse;  ///< (N, T1, T2) since the last frame [N s]
  ContactStatus status = ContactStatus::open;
  double work = 0;
};

/// The numbers of the contacts of a run: what is always listed has the first ones, the others get theirs when
/// they touch. A number stays, and indexes the sums of the run.
class ContactNumbers {
 public:
  /// Of everything in `sums`; nothing is listed yet.
  void know(const std::vector<ContactSums>& sums);
  /// From now on for the places of this list.
  void follow(const ContactList& list);

  int at(int place) const { return numbers_[static_cast<std::size_t>(place)]; }  ///< -1 if it has none yet
  int of(const ContactId& id) const;                                             ///< the same
  /// The number of a contact of the list, a new one if it has none.
  int give(const ContactList& list, int place, std::vector<ContactSums>& sums);

 private:
  std::map<ContactId, int> known_;
  std::vector<int> numbers_;  ///< by place in the list
};

}  // namespace percuss
