#pragma once

#include <map>
#include <vector>

#include "percuss/contacts/contact_list.h"
#include "percuss/simulation/contact_record.h"
#include "percuss/simulation/contact_sums.h"

namespace percuss {

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
