#pragma once

#include "percuss/contacts/contact_kinematics.h"

namespace percuss {

/// `at` must be at the state, with all contacts.
ContactView view_contact(const Assembly& assembly, const ContactList& list, const ContactKinematics& at,
                         const State& state, int c);

}  // namespace percuss
