#include "percuss/contacts/contact_list.h"

#include <algorithm>

namespace percuss {

void ContactList::clear() {
  contacts.clear();
  dof.clear();
  constant_jacobian.clear();
  rows = 0;
}

void ContactList::add(Contact contact) {
  contact.row = rows;
  rows += contact.rows;
  contacts.push_back(contact);
}

void ContactList::add_from(const ContactList& other, int c) {
  Contact contact = other[c];
  const auto append = [](auto& own, const auto& from, int first, int count) {
    own.insert(own.end(), from.begin() + first, from.begin() + first + count);
  };
  const int begin = static_cast<int>(dof.size()), entry = static_cast<int>(constant_jacobian.size());
  append(dof, other.dof, contact.begin, contact.count);
  append(constant_jacobian, other.constant_jacobian, contact.entry, contact.rows * contact.count);
  contact.begin = begin;
  contact.entry = entry;
  add(contact);
}

int ContactList::find(const ContactId& id) const {
  const auto place = std::ranges::lower_bound(contacts, id, {}, &Contact::id);
  return place != contacts.end() && place->id == id ? static_cast<int>(place - contacts.begin()) : -1;
}

int find_contact(const Interactions& interactions, const std::string& first, const std::string& second) {
  const auto& declared = interactions.declared;
  for (int c = 0; c < declared.count(); ++c)
    if (interactions.name(declared[c]) == ContactName{first, second}) return c;
  return -1;
}

Vector3 in_contact_frame(const Contact& contact, const std::vector<double>& by_row) {
  Vector3 values = Vector3::Zero();
  for (int row = 0; row < std::min(contact.rows, 3); ++row) values[row] = by_row[contact.row + row];
  return values;
}

}  // namespace percuss
