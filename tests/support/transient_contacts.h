#pragma once

#include "percuss/contacts/assembly.h"
#include "percuss/contacts/contact_kinematics.h"

namespace percuss::testing {

/// The same model whose contacts are listed only while they are near.
inline Assembly with_transient_contacts(Assembly assembly) {
  for (Contact& contact : assembly.interactions.declared.contacts)
    contact.is_always_listed = !contact.has_gap();
  return assembly;
}

}  // namespace percuss::testing
