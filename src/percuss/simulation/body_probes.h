#pragma once

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/simulation/simulation.h"

namespace percuss {

/// `NAME.what` of a body, of a point or a node of it; `parts` are the names between the dots of `text`.
Probe probe_of_body(const System& system, const std::vector<std::string>& parts, const std::string& text);
/// `SYSTEM.COORDINATE` of the user's system of that number.
Probe user_probe(const System& system, int number, const std::vector<std::string>& parts);

}  // namespace percuss
