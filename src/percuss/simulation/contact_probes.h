#pragma once

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/simulation/simulation.h"

namespace percuss {

/// `contact(arguments).what`.
Probe contact_probe(const Assembly& assembly, const std::string& arguments, const std::string& what);
/// `contacts.what`.
Probe contacts_probe(const std::string& what);

}  // namespace percuss
