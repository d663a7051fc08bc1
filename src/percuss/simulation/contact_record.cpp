#include "percuss/simulation/contact_record.h"

namespace percuss {

void ContactNumbers::know(const std::vector<ContactSums>& sums) {
  known_.clear();
  for (size_t number = 0; number < sums.size(); ++number)
    known_.emplace(sums[number].id, static_cast<int>(number));
}

void ContactNumbers::follow(const ContactList& list) {
  numbers_.clear();
  for (const Contact& contact : list.contacts) numbers_.push_back(of(contact.id));
}

int ContactNumbers::of(const ContactId& id) const {
  const auto found = known_.find(id);
  return found == known_.end() ? -1 : found->second;
}

int ContactNumbers::give(const ContactList& list, int place, std::vector<ContactSums>& sums) {
  int& number = numbers_[static_cast<size_t>(place)];
  if (number >= 0) return number;
  number = static_cast<int>(sums.size());
  sums.push_back({.id = list[place].id});
  known_.emplace(list[place].id, number);
  return number;
}

}  // namespace percuss
